import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { ccxtOf, type Desk, startDesk, test, type Trader, until } from './desk.ts'

let desk: Desk
let trader: Trader
let ccxt: any
const symbol = 'BTC/USDT'

before(async () => {
  desk = await startDesk()
  trader = await desk.trader()
  ccxt = await ccxtOf(desk, trader)
  await ccxt.loadMarkets()
})
after(async () => {
  await ccxt?.close()
  await desk?.[Symbol.asyncDispose]()
})
// Best prices 59,990 and 60,010; the last price is 60,000.
beforeEach(async () => {
  if ((await ccxt.fetchOpenOrders(symbol)).length > 0) await ccxt.cancelAllOrders(symbol)
  await desk.clear()
  await desk.quote('BTCUSDT', 'sell', '60000', '0.001')
  await ccxt.createOrder(symbol, 'limit', 'buy', 0.001, 60_000)
  await desk.quote('BTCUSDT', 'buy', '59990', '1')
  await desk.quote('BTCUSDT', 'sell', '60010', '1')
})

const near = (got: number, wanted: number, what = ''): void => assert.ok(Math.abs(got - wanted) < 1e-9, `${what} ${got} is not ${wanted}`)

/** The changes that a call makes to free and used amounts, by asset. */
async function change(act: () => Promise<unknown>): Promise<(asset: string, part: 'free' | 'used') => number> {
  const was = await ccxt.fetchBalance()
  await act()
  const is = await ccxt.fetchBalance()
  return (asset, part) => is[asset][part] - was[asset][part]
}

test('API-CLIENT-010: ccxt sees balances, fees and currencies of the account', async () => {
  const balance = await ccxt.fetchBalance()
  assert.deepEqual([balance.ETH.free, balance.ETH.used, balance.ETH.total], [20, 0, 20])
  const fee = await ccxt.fetchTradingFee(symbol)
  assert.deepEqual([fee.symbol, fee.maker, fee.taker], [symbol, 0.001, 0.001])
  assert.equal((await ccxt.fetchTradingFees())['ETH/USDT'].taker, 0.001)
  const currencies = await ccxt.fetchCurrencies()
  assert.deepEqual([currencies.BTC.code, currencies.USDT.id], ['BTC', 'USDT'])
})

test('API-CLIENT-011: a limit order of ccxt holds its cost, is found by both ids, and releases the hold when it is cancelled', async () => {
  let order: any
  const placed = await change(async () => {
    order = await ccxt.createOrder(symbol, 'limit', 'buy', 0.01, 55_000, { clientOrderId: 'ccxt-limit-1' })
  })
  assert.deepEqual(
    [order.status, order.type, order.side, order.price, order.amount, order.filled, order.clientOrderId],
    [...['open', 'limit', 'buy', 55_000, 0.01, 0], 'ccxt-limit-1'],
  )
  assert.ok(Math.abs(order.timestamp - Date.now()) < 5_000)
  near(placed('USDT', 'free'), -550, 'free')
  near(placed('USDT', 'used'), 550, 'used')
  const found = await ccxt.fetchOrder(order.id, symbol)
  assert.deepEqual([found.id, found.status, found.timeInForce], [order.id, 'open', 'GTC'])
  assert.equal((await ccxt.fetchOrder(undefined, symbol, { origClientOrderId: 'ccxt-limit-1' })).id, order.id)
  assert.deepEqual(
    (await ccxt.fetchOpenOrders(symbol)).map(({ id }: any) => id),
    [order.id],
  )
  let cancelled: any
  const freed = await change(async () => {
    cancelled = await ccxt.cancelOrder(order.id, symbol)
  })
  assert.deepEqual([cancelled.id, cancelled.status, cancelled.filled], [order.id, 'canceled', 0])
  near(freed('USDT', 'free'), 550)
  near(freed('USDT', 'used'), -550)
  await until('it among the cancelled orders', async () => (await ccxt.fetchCanceledOrders(symbol)).some(({ id }: any) => id === order.id))
})

test('API-CLIENT-012: market orders of ccxt, by quantity and by cost, change balances exactly by their fills', async () => {
  let bought: any
  const buy = await change(async () => {
    bought = await ccxt.createOrder(symbol, 'market', 'buy', 0.01)
  })
  assert.deepEqual([bought.status, bought.filled, bought.average, bought.cost, bought.trades.length], ['closed', 0.01, 60_010, 600.1, 1])
  assert.deepEqual([bought.fee.currency, bought.fee.cost], ['BTC', 0.00001])
  near(buy('USDT', 'free'), -600.1)
  near(buy('BTC', 'free'), 0.01 - 0.00001)
  let sold: any
  const sell = await change(async () => {
    sold = await ccxt.createOrder(symbol, 'market', 'sell', 0.02)
  })
  assert.deepEqual([sold.cost, sold.fee.currency, sold.fee.cost], [1199.8, 'USDT', 1.1998])
  near(sell('USDT', 'free'), 1199.8 - 1.1998)
  near(sell('BTC', 'free'), -0.02)
  const spent = await change(async () => {
    const order = await ccxt.createMarketBuyOrderWithCost(symbol, 100)
    assert.deepEqual([order.status, order.filled], ['closed', 0.00166])
  })
  near(spent('USDT', 'free'), -0.00166 * 60_010)
  const gained = await change(() => ccxt.createMarketSellOrderWithCost(symbol, 100))
  assert.ok(gained('USDT', 'free') > 99 && gained('USDT', 'free') <= 100)

  const trades = await until('four trades', async () => {
    const mine = await ccxt.fetchMyTrades(symbol)
    return mine.some(({ order }: any) => order === sold.id) && mine
  })
  const own = trades.find(({ order }: any) => order === bought.id)
  assert.deepEqual(
    [own.side, own.price, own.amount, own.takerOrMaker, own.fee.cost, own.fee.currency],
    [...['buy', 60_010, 0.01, 'taker'], ...[0.00001, 'BTC']],
  )
  assert.deepEqual(
    (await ccxt.fetchOrderTrades(sold.id, symbol)).map(({ cost }: any) => cost),
    [1199.8],
  )
  assert.ok((await ccxt.fetchClosedOrders(symbol)).some(({ id }: any) => id === bought.id))
  assert.ok((await ccxt.fetchOrders(symbol)).some(({ id, status }: any) => id === sold.id && status === 'closed'))
})

test('API-CLIENT-013: every time in force, post-only and iceberg orders of ccxt behave as named', async () => {
  const ioc = await ccxt.createOrder(symbol, 'limit', 'buy', 2, 60_010, { timeInForce: 'IOC' }).catch((error: unknown) => error)
  assert.equal(ioc.name, 'InsufficientFunds')
  const part = await ccxt.createOrder(symbol, 'limit', 'buy', 1.2, 60_010, { timeInForce: 'IOC' })
  assert.deepEqual([part.status, part.filled], ['expired', 1])
  await desk.quote('BTCUSDT', 'sell', '60010', '0.1')
  const kill = await ccxt.createOrder(symbol, 'limit', 'buy', 0.2, 60_010, { timeInForce: 'FOK' })
  assert.deepEqual([kill.status, kill.filled], ['expired', 0])
  assert.ok(kill.timestamp > 1e12, 'an order that ended at once has a time')
  const fill = await ccxt.createOrder(symbol, 'limit', 'buy', 0.05, 60_010, { timeInForce: 'FOK' })
  assert.deepEqual([fill.status, fill.filled], ['closed', 0.05])

  const maker = await ccxt.createOrder(symbol, 'limit', 'buy', 0.01, 59_000, { postOnly: true })
  assert.deepEqual([maker.status, maker.info.type, maker.postOnly], ['open', 'LIMIT_MAKER', true])
  await assert.rejects(ccxt.createOrder(symbol, 'limit', 'buy', 0.01, 60_020, { postOnly: true }), { name: 'OrderImmediatelyFillable' })
  const iceberg = await ccxt.createOrder(symbol, 'limit', 'buy', 0.1, 59_100, { icebergQty: '0.01' })
  assert.equal(iceberg.status, 'open')
  const book = await ccxt.fetchOrderBook(symbol)
  assert.equal(book.bids.find(([price]: readonly number[]) => price === 59_100)[1], 0.01)
  assert.equal((await ccxt.fetchOrder(iceberg.id, symbol)).info.icebergQty, '0.01000')
})

test('API-CLIENT-014: conditional orders of ccxt wait for their price and are then triggered', async () => {
  const waiting = [
    await ccxt.createOrder(symbol, 'market', 'buy', 0.01, undefined, { stopLossPrice: 60_500 }),
    await ccxt.createOrder(symbol, 'limit', 'buy', 0.01, 60_600, { stopLossPrice: 60_500 }),
    await ccxt.createOrder(symbol, 'market', 'buy', 0.01, undefined, { takeProfitPrice: 59_000 }),
    await ccxt.createOrder(symbol, 'limit', 'sell', 0.01, 60_400, { takeProfitPrice: 60_500 }),
    await ccxt.createOrder(symbol, 'market', 'sell', 0.01, undefined, { triggerPrice: 59_000 }),
    await ccxt.createOrder(symbol, 'limit', 'sell', 0.01, 58_900, { trailingPercent: 2, stopLossOrTakeProfit: 'stopLoss' }),
  ]
  const types = ['STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT', 'STOP_LOSS', 'STOP_LOSS_LIMIT']
  assert.deepEqual(
    waiting.map(({ info }) => info.type),
    types,
  )
  assert.ok(waiting.every(({ status }) => status === 'open'))
  assert.equal((await ccxt.fetchOpenOrders(symbol)).length, 6)
  const [stop, , , take] = waiting
  assert.equal((await ccxt.fetchOrder(stop.id, symbol)).triggerPrice, 60_500)
  for (const params of [{ stopLossPrice: 59_000 }, { takeProfitPrice: 61_000 }]) {
    await assert.rejects(ccxt.createOrder(symbol, 'market', 'buy', 0.01, undefined, params), { name: 'OrderImmediatelyFillable' })
  }
  // A trade at 60,500 triggers the orders that wait above.
  await desk.clear()
  await desk.quote('BTCUSDT', 'sell', '60500', '0.2')
  await ccxt.createOrder(symbol, 'limit', 'buy', 0.001, 60_500)
  const acted = await until('it to act', async () => {
    const order = await ccxt.fetchOrder(stop.id, symbol)
    return order.status === 'closed' && order
  })
  assert.deepEqual([acted.filled, acted.average], [0.01, 60_500])
  assert.equal((await ccxt.fetchOrder(take.id, symbol)).info.isWorking, true)
})

test('API-CLIENT-015: ccxt replaces an order, amends one that keeps its priority, and cancels all', async () => {
  const order = await ccxt.createOrder(symbol, 'limit', 'buy', 0.01, 55_000)
  const replaced = await ccxt.editOrder(order.id, symbol, 'limit', 'buy', 0.02, 55_500)
  assert.notEqual(replaced.id, order.id)
  assert.deepEqual([replaced.price, replaced.amount, replaced.status], [55_500, 0.02, 'open'])
  assert.equal((await ccxt.fetchOrder(order.id, symbol)).status, 'canceled')
  const amended = await ccxt.request('order/amend/keepPriority', 'private', 'PUT', {
    symbol: 'BTCUSDT',
    orderId: replaced.id,
    newQty: '0.015',
  })
  assert.deepEqual([amended.amendedOrder.qty, String(amended.amendedOrder.orderId)], ['0.01500', replaced.id])
  assert.equal((await ccxt.fetchOrder(replaced.id, symbol)).amount, 0.015)
  const more = { symbol: 'BTCUSDT', orderId: replaced.id, newQty: '0.5' }
  await assert.rejects(ccxt.request('order/amend/keepPriority', 'private', 'PUT', more), /-2038/)
  await ccxt.createOrder(symbol, 'limit', 'sell', 0.01, 65_000)
  const cancelled = await ccxt.cancelAllOrders(symbol)
  assert.equal(cancelled.length, 2)
  assert.ok(cancelled.every(({ status }: any) => status === 'canceled'))
  await assert.rejects(ccxt.cancelAllOrders(symbol), { name: 'OrderNotFound' })
})

test('API-CLIENT-016: an OCO list is placed, seen, and ended by a cancel or a fill', async () => {
  const form = {
    ...{ symbol: 'BTCUSDT', side: 'SELL', quantity: '0.01', aboveType: 'LIMIT_MAKER', abovePrice: '61000' },
    ...{ belowType: 'STOP_LOSS_LIMIT', belowPrice: '58900', belowStopPrice: '59000', belowTimeInForce: 'GTC', newOrderRespType: 'RESULT' },
  }
  const held = await change(async () => {
    const list = await ccxt.privatePostOrderListOco({ ...form, listClientOrderId: 'list-1' })
    assert.deepEqual(
      [list.contingencyType, list.listStatusType, list.listOrderStatus, list.orders.length],
      [...['OCO', 'EXEC_STARTED', 'EXECUTING', 2]],
    )
    assert.deepEqual(list.orderReports.map(({ type }: any) => type).sort(), ['LIMIT_MAKER', 'STOP_LOSS_LIMIT'])
  })
  near(held('BTC', 'used'), 0.01, 'both hold it once')
  const [open] = await ccxt.privateGetOpenOrderList()
  assert.equal(open.listClientOrderId, 'list-1')
  assert.equal((await ccxt.fetchOpenOrders(symbol)).length, 2)
  const ended = await ccxt.privateDeleteOrderList({ symbol: 'BTCUSDT', listClientOrderId: 'list-1' })
  assert.deepEqual([ended.listStatusType, ended.listOrderStatus, ended.orderReports.length], ['ALL_DONE', 'ALL_DONE', 2])
  await assert.rejects(ccxt.privatePostOrderListOco({ ...form, abovePrice: '58000' }), { name: 'InvalidOrder' })

  const second = await ccxt.privatePostOrderListOco(form)
  await desk.clear()
  await desk.quote('BTCUSDT', 'buy', '61000', '0.01')
  const [limit, stop] = ['LIMIT_MAKER', 'STOP_LOSS_LIMIT'].map((type) => second.orderReports.find((one: any) => one.type === type).orderId)
  assert.deepEqual([(await ccxt.fetchOrder(limit, symbol)).status, (await ccxt.fetchOrder(stop, symbol)).status], ['closed', 'expired'])
  const list = await ccxt.privateGetOrderList({ orderListId: second.orderListId })
  assert.equal(list.listOrderStatus, 'ALL_DONE')
  assert.ok((await ccxt.privateGetAllOrderList()).length >= 2)

  // The last price is 61,000: a take-profit leg waits for its trigger, then acts as a market order.
  const { abovePrice: _, ...waiting } = { ...form, aboveType: 'TAKE_PROFIT', aboveStopPrice: '62000', belowTimeInForce: 'FOK' }
  const third = await ccxt.privatePostOrderListOco(waiting)
  assert.deepEqual(third.orderReports.map(({ type }: any) => type).sort(), ['STOP_LOSS_LIMIT', 'TAKE_PROFIT'])
  assert.equal((await ccxt.fetchOrder(third.orders[0].orderId, symbol)).status, 'open')
  const gone = await ccxt.privateDeleteOrderList({ symbol: 'BTCUSDT', orderListId: third.orderListId })
  assert.equal(gone.listOrderStatus, 'ALL_DONE')
})

test('API-CLIENT-017: each refusal becomes the matching error class of ccxt, and a test order leaves nothing', async () => {
  const order = (type: string, side: string, amount: number, price?: number, params = {}) =>
    ccxt.createOrder(symbol, type, side, amount, price, params)
  await assert.rejects(order('limit', 'buy', 50, 59_000), { name: 'InsufficientFunds' })
  await assert.rejects(order('limit', 'buy', 0.00002, 59_000), { name: /InvalidOrder|BadRequest/ })
  await assert.rejects(ccxt.cancelOrder('999999999', symbol), { name: 'OrderNotFound' })
  await assert.rejects(ccxt.fetchOrder('999999999', symbol), { name: 'OrderNotFound' })
  await assert.rejects(ccxt.privateGetOpenOrders({ symbol: 'NONE' }), { name: 'BadSymbol' })
  await assert.rejects(order('limit', 'buy', 0.01, 59_000, { timestamp: 1 }), { name: 'InvalidNonce' })
  const stranger = await ccxtOf(desk, { ...trader, secret: 'x'.repeat(64) })
  const unknown = await ccxtOf(desk, { ...trader, key: 'y'.repeat(64) })
  const reader = await ccxtOf(desk, await desk.trader({ USDT: '1000' }, ['read']))
  for (const client of [stranger, unknown]) await assert.rejects(client.privateGetAccount(), { name: 'AuthenticationError' })
  await assert.rejects(reader.privatePostOrder({ symbol: 'BTCUSDT' }), { name: /AuthenticationError|PermissionDenied|BadRequest/ })
  assert.equal((await reader.privateGetAccount()).accountType, 'SPOT')

  const tested = await change(() => order('limit', 'buy', 0.01, 59_000, { test: true }))
  near(tested('USDT', 'used'), 0)
  assert.equal((await ccxt.fetchOpenOrders(symbol)).length, 0)
})

test('API-CLIENT-018: an order that ccxt sends again with its id returns the existing order, and a different order with that id is refused', async () => {
  const params = { clientOrderId: 'twice' }
  const first = await ccxt.createOrder(symbol, 'limit', 'buy', 0.01, 55_000, params)
  const again = await change(async () => {
    assert.equal((await ccxt.createOrder(symbol, 'limit', 'buy', 0.01, 55_000, params)).id, first.id)
  })
  near(again('USDT', 'used'), 0)
  const other = await ccxt.createOrder(symbol, 'limit', 'buy', 0.02, 55_000, params).catch((error: unknown) => error)
  assert.deepEqual([other.name, /Duplicate order sent/.test(other.message)], ['InvalidOrder', true])
})
