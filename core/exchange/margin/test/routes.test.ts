/** Routes and sizes of a liquidation's orders, computed from a state with chosen figures. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexPrice, Lots, Ppm, Ticks, Units } from '../../../money/brand.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { AssetId, MarketId } from '../../../protocol/ids.ts'
import { restoreState } from '../../dump.ts'
import type { State } from '../../state/state.ts'
import { convert, indexTicks, lotsWorth, routeOf } from '../liquidation/convert.ts'
import type { Route } from '../liquidation/convert.ts'
import { Debt } from '../records/account.ts'
import type { Account } from '../records/account.ts'
import { BORROW, openMarginRow } from '../rules/postings.ts'
import { btcusdt, ethbtc, ethusdt, open, units } from './world.ts'

const [usdt, btc, eth] = [1 as AssetId, 2 as AssetId, 3 as AssetId]
const cross = 0 as MarketId

/** BTC is worth 50,000 and ETH 2,500. `hasBid`: the book of BTC has one bid, 1 BTC at 49,900. */
function given(hasBid = false) {
  const desk = open().user('alice').user('mm', { USDT: '100000' })
  if (hasBid) desk.world.buy('mm', 49_900, 1_000).isAccepted()
  const x = restoreState(desk.world.exchange.dump())
  x.write(new Records())
  const [account, isolated, pair] = [cross, btcusdt, ethbtc].map((market) => x.margin.account(desk.world.user('alice'), market))
  return { x, account: account!, isolated: isolated!, pair: pair! }
}

function credit(x: State, { user, market }: Account, asset: AssetId, amount: number): void {
  x.ledger.credit(openMarginRow(x, user, market, asset), amount as Units, BORROW)
}

const said = (route: Route | undefined): unknown => route && [route.venue.id, route.side, route.reference]

test('MARGIN-LIQ-004: an asset is sold for USDT, USDT buys the owed coin, and an isolated account uses its own market', () => {
  const { x, account, isolated, pair } = given()
  // A lot is 0.001 BTC, or 50 USDT.
  credit(x, account, btc, 99_999)
  credit(x, account, usdt, 49_999_999)
  assert.deepEqual([said(routeOf(x, account, btc, eth)), said(routeOf(x, account, usdt, btc))], [undefined, undefined])
  assert.deepEqual(said(routeOf(x, account, usdt, eth)), [ethusdt, 0, 250_000])
  credit(x, account, btc, 1)
  credit(x, account, usdt, 1)
  assert.deepEqual(said(routeOf(x, account, btc, eth)), [btcusdt, 1, 50_000])
  assert.deepEqual(said(routeOf(x, account, usdt, btc)), [btcusdt, 0, 50_000])
  assert.deepEqual([routeOf(x, account, usdt, 4), routeOf(x, account, 4 as AssetId, usdt)], [undefined, undefined])
  assert.equal(routeOf(x, isolated, btc, usdt), undefined, 'an isolated account can’t sell the assets of the cross account')
  credit(x, isolated, btc, 100_000)
  assert.deepEqual(said(routeOf(x, isolated, btc, usdt)), [btcusdt, 1, 50_000])
  // One ETH is worth 0.05 BTC, 5,000 ticks of 0.00001.
  credit(x, pair, btc, 100_000)
  assert.deepEqual(said(routeOf(x, pair, btc, eth)), [ethbtc, 0, 5_000])
})

test('MARGIN-LIQ-015: the index of a market is that of its two assets, in whole ticks from 1 to the largest price', () => {
  const { x } = given()
  const ticks = (market: MarketId): number => indexTicks(x, x.venue(market)!)
  const price = (asset: AssetId, at: number): void => void (x.margin.prices[asset]!.last = at as IndexPrice)
  assert.deepEqual([ticks(btcusdt), ticks(ethusdt), ticks(ethbtc)], [50_000, 250_000, 5_000])
  price(btc, 5_000_099_999_999)
  assert.deepEqual([ticks(btcusdt), ticks(ethbtc)], [50_000, 4_999])
  price(btc, 99_999_999)
  assert.equal(ticks(btcusdt), 1, 'a price below one tick becomes one tick')
  price(btc, 2 ** 51)
  price(eth, 2 ** 51)
  assert.equal(ticks(ethusdt), 2 ** 31 - 1)
})

test('MARGIN-LIQ-001: a sale covers the wanted value in whole lots, at least the smallest order, at most the whole balance', () => {
  const { x, isolated } = given()
  credit(x, isolated, btc, units('BTC', '0.3') + 99_999)
  const venue = x.venue(btcusdt)!
  const route: Route = { venue, side: 1, reference: 50_000 as Ticks }
  const debt = new Debt(usdt, 0)
  debt.principal = units('USDT', '100000') as Units
  isolated.debts.push(debt)
  const of = (value: number): number => lotsWorth(x, isolated, route, value as Units, 6_000 as Ppm)
  // 10,000 USDT are 0.2 BTC.
  assert.deepEqual([of(10_000_000_000), of(10_000_000_001), of(15_000_000_000), of(16_000_000_000)], [200, 201, 300, 300])
  assert.equal(of(0), 1)
  venue.setTerms({ ...venue.market.terms, notionalMin: 100_000_001 as Units }, x.atMs)
  assert.deepEqual([of(0), of(10_000_000_000)], [3, 200])
  venue.setTerms({ ...venue.market.terms, lotsMax: 150 as Lots }, x.atMs)
  assert.equal(of(10_000_000_000), 150)
})

test('MARGIN-LIQ-003: a purchase covers at most the debt with its costs, in whole lots, and never exceeds the largest order', () => {
  const { x, isolated } = given()
  credit(x, isolated, usdt, units('USDT', '100000'))
  const venue = x.venue(btcusdt)!
  const route: Route = { venue, side: 0, reference: 50_000 as Ticks }
  const debt = new Debt(btc, 0)
  debt.principal = units('BTC', '0.09') as Units
  debt.interest = units('BTC', '0.0099') as Units
  isolated.debts.push(debt)
  const of = (value: number, cost = 6_000): number => lotsWorth(x, isolated, route, value as Units, cost as Ppm)
  // 0.0999 ÷ 0.994 are 0.1005 BTC; at costs of 0.1 % exactly 0.1.
  assert.deepEqual([of(4_000_000_000), of(10_000_000_000), of(10_000_000_000, 1_000)], [80, 101, 100])
  debt.principal = 1 as Units
  debt.interest = 0 as Units
  venue.setTerms({ ...venue.market.terms, notionalMin: 120_000_000 as Units }, x.atMs)
  assert.equal(of(10_000_000_000), 3, 'the smallest order, although less is owed')
  // An order’s value stays within half of the largest, 2^52 USDT units: at 2^30 ticks, 2,097 lots.
  const dear: Route = { venue, side: 0, reference: (2 ** 30) as Ticks }
  debt.principal = units('BTC', '10') as Units
  assert.equal(lotsWorth(x, isolated, dear, units('USDT', '200000') as Units, 0 as Ppm), 2_097)
})

test('MARGIN-LIQ-005: an order of no lots, or in a halted market, is not placed, whatever the book has', () => {
  const { x, isolated } = given(true)
  credit(x, isolated, btc, units('BTC', '0.3'))
  const venue = x.venue(btcusdt)!
  const route: Route = { venue, side: 1, reference: 50_000 as Ticks }
  const of = (lots: number) => convert(x, isolated, route, lots as Lots, Infinity, 10_000 as Ppm)
  const [events, order] = [x.events.length, x.lastOrder]
  assert.equal(of(0), undefined)
  venue.setTerms({ ...venue.market.terms, isTrading: false }, x.atMs)
  assert.equal(of(100), undefined)
  assert.deepEqual([x.events.length, x.lastOrder], [events, order])
  assert.equal(venue.book.crosses(1, 49_900 as Ticks), true, 'the bid is within the order’s limit')
})
