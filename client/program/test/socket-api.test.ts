import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, verify } from 'node:crypto'
import test from 'node:test'
import type { WebSocket } from 'ws'
import { startLoopback, until } from '../../test/loopback.ts'
import type { Route } from '../call.ts'
import { openSocketApi } from '../socket-api.ts'
import type { SpotEvent } from '../user-types.ts'

const order: Route = { method: 'POST', path: '/o', security: 'signed', clientId: 'newClientOrderId', socket: 'order.place' }
const cancel: Route = { method: 'DELETE', path: '/o', security: 'signed', socket: 'order.cancel' }
type Asked = { readonly id: string; readonly method: string; readonly params: Record<string, unknown> }

/** The text that an exchange verifies: all parameters but the signature, sorted by name. */
const messageOf = ({ signature: _, ...params }: Record<string, unknown>): string =>
  Object.keys(params)
    .sort()
    .map((name) => `${name}=${String(params[name])}`)
    .join('&')

async function start(answer: (asked: Asked, socket: WebSocket) => object | undefined) {
  const asked: Asked[] = []
  const exchange = await startLoopback({
    socket(socket) {
      socket.on('message', (data) => {
        const one = JSON.parse(String(data)) as Asked
        if (one.method !== 'ping') asked.push(one)
        const said = answer(one, socket)
        if (said !== undefined) socket.send(JSON.stringify({ id: one.id, status: 200, ...said }))
      })
    },
  })
  return { exchange, asked }
}

test('API-SDK-009: requests on the socket are signed by name; several may be in progress, each gets its own answer', async (t) => {
  const held: (() => void)[] = []
  const { exchange, asked } = await start((one, socket) => {
    if (one.params['symbol'] !== 'SLOW') return { result: { symbol: one.params['symbol'] } }
    held.push(() => socket.send(JSON.stringify({ id: one.id, status: 400, error: { code: -2010, msg: 'no' } })))
    return undefined
  })
  await using _ = exchange
  const api = openSocketApi({ url: exchange.url, key: 'k', secret: 's' })
  t.after(() => api.close())
  const slow = api.call(order, { symbol: 'SLOW', price: '1.50', left: undefined })
  const quick = await api.call(order, { symbol: 'QUICK', limit: 5, list: ['a'] })
  assert.deepEqual(quick, { symbol: 'QUICK' })
  // Signed beside it, the slow one may be sent later.
  while (held.length === 0) await new Promise(setImmediate)
  held[0]!()
  await assert.rejects(slow, { name: 'ProgramError', code: -2010, status: 400 })
  for (const { params } of asked) {
    assert.equal(params['signature'], createHmac('sha256', 's').update(messageOf(params)).digest('hex'))
    assert.equal(params['apiKey'], 'k')
  }
  assert.match(String(asked[0]?.params['newClientOrderId']), /^x-/)
  await assert.rejects(api.call({ method: 'GET', path: '/none' }), TypeError)
})

test('API-SDK-010: a session needs no more signatures; it and its streams are restored after a lost socket, and safe writes are repeated', async (t) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  let losses = 0
  let subscriptions = 0
  const { exchange, asked } = await start(({ method, params }, socket) => {
    if (method === 'session.logon') {
      assert.ok(verify(null, Buffer.from(messageOf(params)), publicKey, Buffer.from(String(params['signature']), 'base64')))
    }
    if (method === 'order.place' && losses++ === 0) return void socket.terminate()
    if (method === 'userDataStream.subscribe') {
      const subscriptionId = subscriptions++
      // The event comes in one piece with the answer, and even before it.
      const event = JSON.stringify({ subscriptionId, event: { e: 'executionReport', E: 10 + subscriptionId } })
      setImmediate(() => socket.send(event))
      socket.send(event)
      return { result: { subscriptionId } }
    }
    return { result: {} }
  })
  await using _ = exchange
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const api = openSocketApi({ url: exchange.url, key: 'k', privateKey: pem, retryMs: 5 })
  t.after(() => api.close())
  await api.logon()
  const events: SpotEvent[] = []
  const leave = await api.userData((event) => events.push(event))
  await api.call(order, { symbol: 'A' })
  const places = asked.filter(({ method }) => method === 'order.place')
  assert.equal(places.length, 2)
  assert.equal(places[0]?.params['newClientOrderId'], places[1]?.params['newClientOrderId'])
  assert.ok(places.every(({ params }) => params['signature'] === undefined && params['timestamp'] !== undefined))
  assert.equal(asked.filter(({ method }) => method === 'session.logon').length, 2)
  assert.equal(subscriptions, 2)
  for (const socket of exchange.sockets) {
    for (const subscriptionId of [0, 1]) socket.send(JSON.stringify({ subscriptionId, event: { e: 'executionReport', E: subscriptionId } }))
  }
  await until(() => events.length === 5)
  assert.deepEqual(
    events.map(({ E }) => E),
    [10, 10, 11, 11, 1],
  )
  await leave()
  assert.deepEqual(asked.at(-1)?.params, { subscriptionId: 1 })
  api.close()
  await assert.rejects(api.call(cancel, {}), { name: 'ConnectionError' })
  const other = openSocketApi({ url: exchange.url, key: 'k', secret: 's' })
  await assert.rejects(other.logon(), TypeError)
  other.close()
})

test('API-SDK-004: on the socket as well, a wrong clock is corrected by the exchange’s, once', async (t) => {
  const aheadMs = 100_000
  const { exchange, asked } = await start(({ method, params }) => {
    if (method === 'time') return { result: { serverTime: Date.now() + aheadMs } }
    const isLate = Number(params['timestamp']) < Date.now() + aheadMs - 5_000
    return isLate ? { status: 400, error: { code: -1021, msg: 'outside' } } : { result: {} }
  })
  await using _ = exchange
  const api = openSocketApi({ url: exchange.url, key: 'k', secret: 's' })
  t.after(() => api.close())
  await api.call(cancel, {})
  await api.call(cancel, {})
  assert.deepEqual(
    asked.map(({ method }) => method),
    ['order.cancel', 'time', 'order.cancel', 'order.cancel'],
  )
})
