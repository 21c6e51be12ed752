import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { type Program, programOf } from '../../test/program.ts'
import { Socket, until } from './socket.ts'

let exchange: TestExchange
let alice: TestUser
let bob: TestUser
let a: Program
let b: Program

const index = (price: number) => {
  const prices = [{ market: 1, price: price * 1e8, sources: 4, isGood: true }]
  return exchange.link.submit(commandOf({ type: 'index.tick', prices }))
}
before(async () => {
  exchange = await startExchange({ seed: 'contract-data', hasFeeds: false })
  await index(60_000)
  alice = await exchange.user({ funds: { USDT: '1000000' }, isCertified: true, class: 'bench' })
  bob = await exchange.user({ funds: { USDT: '1000000' }, isCertified: true, class: 'bench' })
  a = await programOf(exchange.url, alice)
  b = await programOf(exchange.url, bob)
  for (const one of [a, b]) await one.done('POST', '/sapi/v1/asset/transfer', { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '50000' })
})
after(() => exchange[Symbol.asyncDispose]())

const limit = (side: 'BUY' | 'SELL', price: string, quantity: string, more: object = {}) => ({
  ...{ symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'GTC', price, quantity },
  ...more,
})

async function follow(program: Program, path = '/fstream/private/ws?listenKey='): Promise<Socket> {
  const response = await fetch(`${exchange.url}/fapi/v1/listenKey`, { method: 'POST', headers: { 'X-MBX-APIKEY': program.key } })
  const { listenKey } = (await response.json()) as { listenKey: string }
  const socket = await Socket.open(exchange, `${path}${listenKey}`)
  socket.send({ method: 'LIST_SUBSCRIPTIONS', id: 1 })
  await until(() => socket.received.some(({ result }) => result?.length > 0), 'attached')
  socket.received.length = 0
  return socket
}

const kinds = (events: readonly any[]) => events.map(({ e, o }) => (o?.x === undefined ? `${e} ${o?.X ?? ''}`.trim() : `${o.x} ${o.X}`))

test('API-USER-008: changes of orders and of the Futures account are reported in their order', async () => {
  using socket = await follow(a)
  await a.done('POST', '/fapi/v1/order', limit('BUY', '60000', '0.02', { newClientOrderId: 'long' }))
  await b.done('POST', '/fapi/v1/order', limit('SELL', '60000', '0.02'))
  await until(() => socket.events.length >= 3, `three events of ${JSON.stringify(socket.received)}`)
  assert.deepEqual(kinds(socket.events), ['NEW NEW', 'TRADE FILLED', 'ACCOUNT_UPDATE'])
  const [begun, filled, account] = socket.events
  assert.deepEqual([begun.o.s, begun.o.c, begun.o.ps, begun.o.ot, begun.o.z], ['BTCUSDT', 'long', 'BOTH', 'LIMIT', '0.00000'])
  assert.deepEqual([Number(filled.o.l), Number(filled.o.ap), filled.o.m, filled.o.N, filled.o.rp], [0.02, 60_000, true, 'USDT', '0'])
  assert.equal(filled.o.n, '0.24')
  const { m, B, P } = account.a
  assert.deepEqual(
    [m, B[0].a, P.length, P[0].s, Number(P[0].pa), Number(P[0].ep), P[0].ps],
    ['ORDER', 'USDT', 1, 'BTCUSDT', 0.02, 60_000, 'BOTH'],
  )
  const [{ balance }] = (await a.done('GET', '/fapi/v2/balance')).filter(({ asset }: any) => asset === 'USDT')
  assert.equal(Number(B[0].wb), Number(balance))

  socket.received.length = 0
  await b.done('POST', '/fapi/v1/order', limit('BUY', '60100', '0.02'))
  await a.done('POST', '/fapi/v1/order', { symbol: 'BTCUSDT', side: 'SELL', type: 'MARKET', quantity: '0.005' })
  await until(() => socket.events.length >= 3, 'three more')
  const [, sold, left] = socket.events
  assert.deepEqual([Number(sold.o.rp), sold.o.m, Number(left.a.P[0].pa)], [0.5, false, 0.015])
  assert.ok(Math.abs(Number(left.a.P[0].cr) - 0.5) < 1e-9)
})

test('API-USER-009: a conditional order is reported as one until it triggers, then as an order', async () => {
  using socket = await follow(a, '/ws/')
  const stop = {
    algoType: 'CONDITIONAL',
    symbol: 'BTCUSDT',
    side: 'SELL',
    type: 'STOP',
    quantity: '0.01',
    price: '50000',
    triggerPrice: '59000',
  }
  const { algoId } = await a.done('POST', '/fapi/v1/algoOrder', { ...stop, clientAlgoId: 'guard' })
  await a.done('DELETE', '/fapi/v1/algoOrder', { algoId })
  await until(() => socket.events.length >= 2, `two events of ${JSON.stringify(socket.events)}`)
  assert.deepEqual(kinds(socket.events), ['ALGO_UPDATE NEW', 'ALGO_UPDATE CANCELED'])
  assert.deepEqual([socket.events[0].o.caid, socket.events[0].o.aid, socket.events[0].o.tp], ['guard', algoId, '59000.0'])
})

test('API-USER-010: changes of leverage, margin mode, margin and transfers are reported with their cause', async () => {
  using socket = await follow(a, '/fstream/ws/')
  await a.done('POST', '/fapi/v1/leverage', { symbol: 'BTCUSDT', leverage: 7 })
  const config = await socket.find(({ e }) => e === 'ACCOUNT_CONFIG_UPDATE')
  assert.deepEqual(config.ac, { s: 'BTCUSDT', l: 7 })
  socket.received.length = 0
  await a.done('POST', '/sapi/v1/asset/transfer', { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '100' })
  const paid = await socket.find(({ e }) => e === 'ACCOUNT_UPDATE')
  assert.deepEqual([paid.a.m, Number(paid.a.B[0].bc), paid.a.P], ['DEPOSIT', 100, []])
  assert.deepEqual(
    socket.events.map(({ e }) => e),
    ['ACCOUNT_UPDATE'],
  )
})

test('API-USER-011: an account close to liquidation gets a margin call, and the liquidation is reported to its owner and in public', async () => {
  const carol = await exchange.user({ funds: { USDT: '2000' }, isCertified: true, class: 'bench' })
  const c = await programOf(exchange.url, carol)
  await c.done('POST', '/sapi/v1/asset/transfer', { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '1500' })
  await c.done('POST', '/fapi/v1/leverage', { symbol: 'BTCUSDT', leverage: 10 })
  await b.done('DELETE', '/fapi/v1/allOpenOrders', { symbol: 'BTCUSDT' })
  await b.done('POST', '/fapi/v1/order', limit('SELL', '60000', '0.2'))
  using socket = await follow(c)
  using all = await Socket.open(exchange, '/fstream/market/ws/btcusdt@forceOrder/!forceOrder@arr')
  await c.done('POST', '/fapi/v1/order', limit('BUY', '60000', '0.2'))
  let price = 60_000
  for (; price > 50_000 && !socket.events.some(({ e }) => e === 'MARGIN_CALL'); price -= 100) {
    await index(price)
    await new Promise((done) => setTimeout(done, 10))
  }
  const call = await socket.find(({ e }) => e === 'MARGIN_CALL')
  assert.deepEqual([call.p.length, call.p[0].s, Number(call.p[0].pa)], [1, 'BTCUSDT', 0.2])
  assert.ok(Number(call.p[0].up) < 0 && Number(call.p[0].mm) > 0)
  await b.done('POST', '/fapi/v1/order', limit('BUY', String(price), '0.5'))
  for (let i = 0; i < 10; i++) await index((price -= 100))
  const closed = await socket.find(({ o }) => o?.x === 'CALCULATED')
  assert.match(closed.o.c, /^autoclose-/)
  await until(() => all.received.filter(({ e }) => e === 'forceOrder').length >= 2, 'both streams report it')
  const forced = all.received.find(({ e }) => e === 'forceOrder')
  assert.deepEqual([forced.o.s, forced.o.S], ['BTCUSDT', 'SELL'])
})
