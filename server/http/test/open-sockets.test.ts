import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { startExchange } from '../../main/test/exchange.ts'
import { OpenSockets } from '../open-sockets.ts'

type Opened = { readonly status: number; readonly body?: any; readonly socket: WebSocket }

test('GATEWAY-SOCKET-007: the open sockets of an address are limited over all kinds, and a closed one makes room for another', async () => {
  const max = 4
  await using exchange = await startExchange({
    seed: 'open-sockets',
    hasFeeds: false,
    settings: { trustedProxies: ['127.0.0.1'], socketsPerAddress: max },
  })
  const open = (path: string, ip: string): Promise<Opened> =>
    new Promise((done) => {
      const socket = new WebSocket(exchange.url.replace('http', 'ws') + path, { headers: { 'x-forwarded-for': ip } })
      socket.on('open', () => done({ status: 101, socket }))
      socket.on('unexpected-response', (_request, response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => done({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()), socket }))
      })
      socket.on('error', () => undefined)
    })
  const here = '203.0.113.20'
  const kinds = ['/wss', '/app/v1/stream', '/stream?streams=btcusdt@trade', '/ws-api/v3']
  const held = await Promise.all(kinds.map((path) => open(path, here)))
  assert.deepEqual(
    held.map(({ status }) => status),
    [101, 101, 101, 101],
  )
  for (const path of ['/ws/btcusdt@trade', '/fstream/ws', '/ws-fapi/v1']) {
    const { status, body } = await open(path, here)
    assert.deepEqual([status, body.code], [429, -1003])
    assert.match(body.msg, /Too many open connections; current limit is 4 at a time/)
  }
  for (const path of ['/wss', '/app/v1/stream']) {
    const { status, body } = await open(path, here)
    assert.deepEqual([status, body.code], [429, 'RATE_LIMITED'])
  }

  assert.equal((await open('/wss', '203.0.113.21')).status, 101, 'another address')
  const network = await Promise.all([1, 2, 3, 4].map((i) => open('/wss', `2001:db8:1:2::${i}`)))
  assert.ok(network.every(({ status }) => status === 101))
  assert.equal((await open('/wss', '2001:db8:1:2:ffff::9')).status, 429, 'IPv6 addresses count by network')
  assert.equal((await open('/wss', '2001:db8:1:3::1')).status, 101)
  const own = await Promise.all(Array.from({ length: 2 * max }, () => open('/stream', '127.0.0.1')))
  assert.ok(
    own.every(({ status }) => status === 101),
    'a sandbox does not hold its own machine',
  )

  const [first] = held as [Opened]
  first.socket.terminate()
  await once(first.socket, 'close')
  let again = await open('/wss', here)
  for (let tries = 0; again.status !== 101 && tries < 1_000; tries++) {
    await sleep(10)
    again = await open('/wss', here)
  }
  assert.equal(again.status, 101)
  assert.equal((await open('/wss', here)).status, 429)

  // A refused client that keeps its end open is disconnected all the same.
  const refused = connect({ port: Number(new URL(exchange.url).port), host: '127.0.0.1', allowHalfOpen: true })
  const handshake = ['GET /nowhere HTTP/1.1', 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', '', '']
  refused.write(handshake.join('\r\n'))
  refused.resume()
  await once(refused, 'end')
  const gone = new Promise<string>((done) => refused.once('error', (cause: NodeJS.ErrnoException) => done(cause.code ?? '')))
  const beat = setInterval(() => refused.write('x'), 20)
  try {
    assert.match(await gone, /ECONNRESET|EPIPE/)
  } finally {
    clearInterval(beat)
    refused.destroy()
  }
})

test('GATEWAY-SOCKET-007: the count of an address is dropped with its last socket', async () => {
  const sockets = new OpenSockets(2)
  const streams = [new PassThrough(), new PassThrough()]
  for (const stream of streams) assert.ok(sockets.admit('192.0.2.1', stream))
  assert.ok(!sockets.admit('192.0.2.1', new PassThrough()))
  assert.equal(sockets.size, 2, 'the address and its wide network')
  for (const stream of streams) {
    stream.destroy()
    await once(stream, 'close')
  }
  assert.equal(sockets.size, 0)
  assert.ok(sockets.admit('192.0.2.1', streams[0] as PassThrough), 'a closed socket is not counted')
  assert.equal(sockets.size, 0)
})
