import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { ccxtOf, type Desk, startDesk, test, until } from './desk.ts'

let desk: Desk
let ccxt: any
const spot = 'BTC/USDT'
const swap = 'BTC/USDT:USDT'

before(async () => {
  desk = await startDesk()
  ccxt = await ccxtOf(desk)
  await ccxt.loadMarkets()
  const { quote } = desk
  // Two bids and two asks. A taker on each side then makes two trades of different sizes.
  for (const symbol of ['BTCUSDT', 'BTCUSDTPERP']) {
    await quote(symbol, 'buy', '59990', '0.5')
    await quote(symbol, 'buy', '59980', '1')
    await quote(symbol, 'sell', '60010', '0.5')
    await quote(symbol, 'sell', '60020', '1')
  }
  const taker = await desk.trader({ USDT: '100000', BTC: '1' })
  const call = async (path: string, body: object) => {
    const answer = await taker.user.call('POST', path, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
  await call('/spot/orders', { clientId: 'a', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '60010', quantity: '0.2' })
  await call('/spot/orders', { clientId: 'b', symbol: 'BTCUSDT', side: 'sell', type: 'limit', price: '59990', quantity: '0.1' })
  await call('/transfer', { clientId: 'c', asset: 'USDT', from: 'spot', to: 'perp', amount: '20000' })
  await call('/perp/orders', { clientId: 'd', symbol: 'BTCUSDTPERP', side: 'buy', type: 'limit', price: '60010', quantity: '0.3' })
})
after(async () => {
  await ccxt?.close()
  await desk?.[Symbol.asyncDispose]()
})

const levels = (side: readonly (readonly number[])[]) => side.map(([price, amount]) => [price, amount])

test('API-CLIENT-001: ccxt loads spot and futures markets with their steps, minimums, fees and order types', () => {
  assert.equal(ccxt.symbols.length, 26)
  const [market, contract] = [ccxt.market(spot), ccxt.market(swap)]
  assert.deepEqual([market.type, market.precision.price, market.precision.amount, market.limits.cost.min], ['spot', 0.1, 0.00001, 5])
  assert.deepEqual([market.maker, market.taker, market.active, market.margin], [0.001, 0.001, true, true])
  assert.deepEqual([contract.type, contract.linear, contract.settle, contract.contractSize], ['swap', true, 'USDT', 1])
  assert.deepEqual([contract.maker, contract.taker, contract.precision.price], [0.0002, 0.0005, 0.1])
  assert.equal(ccxt.priceToPrecision(spot, 60_000.16), '60000.2')
  assert.equal(ccxt.amountToPrecision(spot, 0.123456789), '0.12345')
})

test('API-CLIENT-002: ccxt reads time, status, books, trades, tickers, candles and prices of spot and futures, and tells the two apart', async () => {
  assert.ok(Math.abs((await ccxt.fetchTime()) - Date.now()) < 2_000)
  assert.equal((await ccxt.fetchStatus()).status, 'ok')
  const book = await ccxt.fetchOrderBook(spot)
  assert.deepEqual(
    [levels(book.bids), levels(book.asks)],
    [
      [
        [59990, 0.4],
        [59980, 1],
      ],
      [
        [60010, 0.3],
        [60020, 1],
      ],
    ],
  )
  const perp = await ccxt.fetchOrderBook(swap, 5)
  assert.deepEqual(
    [levels(perp.asks), perp.symbol],
    [
      [
        [60010, 0.2],
        [60020, 1],
      ],
      swap,
    ],
  )
  assert.ok(book.nonce > 0 && perp.nonce > 0)

  const trades = await until('trades', async () => {
    const found = await ccxt.fetchTrades(spot)
    return found.length === 2 && found
  })
  assert.deepEqual(
    trades.map(({ side, price, amount, symbol }: any) => [side, price, amount, symbol]),
    [
      ['buy', 60010, 0.2, spot],
      ['sell', 59990, 0.1, spot],
    ],
  )
  const [deal] = await ccxt.fetchTrades(swap)
  assert.deepEqual([deal.symbol, deal.side, deal.price, deal.amount], [swap, 'buy', 60010, 0.3])

  const ticker = await ccxt.fetchTicker(spot)
  assert.deepEqual(
    [ticker.symbol, ticker.last, ticker.high, ticker.low, ticker.baseVolume, ticker.bid, ticker.askVolume],
    [...[spot, 59990, 60010, 59990], ...[0.3, 59990, 0.3]],
  )
  assert.equal(ticker.quoteVolume, 60010 * 0.2 + 59990 * 0.1)
  const day = await ccxt.fetchTicker(swap)
  assert.deepEqual([day.symbol, day.last, day.baseVolume], [swap, 60010, 0.3])
  const tickers = await ccxt.fetchTickers([spot, 'ETH/USDT'])
  assert.deepEqual(Object.keys(tickers).sort(), [spot, 'ETH/USDT'])
  assert.equal(Object.keys(await ccxt.fetchTickers(undefined, { type: 'swap' })).length, 12)
  assert.equal((await ccxt.fetchBidsAsks([spot]))[spot].ask, 60010)
  assert.equal((await ccxt.fetchBidsAsks(undefined, { type: 'swap' }))[swap].bid, 59990)
  assert.equal((await ccxt.fetchLastPrices([spot]))[spot].price, 59990)
  assert.equal((await ccxt.fetchLastPrices(undefined, { type: 'swap' }))[swap].price, 60010)

  for (const [symbol, volume] of [
    [spot, 0.3],
    [swap, 0.3],
  ] as const) {
    const bars = await ccxt.fetchOHLCV(symbol, '1h')
    const sum = bars.reduce((total: number, bar: readonly number[]) => total + bar[5]!, 0)
    assert.ok(Math.abs(sum - volume) < 1e-9, `${symbol}: ${sum}`)
    assert.ok(bars.every(([at]: readonly number[]) => at! % 3_600_000 === 0))
  }
  await assert.rejects(ccxt.publicGetDepth({ symbol: 'NONE' }), { name: 'BadSymbol' })
  await assert.rejects(ccxt.publicGetKlines({ symbol: 'BTCUSDT', interval: '7m' }), { name: 'BadRequest' })
})

test('API-CLIENT-003: ccxt reads mark and index prices, funding and open interest of futures', async () => {
  const mark = await ccxt.fetchMarkPrice(swap)
  assert.deepEqual([mark.symbol, Math.abs(mark.markPrice - 60_000) < 600], [swap, true])
  assert.equal(Object.keys(await ccxt.fetchMarkPrices(undefined, { type: 'swap', subType: 'linear' })).length, 12)
  const rate = await ccxt.fetchFundingRate(swap)
  assert.deepEqual([rate.symbol, rate.indexPrice, rate.fundingTimestamp % 3_600_000], [swap, 60_000, 0])
  assert.equal(Object.keys(await ccxt.fetchFundingRates()).length, 12)
  assert.equal(Object.values<any>(await ccxt.fetchFundingIntervals())[0].interval, '8h')
  assert.deepEqual(await ccxt.fetchFundingRateHistory(swap), [])
  const interest = await ccxt.fetchOpenInterest(swap)
  assert.deepEqual([interest.symbol, interest.openInterestAmount], [swap, 0.3])
  for (const bars of [await ccxt.fetchMarkOHLCV(swap, '1m'), await ccxt.fetchIndexOHLCV(swap, '1m')]) {
    assert.ok(bars.length >= 1 && Math.abs(bars.at(-1)[4] - 60_000) < 600)
  }
})
