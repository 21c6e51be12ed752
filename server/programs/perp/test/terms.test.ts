/** Orders with a date, prices taken from the book, and countdowns, as programs send and see them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../socket/test/socket.ts'
import { crossed, limitOrder, type PerpDesk, refused, startPerpDesk, type Trader } from './desk.ts'

const order = '/fapi/v1/order'
const symbol = 'ETHUSDT'
let desk: PerpDesk
let alice: Trader
let bob: Trader

before(async () => {
  desk = await startPerpDesk()
  ;[alice, bob] = [await crossed(await desk.trader()), await crossed(await desk.trader())]
})
after(() => desk[Symbol.asyncDispose]())

/** An order that takes its price from the book. */
const matched = (side: 'BUY' | 'SELL', priceMatch: string, more = {}) => {
  const { price: _, ...rest } = limitOrder(side, '', '0.1', { priceMatch })
  return { ...rest, ...more }
}

test('API-PERP-026: a GTD order has its date in whole seconds in every answer, and a date too near or too far is refused', async () => {
  const whole = Math.ceil(Date.now() / 1000) * 1000 + 900_000
  const dated = (more: object) => limitOrder('BUY', '2900', '0.5', { timeInForce: 'GTD', goodTillDate: whole + 678, ...more })
  const placed = await alice.done('POST', order, dated({ newClientOrderId: 'gtd-1' }))
  assert.deepEqual([placed.status, placed.timeInForce, placed.goodTillDate], ['NEW', 'GTD', whole])
  assert.deepEqual(await alice.done('GET', order, { symbol, origClientOrderId: 'gtd-1' }), placed)
  assert.deepEqual(await alice.done('GET', '/fapi/v1/openOrders', { symbol }), [placed])
  const amended = await alice.done('PUT', order, { symbol, orderId: placed.orderId, side: 'BUY', quantity: '0.4', price: '2901' })
  assert.deepEqual([amended.timeInForce, amended.goodTillDate], ['GTD', whole])
  const stop = { symbol, side: 'BUY', type: 'STOP', quantity: '0.1', price: '3300', timeInForce: 'GTD', goodTillDate: whole }
  const waiting = await alice.done('POST', '/fapi/v1/algoOrder', { ...stop, algoType: 'CONDITIONAL', triggerPrice: '3200' })
  assert.deepEqual([waiting.timeInForce, waiting.goodTillDate, waiting.algoStatus], ['GTD', whole, 'NEW'])
  const [inBatch, tooNear] = await alice.done('POST', '/fapi/v1/batchOrders', {
    batchOrders: JSON.stringify([dated({}), dated({ goodTillDate: Date.now() + 599_000 })]),
  })
  assert.deepEqual([inBatch.goodTillDate, tooNear.code], [whole, -5040])
  const msg = 'The goodTillDate timestamp must be greater than the current time plus 600 seconds and smaller than 253402300799000'
  for (const goodTillDate of [1000, Date.now() + 599_000, 253_402_300_799_000, 8_640_000_000_000_000]) {
    await refused(alice, 'POST', order, dated({ goodTillDate }), -5040, msg)
    await refused(alice, 'POST', `${order}/test`, dated({ goodTillDate }), -5040, msg)
  }
  const absent = "Mandatory parameter 'goodTillDate' was not sent, was empty/null, or malformed."
  await refused(alice, 'POST', order, limitOrder('BUY', '2900', '0.5', { timeInForce: 'GTD' }), -1102, absent)
  await refused(alice, 'POST', order, dated({ goodTillDate: 0 }), -1102, absent)
  await refused(alice, 'POST', order, dated({ timeInForce: 'GTC' }), -1106, "Parameter 'goodTillDate' sent when not required.")
  await alice.done('DELETE', '/fapi/v1/allOpenOrders', { symbol })
  await alice.done('DELETE', '/fapi/v1/algoOpenOrders', { symbol })
  const ended = await alice.done('GET', order, { symbol, orderId: placed.orderId })
  assert.deepEqual([ended.status, ended.goodTillDate], ['CANCELED', whole])
  const { symbols } = await alice.done('GET', '/fapi/v1/exchangeInfo')
  assert.ok(symbols[0].timeInForce.includes('GTD'))
})

test('API-PERP-027: an order without a price takes it from the book, and so does an amend; without such a level it is refused', async () => {
  await refused(alice, 'POST', order, matched('BUY', 'OPPONENT'), -5041, 'No depth matches this BBO order')
  for (let n = 0; n < 5; n++) await bob.done('POST', order, limitOrder('SELL', String(3001 + n), '0.1'))
  const queued = await alice.done('POST', order, limitOrder('BUY', '2990', '0.1'))
  const first = await alice.done('POST', order, matched('BUY', 'QUEUE', { newClientOrderId: 'match-1' }))
  assert.deepEqual([first.status, first.price, first.priceMatch], ['NEW', '2990.00', 'QUEUE'])
  assert.deepEqual(await alice.done('GET', order, { symbol, origClientOrderId: 'match-1' }), first)
  await refused(alice, 'POST', order, matched('BUY', 'OPPONENT_10'), -5041)
  const change = { symbol, orderId: first.orderId, side: 'BUY', quantity: '0.1' }
  const moved = await alice.done('PUT', order, { ...change, priceMatch: 'OPPONENT' })
  assert.deepEqual([moved.status, moved.price, moved.avgPrice, moved.priceMatch], ['FILLED', '3001.00', '3001', 'OPPONENT'])
  await refused(alice, 'PUT', order, { ...change, orderId: queued.orderId, priceMatch: 'QUEUE_20' }, -5041)
  await refused(alice, 'PUT', order, { ...change, price: '2990', priceMatch: 'QUEUE' }, -1106, "Parameter 'price' sent when not required.")
  await refused(alice, 'PUT', order, change, -1102, "Mandatory parameter 'price' was not sent, was empty/null, or malformed.")
  const [taken, wrong] = await alice.done('POST', '/fapi/v1/batchOrders', {
    batchOrders: JSON.stringify([matched('BUY', 'OPPONENT'), matched('BUY', 'OPPONENT_20')]),
  })
  assert.deepEqual([taken.status, taken.price, wrong.code], ['FILLED', '3002.00', -5041])
  const stop = { symbol, side: 'BUY', type: 'STOP', quantity: '0.1', timeInForce: 'GTC', priceMatch: 'QUEUE', stopPrice: '3003' }
  const waiting = await alice.done('POST', order, stop)
  assert.deepEqual([waiting.price, waiting.priceMatch, waiting.type], ['0.00', 'QUEUE', 'STOP'])
  await alice.done('POST', order, limitOrder('BUY', '3003', '0.1'))
  const woken = await alice.done('GET', order, { symbol, orderId: waiting.orderId })
  assert.deepEqual([woken.status, woken.price, woken.type, woken.priceMatch], ['NEW', '2990.00', 'LIMIT', 'QUEUE'])
  await refused(alice, 'POST', order, matched('BUY', 'BEST'), -5037, 'Invalid price match.')
  await refused(alice, 'POST', order, matched('BUY', 'QUEUE', { price: '2990' }), -1106)
  const market = { symbol, side: 'BUY', type: 'MARKET', quantity: '0.1', priceMatch: 'QUEUE' }
  await refused(alice, 'POST', order, market, -5038, 'Price match only supports order type: LIMIT, STOP AND TAKE_PROFIT.')
  for (const trader of [alice, bob]) await trader.done('DELETE', '/fapi/v1/allOpenOrders', { symbol })
})

test('API-PERP-028: a countdown cancels all orders in the book of its market, is renewed by another one, and stopped by 0', async () => {
  const path = '/fapi/v1/countdownCancelAll'
  const count = (countdownTime: number) => alice.done('POST', path, { symbol, countdownTime })
  const { orderId } = await alice.done('POST', order, limitOrder('BUY', '2900', '0.5'))
  const stop = { symbol, side: 'BUY', type: 'STOP', quantity: '0.1', price: '3300', timeInForce: 'GTC', stopPrice: '3200' }
  const waiting = await alice.done('POST', order, stop)
  const others = await bob.done('POST', order, limitOrder('BUY', '2900', '0.5'))
  assert.deepEqual(await count(100_000), { symbol, countdownTime: '100000' })
  assert.deepEqual(await count(0), { symbol, countdownTime: '0' })
  await count(1)
  const statusOf = async (trader: Trader, id: number) => (await trader.done('GET', order, { symbol, orderId: id })).status
  await until(async () => (await statusOf(alice, orderId)) === 'CANCELED', 'the countdown ends')
  assert.deepEqual([await statusOf(alice, waiting.orderId), await statusOf(bob, others.orderId)], ['NEW', 'NEW'])
  await refused(alice, 'POST', path, { symbol, countdownTime: 604_800_001 }, -1130)
  await refused(alice, 'POST', path, { symbol, countdownTime: -1 }, -1100)
  await refused(alice, 'POST', path, { symbol: 'NOPE', countdownTime: 1000 }, -1121)
  await refused(alice, 'POST', path, { symbol }, -1102)
})
