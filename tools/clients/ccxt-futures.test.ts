import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { ccxtOf, type Desk, startDesk, test, type Trader, until } from './desk.ts'

let desk: Desk
let trader: Trader
let ccxt: any
const symbol = 'BTC/USDT:USDT'

before(async () => {
  desk = await startDesk()
  trader = await desk.trader({ USDT: '100000' })
  ccxt = await ccxtOf(desk, trader, { defaultType: 'swap' })
  await ccxt.loadMarkets()
  await ccxt.transfer('USDT', 50_000, 'spot', 'swap')
})
after(async () => {
  await ccxt?.close()
  await desk?.[Symbol.asyncDispose]()
})
// Best prices 59,990 and 60,010, and no position.
beforeEach(async () => {
  await ccxt.cancelAllOrders(symbol)
  await ccxt.cancelAllOrders(symbol, { trigger: true })
  await desk.clear()
  await desk.quote('BTCUSDTPERP', 'buy', '59990', '5')
  await desk.quote('BTCUSDTPERP', 'sell', '60010', '5')
  for (const { side, contracts } of await ccxt.fetchPositions([symbol])) {
    await ccxt.createOrder(symbol, 'market', side === 'long' ? 'sell' : 'buy', contracts, undefined, { reduceOnly: true })
  }
})

const near = (got: number, wanted: number, off = 1e-6): void => assert.ok(Math.abs(got - wanted) <= off, `${got} is not ${wanted}`)
/** Switches to isolated margin, by way of cross if it is isolated already. */
const isolate = async (): Promise<void> => {
  if ((await ccxt.fetchMarginMode(symbol)).marginMode === 'isolated') await ccxt.setMarginMode('cross', symbol)
  await ccxt.setMarginMode('isolated', symbol)
}
const place = (type: string, side: string, amount: number, price?: number, params = {}) =>
  ccxt.createOrder(symbol, type, side, amount, price, params)

test('API-CLIENT-040: ccxt moves money to the futures account and back, and finds its transfers', async () => {
  const [spot, swap] = [await ccxt.fetchBalance({ type: 'spot' }), await ccxt.fetchBalance()]
  const there = await ccxt.transfer('USDT', 100, 'spot', 'swap')
  const back = await ccxt.transfer('USDT', 40, 'swap', 'spot')
  near((await ccxt.fetchBalance({ type: 'spot' })).USDT.free - spot.USDT.free, -60)
  near((await ccxt.fetchBalance()).USDT.free - swap.USDT.free, 60)
  const found = await ccxt.fetchTransfers('USDT', undefined, undefined, { fromAccount: 'spot', toAccount: 'swap' })
  const own = found.find(({ id }: any) => id === there.id)
  assert.deepEqual([own.amount, own.status, own.currency], [100, 'ok', 'USDT'])
  assert.notEqual(there.id, back.id)
  await assert.rejects(ccxt.transfer('USDT', 10_000_000, 'spot', 'swap'), { name: /InsufficientFunds|ExchangeError|BadRequest/ })
})

test('API-CLIENT-041: ccxt sets and reads leverage and margin type of a futures market, and reads its brackets and fees', async () => {
  assert.equal(Number((await ccxt.setLeverage(5, symbol)).leverage), 5)
  assert.equal((await ccxt.fetchLeverage(symbol)).longLeverage, 5)
  await isolate()
  await assert.rejects(ccxt.setMarginMode('isolated', symbol), { name: 'MarginModeAlreadySet' })
  assert.equal((await ccxt.fetchMarginMode(symbol)).marginMode, 'isolated')
  await ccxt.setMarginMode('cross', symbol)
  assert.equal((await ccxt.fetchMarginMode(symbol)).marginMode, 'cross')
  const tiers = await ccxt.fetchLeverageTiers([symbol])
  assert.equal(tiers[symbol][0].maxLeverage, 10)
  assert.ok(tiers[symbol][0].maintenanceMarginRate > 0)
  const fee = await ccxt.fetchTradingFee(symbol)
  assert.deepEqual([fee.maker, fee.taker], [0.0002, 0.0005])
  await assert.rejects(ccxt.setLeverage(100, symbol), /-4028|leverage/i)
})

test('API-CLIENT-042: a position that ccxt opens shows its side, price, margin and profit, and its realised profit when it closes', async () => {
  await ccxt.setLeverage(10, symbol)
  const was = await ccxt.fetchBalance()
  const opened = await place('market', 'buy', 0.1, undefined, { newOrderRespType: 'RESULT' })
  assert.deepEqual([opened.status, opened.filled, opened.average, opened.side], ['closed', 0.1, 60_010, 'buy'])
  const [position] = await ccxt.fetchPositions([symbol])
  assert.deepEqual(
    [position.symbol, position.side, position.contracts, position.entryPrice, position.marginMode],
    [...[symbol, 'long', 0.1, 60_010, 'cross']],
  )
  near(position.unrealizedPnl, (position.markPrice - 60_010) * 0.1, 0.01)
  near((await ccxt.fetchBalance()).USDT.total - was.USDT.total, position.unrealizedPnl - 0.1 * 60_010 * 0.0005, 0.01)
  const [risk] = await ccxt.fetchPositionsRisk([symbol])
  assert.equal(risk.contracts, 0.1)
  await place('market', 'sell', 0.1, undefined, { reduceOnly: true })
  assert.deepEqual(await ccxt.fetchPositions([symbol]), [])
  const is = await ccxt.fetchBalance()
  near(is.USDT.total - was.USDT.total, -0.1 * (60_010 + 59_990) * 0.0005 - 2)
  const trades = await until('both trades', async () => {
    const mine = await ccxt.fetchMyTrades(symbol)
    return mine.some(({ info }: any) => Number(info.realizedPnl) === -2) && mine
  })
  const own = trades.find(({ order }: any) => order === opened.id)
  assert.deepEqual([own.price, own.amount, own.fee.currency, own.takerOrMaker], [60_010, 0.1, 'USDT', 'taker'])
  near(own.fee.cost, 3.0005)
  const ledger = await ccxt.fetchLedger('USDT')
  assert.ok(ledger.some(({ amount, info }: any) => info.incomeType === 'REALIZED_PNL' && Math.abs(amount) === 2))
  assert.deepEqual(await ccxt.fetchFundingHistory(symbol), [])
})

test('API-CLIENT-043: ccxt adds margin to an isolated position and takes some back', async () => {
  await isolate()
  await place('market', 'buy', 0.1)
  const margin = async () => Number((await ccxt.fetchPositions([symbol]))[0].collateral)
  const was = await margin()
  const added = await ccxt.addMargin(symbol, 50)
  assert.deepEqual([added.type, added.amount], ['add', 50])
  near((await margin()) - was, 50, 0.05)
  await ccxt.reduceMargin(symbol, 20)
  near((await margin()) - was, 30, 0.05)
  assert.equal((await ccxt.fetchPositions([symbol]))[0].marginMode, 'isolated')
  const moved = await until('both changes', async () => {
    const list = await ccxt.fetchMarginAdjustmentHistory(symbol)
    return list.length >= 2 && list
  })
  assert.deepEqual(new Set(moved.map(({ type, amount }: any) => `${type} ${amount}`)), new Set(['add 50', 'reduce 20']))
  await place('market', 'sell', 0.1, undefined, { reduceOnly: true })
  await ccxt.setMarginMode('cross', symbol)
})

test('API-CLIENT-044: ccxt places, finds, changes and cancels futures orders one by one, in a batch, and all at once', async () => {
  const order = await place('limit', 'buy', 0.01, 55_000, { clientOrderId: 'swap-1' })
  assert.deepEqual([order.status, order.price, order.amount, order.clientOrderId], ['open', 55_000, 0.01, 'swap-1'])
  assert.equal((await ccxt.fetchOpenOrder(order.id, symbol)).id, order.id)
  const edited = await ccxt.editOrder(order.id, symbol, 'limit', 'buy', 0.02, 55_500)
  assert.deepEqual([edited.id, edited.price, edited.amount], [order.id, 55_500, 0.02])
  const gone = await ccxt.cancelOrder(order.id, symbol)
  assert.equal(gone.status, 'canceled')
  await assert.rejects(ccxt.cancelOrder(order.id, symbol), { name: 'OrderNotFound' })

  const batch = await ccxt.createOrders([
    { symbol, type: 'limit', side: 'buy', amount: 0.01, price: 55_000 },
    { symbol, type: 'limit', side: 'sell', amount: 0.01, price: 65_000 },
  ])
  assert.deepEqual(
    batch.map(({ status }: any) => status),
    ['open', 'open'],
  )
  assert.equal((await ccxt.fetchOpenOrders(symbol)).length, 2)
  const ended = await ccxt.cancelOrders(
    batch.map(({ id }: any) => id),
    symbol,
  )
  assert.equal(ended.length, 2)
  await place('limit', 'buy', 0.01, 55_000)
  await ccxt.cancelAllOrders(symbol)
  assert.deepEqual(await ccxt.fetchOpenOrders(symbol), [])
  assert.ok((await ccxt.fetchOrders(symbol)).length >= 4)
  assert.ok((await ccxt.fetchCanceledOrders(symbol)).some(({ id }: any) => id === order.id))
})

test('API-CLIENT-045: post-only, IOC, FOK and reduce-only futures orders of ccxt behave as named', async () => {
  const maker = await place('limit', 'buy', 0.01, 59_000, { postOnly: true })
  assert.deepEqual([maker.status, maker.info.timeInForce], ['open', 'GTX'])
  await assert.rejects(place('limit', 'buy', 0.01, 60_010, { postOnly: true }), /-5022|-2010/)
  await desk.clear()
  await desk.quote('BTCUSDTPERP', 'sell', '60010', '0.1')
  const kill = await place('limit', 'buy', 0.2, 60_010, { timeInForce: 'FOK' }).catch((cause: unknown) => cause)
  assert.ok(kill instanceof Error ? /-5021/.test(kill.message) : kill.status === 'expired' && kill.filled === 0)
  const part = await place('limit', 'buy', 0.2, 60_010, { timeInForce: 'IOC', newOrderRespType: 'RESULT' })
  assert.deepEqual([part.filled, part.remaining > 0], [0.1, true])
  await assert.rejects(place('limit', 'buy', 0.1, 59_000, { reduceOnly: true }), /-2022/)
  await desk.quote('BTCUSDTPERP', 'buy', '59990', '5')
  await place('market', 'sell', 0.1, undefined, { reduceOnly: true })
  await assert.rejects(place('limit', 'buy', 100, 59_000), /-2019|-2027/)
  await assert.rejects(
    ccxt.fapiPrivatePostOrder({ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.00001', price: '59000' }),
    /-4164/,
  )
})

test('API-CLIENT-046: conditional futures orders of ccxt are kept, found, cancelled, and triggered', async () => {
  await place('market', 'buy', 0.1)
  const waiting = [
    await place('market', 'sell', 0.05, undefined, { stopLossPrice: 57_000 }),
    await place('limit', 'sell', 0.05, 56_900, { stopLossPrice: 57_000 }),
    await place('market', 'sell', 0.05, undefined, { takeProfitPrice: 63_000 }),
    await place('limit', 'sell', 0.05, 63_100, { takeProfitPrice: 63_000 }),
    await place('market', 'sell', 0.05, undefined, { triggerPrice: 58_000, reduceOnly: true }),
  ]
  assert.deepEqual(
    waiting.map(({ info }) => info.orderType),
    ['STOP_MARKET', 'STOP', 'TAKE_PROFIT_MARKET', 'TAKE_PROFIT', 'STOP_MARKET'],
  )
  const trailing = await place('market', 'sell', 0.05, undefined, { trailingPercent: 1, reduceOnly: true })
  assert.equal(trailing.info.orderType, 'TRAILING_STOP_MARKET')
  assert.equal((await ccxt.fetchOpenOrders(symbol, undefined, undefined, { trigger: true })).length, 6)
  const [stop] = waiting
  assert.equal((await ccxt.fetchOrder(stop.id, symbol, { trigger: true })).triggerPrice, 57_000)
  await ccxt.cancelOrder(stop.id, symbol, { trigger: true })
  await assert.rejects(place('market', 'sell', 0.05, undefined, { stopLossPrice: 61_000 }), /-2021|immediately trigger/)
  assert.equal((await ccxt.fetchOpenOrders(symbol, undefined, undefined, { trigger: true })).length, 5)
  // A trade at 58,000 triggers the order that closes half of the position.
  await desk.clear()
  await desk.quote('BTCUSDTPERP', 'buy', '58000', '1')
  await place('limit', 'sell', 0.01, 58_000)
  await until('the position to shrink', async () => {
    const [position] = await ccxt.fetchPositions([symbol])
    return position === undefined || position.contracts < 0.05
  })
  await ccxt.cancelAllOrders(symbol, { trigger: true })
  assert.deepEqual(await ccxt.fetchOpenOrders(symbol, undefined, undefined, { trigger: true }), [])
})
