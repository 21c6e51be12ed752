import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis } from '../../money/brand.ts'
import type { Event } from '../../protocol/event/index.ts'
import type { Asset, Market } from '../../protocol/market.ts'
import { eachCommand } from '../commands.ts'
import { PublicView } from '../public-view.ts'
import { TradeRing, type PublicTrade } from '../trades.ts'

const usdt = { id: 1, symbol: 'USDT', scale: 6 } as Asset
const btc = { id: 2, symbol: 'BTC', scale: 8 } as Asset
const market = { id: 1, symbol: 'BTCUSDT', base: 2, quote: 1, tick: '0.1', lot: '0.00001', basePerLot: 1000, quotePerTickLot: 1 } as Market
const outcome = (seq: number, at: number): Event =>
  ({ type: 'outcome', seq, at, user: 0, order: 0, refusal: undefined, isRepeat: false }) as Event
const traded = (trade: number, price: number): Event =>
  ({ type: 'traded', market: 1, trade, price, lots: 2, quote: 2 * price, takerSide: 'buy', makerUser: 8, takerUser: 9 }) as Event
const leveled = (update: number): Event => ({ type: 'book.level', market: 1, update, side: 'buy', price: 9, lots: 4 }) as Event

function given(): PublicView {
  const view = new PublicView()
  view.list({ assets: [usdt, btc], markets: [market], fees: [], perpFees: [] })
  return view
}

test('MARKET-VIEW-001: a trade has the time of its command and counts in candles, ticker and site volume', () => {
  const view = given()
  view.apply([traded(1, 100), traded(2, 90), outcome(1, 5000), leveled(1), outcome(2, 65_000), traded(3, 110), outcome(3, 66_000)])
  const of = view.market(market.id)!
  assert.deepEqual(
    of.trades.newest(10).map(({ trade, at }) => [trade, at]),
    [
      [3, 66_000],
      [2, 5000],
      [1, 5000],
    ],
  )
  assert.deepEqual(
    of.candles.newest('1m', 10).map(({ openTime, open, low, trades }) => [openTime, open, low, trades]),
    [
      [0, 100, 90, 2],
      [60_000, 110, 110, 1],
    ],
  )
  assert.equal(of.ticker(66_000 as Millis)!.quote, 600n)
  assert.deepEqual(view.volume(66_000 as Millis), { h24: 600n, d7: 600n, d30: 600n })
  assert.equal(view.at, 66_000)
  assert.deepEqual([...view.takeChanges()], [[1, { hasTraded: true, hasDepth: true, hasIndex: false }]])
  assert.equal(view.takeChanges().size, 0)
})

test('MARKET-VIEW-002: a trade that is already known is not counted again; a missing trade stops the view', () => {
  const view = given()
  view.apply([traded(1, 100), outcome(1, 5000)])
  view.apply([traded(1, 100), outcome(1, 5000), traded(2, 90), outcome(2, 5000)])
  assert.equal(view.market(market.id)!.ticker(5000 as Millis)!.trades, 2)
  assert.throws(() => view.apply([traded(4, 100), outcome(3, 6000)]), /trade 4 of market 1 came after 2/)
})

test('MARKET-VIEW-003: a view that starts from stored history continues where that history ends', () => {
  const first = given()
  first.apply([traded(1, 100), outcome(1, 5000), traded(2, 120), outcome(2, 8000)])
  const of = first.market(market.id)!
  const second = given()
  const candles = { '1s': of.candles.newest('1s', 9), '1m': of.candles.newest('1m', 9), '1h': of.candles.newest('1h', 9) }
  second.market(market.id)!.restore({ candles, trades: of.trades.newest(9).toReversed() })
  assert.deepEqual(second.market(market.id)!.trades.take(), [])
  const tail = [traded(2, 120), outcome(2, 8000), traded(3, 80), outcome(3, 9000)]
  first.apply(tail)
  second.apply(tail)
  assert.deepEqual(second.market(market.id)!.ticker(9000 as Millis), of.ticker(9000 as Millis))
  assert.deepEqual(second.market(market.id)!.candles.newest('1d', 9), of.candles.newest('1d', 9))
  assert.deepEqual(second.market(market.id)!.sparkline(9000 as Millis), [80])
})

test('MARKET-VIEW-004: the view shows index prices and changed terms; an unlisted market stops it', () => {
  const view = given()
  const index = { type: 'index.ticked', market: 1, price: 77, sources: 4, isGood: true } as Event
  view.apply([
    index,
    { type: 'market.changed', market: { ...market, symbol: 'X' } },
    { type: 'fees.changed', tiers: [], perpTiers: [] },
    outcome(1, 5),
  ])
  assert.deepEqual(view.market(market.id)!.index, { price: 77, sources: 4, isGood: true, at: 5 })
  assert.equal(view.listing().markets[0]!.symbol, 'X')
  assert.throws(() => view.apply([{ ...index, market: 9 } as Event, outcome(2, 5)]), /market 9 is not listed/)
})

test('MARKET-VIEW-005: events that end in the middle of a command are rejected', () => {
  assert.throws(() => eachCommand([outcome(1, 1), leveled(1)], () => {}), /inside a command/)
})

test('MARKET-TRADES-001: the newest trades are kept, and each is reported once', () => {
  const ring = new TradeRing(3)
  const add = (trade: number): void => ring.add({ trade } as PublicTrade)
  const ids = (trades: readonly PublicTrade[]): readonly number[] => trades.map(({ trade }) => trade)
  assert.deepEqual(ids(ring.newest(5)), [])
  add(1)
  add(2)
  assert.deepEqual(ids(ring.newest(5)), [2, 1])
  assert.deepEqual(ids(ring.take()), [1, 2])
  for (const trade of [3, 4, 5, 6, 7]) add(trade)
  assert.deepEqual(ids(ring.newest(2)), [7, 6])
  assert.deepEqual(ids(ring.newest(9)), [7, 6, 5])
  assert.deepEqual(ids(ring.take()), [5, 6, 7])
  assert.deepEqual(ring.take(), [])
})

test('MARKET-VIEW-006: a trade of a user with themselves is listed but counts for nothing; one between users of the house adds no volume', () => {
  const view = given()
  const self = { ...traded(2, 50), takerUser: 8 } as Event
  const house = { ...traded(3, 120), isHouse: true } as Event
  view.apply([traded(1, 100), self, house, outcome(1, 5000)])
  const of = view.market(market.id)!
  assert.deepEqual(
    of.trades.newest(10).map(({ trade }) => trade),
    [3, 2, 1],
  )
  const { low, high, last, trades } = of.ticker(5000 as Millis)!
  assert.deepEqual([low, high, last, trades], [100, 120, 120, 2])
  assert.equal(of.candles.newest('1m', 1)[0]?.low, 100)
  assert.equal(view.volume(5000 as Millis).h24, 200n)
})
