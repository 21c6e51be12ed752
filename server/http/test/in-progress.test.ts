import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Devices } from '../../identity/devices.ts'
import { ServerKeys } from '../../identity/server-keys.ts'
import { front } from '../front.ts'
import { Hosts } from '../hosts.ts'
import { InProgress } from '../in-progress.ts'
import { Limits } from '../limits.ts'
import { Proxies } from '../proxies.ts'
import { Shut } from '../shut.ts'

test('GATEWAY-LIMITS-003: strangers and one account who hold all requests in progress leave some to other known devices', async () => {
  const devices = new Devices(ServerKeys.of(Buffer.alloc(32, 7)))
  const limits = new Limits(() => 0)
  const accountOf = ({ headers }: { readonly headers: { readonly cookie?: string | undefined } }) =>
    devices.verified(headers.cookie ?? '')?.account
  const hosts = new Hosts({ mode: 'sandbox', publicUrls: [], host: '127.0.0.1', hosts: [] })
  const shut = new Shut({
    limits,
    knownAs: (sent) => {
      const name = accountOf(sent)
      return name === undefined ? undefined : { name, isSecret: true }
    },
  })
  const first = front({
    ...{ hosts, proxies: new Proxies(['127.0.0.1']), mode: 'production', requestId: () => '1', shut, accountOf },
    atOnce: 16,
  })
  /** Requests in progress: nobody answers them. */
  const held: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (!first(request, response)) held.push(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  let refused = 0
  const closing = new AbortController()
  const send = (ip: string, cookie = ''): void => {
    const headers = { 'x-forwarded-for': ip, cookie }
    void fetch(url, { headers, signal: closing.signal }).then(
      async (answer) => {
        assert.equal(answer.status, 429)
        await answer.arrayBuffer()
        refused++
      },
      () => undefined,
    )
  }
  const isAt = async (inProgress: number, refusals: number): Promise<void> => {
    while (held.length + refused < inProgress + refusals) await sleep(5)
    assert.deepEqual([held.length, refused], [inProgress, refusals])
  }
  try {
    const here = '2001:db8:1:1::1'
    for (let i = 0; i < 20; i++) send(here)
    await isAt(16, 4)
    // A quarter more for known devices, and of these an eighth, one at least, for the browsers of one account.
    const [mallory, other, alice] = ['mallory', 'mallory', 'alice'].map((account, i) =>
      devices.sign(Buffer.alloc(16, i).toString('base64url'), account, 1),
    )
    send(here, mallory)
    await isAt(17, 4)
    send(here, other)
    send(here, 'A'.repeat(54))
    await isAt(17, 6)
    send(here, alice)
    await isAt(18, 6)
    for (const account of ['bob', 'carol', 'dave', 'erin']) send(here, devices.sign(Buffer.alloc(16, 9).toString('base64url'), account, 1))
    await isAt(20, 8)
    // When a request ends, its place is free again.
    held[16]!.destroy()
    await once(held[16]!, 'close')
    send(here, other)
    await isAt(21, 8)
  } finally {
    closing.abort()
    limits.close()
    server.closeAllConnections()
    server.close()
  }
})

test('GATEWAY-LIMITS-003: what has ended is forgotten, and a cookie is read only when everybody’s number is used up', () => {
  const running = new InProgress(8)
  let asked = 0
  const account = (): string => {
    asked++
    return 'alice'
  }
  for (let round = 0; round < 100; round++) {
    const ends = Array.from({ length: 8 }, () => running.enter('203.0.113.7', account)!)
    assert.equal(asked, round)
    ends.push(running.enter('203.0.113.7', account)!)
    for (const end of ends) end()
  }
})
