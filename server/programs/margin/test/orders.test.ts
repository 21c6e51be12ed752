import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { audit } from '../../../journal/audit.ts'
import type { Fields } from '../../test/program.ts'
import { MarginExchange, type Trader, until } from './exchange.ts'

const margin = '/sapi/v1/margin'
const isolated = { symbol: 'BTCUSDT', isIsolated: 'TRUE' } as const

let desk: MarginExchange
let maker: Trader
before(async () => {
  desk = await MarginExchange.start('api-margin-orders')
  maker = await desk.trader({ USDT: '10000000', BTC: '100' })
  await maker.quote('sell', '60000', '1')
  await maker.quote('buy', '59990', '0.5')
  await maker.quote('buy', '59900', '5')
  await maker.quote('sell', '60100', '5')
  // A first trade gives the market its price.
  const first = await desk.trader({ USDT: '1000' })
  await first.quote('buy', '60000', '0.001')
})
after(() => desk.exchange[Symbol.asyncDispose]())

const limit = (side: string, price: string, quantity: string, more: Fields = {}) => ({
  ...{ symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'GTC', price, quantity },
  ...more,
})

test('API-MARGIN-ORDER-001: an order of the cross account borrows the missing amount, is listed with its account, and repays on request', async () => {
  const trader = await desk.trader({ USDT: '3000' })
  await trader.move('MAIN_MARGIN', 'USDT', '3000')
  const keeps = { sideEffectType: 'MARGIN_BUY', autoRepayAtCancel: 'FALSE' }
  const order = limit('BUY', '59000', '0.1', { ...keeps, newClientOrderId: 'margin-1' })
  const placed = await trader.post(`${margin}/order`, order)
  const { symbol, orderId, orderListId, clientOrderId, origQty, status, side, type, isIsolated, fills } = placed
  assert.deepEqual(
    [symbol, orderListId, clientOrderId, origQty, status, side, type, isIsolated, fills],
    ['BTCUSDT', -1, 'margin-1', '0.10000', 'NEW', 'BUY', 'LIMIT', false, []],
  )
  const { interest, ...usdt } = await trader.cross('USDT')
  assert.deepEqual(usdt, { asset: 'USDT', borrowed: '2900', free: '0', locked: '5900', netAsset: String(3000 - Number(interest)) })
  assert.deepEqual(await trader.post(`${margin}/order`, order), placed)
  assert.equal((await trader.cross('USDT')).borrowed, '2900')
  await trader.refused('POST', `${margin}/order`, { ...order, price: '58000' }, -2010, 'Duplicate order sent.')

  const seen = await trader.get(`${margin}/order`, { symbol: 'BTCUSDT', orderId })
  assert.deepEqual([seen.clientOrderId, seen.status, seen.isIsolated, seen.isWorking], ['margin-1', 'NEW', false, true])
  assert.deepEqual(await trader.get(`${margin}/openOrders`), [seen])
  assert.deepEqual(await trader.get(`${margin}/openOrders`, { symbol: 'BTCUSDT', isIsolated: 'FALSE' }), [seen])
  assert.deepEqual(await trader.get(`${margin}/openOrders`, isolated), [])
  assert.deepEqual(await trader.get('/api/v3/openOrders'), [])
  await trader.refused('GET', `${margin}/order`, { ...isolated, orderId }, -2013, 'Order does not exist.')
  await trader.refused('GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId }, -2013)
  await trader.refused('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', orderId }, -2011, 'Unknown order sent.')
  await trader.refused('DELETE', `${margin}/order`, { ...isolated, origClientOrderId: 'margin-1' }, -2011)
  const gone = await trader.delete(`${margin}/order`, { symbol: 'BTCUSDT', origClientOrderId: 'margin-1' })
  assert.deepEqual([gone.orderId, gone.origClientOrderId, gone.status, gone.isIsolated], [orderId, 'margin-1', 'CANCELED', false])
  assert.equal((await trader.cross('USDT')).borrowed, '2900', 'its loan stays, as requested')
  const loans = await trader.get(`${margin}/borrow-repay`, { type: 'BORROW' })
  assert.deepEqual(
    loans.rows.map(({ amount, type: how }: any) => [amount, how]),
    [['2900', 'AUTO']],
  )

  const bought = await trader.post(`${margin}/order`, limit('BUY', '60000', '0.09', { newOrderRespType: 'FULL' }))
  assert.deepEqual([bought.status, bought.fills[0].price, bought.fills[0].commissionAsset], ['FILLED', '60000.0', 'BTC'])
  const sold = await trader.post(`${margin}/order`, {
    ...{ symbol: 'BTCUSDT', side: 'SELL', type: 'MARKET', quantity: '0.0899', sideEffectType: 'AUTO_REPAY' },
  })
  assert.deepEqual([sold.status, sold.fills[0].price, sold.fills[0].commissionAsset], ['FILLED', '59990.0', 'USDT'])
  assert.deepEqual([(await trader.cross('USDT')).borrowed, (await trader.get(`${margin}/account`)).marginLevel], ['0', '999'])
  const trades = await trader.get(`${margin}/myTrades`, { symbol: 'BTCUSDT' })
  assert.deepEqual(
    trades.map((one: any) => [one.orderId, one.qty, one.isBuyer, one.isMaker, one.isIsolated]),
    [
      [bought.orderId, '0.09000', true, false, false],
      [sold.orderId, '0.08990', false, false, false],
    ],
  )
  const all = await trader.get(`${margin}/allOrders`, { symbol: 'BTCUSDT' })
  assert.deepEqual(
    all.map((one: any) => one.orderId),
    [orderId, bought.orderId, sold.orderId],
  )
  assert.deepEqual(await trader.get('/api/v3/myTrades', { symbol: 'BTCUSDT' }), [])
  assert.deepEqual(await trader.get(`${margin}/myTrades`, isolated), [])
  const [tenSeconds] = await trader.get(`${margin}/rateLimit/order`, { isIsolated: 'FALSE' })
  // Five orders, and two cancels that were refused.
  assert.ok(tenSeconds.count <= 7 && tenSeconds.rateLimitType === 'ORDERS')
})

test('API-MARGIN-ORDER-002: orders of isolated accounts are in their market, and cancelling all of one account leaves the others', async () => {
  const trader = await desk.trader({ USDT: '6000' })
  await trader.move('MAIN_MARGIN', 'USDT', '2000')
  await trader.move('MAIN_ISOLATED_MARGIN', 'USDT', '2000', { toSymbol: 'BTCUSDT' })
  const place = (path: string, more: Fields = {}) => trader.post(path, limit('BUY', '50000', '0.01', more))
  const spot = await place('/api/v3/order')
  const cross = [await place(`${margin}/order`), await place(`${margin}/order`)]
  const own = await place(`${margin}/order`, { isIsolated: 'TRUE', sideEffectType: 'AUTO_BORROW_REPAY' })
  assert.equal(own.isIsolated, true)
  const waiting = await trader.post(`${margin}/order`, {
    ...{ ...isolated, side: 'BUY', type: 'STOP_LOSS_LIMIT', timeInForce: 'GTC', quantity: '0.01', price: '66000', stopPrice: '65000' },
    newOrderRespType: 'RESULT',
  })
  assert.deepEqual([waiting.status, waiting.stopPrice, waiting.workingTime], ['NEW', '65000.0', -1])
  const idsOf = async (path: string, more: Fields = {}) => (await trader.get(path, more)).map((one: any) => one.orderId)
  assert.deepEqual(await idsOf(`${margin}/openOrders`, isolated), [own.orderId, waiting.orderId])
  await trader.refused('GET', `${margin}/openOrders`, { isIsolated: 'TRUE' }, -1102)
  const gone = await trader.delete(`${margin}/openOrders`, { symbol: 'BTCUSDT' })
  assert.deepEqual(
    gone.map((one: any) => [one.orderId, one.status]),
    cross.map(({ orderId }) => [orderId, 'CANCELED']),
  )
  await trader.refused('DELETE', `${margin}/openOrders`, { symbol: 'BTCUSDT' }, -2011)
  assert.deepEqual(await idsOf(`${margin}/openOrders`, isolated), [own.orderId, waiting.orderId])
  await trader.delete('/api/v3/openOrders', { symbol: 'BTCUSDT' })
  const [first] = await trader.delete(`${margin}/openOrders`, isolated)
  assert.deepEqual([first.orderId, first.isIsolated], [own.orderId, true])
  assert.deepEqual(await idsOf('/api/v3/allOrders', { symbol: 'BTCUSDT' }), [spot.orderId])
  assert.deepEqual(await idsOf(`${margin}/allOrders`, isolated), [own.orderId, waiting.orderId])
})

test('API-MARGIN-ORDER-003: lists of two orders work in Margin accounts as they do in spot', async () => {
  const trader = await desk.trader({ USDT: '2000', BTC: '0.1' })
  await trader.move('MAIN_MARGIN', 'BTC', '0.05')
  await trader.move('MAIN_ISOLATED_MARGIN', 'BTC', '0.05', { toSymbol: 'BTCUSDT' })
  const oco = {
    ...{ symbol: 'BTCUSDT', side: 'SELL', quantity: '0.02', price: '61000', stopPrice: '58000' },
    stopLimitPrice: '57900',
    stopLimitTimeInForce: 'GTC',
  }
  const crossList = await trader.post(`${margin}/order/oco`, { ...oco, listClientOrderId: 'list-1' })
  const ownList = await trader.post(`${margin}/order/oco`, { ...oco, isIsolated: 'TRUE', stopLimitTimeInForce: 'FOK' })
  assert.deepEqual(
    [crossList.contingencyType, crossList.listOrderStatus, crossList.isIsolated, ownList.isIsolated],
    ['OCO', 'EXECUTING', false, true],
  )
  assert.deepEqual(
    [crossList, ownList].map((list) => list.orderReports.map((one: any) => `${one.type} ${one.timeInForce}`)),
    [
      ['LIMIT_MAKER GTC', 'STOP_LOSS_LIMIT GTC'],
      ['LIMIT_MAKER GTC', 'STOP_LOSS_LIMIT FOK'],
    ],
  )
  const open = async (more: Fields) => (await trader.get(`${margin}/openOrderList`, more)).map((one: any) => one.orderListId)
  assert.deepEqual([await open({}), await open(isolated)], [[crossList.orderListId], [ownList.orderListId]])
  assert.equal((await trader.get(`${margin}/orderList`, { origClientOrderId: 'list-1' })).orderListId, crossList.orderListId)
  await trader.refused('GET', `${margin}/orderList`, { ...isolated, orderListId: crossList.orderListId }, -2018)
  await trader.refused('GET', `${margin}/orderList`, { isIsolated: 'TRUE', orderListId: ownList.orderListId }, -1102)
  const gone = await trader.delete(`${margin}/orderList`, { symbol: 'BTCUSDT', orderListId: crossList.orderListId })
  assert.deepEqual([gone.listOrderStatus, gone.orderReports.map((one: any) => one.status)], ['ALL_DONE', ['CANCELED', 'CANCELED']])
  const all = await trader.get(`${margin}/allOrderList`, isolated)
  assert.deepEqual(
    all.map((one: any) => [one.orderListId, one.listOrderStatus]),
    [[ownList.orderListId, 'EXECUTING']],
  )
  assert.deepEqual((await trader.cross('BTC')).locked, '0')
})

test('API-MARGIN-ORDER-006: an order’s loan is repaid when the order is cancelled, unless it asks for the loan to stay', async () => {
  const trader = await desk.trader({ USDT: '3000' })
  await trader.move('MAIN_MARGIN', 'USDT', '1000')
  await trader.move('MAIN_ISOLATED_MARGIN', 'USDT', '1000', { toSymbol: 'BTCUSDT' })
  const order = `${margin}/order`
  const borrowed = async () => Number((await trader.cross('USDT')).borrowed)
  const whole = { side: 'BUY', price: '50000', quantity: '0.03', sideEffectType: 'MARGIN_BUY' }
  for (const more of [{}, { autoRepayAtCancel: 'true' }, { sideEffectType: 'AUTO_BORROW_REPAY' }]) {
    const { orderId } = await trader.post(order, limit('BUY', '50000', '0.03', { ...whole, ...more }))
    assert.ok((await borrowed()) >= 500)
    await trader.delete(order, { symbol: 'BTCUSDT', orderId })
    const { borrowed: left, interest, locked } = await trader.cross('USDT')
    assert.deepEqual([left, interest, locked], ['0', '0', '0'])
  }
  const oco = {
    ...{ symbol: 'BTCUSDT', side: 'BUY', quantity: '0.03', price: '50000', stopPrice: '65000', stopLimitPrice: '65000' },
    ...{ stopLimitTimeInForce: 'GTC', sideEffectType: 'MARGIN_BUY', isIsolated: 'TRUE' },
  }
  const { orderListId } = await trader.post(`${order}/oco`, oco)
  const own = async () => {
    const { assets } = await trader.get(`${margin}/isolated/account`, { symbols: 'BTCUSDT' })
    return Number(assets[0].quoteAsset.borrowed)
  }
  assert.ok((await own()) >= 950)
  await trader.delete(`${margin}/orderList`, { symbol: 'BTCUSDT', orderListId, isIsolated: 'TRUE' })
  assert.equal(await own(), 0)
  const kept = await trader.post(order, limit('BUY', '50000', '0.03', { ...whole, autoRepayAtCancel: 'FALSE' }))
  await trader.delete(order, { symbol: 'BTCUSDT', orderId: kept.orderId })
  assert.ok((await borrowed()) >= 500)
})

test('API-MARGIN-ORDER-004: impossible orders of a Margin account are refused with their codes', async () => {
  const trader = await desk.trader({ USDT: '1000' })
  await trader.move('MAIN_MARGIN', 'USDT', '100')
  const order = (fields: Fields, code: number, msg?: string) =>
    trader.refused('POST', `${margin}/order`, { ...limit('BUY', '59000', '0.01'), ...fields }, code, msg)
  await order({}, -2010, 'Account has insufficient balance for requested action.')
  await order({ quantity: '0.1', sideEffectType: 'MARGIN_BUY' }, -3006, 'Your borrow amount has exceed maximum borrow amount.')
  await order({ sideEffectType: 'ELSE' }, -1130)
  await order({ autoRepayAtCancel: 'YES' }, -1130)
  await order({ isIsolated: 'maybe' }, -1130)
  await order({ quantity: '0.000000001' }, -1111, "Parameter 'quantity' has too much precision.")
  await order({ price: '1' }, -1013)
  await order({ symbol: 'NONE' }, -1121)
  await trader.post(`${margin}/order`, { ...limit('BUY', '50000', '0.002'), autoRepayAtCancel: 'FALSE', isIsolated: 'false' })
  await trader.move('MAIN_ISOLATED_MARGIN', 'USDT', '100', { toSymbol: 'BTCUSDT' })
  await trader.post(`${margin}/borrow-repay`, { ...isolated, asset: 'BTC', type: 'BORROW', amount: '0.0135' })
  const sale = { isIsolated: 'TRUE', side: 'SELL', price: '55500', quantity: '0.0135' }
  await order(sale, -3023, "You can't transfer out/place order under current margin level.")
  const reader = await desk.trader({})
  const uncertified = await reader.program.signed('POST', `${margin}/order`, limit('BUY', '59000', '0.01'))
  assert.deepEqual([uncertified.status, uncertified.body.code], [400, -2010])
})

test('API-MARGIN-ORDER-005: orders that liquidated an account are listed, and the books still balance', async () => {
  const trader = await desk.trader({ USDT: '10000' })
  await trader.move('MAIN_ISOLATED_MARGIN', 'USDT', '10000', { toSymbol: 'BTCUSDT' })
  const bought = await trader.post(`${margin}/order`, {
    ...{ ...isolated, side: 'BUY', type: 'MARKET', quantity: '1', sideEffectType: 'MARGIN_BUY' },
  })
  assert.deepEqual([bought.status, bought.isIsolated], ['FILLED', true])
  const standing = async () => (await trader.get(`${margin}/isolated/account`, { symbols: 'BTCUSDT' })).assets[0]
  const price = Number((await standing()).liquidatePrice)
  assert.ok(price > 52_000 && price < 53_500, String(price))
  await desk.prices(Math.ceil(price) + 10)
  assert.equal((await standing()).marginLevelStatus, 'MARGIN_CALL')
  await desk.prices(Math.floor(price))
  await until(async () => Number((await standing()).marginLevel) > 1.09)
  const { total, rows } = await trader.get(`${margin}/forceLiquidationRec`, { isolatedSymbol: 'BTCUSDT' })
  assert.ok(total > 0 && rows.length === total)
  const { orderId, updatedTime, executedQty, qty, avgPrice, ...rest } = rows[0]
  assert.deepEqual(rest, { price: '0', side: 'SELL', symbol: 'BTCUSDT', timeInForce: 'IOC', isIsolated: true })
  assert.ok(Number(executedQty) > 0 && Number(qty) >= Number(executedQty) && Number(avgPrice) > 0 && updatedTime > 0)
  const order = await trader.get(`${margin}/order`, { ...isolated, orderId })
  assert.deepEqual([order.side, order.executedQty], ['SELL', executedQty])
  assert.equal((await trader.get(`${margin}/forceLiquidationRec`)).total, total)
  assert.equal((await trader.get(`${margin}/forceLiquidationRec`, { isolatedSymbol: 'ETHUSDT' })).total, 0)
  const repaid = await trader.get(`${margin}/borrow-repay`, { type: 'REPAY', isolatedSymbol: 'BTCUSDT' })
  assert.ok(repaid.total > 0 && repaid.rows.every(({ type }: { type: string }) => type === 'AUTO'))
  const found = await audit({ pool: desk.exchange.store.pool })
  assert.deepEqual([found.ok, found.problems], [true, []])
})
