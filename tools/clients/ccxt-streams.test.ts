import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { ccxtOf, type Desk, startDesk, test, type Trader, until } from './desk.ts'

let desk: Desk
let trader: Trader
let ccxt: any
let isEnding = false
const spot = 'BTC/USDT'
const swap = 'BTC/USDT:USDT'

before(async () => {
  desk = await startDesk()
  trader = await desk.trader()
  // ccxt keeps its futures stream open with a timer of its own, which ends once the exchange no longer answers.
  ccxt = await ccxtOf(desk, trader, { listenKeyRefreshRate: 3_000 })
  await ccxt.loadMarkets()
  for (const symbol of ['BTCUSDT', 'BTCUSDTPERP']) {
    await desk.quote(symbol, 'buy', '59990', '5')
    await desk.quote(symbol, 'sell', '60010', '5')
  }
  await ccxt.transfer('USDT', 20_000, 'spot', 'swap')
})
after(async () => {
  isEnding = true
  await ccxt?.close()
  await desk?.[Symbol.asyncDispose]()
})

type Told<T> = { readonly items: T[]; fault: unknown }

/** Everything that a `watch…` method returns from here on; `settled` after the first. */
function follow<T>(watch: () => Promise<T>): Told<T> {
  const told: Told<T> = { items: [], fault: undefined }
  const next = async (): Promise<void> => {
    while (!isEnding) told.items.push(await watch())
  }
  next().catch((cause: unknown) => {
    if (!isEnding) told.fault = cause
  })
  return told
}

async function heard<T>(told: Told<T>, what: string, find: (item: T) => unknown): Promise<T> {
  return until(what, () => {
    if (told.fault !== undefined) throw told.fault
    return told.items.find((item) => find(item))
  })
}

for (const [id, symbol, name] of [
  ['API-CLIENT-020', spot, 'BTCUSDT'],
  ['API-CLIENT-021', swap, 'BTCUSDTPERP'],
] as const) {
  test(`${id}: ccxt streams books, trades, tickers, best prices and candles of ${symbol}, and its book equals the exchange’s`, async () => {
    const books = follow<any>(() => ccxt.watchOrderBook(symbol))
    const trades = follow<any>(() => ccxt.watchTrades(symbol))
    const tickers = follow<any>(() => ccxt.watchTicker(symbol))
    const bars = follow<any>(() => ccxt.watchOHLCV(symbol, '1m'))
    const best = follow<any>(() => ccxt.watchBidsAsks([symbol]))
    await heard(books, 'a book', ({ bids }) => bids[0]?.[0] === 59_990)
    await until('subscriptions', () => Object.keys(ccxt.clients).length >= 1)
    await desk.quote(name, 'buy', '59995', '0.5')
    await heard(books, 'the bid', ({ bids }) => bids[0][0] === 59_995 && bids[0][1] === 0.5)
    await heard(best, 'the best price', (one) => one[symbol]?.bid === 59_995)
    const order = await ccxt.createOrder(symbol, 'market', 'buy', 0.03)
    const deal = await heard(trades, 'the trade', (list: any[]) => list.some(({ amount }) => amount === 0.03))
    const own = deal.find(({ amount }: any) => amount === 0.03)
    assert.deepEqual([own.symbol, own.side, own.price], [symbol, 'buy', 60_010], order.id)
    await heard(bars, 'the bar', (list: any[]) => list.some((bar) => bar[4] === 60_010 && bar[5] >= 0.03))
    const last = await heard(tickers, 'the ticker', (one) => one.last === 60_010)
    assert.equal(last.symbol, symbol)
    // Many small changes, then both books are compared.
    for (let i = 0; i < 20; i++) await desk.quote(name, i % 2 ? 'sell' : 'buy', String(i % 2 ? 60_020 + i : 59_980 - i), '0.01')
    const snapshot = await ccxt.fetchOrderBook(symbol)
    const levels = (side: readonly (readonly number[])[]): string => JSON.stringify(side.map(([price, amount]) => [price, amount]))
    const book = await until('the same book', () => {
      const seen = books.items.at(-1)
      return levels(seen.bids) === levels(snapshot.bids) && levels(seen.asks) === levels(snapshot.asks) && seen
    })
    assert.equal(book.bids.length, snapshot.bids.length)
    for (const told of [books, trades, tickers, bars, best]) assert.equal(told.fault, undefined)
  })
}

test('API-CLIENT-022: ccxt streams mark prices and all tickers', async () => {
  const marks = follow<any>(() => ccxt.watchMarkPrice(swap))
  const all = follow<any>(() => ccxt.watchTickers(undefined, { name: 'miniTicker' }))
  const mark = await heard(marks, 'a mark', ({ markPrice }) => markPrice > 0)
  assert.deepEqual([mark.symbol, mark.indexPrice], [swap, 60_000])
  await ccxt.createOrder(spot, 'market', 'buy', 0.001)
  await heard(all, 'tickers', (list) => list[spot]?.last === 60_010)
})

test('API-CLIENT-023: ccxt streams its own orders, trades and balances of the spot account, in order and without repeats', async () => {
  const orders = follow<any>(() => ccxt.watchOrders(spot))
  const mine = follow<any>(() => ccxt.watchMyTrades(spot))
  const balances = follow<any>(() => ccxt.watchBalance())
  await until('the user stream', () => Object.keys(ccxt.clients).some((url) => url.includes('/ws-api/')))
  // The stream is open as soon as it reports a first order.
  const first = await until('the first order', async () => {
    const order = await ccxt.createOrder(spot, 'limit', 'buy', 0.01, 55_000)
    await new Promise((resolve) => setTimeout(resolve, 200))
    return orders.items.flat().some(({ id }) => id === order.id) && order
  })
  await ccxt.cancelOrder(first.id, spot)
  const cancelled = await heard(orders, 'the cancel', (list) => list.some((one: any) => one.id === first.id && one.status === 'canceled'))
  assert.ok(cancelled.length >= 1)
  const before = await ccxt.fetchBalance()
  const bought = await ccxt.createOrder(spot, 'market', 'buy', 0.02)
  const list = await heard(mine, 'its trade', (seen) => seen.some(({ order }: any) => order === bought.id))
  const trade = list.find(({ order }: any) => order === bought.id)
  assert.deepEqual([trade.amount, trade.price, trade.fee.currency, trade.fee.cost], [0.02, 60_010, 'BTC', 0.00002])
  const wanted = before.BTC.total + 0.02 - 0.00002
  await heard(balances, 'the balance', (one) => Math.abs(one.BTC.total - wanted) < 1e-9)
  await ccxt.transfer('USDT', 10, 'spot', 'swap')
  const left = (await ccxt.fetchBalance()).USDT.free
  await heard(balances, 'the transfer', (one) => Math.abs(one.USDT.free - left) < 1e-9)
  const done = orders.items.flat().filter(({ id, status }) => id === bought.id && status === 'closed')
  assert.ok(done.length >= 1)
})

test('API-CLIENT-024: ccxt streams its own futures orders, positions and balances', async () => {
  const orders = follow<any>(() => ccxt.watchOrders(swap))
  const positions = follow<any>(() => ccxt.watchPositions([swap]))
  const balances = follow<any>(() => ccxt.watchBalance({ type: 'swap' }))
  await until('the user stream', () => Object.keys(ccxt.clients).some((url) => /listenKey|private/.test(url)))
  const order = await until('the first order', async () => {
    const placed = await ccxt.createOrder(swap, 'limit', 'buy', 0.01, 55_000)
    await new Promise((resolve) => setTimeout(resolve, 200))
    return orders.items.flat().some(({ id }) => id === placed.id) && placed
  })
  await ccxt.cancelOrder(order.id, swap)
  await heard(orders, 'the cancel', (list) => list.some((one: any) => one.id === order.id && one.status === 'canceled'))
  const before = (await ccxt.fetchPositions([swap]))[0]?.contracts ?? 0
  await ccxt.createOrder(swap, 'market', 'buy', 0.05)
  await heard(positions, 'the position', (list) => list.some(({ contracts }: any) => Math.abs(contracts - before - 0.05) < 1e-9))
  const { USDT } = await ccxt.fetchBalance({ type: 'swap' })
  await heard(balances, 'the balance', (one) => one.USDT !== undefined && Math.abs(one.USDT.total - USDT.total) < 50)
})

test('API-CLIENT-025: ccxt trades over the WebSocket API: places, replaces, finds and cancels', async () => {
  const order = await ccxt.createOrderWs(spot, 'limit', 'buy', 0.01, 54_000)
  assert.equal(order.status, 'open')
  assert.equal((await ccxt.fetchOrderWs(order.id, spot)).id, order.id)
  assert.ok((await ccxt.fetchOpenOrdersWs(spot)).some(({ id }: any) => id === order.id))
  const replaced = await ccxt.editOrderWs(order.id, spot, 'limit', 'buy', 0.02, 54_000)
  assert.deepEqual([replaced.amount, replaced.status], [0.02, 'open'])
  assert.equal((await ccxt.cancelOrderWs(replaced.id, spot)).status, 'canceled')
  await assert.rejects(ccxt.cancelOrderWs(replaced.id, spot), { name: 'OrderNotFound' })
  await assert.rejects(ccxt.createOrderWs(spot, 'limit', 'buy', 1_000, 54_000), { name: 'InsufficientFunds' })
  // ccxt does not parse the account's answer over a socket: it returns it raw.
  const { info } = await ccxt.fetchBalanceWs()
  assert.equal(Number(info.balances.find(({ asset }: any) => asset === 'BTC').free), (await ccxt.fetchBalance()).BTC.free)
  assert.equal((await ccxt.fetchOrderBookWs(swap)).asks[0][0], 60_010)
  assert.equal((await ccxt.fetchTickerWs(swap)).ask, 60_010)
  assert.ok((await ccxt.fetchMyTradesWs(spot)).length >= 1)
  assert.ok((await ccxt.fetchOHLCVWs(spot, '1m')).length >= 1)
  const contract = await ccxt.createOrderWs(swap, 'limit', 'buy', 0.01, 54_000)
  assert.equal((await ccxt.cancelOrderWs(contract.id, swap)).status, 'canceled')
})
