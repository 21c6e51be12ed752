import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { Proxies } from '../../../http/proxies.ts'
import { hashOf } from '../../../identity/secret.ts'
import type { SignalAddress } from '../../../signals/calls.ts'
import { Weights, weightMax } from '../../weights.ts'
import { signalServer } from '../hook.ts'
import { KnownSignals } from '../known.ts'
import type { Taken } from '../taken.ts'

const good = 'g'.repeat(43)
/** An address that is on, but never sent anything here. */
const fresh = 'f'.repeat(43)

/** A hook that knows one good address. `lines`: what it logs. */
async function started(take: () => Promise<void>) {
  const lines: string[] = []
  const weights = new Weights()
  let [lookups, lists] = [0, 0]
  const addressesOn = async (): Promise<Map<string, string>> => {
    lists++
    return new Map([good, fresh].map((secret) => [hashOf(secret).toString('hex'), 'alice']))
  }
  const now = (): number => 1_000_000
  const hook = signalServer({
    calls: {
      find: async (secret) => {
        lookups++
        return secret === good || secret === fresh ? ({ key: 1, account: 'alice' } as SignalAddress) : undefined
      },
    },
    known: new KnownSignals({ calls: { addressesOn }, now, onFault: (cause) => assert.fail(String(cause)) }),
    taken: { take } as unknown as Taken,
    ...{ weights, mode: 'production', proxies: new Proxies([]), now, requestId: () => 'r', onEnded: () => undefined },
    logger: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
  })
  const server = createServer((request, response) => assert.ok(hook(request, response)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/v1/`
  const send = async (secret: string, method = 'POST') =>
    (await fetch(url + secret, { method, ...(method === 'POST' ? { body: '{}' } : {}) })).status
  return {
    ...{ lines, send, lookups: () => lookups, lists: () => lists, port: (server.address() as AddressInfo).port },
    async [Symbol.asyncDispose]() {
      weights.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('SIGNAL-ADDRESS-005: unknown addresses are limited by network, and a known one goes on working from there', async () => {
  await using hook = await started(async () => undefined)
  assert.equal(await hook.send(good), 200)
  const statuses: number[] = []
  for (let n = 0; n <= weightMax / 20 + 5; n++) statuses.push(await hook.send(`${n}`.padStart(43, 'u')))
  assert.deepEqual(new Set(statuses), new Set([404, 429]))
  assert.equal(statuses.at(-1), 429)
  const lookups = hook.lookups()
  assert.equal(await hook.send('w'.repeat(43)), 429)
  assert.equal(hook.lookups(), lookups, 'a limited sender costs no look-up')
  assert.equal(await hook.send(good), 200)
})

test('SIGNAL-ADDRESS-005: an address that never came here works from a network that is banned for unknown ones', async () => {
  await using hook = await started(async () => undefined)
  const statuses: number[] = []
  for (let n = 0; n <= weightMax / 20 + 70; n++) statuses.push(await hook.send(`${n}`.padStart(43, 'u')))
  assert.equal(statuses.at(-1), 429)
  assert.equal(await hook.send(fresh), 200)
  assert.equal(await hook.send(fresh.replace('f', 'w')), 429)
  assert.equal(hook.lists(), 1, 'the list is read once, however many are refused')
})

test('SIGNAL-LIMIT-007: of one address, 300 requests per minute are looked up in the tables, also those that are no calls', async () => {
  await using hook = await started(async () => undefined)
  for (let n = 0; n < 300; n++) assert.equal(await hook.send(good, n % 2 === 0 ? 'POST' : 'GET'), n % 2 === 0 ? 200 : 405)
  assert.equal(await hook.send(good), 422)
  assert.equal(await hook.send(good, 'GET'), 422)
  assert.equal(hook.lookups(), 300)
  assert.equal(await hook.send(fresh), 200)
})

test('SIGNAL-LIMIT-007: requests of one address at the same moment are counted before any of them is looked up', async () => {
  await using hook = await started(async () => undefined)
  const statuses = await Promise.all(Array.from({ length: 400 }, () => hook.send(good)))
  assert.equal(statuses.filter((status) => status === 200).length, 300)
  assert.equal(hook.lookups(), 300)
})

test('SIGNAL-ADDRESS-005: unknown addresses at the same moment are counted before any of them is looked up', async () => {
  await using hook = await started(async () => undefined)
  const statuses = await Promise.all(Array.from({ length: 400 }, (_, n) => hook.send(`${n}`.padStart(43, 'u'))))
  assert.deepEqual(new Set(statuses), new Set([404, 429]))
  assert.equal(hook.lookups(), weightMax / 20 + 1)
})

test('SIGNAL-ADDRESS-006: a sender that hangs up in the middle of an alert makes no line in the log of the server', async () => {
  await using hook = await started(async () => undefined)
  for (let n = 0; n < 5; n++) {
    const socket = connect(hook.port, '127.0.0.1')
    socket.write(`POST /hooks/v1/${good} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{`)
    while (hook.lookups() === n) await sleep(2)
    await sleep(20)
    socket.destroy()
  }
  // An answer to a later request comes after the ends of the earlier ones.
  assert.equal(await hook.send(good), 200)
  await sleep(50)
  assert.deepEqual(hook.lines, [])
})

test('SIGNAL-ADDRESS-004: a fault is logged without the address', async () => {
  await using hook = await started(() => Promise.reject(new Error('the disk is full')))
  assert.equal(await hook.send(good), 503)
  assert.equal(hook.lines.length, 1)
  assert.match(hook.lines[0]!, /the disk is full/)
  assert.ok(!hook.lines[0]!.includes(good) && !hook.lines[0]!.includes('hooks'))
})
