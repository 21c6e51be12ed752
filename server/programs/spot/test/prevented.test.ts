import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MarginExchange, type Trader } from '../../margin/test/exchange.ts'
import { hmacKey, Socket } from '../../socket/test/socket.ts'
import type { Fields } from '../../test/program.ts'

const path = '/api/v3/myPreventedMatches'
const ofMargin = '/sapi/v1/margin/myPreventedMatches'
const order = '/api/v3/order'
const symbol = 'BTCUSDT'

let desk: MarginExchange
let alice: Trader
let bob: Trader
before(async () => {
  desk = await MarginExchange.start('api-prevented')
  alice = await desk.trader({ USDT: '200000', BTC: '10' })
  bob = await desk.trader({ USDT: '200000', BTC: '10' })
})
after(() => desk.exchange[Symbol.asyncDispose]())

const limit = (side: 'BUY' | 'SELL', price: string, quantity: string, more: Fields = {}): Fields => ({
  ...{ symbol, side, type: 'LIMIT', timeInForce: 'GTC', price, quantity, newOrderRespType: 'FULL' },
  ...more,
})
const place = (fields: Fields, by = alice): Promise<any> => by.post(order, fields)
const query = (orderId: number, by = alice): Promise<any> => by.get(order, { symbol, orderId })
const matchesOf = (orderId: number, more: Fields = {}): Promise<any[]> => alice.get(path, { symbol, orderId, ...more })
const idsOf = async (orderId: number, more: Fields = {}): Promise<number[]> =>
  (await matchesOf(orderId, more)).map(({ preventedMatchId }) => preventedMatchId)
const clear = (): Promise<any> => alice.program.signed('DELETE', '/api/v3/openOrders', { symbol })

test('API-SPOT-019: in all modes a match is found by its number and by both of its orders, with what each order lost', async () => {
  for (const [selfTradePreventionMode, made, took] of [
    ['EXPIRE_TAKER', undefined, '0.04000'],
    ['EXPIRE_MAKER', '0.10000', undefined],
    ['EXPIRE_BOTH', '0.10000', '0.04000'],
    ['DECREMENT', '0.04000', '0.04000'],
  ] as const) {
    const maker = await place(limit('SELL', '60000', '0.1', { selfTradePreventionMode: 'NONE', icebergQty: '0.02' }))
    const taker = await place(limit('BUY', '60010', '0.04', { selfTradePreventionMode }))
    const [match, ...others] = await matchesOf(taker.orderId)
    assert.deepEqual(others, [])
    const lost = {
      ...(took === undefined ? {} : { takerPreventedQuantity: took }),
      ...(made === undefined ? {} : { makerPreventedQuantity: made }),
    }
    const { preventedMatchId } = match
    assert.deepEqual(match, {
      ...{ symbol, preventedMatchId, takerOrderId: taker.orderId, makerSymbol: symbol, makerOrderId: maker.orderId },
      ...{ tradeGroupId: -1, selfTradePreventionMode, price: '60000.0', ...lost, transactTime: taker.transactTime },
    })
    for (const which of [
      { preventedMatchId },
      { orderId: maker.orderId },
      { orderId: maker.orderId, fromPreventedMatchId: preventedMatchId },
    ])
      assert.deepEqual(await alice.get(path, { symbol, ...which }), [match])
    // API-SPOT-020: the answer about the taker has the match, and both orders say what they lost.
    const answered = { preventedMatchId, makerSymbol: symbol, makerOrderId: maker.orderId, price: '60000.0', ...lost }
    assert.deepEqual(taker.preventedMatches, [answered])
    const ids = (quantity: string | undefined) => (quantity === undefined ? [undefined, undefined] : [preventedMatchId, quantity])
    assert.deepEqual([taker.preventedMatchId, taker.preventedQuantity], ids(took))
    for (const [{ orderId }, quantity] of [[maker, made] as const, [taker, took] as const]) {
      const seen = await query(orderId)
      assert.deepEqual([seen.preventedMatchId, seen.preventedQuantity], ids(quantity), selfTradePreventionMode)
    }
    await clear()
  }
})

test('API-SPOT-019: the matches of an order come oldest first, from a number on, up to a limit', async () => {
  const makers = []
  for (const price of ['60000', '60001', '60002']) makers.push((await place(limit('SELL', price, '0.01'))).orderId)
  const taker = await place(limit('BUY', '60002', '0.05', { selfTradePreventionMode: 'EXPIRE_MAKER', newClientOrderId: 'three' }))
  const all = await matchesOf(taker.orderId)
  assert.deepEqual(
    all.map(({ makerOrderId, price }) => [makerOrderId, price]),
    makers.map((id, n) => [id, `6000${n}.0`]),
  )
  const [first, second, third] = await idsOf(taker.orderId)
  assert.deepEqual([second, third], [first! + 1, first! + 2])
  assert.deepEqual(await idsOf(taker.orderId, { fromPreventedMatchId: second! }), [second, third])
  assert.deepEqual(await idsOf(taker.orderId, { limit: 2 }), [first, second])
  assert.deepEqual(await idsOf(taker.orderId, { fromPreventedMatchId: second!, limit: 1 }), [second])
  assert.deepEqual(await idsOf(taker.orderId, { fromPreventedMatchId: third! + 1 }), [])
  // API-SPOT-020: a repeat gets the matches, too.
  const again = await place(limit('BUY', '60002', '0.05', { selfTradePreventionMode: 'EXPIRE_MAKER', newClientOrderId: 'three' }))
  assert.equal(taker.preventedMatches.length, 3)
  assert.deepEqual(again, taker)
  assert.equal((await place(limit('BUY', '50000', '0.01'))).preventedMatches, undefined)
  await clear()
})

test('API-SPOT-019: an order by amount shows what the rest of its amount would have bought', async () => {
  const maker = await place(limit('SELL', '60000', '0.1'))
  const taker = await place({ symbol, side: 'BUY', type: 'MARKET', quoteOrderQty: '600' })
  assert.equal((await matchesOf(maker.orderId))[0].takerPreventedQuantity, '0.01000')
  assert.deepEqual([taker.status, taker.preventedQuantity], ['EXPIRED_IN_MATCH', '0.01000'])
  assert.equal((await query(taker.orderId)).preventedQuantity, '0.01000')
  await clear()
})

test('API-SPOT-019: one of the number and the order is required, and not both; other markets and unknown numbers are empty', async () => {
  for (const at of [path, ofMargin]) {
    await alice.refused('GET', at, { symbol }, -1102, "Param 'preventedMatchId' or 'orderId' must be sent, but both were empty/null!")
    await alice.refused('GET', at, { symbol, fromPreventedMatchId: 1 }, -1102)
    await alice.refused('GET', at, { orderId: 1 }, -1102)
    await alice.refused('GET', at, { symbol: 'NOPE', orderId: 1 }, -1121)
    await alice.refused('GET', at, { symbol, orderId: 1, preventedMatchId: 1 }, -1128)
    await alice.refused('GET', at, { symbol, preventedMatchId: 1, fromPreventedMatchId: 1 }, -1128)
    await alice.refused('GET', at, { symbol, orderId: -1 }, -1100)
    await alice.refused('GET', at, { symbol, preventedMatchId: 'x' }, -1100)
  }
  assert.deepEqual(await alice.get(path, { symbol: 'ETHUSDT', preventedMatchId: 1 }), [])
  assert.deepEqual(await alice.get(path, { symbol, preventedMatchId: 9_999 }), [])
  assert.deepEqual(await matchesOf(999_999), [])
  const weightOf = async (fields: Fields): Promise<number> => {
    const { headers } = await alice.program.signed('GET', path, { symbol, ...fields })
    return Number(headers.get('x-mbx-used-weight-1m'))
  }
  const before = await weightOf({ preventedMatchId: 1 })
  const byNumber = (await weightOf({ preventedMatchId: 1 })) - before
  assert.deepEqual([byNumber, (await weightOf({ orderId: 1 })) - before - byNumber], [2, 20])
})

test('API-SPOT-022: the new order of a cancel-replace meets the orders that are left, not the one that it replaces', async () => {
  const replaced = await place(limit('SELL', '60000', '0.1'))
  const other = await place(limit('SELL', '60001', '0.03'))
  const order = limit('BUY', '60002', '0.05', { selfTradePreventionMode: 'DECREMENT', newClientOrderId: 'instead' })
  const request = { ...order, cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: replaced.orderId, cancelNewClientOrderId: 'off' }
  const replace = (): Promise<any> => alice.post('/api/v3/order/cancelReplace', request)
  const { cancelResult, newOrderResult, cancelResponse, newOrderResponse } = await replace()
  assert.deepEqual([cancelResult, newOrderResult, cancelResponse.status], ['SUCCESS', 'SUCCESS', 'CANCELED'])
  const [match, ...more] = await matchesOf(newOrderResponse.orderId)
  const { preventedMatchId } = match
  const lost = { takerPreventedQuantity: '0.03000', makerPreventedQuantity: '0.03000' }
  const told = { preventedMatchId, makerSymbol: symbol, makerOrderId: other.orderId, price: '60001.0', ...lost }
  assert.deepEqual(newOrderResponse.preventedMatches, [told])
  assert.deepEqual([newOrderResponse.status, newOrderResponse.preventedQuantity, more], ['NEW', '0.03000', []])
  assert.deepEqual(await matchesOf(replaced.orderId), [])
  const again = await replace()
  assert.deepEqual([again.newOrderResponse, await idsOf(other.orderId)], [newOrderResponse, [preventedMatchId]])
  await clear()
})

test('API-SPOT-021: matches are listed for the account of the order, and for nobody else', async () => {
  await alice.move('MAIN_MARGIN', 'USDT', '20000')
  await alice.move('MAIN_ISOLATED_MARGIN', 'USDT', '20000', { toSymbol: symbol })
  const inMargin = (by: Trader, fields: Fields): Promise<any> => by.get(ofMargin, { symbol, ...fields })
  const maker = await place(limit('SELL', '60000', '0.1'))
  const cross = await alice.post('/sapi/v1/margin/order', limit('BUY', '60000', '0.02'))
  const [mixed] = await matchesOf(maker.orderId)
  assert.deepEqual([mixed.takerOrderId, mixed.isIsolated], [cross.orderId, undefined])
  // A match of two accounts is in both lists, each by its own order.
  assert.deepEqual(await matchesOf(cross.orderId), [])
  assert.deepEqual(await inMargin(alice, { orderId: cross.orderId }), [{ ...mixed, isIsolated: false }])
  assert.deepEqual(await inMargin(alice, { preventedMatchId: mixed.preventedMatchId }), [{ ...mixed, isIsolated: false }])
  assert.deepEqual(await inMargin(alice, { orderId: maker.orderId }), [])
  assert.deepEqual(await inMargin(alice, { preventedMatchId: mixed.preventedMatchId, isIsolated: 'TRUE' }), [])
  const own = await alice.post('/sapi/v1/margin/order', limit('BUY', '60000', '0.02', { isIsolated: 'TRUE' }))
  const [isolated] = await inMargin(alice, { orderId: own.orderId, isIsolated: 'TRUE' })
  assert.deepEqual([isolated.isIsolated, isolated.preventedMatchId], [true, mixed.preventedMatchId + 1])
  assert.deepEqual(await inMargin(alice, { orderId: own.orderId }), [])
  const plain = await place(limit('BUY', '60000', '0.02'))
  const [ofSpot] = await matchesOf(plain.orderId)
  assert.deepEqual(await inMargin(alice, { preventedMatchId: ofSpot.preventedMatchId }), [])
  for (const { preventedMatchId, takerOrderId } of [mixed, isolated, ofSpot]) {
    for (const which of [{ preventedMatchId }, { orderId: takerOrderId }, { orderId: maker.orderId }]) {
      assert.deepEqual(await bob.get(path, { symbol, ...which }), [])
      for (const isIsolated of ['FALSE', 'TRUE']) assert.deepEqual(await inMargin(bob, { ...which, isIsolated }), [])
    }
  }
  await clear()
})

test('API-SPOT-020: the stream tells the match of both orders in every mode, and the list is on the WebSocket API', async () => {
  using socket = await Socket.open(desk.exchange, '/ws-api/v3')
  const key = await hmacKey(alice.user)
  await socket.done('userDataStream.subscribe.signature', key.sign({}))
  const told = new Map<string, any>()
  for (const selfTradePreventionMode of ['EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT']) {
    const maker = await place(limit('SELL', '60000', '0.1'))
    const taker = await place(limit('BUY', '60010', '0.04', { selfTradePreventionMode, timeInForce: 'IOC' }))
    const [{ preventedMatchId: v }] = await matchesOf(maker.orderId)
    told.set(selfTradePreventionMode, { maker: maker.orderId, taker: taker.orderId, v })
    await clear()
  }
  const last = await place(limit('BUY', '50000', '0.01'))
  await socket.find(({ event }) => event?.i === last.orderId)
  const reports = socket.events.filter(({ x }) => x === 'TRADE_PREVENTION')
  for (const [mode, { maker, taker, v }] of told) {
    const of = (orderId: number) =>
      reports.filter(({ i }) => i === orderId).map((one) => [one.v, one.A, one.B, one.U, one.Cs, one.pL, one.pl, one.pY])
    const both = mode === 'EXPIRE_BOTH' || mode === 'DECREMENT' ? ['0.04000', '2400'] : [undefined, undefined]
    const lost = (quantity: string, other: number) => [[v, quantity, quantity, other, symbol, '60000.0', ...both]]
    assert.deepEqual(of(maker), mode === 'EXPIRE_TAKER' ? [] : lost(mode === 'DECREMENT' ? '0.04000' : '0.10000', taker), mode)
    assert.deepEqual(of(taker), mode === 'EXPIRE_MAKER' ? [] : lost('0.04000', maker), mode)
    assert.ok(reports.every(({ u }) => u === undefined))
  }
  const { maker } = told.get('EXPIRE_BOTH')
  assert.deepEqual(await socket.done('myPreventedMatches', key.sign({ symbol, orderId: maker })), await matchesOf(maker))
  await clear()
})
