import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before } from 'node:test'
import { type Desk, startDesk, test, type Trader, until } from './desk.ts'
import { loadClient } from './packages.ts'

let desk: Desk
let trader: Trader
let client: any
let trade: any
let feed: any
const symbol = 'BTCUSDT'

before(async () => {
  desk = await startDesk()
  trader = await desk.trader()
  const { Spot } = await loadClient('@binance/spot')
  // Sessions of the WebSocket API need an Ed25519 key; the exchange gets only its public half.
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const pem = (key: typeof publicKey, type: 'spki' | 'pkcs8') => String(key.export({ type, format: 'pem' }))
  const form = { label: 'ed', scopes: ['read', 'trade'], ips: [], password: trader.user.password, publicKey: pem(publicKey, 'spki') }
  const made = await trader.user.call('POST', '/keys', form)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  client = new Spot({
    configurationRestAPI: { apiKey: trader.key, apiSecret: trader.secret, basePath: desk.url, timeout: 30_000 },
    configurationWebsocketAPI: { apiKey: made.body.key.key, privateKey: pem(privateKey, 'pkcs8'), wsURL: `${desk.wsUrl}/ws-api/v3` },
    configurationWebsocketStreams: { wsURL: desk.wsUrl },
  })
  await desk.quote(symbol, 'buy', '59990', '1')
  await desk.quote(symbol, 'sell', '60010', '1')
})
after(async () => {
  await feed?.disconnect()
  await trade?.disconnect()
  await desk?.[Symbol.asyncDispose]()
})

const rest = async (name: string, params: object = {}): Promise<any> => (await client.restAPI[name](params)).data()
const order = { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: 0.01, price: 55_000 }

test('API-CLIENT-050: the official client reads the market and throws its own error classes', async () => {
  assert.deepEqual(await rest('ping'), {})
  const info = await rest('exchangeInfo', { symbol })
  assert.equal(info.symbols[0].filters.find((one: any) => one.filterType === 'PRICE_FILTER').tickSize, '0.1')
  const depth = await rest('depth', { symbol, limit: 5 })
  assert.deepEqual([depth.bids, depth.asks], [[['59990.0', '1.00000']], [['60010.0', '1.00000']]])
  const many = await rest('tickerPrice', { symbols: [symbol, 'ETHUSDT'] })
  assert.deepEqual(many.map((one: any) => one.symbol).sort(), [symbol, 'ETHUSDT'])
  assert.ok(Array.isArray(await rest('klines', { symbol, interval: '1h', limit: 3 })))
  assert.equal((await rest('avgPrice', { symbol })).mins, 5)
  const { Spot, BadRequestError, UnauthorizedError } = await loadClient('@binance/spot')
  await assert.rejects(client.restAPI.depth({ symbol: 'NONE' }), BadRequestError)
  const stranger = new Spot({ configurationRestAPI: { apiKey: 'a'.repeat(64), apiSecret: 'b', basePath: desk.url } })
  await assert.rejects(stranger.restAPI.getAccount(), UnauthorizedError)
})

test('API-CLIENT-051: the official client trades over REST: every kind of order, replaced, amended, cancelled, with its trades and balances', async () => {
  const placed = await rest('newOrder', { ...order, newClientOrderId: 'official-1' })
  assert.deepEqual([placed.status, placed.origQty, placed.clientOrderId, placed.fills], ['NEW', '0.01000', 'official-1', []])
  assert.equal((await rest('getOrder', { symbol, orderId: placed.orderId })).status, 'NEW')
  const replaced = await rest('orderCancelReplace', {
    ...order,
    price: 55_500,
    cancelReplaceMode: 'STOP_ON_FAILURE',
    cancelOrderId: placed.orderId,
  })
  assert.deepEqual([replaced.cancelResult, replaced.newOrderResult], ['SUCCESS', 'SUCCESS'])
  const { orderId } = replaced.newOrderResponse
  const amended = await rest('orderAmendKeepPriority', { symbol, orderId, newQty: 0.005 })
  assert.equal(amended.amendedOrder.qty, '0.00500')
  assert.deepEqual(
    (await rest('getOpenOrders', { symbol })).map((one: any) => [one.orderId, one.origQty]),
    [[orderId, '0.00500']],
  )
  assert.equal((await rest('deleteOrder', { symbol, orderId })).status, 'CANCELED')
  assert.deepEqual(await rest('orderTest', order), {})

  const was = await rest('getAccount', { omitZeroBalances: true })
  const bought = await rest('newOrder', { symbol, side: 'BUY', type: 'MARKET', quantity: 0.01 })
  assert.deepEqual(
    [
      bought.status,
      ...[bought.cummulativeQuoteQty, bought.fills[0].price, bought.fills[0].commission].map(Number),
      bought.fills[0].commissionAsset,
    ],
    ['FILLED', 600.1, 60_010, 0.00001, 'BTC'],
  )
  const is = await rest('getAccount', { omitZeroBalances: true })
  const free = (account: any, asset: string) => Number(account.balances.find((one: any) => one.asset === asset).free)
  assert.equal((free(is, 'BTC') - free(was, 'BTC')).toFixed(8), '0.00999000')
  assert.equal((free(is, 'USDT') - free(was, 'USDT')).toFixed(6), '-600.100000')
  const trades = await until('the trade', async () => {
    const mine = await rest('myTrades', { symbol })
    return mine.length > 0 && mine
  })
  assert.deepEqual([trades[0].orderId, trades[0].isBuyer, trades[0].isMaker], [bought.orderId, true, false])
  const list = await rest('orderListOco', {
    ...{ symbol, side: 'SELL', quantity: 0.005, aboveType: 'LIMIT_MAKER', abovePrice: 61_000 },
    ...{ belowType: 'STOP_LOSS', belowStopPrice: 59_000 },
  })
  assert.equal((await rest('getOrderList', { orderListId: list.orderListId })).listOrderStatus, 'EXECUTING')
  assert.equal((await rest('deleteOrderList', { symbol, orderListId: list.orderListId })).listOrderStatus, 'ALL_DONE')
  const sleeping = await rest('orderListOco', {
    ...{ symbol, side: 'SELL', quantity: 0.005, aboveType: 'TAKE_PROFIT_LIMIT', aboveStopPrice: 61_000, abovePrice: 60_900 },
    ...{ aboveTimeInForce: 'IOC', belowType: 'STOP_LOSS', belowStopPrice: 59_000 },
  })
  assert.deepEqual(
    sleeping.orderReports.map(({ type, timeInForce }: any) => [type, timeInForce]),
    [
      ['TAKE_PROFIT_LIMIT', 'IOC'],
      ['STOP_LOSS', 'IOC'],
    ],
  )
  assert.equal((await rest('deleteOrderList', { symbol, orderListId: sleeping.orderListId })).orderReports.length, 2)
  const own = await rest('newOrder', { ...order, side: 'SELL', price: 60_000 })
  const met = await rest('newOrder', { ...order, price: 60_000, quantity: 0.004, selfTradePreventionMode: 'EXPIRE_BOTH' })
  const [match] = await rest('myPreventedMatches', { symbol, orderId: own.orderId })
  assert.deepEqual(
    [match.takerOrderId, match.price, match.makerPreventedQuantity, match.takerPreventedQuantity, met.status],
    [met.orderId, '60000.0', '0.01000', '0.00400', 'EXPIRED_IN_MATCH'],
  )
  assert.ok((await rest('allOrders', { symbol })).length >= 4)
  assert.equal(Number((await rest('accountCommission', { symbol })).standardCommission.taker), 0.001)
  assert.ok((await rest('rateLimitOrder')).length >= 2)
})

test('API-CLIENT-052: the official client logs on to the WebSocket API, trades there without signing again, and receives its order events on the same socket', async () => {
  trade = await client.websocketAPI.connect()
  const said = async (name: string, params: object = {}): Promise<any> => {
    const answer = await trade[name](params)
    return answer.data
  }
  assert.equal((await said('depth', { symbol, limit: 5 })).bids[0][0], '59990.0')
  await said('sessionLogon')
  assert.ok(Number((await said('sessionStatus')).authorizedSince) > 0)
  const events: any[] = []
  const stream = await trade.userDataStreamSubscribe()
  stream.stream.on('message', (event: any) => events.push(event))
  const placed = await said('orderPlace', { ...order, newClientOrderId: 'session-1' })
  assert.equal(placed.status, 'NEW')
  assert.equal((await said('orderStatus', { symbol, orderId: placed.orderId })).status, 'NEW')
  assert.equal((await said('orderCancel', { symbol, orderId: placed.orderId })).status, 'CANCELED')
  assert.ok((await said('accountStatus')).balances.length >= 2)
  const reports = () => events.filter(({ e, i }) => e === 'executionReport' && Number(i) === Number(placed.orderId))
  await until('both reports', () => reports().length >= 2)
  assert.deepEqual(
    reports().map(({ x, X }) => [x, X]),
    [
      ['NEW', 'NEW'],
      ['CANCELED', 'CANCELED'],
    ],
  )
  assert.ok(events.some(({ e }) => e === 'outboundAccountPosition'))
  await said('sessionLogout')
})

test('API-CLIENT-053: the official client streams trades, books, bars and best prices', async () => {
  feed = await client.websocketStreams.connect()
  const heard = { trade: [] as any[], depth: [] as any[], kline: [] as any[], best: [] as any[] }
  feed.trade({ symbol }).on('message', (event: any) => heard.trade.push(event))
  feed.diffBookDepth({ symbol, updateSpeed: '100ms' }).on('message', (event: any) => heard.depth.push(event))
  feed.kline({ symbol, interval: '1m' }).on('message', (event: any) => heard.kline.push(event))
  feed.bookTicker({ symbol }).on('message', (event: any) => heard.best.push(event))
  await until('a change of the book', async () => {
    await desk.quote(symbol, 'buy', '59000', '0.001')
    await new Promise((resolve) => setTimeout(resolve, 100))
    return heard.depth.length > 0
  })
  await rest('newOrder', { symbol, side: 'SELL', type: 'MARKET', quantity: 0.02 })
  const deal = await until('the trade', () => heard.trade.find(({ q }) => q === '0.02000'))
  assert.deepEqual([deal.p, deal.m], ['59990.0', true])
  await until('the bar', () => heard.kline.find(({ k }) => k.c === '59990.0'))
  await until('the best price', () => heard.best.find(({ B }) => B === '0.98000'))
  assert.ok(heard.depth.every(({ U, u }) => U <= u))
})
