import assert from 'node:assert/strict'
import test from 'node:test'
import { startLoopback, until } from '../../test/loopback.ts'
import { makeCall } from '../call.ts'
import { openFuturesEvents } from '../futures-events.ts'
import type { FuturesEvent } from '../user-types.ts'

test('API-SDK-015: the key of the Futures stream is created, renewed, and replaced when it ends; a quiet stream is pinged', async (t) => {
  const keys = ['one', 'one', 'two']
  const asked: string[] = []
  const opened: string[] = []
  const pings: string[] = []
  let isRefused = true
  await using exchange = await startLoopback({
    request(request, _body, response) {
      asked.push(`${request.method} ${request.url}`)
      response.setHeader('content-type', 'application/json')
      if (isRefused) response.writeHead(503).end('{"code":-1001,"msg":"not now"}')
      else response.end(JSON.stringify({ listenKey: keys[0] }))
      isRefused = false
    },
    socket(socket, request) {
      opened.push(request.url ?? '')
      socket.on('message', (data) => {
        pings.push(String(data))
        socket.send('{"result":[],"id":1}')
      })
    },
  })
  const events: FuturesEvent[] = []
  const errors: unknown[] = []
  const call = makeCall({ url: exchange.url, key: 'k', retries: 0 })
  const stream = openFuturesEvents({
    ...{ url: exchange.url, call, onEvent: (event) => events.push(event), onError: (error) => errors.push(error) },
    ...{ retryMs: 5, renewMs: 30, pingMs: 10, silenceMs: 2_000 },
  })
  t.after(() => stream.close())
  await stream.opened
  assert.equal(errors.length, 1)
  await until(() => asked.length > 3 && pings.length > 1)
  assert.deepEqual(new Set(asked), new Set(['POST /fapi/v1/listenKey']))
  assert.deepEqual(opened, ['/fstream/private/ws?listenKey=one'], 'a renewed key is the same stream')
  keys[0] = 'two'
  for (const socket of exchange.sockets) socket.send('{"e":"listenKeyExpired","E":1}')
  // A renewal in progress may still be answered with the old key.
  await until(() => opened.at(-1) === '/fstream/private/ws?listenKey=two')
  assert.deepEqual(events, [{ e: 'listenKeyExpired', E: 1 }])
})
