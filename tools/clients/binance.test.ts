import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { type Desk, startDesk, test, type Trader, until } from './desk.ts'
import { loadClient } from './packages.ts'

let desk: Desk
let trader: Trader
let binance: any
let main: any
let futures: any
let moved: number
const open: any[] = []
const symbol = 'BTCUSDT'

before(async () => {
  desk = await startDesk()
  trader = await desk.trader()
  binance = await loadClient('binance')
  const account = { api_key: trader.key, api_secret: trader.secret, baseUrl: desk.url }
  main = new binance.MainClient(account)
  futures = new binance.USDMClient(account)
  ;({ tranId: moved } = await main.submitUniversalTransfer({ type: 'MAIN_UMFUTURE', asset: 'USDT', amount: 10_000 }))
  for (const name of [symbol, `${symbol}PERP`]) {
    await desk.quote(name, 'buy', '59990', '1')
    await desk.quote(name, 'sell', '60010', '1')
  }
})
after(async () => {
  for (const client of open) client.closeAll(true)
  await desk?.[Symbol.asyncDispose]()
  // The client renews its listen key with a timer of fifty minutes that can't be stopped and would keep the process alive.
  setTimeout(() => process.exit(), 2_000).unref()
})

const silent = { trace: () => undefined, info: () => undefined, error: () => undefined }

/** One of its socket clients on one path, with all events that it received. */
function socket(path: string): { client: any; events: any[] } {
  const options = { api_key: trader.key, api_secret: trader.secret, wsUrl: `${desk.wsUrl}${path}`, restOptions: { baseUrl: desk.url } }
  const client = new binance.WebsocketClient({ ...options, beautify: false }, silent)
  const events: any[] = []
  client.on('message', (event: any) => events.push(event))
  client.on('exception', () => undefined)
  open.push(client)
  return { client, events }
}

test('API-CLIENT-060: a third client reads both markets and trades spot', async () => {
  // `getServerTime` of its spot class always calls a fixed address, so it is not tested here.
  assert.deepEqual(await main.testConnectivity(), {})
  assert.equal((await main.getExchangeInfo({ symbol })).symbols[0].baseAsset, 'BTC')
  assert.equal((await main.getOrderBook({ symbol, limit: 5 })).asks[0][0], '60010.0')
  assert.equal((await main.getSymbolPriceTicker({ symbol })).symbol, symbol)
  const placed = await main.submitNewOrder({ symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: 0.01, price: 55_000 })
  assert.equal(placed.status, 'NEW')
  assert.equal((await main.getOrder({ symbol, orderId: placed.orderId })).price, '55000.0')
  assert.equal((await main.getOpenOrders({ symbol })).length, 1)
  assert.equal((await main.cancelOrder({ symbol, orderId: placed.orderId })).status, 'CANCELED')
  const sold = await main.submitNewOrder({ symbol, side: 'SELL', type: 'MARKET', quantity: 0.01, newOrderRespType: 'FULL' })
  assert.deepEqual([sold.status, sold.fills[0].commissionAsset], ['FILLED', 'USDT'])
  const { balances } = await main.getAccountInformation()
  assert.equal(Number(balances.find(({ asset }: any) => asset === 'BTC').free).toFixed(2), '1.99')
  await assert.rejects(main.submitNewOrder({ symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: 100, price: 55_000 }), {
    code: -2010,
  })
  await assert.rejects(main.getOrder({ symbol, orderId: 999_999_999 }), { code: -2013 })
})

test('API-CLIENT-061: a third client moves money, borrows and repays', async () => {
  assert.ok(moved > 0)
  const { rows } = await main.getUniversalTransferHistory({ type: 'MAIN_UMFUTURE' })
  assert.deepEqual([rows[0].tranId, Number(rows[0].amount), rows[0].status], [moved, 10_000, 'CONFIRMED'])
  await main.submitUniversalTransfer({ type: 'MAIN_MARGIN', asset: 'USDT', amount: 1_000 })
  await main.submitMarginAccountBorrowRepay({ asset: 'USDT', amount: '500', isIsolated: 'FALSE', symbol, type: 'BORROW' })
  const account = await main.queryCrossMarginAccountDetails()
  const usdt = account.userAssets.find(({ asset }: any) => asset === 'USDT')
  assert.deepEqual([Number(usdt.free), Number(usdt.borrowed)], [1_500, 500])
  await main.submitMarginAccountBorrowRepay({ asset: 'USDT', amount: '500', isIsolated: 'FALSE', symbol, type: 'REPAY' })
  assert.ok((await main.getFundingAsset({})).length >= 0)
  assert.equal((await main.getUserAsset({ asset: 'USDT' }))[0].asset, 'USDT')
})

test('API-CLIENT-062: a third client trades futures, with leverage, position and algo orders', async () => {
  assert.equal((await futures.getExchangeInfo()).symbols.find((one: any) => one.symbol === symbol).contractType, 'PERPETUAL')
  assert.equal((await futures.getMarkPrice({ symbol })).symbol, symbol)
  assert.equal((await futures.setLeverage({ symbol, leverage: 5 })).leverage, 5)
  const bought = await futures.submitNewOrder({ symbol, side: 'BUY', type: 'MARKET', quantity: 0.02, newOrderRespType: 'RESULT' })
  assert.deepEqual([bought.status, bought.avgPrice, bought.executedQty].map(String), ['FILLED', bought.avgPrice, '0.02000'])
  assert.equal(Number(bought.avgPrice), 60_010)
  const positions = await futures.getPositionsV3({ symbol })
  assert.deepEqual([positions.length, Number(positions[0].positionAmt)], [1, 0.02])
  const algo = await futures.submitNewAlgoOrder({
    ...{ algoType: 'CONDITIONAL', symbol, side: 'SELL', type: 'STOP_MARKET', quantity: '0.02', triggerPrice: '57000', reduceOnly: 'true' },
  })
  assert.equal(algo.algoStatus, 'NEW')
  assert.equal((await futures.getOpenAlgoOrders({ symbol })).length, 1)
  await futures.cancelAlgoOrder({ algoId: algo.algoId })
  const resting = await futures.submitNewOrder({ symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: 0.01, price: 55_000 })
  const changed = await futures.modifyOrder({ symbol, orderId: resting.orderId, side: 'BUY', quantity: 0.01, price: 55_100 })
  assert.deepEqual([changed.orderId, Number(changed.price)], [resting.orderId, 55_100])
  assert.equal((await futures.cancelAllOpenOrders({ symbol })).code, 200)
  assert.equal(Number((await futures.getBalanceV3()).find(({ asset }: any) => asset === 'USDT').balance).toFixed(2), '9999.40')
  await futures.submitNewOrder({ symbol, side: 'SELL', type: 'MARKET', quantity: 0.02, reduceOnly: 'true' })
  assert.ok((await futures.getIncomeHistory({ symbol })).length >= 1)
  await assert.rejects(futures.submitNewOrder({ symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: 2, price: 55_000 }), {
    code: -2019,
  })
})

test('API-CLIENT-063: a third client streams both markets and its own orders', async () => {
  const spot = socket('')
  await spot.client.subscribe(['btcusdt@trade', 'btcusdt@depth@100ms'], 'main')
  const perp = socket('/fstream')
  await perp.client.subscribe(['btcusdt@aggTrade', 'btcusdt@markPrice@1s'], 'usdmMarket')
  const own = socket('/fstream')
  await own.client.subscribeUsdFuturesUserDataStream()
  const data = ({ data: inner, ...plain }: any) => inner ?? plain
  const heard = (events: any[], what: string, find: (event: any) => unknown) => until(what, () => events.map(data).find(find))
  await heard(perp.events, 'a mark', ({ e }) => e === 'markPriceUpdate')
  await until('the subscription', async () => {
    await desk.quote(symbol, 'buy', '59000', '0.001')
    await new Promise((resolve) => setTimeout(resolve, 100))
    return spot.events.map(data).some(({ e }) => e === 'depthUpdate')
  })
  await main.submitNewOrder({ symbol, side: 'BUY', type: 'MARKET', quantity: 0.03 })
  await heard(spot.events, 'the trade', ({ e, q }) => e === 'trade' && Number(q) === 0.03)
  const order = await futures.submitNewOrder({ symbol, side: 'BUY', type: 'MARKET', quantity: 0.04 })
  await heard(perp.events, 'the deal', ({ e, q }) => e === 'aggTrade' && Number(q) === 0.04)
  await heard(own.events, 'its own order', ({ e, o }) => e === 'ORDER_TRADE_UPDATE' && o.i === order.orderId && o.X === 'FILLED')
  await heard(own.events, 'its account', ({ e, a }) => e === 'ACCOUNT_UPDATE' && a.P.some(({ s }: any) => s === symbol))
})

test('API-CLIENT-064: a third client trades over the WebSocket API, each request signed', async () => {
  const options = {
    api_key: trader.key,
    api_secret: trader.secret,
    wsUrl: desk.wsUrl,
    authPrivateRequestsIndividually: true,
  }
  const client = new binance.WebsocketAPIClient(options, silent)
  open.push(client.getWSClient())
  const said = async (name: string, params: object) => (await client[name]({ ...params, timestamp: Date.now() })).result
  const placed = await said('submitNewSpotOrder', {
    symbol,
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: '0.01',
    price: '55000',
  })
  assert.equal(placed.status, 'NEW')
  assert.equal((await said('getSpotOrderStatus', { symbol, orderId: placed.orderId })).status, 'NEW')
  assert.equal((await said('cancelSpotOrder', { symbol, orderId: placed.orderId })).status, 'CANCELED')
  assert.ok((await said('getSpotAccountInformation', {})).balances.length >= 2)
})
