import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { type Program, programOf } from '../../test/program.ts'
import { ed25519Key, hmacKey, Socket, until } from './socket.ts'

let exchange: TestExchange
let alice: TestUser
let a: Program
let b: Program
before(async () => {
  exchange = await startExchange({ seed: 'streams', hasFeeds: false })
  await index(60_000)
  alice = await exchange.user({ funds: { USDT: '1000000', BTC: '1' }, isCertified: true, class: 'bench' })
  const bob = await exchange.user({ funds: { USDT: '1000000', BTC: '10' }, isCertified: true, class: 'bench' })
  a = await programOf(exchange.url, alice)
  b = await programOf(exchange.url, bob)
  for (const one of [a, b]) await one.done('POST', '/sapi/v1/asset/transfer', { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '50000' })
})
after(() => exchange[Symbol.asyncDispose]())

function index(price: number): Promise<unknown> {
  const prices = [{ market: 1, price: price * 1e8, sources: 4, isGood: true }]
  return exchange.link.submit(commandOf({ type: 'index.tick', prices }))
}

async function trade(root: '/api/v3' | '/fapi/v1', quantity = '0.01'): Promise<void> {
  const order = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC', price: '60000', quantity }
  await a.done('POST', `${root}/order`, { ...order, side: 'BUY' })
  await b.done('POST', `${root}/order`, { ...order, side: 'SELL' })
}

const names = (message: object) => Object.keys(message)

test('API-STREAM-001: streams of Futures are named like pairs, and carry the fields that clients of Futures expect', async () => {
  const kinds = [
    'trade',
    'aggTrade',
    'kline_1m',
    'kline_2h',
    'miniTicker',
    'ticker',
    'bookTicker',
    'depth@0ms',
    'depth5@100ms',
    'markPrice@1s',
  ]
  const streams = kinds.map((kind) => `btcusdt@${kind}`)
  using plain = await Socket.open(exchange, `/fstream/public/ws/${streams.join('/')}`)
  using combined = await Socket.open(exchange, `/fstream/market/stream?streams=${streams.join('/')}`)
  using short = await Socket.open(exchange, '/fstream/ws/0')
  short.send({ method: 'SUBSCRIBE', params: ['btcusdt@aggTrade', 'btcusdt@depth@250ms'], id: 5 })
  assert.deepEqual(await short.find(({ id }) => id === 5), { result: null, id: 5 })
  await trade('/fapi/v1')
  const found = (e: string) => plain.find((message) => message.e === e)
  assert.deepEqual(names(await found('trade')), ['e', 'E', 'T', 's', 't', 'p', 'q', 'X', 'm'])
  assert.deepEqual(names(await found('aggTrade')), ['e', 'E', 's', 'a', 'p', 'q', 'f', 'l', 'T', 'm'])
  assert.deepEqual(names(await found('bookTicker')), ['e', 'u', 's', 'b', 'B', 'a', 'A', 'T', 'E'])
  assert.deepEqual(names(await found('depthUpdate')), ['e', 'E', 'T', 's', 'U', 'u', 'pu', 'b', 'a'])
  assert.deepEqual(names(await found('markPriceUpdate')), ['e', 'E', 's', 'p', 'i', 'P', 'r', 'T'])
  const ticker = await found('24hrTicker')
  for (const field of ['b', 'B', 'a', 'A', 'x']) assert.ok(!(field in ticker), `clients take a message with ${field} for spot`)
  for (const e of ['trade', 'aggTrade', 'kline', '24hrMiniTicker', '24hrTicker', 'bookTicker', 'depthUpdate', 'markPriceUpdate']) {
    assert.equal((await found(e)).s, 'BTCUSDT')
  }
  for (const stream of streams) await combined.find((message) => message.stream === stream)
  assert.equal((await short.find(({ e }) => e === 'aggTrade')).s, 'BTCUSDT')
  await short.find(({ e }) => e === 'depthUpdate')
})

test('API-STREAM-002: streams of all markets and streams at fixed intervals deliver their messages', async () => {
  const all = ['!miniTicker@arr', '!ticker@arr', '!bookTicker', '!markPrice@arr@1s']
  using futures = await Socket.open(exchange, `/fstream/ws/${all.join('/')}`)
  using spot = await Socket.open(exchange, '/ws/btcusdt@avgPrice/!ticker@arr')
  const settled = until(async () => {
    await trade('/fapi/v1', '0.001')
    await trade('/api/v3', '0.001')
    const lists = futures.received.filter((message) => Array.isArray(message)).map(([first]) => first.e)
    return ['24hrMiniTicker', '24hrTicker', 'markPriceUpdate'].every((e) => lists.includes(e)) && spot.received.some(Array.isArray)
  }, 'all lists')
  await settled
  assert.equal((await futures.find(({ e }) => e === 'bookTicker')).s, 'BTCUSDT')
  const lists = futures.received.filter(Array.isArray)
  assert.ok(lists.flat().every(({ s }) => !s.endsWith('PERP')))
  const average = await spot.find(({ e }) => e === 'avgPrice')
  assert.deepEqual([names(average), average.i, Number(average.w)], [['e', 'E', 's', 'i', 'w', 'T'], '5m', 60_000])
  assert.equal(spot.received.find((message) => Array.isArray(message))?.[0].e, '24hrTicker')
})

test('API-STREAM-003: the kind and rate of a socket’s requests are limited, and each error has its answer', async () => {
  using futures = await Socket.open(exchange, '/fstream/ws')
  const error = async (socket: Socket, message: object | string, code: number) => {
    const from = socket.received.length
    socket.send(message)
    assert.equal((await socket.find(({ error: told }) => told, from)).error.code, code, JSON.stringify(message))
  }
  await error(futures, { method: 'SUBSCRIBE', params: ['btcusdtperp@trade'], id: 1 }, 2)
  await error(futures, { method: 'SUBSCRIBE', params: Array.from({ length: 201 }, (_, n) => `s${n}@trade`), id: 2 }, 2)
  await error(futures, { method: 'NOTHING', id: 3 }, 2)
  await error(futures, '{', 3)
  futures.send({ method: 'SUBSCRIBE', params: ['btcusdt@trade'], id: 4 })
  futures.send({ method: 'LIST_SUBSCRIPTIONS', id: 5 })
  assert.deepEqual((await futures.find(({ id }) => id === 5)).result, ['btcusdt@trade'])
  using spot = await Socket.open(exchange, '/stream/0')
  spot.send({ method: 'GET_PROPERTY', params: ['combined'], id: 1 })
  assert.equal((await spot.find(({ id }) => id === 1)).result, true)
  spot.send({ method: 'SET_PROPERTY', params: ['combined', false], id: 2 })
  spot.send({ method: 'GET_PROPERTY', params: ['combined'], id: 3 })
  assert.equal((await spot.find(({ id }) => id === 3)).result, false)
  using flood = await Socket.open(exchange, '/ws')
  for (let i = 0; i < 12; i++) flood.send({ method: 'LIST_SUBSCRIPTIONS', id: i })
  assert.equal(await flood.closed, 1008)
  // Programs run on any site: these paths ignore cookies.
  for (const path of ['/ws', '/stream', '/fstream/ws', '/ws-api/v3', '/ws-fapi/v1']) {
    using other = await Socket.open(exchange, path, { origin: 'https://elsewhere.example' })
    assert.equal(other.ws.readyState, 1)
  }
})

test('API-WS-009: orders of spot and Futures are placed, read and cancelled by method name, and counted', async () => {
  using spot = await Socket.open(exchange, '/ws-api/v3')
  using futures = await Socket.open(exchange, '/ws-fapi/v1')
  const key = await ed25519Key(alice)
  await spot.done('session.logon', key.sign({}))
  const now = (params: object) => ({ ...params, timestamp: Date.now() })
  // Numbers in the form in which official clients send them.
  const order = {
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: 59_000.5,
    quantity: 0.001,
    newClientOrderId: 'by-socket',
  }
  const placed = await spot.ask('order.place', now(order))
  assert.equal(placed.status, 200, JSON.stringify(placed))
  assert.deepEqual(
    placed.rateLimits.map(({ rateLimitType, interval }: any) => `${rateLimitType} ${interval}`),
    ['ORDERS SECOND', 'ORDERS DAY', 'REQUEST_WEIGHT MINUTE'],
  )
  assert.ok(placed.rateLimits[0].count >= 1)
  const { orderId } = placed.result
  assert.equal((await spot.done('order.place', now(order))).orderId, orderId, 'a repeat gets the first outcome')
  const read = await spot.done('order.status', now({ symbol: 'BTCUSDT', orderId: String(orderId) }))
  assert.deepEqual(read, await a.done('GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId }))
  const wrong = await spot.ask('order.place', now({ ...order, newClientOrderId: 'finer', price: 59_000.123456789 }))
  assert.deepEqual([wrong.status, wrong.error.code], [400, -1111])
  assert.equal((await spot.done('openOrders.status', now({ symbol: 'BTCUSDT' }))).length, 1)
  assert.equal((await spot.done('order.cancel', now({ symbol: 'BTCUSDT', orderId }))).status, 'CANCELED')
  assert.equal((await spot.ask('order.cancel', now({ symbol: 'BTCUSDT', orderId: 999_999 }))).error.code, -2011)

  const signed = (params: object) => key.sign(params)
  const contract = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: '59000', quantity: '0.001' }
  const { orderId: number, positionSide } = await futures.done('order.place', signed(contract))
  assert.equal(positionSide, 'BOTH')
  assert.equal(
    (await futures.done('order.modify', signed({ symbol: 'BTCUSDT', orderId: number, side: 'BUY', quantity: '0.002', price: '59000' })))
      .orderId,
    number,
  )
  assert.equal((await futures.done('order.cancel', signed({ symbol: 'BTCUSDT', orderId: number }))).status, 'CANCELED')
  const readOnly = await hmacKey(alice, ['read'])
  assert.equal((await futures.ask('order.place', readOnly.sign(contract))).error.code, -2015)
  assert.ok((await futures.done('account.balance', readOnly.sign({}))).some(({ asset }: any) => asset === 'USDT'))
})

test('API-USER-012: Margin accounts have streams of their own, by listen key and by token', async () => {
  await a.done('POST', '/sapi/v1/asset/transfer', { type: 'MAIN_MARGIN', asset: 'USDT', amount: '5000' })
  const byKey = async (path: string): Promise<any> => {
    const response = await fetch(exchange.url + path, { method: 'POST', headers: { 'X-MBX-APIKEY': a.key } })
    return response.json()
  }
  const { listenKey } = await byKey('/sapi/v1/userDataStream')
  const { token, expirationTime } = await byKey('/sapi/v1/userListenToken?validity=60000')
  assert.ok(expirationTime > Date.now() && expirationTime < Date.now() + 61_000)
  using keyed = await Socket.open(exchange, '/ws')
  keyed.send({ method: 'SUBSCRIBE', params: [listenKey], id: 1 })
  await keyed.find(({ id, result }) => id === 1 && result === null)
  using api = await Socket.open(exchange, '/ws-api/v3')
  assert.deepEqual(await api.done('userDataStream.subscribe.listenToken', { listenToken: token }), { subscriptionId: 0, expirationTime })
  assert.equal((await api.ask('userDataStream.subscribe.listenToken', { listenToken: 'x'.repeat(64) })).error.code, -1125)
  const key = await hmacKey(alice)
  assert.deepEqual(await api.done('userDataStream.subscribe.signature', key.sign({})), { subscriptionId: 2 })
  const order = {
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: '59000',
    quantity: '0.001',
    newClientOrderId: 'margin',
  }
  await a.done('POST', '/sapi/v1/margin/order', order)
  await keyed.find(({ e, c }) => e === 'executionReport' && c === 'margin')
  const told = await api.find(({ event }) => event?.c === 'margin')
  assert.equal(told.subscriptionId, 0)
  await a.done('DELETE', '/sapi/v1/margin/openOrders', { symbol: 'BTCUSDT' })
  await api.find(({ event }) => event?.x === 'CANCELED')
  assert.ok(
    api.received.every(({ subscriptionId }) => subscriptionId !== 2),
    'the spot account has no part in it',
  )
  await Promise.all(Array.from({ length: 110 }, () => byKey('/sapi/v1/userListenToken')))
  const { rows } = await exchange.store.pool.query<{ count: number }>('select count(*) from listen_keys where is_token')
  assert.equal(rows[0]?.count, 100, 'an API key does not fill the table')
})
