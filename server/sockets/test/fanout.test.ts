import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { Connection, queuedMax } from '../connection.ts'
import { Fanout } from '../fanout.ts'
import { makeUpgrade } from '../upgrade.ts'

/** A server whose sockets all listen to `news` (each message counts) and `price` (the newest replaces all before it). */
async function startFanout() {
  const fanout = new Fanout((channel) => channel === 'price')
  const raws: Duplex[] = []
  const codes: number[] = []
  const server = createServer()
  server.on(
    'upgrade',
    makeUpgrade(
      () => () => ({
        open: (ws, raw) => {
          const connection = new Connection(ws, raw, 100)
          raws.push(raw)
          fanout.listen(connection, ['news', 'price'])
          ws.on('close', (code) => {
            codes.push(code)
            fanout.listen(connection, [])
          })
        },
      }),
      { isOwn: () => true },
    ),
  )
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    fanout,
    raws,
    codes,
    port,
    [Symbol.dispose]() {
      for (const raw of raws) raw.destroy()
      server.close()
    },
  }
}

/** A client that completes the handshake and then reads nothing. */
async function openSleeper(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  socket.on('error', () => undefined)
  await new Promise((done) => socket.once('data', done))
  socket.pause()
  return socket
}

test('GATEWAY-SOCKET-001: a reader that keeps up gets every message of a tick in order', async () => {
  using server = await startFanout()
  const ws = new WebSocket(`ws://127.0.0.1:${server.port}/`)
  const received: string[] = []
  ws.on('message', (data) => received.push(String(data)))
  await new Promise((done) => ws.once('open', done))
  for (const text of ['1', '2', 'ü'.repeat(70_000)]) server.fanout.publish('news', text)
  server.fanout.publish('price', 'old')
  server.fanout.publish('price', 'new')
  server.fanout.publish('nobody', 'x')
  server.fanout.flush()
  while (received.length < 4) await sleep(5)
  assert.deepEqual(received, ['1', '2', 'ü'.repeat(70_000), 'new'])
  ws.terminate()
})

test('GATEWAY-SOCKET-002: at most a mebibyte waits for a client that does not read, and it is cut off with 1013', async () => {
  using server = await startFanout()
  const sleeper = await openSleeper(server.port)
  let most = 0
  for (let i = 0; i < 400 && server.codes.length === 0; i++) {
    server.fanout.publish('news', 'x'.repeat(60_000))
    server.fanout.flush()
    most = Math.max(most, server.raws[0]!.writableLength)
    await sleep(1)
  }
  assert.ok(most <= queuedMax + 4, `${most} bytes were queued`)
  // When it reads again, the client finds the close frame behind the queued messages.
  let end = Buffer.alloc(0)
  sleeper.on('data', (chunk: Buffer) => {
    end = Buffer.concat([end, chunk]).subarray(-200)
  })
  sleeper.resume()
  for (let i = 0; i < 3_000 && !end.includes('too slow'); i++) await sleep(10)
  assert.ok(end.includes(Buffer.from([0x03, 0xf5])), 'no close frame with 1013')
  sleeper.destroy()
})

test('GATEWAY-SOCKET-003: replaceable messages are held back from a slow reader, who later gets only the newest', async () => {
  using server = await startFanout()
  const sleeper = await openSleeper(server.port)
  const received: Buffer[] = []
  for (let i = 0; i < 600; i++) {
    server.fanout.publish('price', `${String(i).padStart(6, '0')}${'x'.repeat(50_000)}`)
    server.fanout.flush()
    if (i % 20 === 0) await sleep(1)
  }
  assert.ok(server.raws[0]!.writableLength < queuedMax)
  assert.deepEqual(server.codes, [])
  sleeper.on('data', (chunk: Buffer) => received.push(chunk))
  sleeper.resume()
  const told = () => Buffer.concat(received).toString('latin1')
  for (let i = 0; i < 3_000 && server.raws[0]!.writableLength > 0; i++) await sleep(10)
  server.fanout.publish('news', 'awake')
  server.fanout.flush()
  for (let i = 0; i < 3_000 && !told().includes('awake'); i++) await sleep(10)
  const text = told()
  assert.ok(text.includes('000599'), 'the newest is missing')
  assert.equal(text.includes('000500'), false, 'an outdated one was sent')
  assert.ok(text.includes('awake'))
  sleeper.destroy()
})
