import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { mock, test } from 'node:test'
import type { WebSocket } from 'ws'
import { Connection } from '../connection.ts'
import { Lives } from '../lives.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

class FakeSocket extends EventEmitter {
  readyState = 1
  readonly ping = mock.fn()
  readonly terminate = mock.fn()
  readonly close = mock.fn((_code: number, _reason: string) => {
    this.readyState = 2
  })
}

function open(lives: Lives, life: 'spot' | 'futures' | 'app') {
  const ws = new FakeSocket()
  const raw = new PassThrough()
  const connection = new Connection(ws as unknown as WebSocket, raw, 5)
  lives.add(connection, life)
  return { ws, read: () => String(raw.read() ?? '') }
}

test('GATEWAY-SOCKET-005: sockets are pinged every 20 seconds, those of Futures every three minutes, and cut off a minute after no answer', () => {
  let now = 0
  const lives = new Lives({ now: () => now, everyMs: hour })
  const [spot, futures] = [open(lives, 'spot'), open(lives, 'futures')]
  const pings = () => [spot.ws.ping.mock.callCount(), futures.ws.ping.mock.callCount()]
  for (now = 0; now <= 3 * minute; now += second) {
    lives.look()
    if (now % (20 * second) === 0) spot.ws.emit('pong')
  }
  assert.deepEqual(pings(), [9, 1])
  assert.equal(spot.ws.terminate.mock.callCount() + futures.ws.terminate.mock.callCount(), 0)
  for (; futures.ws.terminate.mock.callCount() === 0; now += second) {
    lives.look()
    spot.ws.emit('pong')
    assert.ok(now < 5 * minute)
  }
  assert.equal(now, 4 * minute + second)
  assert.equal(spot.ws.terminate.mock.callCount(), 0)
  lives.close()
})

test('GATEWAY-SOCKET-006: programs’ sockets live for a day, and are notified ten minutes before the end, and when the exchange stops', async () => {
  let now = 0
  const lives = new Lives({ now: () => now, everyMs: hour })
  const [spot, app] = [open(lives, 'spot'), open(lives, 'app')]
  const told = () => spot.read().includes('"e":"serverShutdown"')
  now = 24 * hour - 10 * minute - second
  lives.look()
  await Promise.resolve()
  assert.equal(told(), false)
  now += second
  lives.look()
  lives.look()
  await Promise.resolve()
  assert.equal(told(), true)
  assert.equal(spot.ws.close.mock.callCount(), 0)
  now = 24 * hour
  lives.look()
  assert.deepEqual(spot.ws.close.mock.calls[0]?.arguments, [1001, 'a socket lives for 24 hours'])
  assert.equal(app.ws.close.mock.callCount(), 0)
  const last = open(lives, 'futures')
  lives.close()
  assert.match(last.read(), /serverShutdown/)
  assert.deepEqual([last.ws.close.mock.callCount(), app.ws.close.mock.callCount(), app.read()], [1, 1, ''])
})
