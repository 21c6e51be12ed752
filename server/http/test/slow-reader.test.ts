import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { startExchange } from '../../main/test/exchange.ts'

const unreadMs = 1_000
/** Far more than the buffers of both ends hold: tens of megabytes. */
const asked = 1_000
const request = Buffer.from('GET /api/v3/exchangeInfo HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')

/** A client that asks for everything and reads nothing. */
function deafClient(url: string): { readonly socket: Socket; readonly isGone: () => boolean } {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let isGone = false
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isGone = true
  })
  socket.pause()
  for (let i = 0; i < asked; i++) socket.write(request)
  return { socket, isGone: () => isGone }
}

test('GATEWAY-SLOW-001: a client that reads nothing of an answer is cut off; one that reads slowly, or has nothing to read, is not', async () => {
  await using exchange = await startExchange({ seed: 'slow-reader', hasFeeds: false, patience: { unreadMs } })
  const { length } = Buffer.from(await (await fetch(`${exchange.url}/api/v3/exchangeInfo`)).arrayBuffer())
  assert.ok(length * asked > 20_000_000, `${length} bytes are too few to fill anything`)

  const quiet = new WebSocket(`${exchange.url.replace('http', 'ws')}/stream`)
  await new Promise((done, fail) => quiet.once('open', done).once('error', fail))
  const slow = connect(Number(new URL(exchange.url).port), '127.0.0.1')
  const slowEnd = new Promise<string>((done) => slow.on('close', () => done('closed')).on('error', (cause) => done(cause.message)))
  slow.pause()
  for (let i = 0; i < asked; i++) slow.write(request)

  const began = performance.now()
  const deaf = deafClient(exchange.url)
  let read = 0
  // Sends a byte now and then: the other end, if it is closed, answers with a reset.
  for (let beats = 0; !deaf.isGone() && beats < 2_400; beats++) {
    deaf.socket.write(request.subarray(0, 1))
    read += (slow.read() as Buffer | null)?.length ?? 0
    await sleep(50)
  }
  const tookMs = performance.now() - began
  assert.ok(deaf.isGone(), 'nobody cut it off')
  assert.ok(tookMs >= unreadMs * 0.9, `cut off after ${tookMs} ms already`)
  assert.ok(deaf.socket.bytesRead < length * asked, 'it was cut off before the end')

  // Reads little by little, for several times that long.
  for (let beats = 0; beats < 60; beats++) {
    read += (slow.read() as Buffer | null)?.length ?? 0
    await sleep(50)
  }
  assert.equal(await Promise.race([slowEnd, sleep(1, 'open')]), 'open', `a slow reader was cut off after ${read} bytes`)
  slow.on('data', (chunk: Buffer) => {
    read += chunk.length
  })
  slow.resume()
  for (let beats = 0; read <= length * asked && beats < 2_400; beats++) await sleep(50)
  assert.ok(read > length * asked, `${read} bytes of all came`)
  assert.equal(quiet.readyState, WebSocket.OPEN, 'a silent socket is not a slow reader')
  slow.destroy()
  quiet.terminate()
})
