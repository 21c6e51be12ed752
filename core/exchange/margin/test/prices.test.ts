/** Prices, rates and what a liquidation can act on, computed from a state with chosen figures. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexPrice, Millis, Units } from '../../../money/brand.ts'
import type { AssetId, MarketId, UserId } from '../../../protocol/ids.ts'
import { restoreState } from '../../dump.ts'
import type { State } from '../../state/state.ts'
import { Debt } from '../records/account.ts'
import { Price } from '../records/outage.ts'
import { Pool } from '../records/state.ts'
import { canAct, isActable, isWaiting } from '../rules/acting.ts'
import * as prices from '../rules/prices.ts'
import { fixRate, hourRate, measure } from '../rules/rate.ts'
import { btcusdt, ethbtc, ethusdt, open, units } from './world.ts'

const [usdt, btc, eth] = [1 as AssetId, 2 as AssetId, 3 as AssetId]
const cross = 0 as MarketId
const hour = 3_600_000

/** BTC is worth 50,000 and ETH 2,500; both prices are good. */
const given = (changed?: object): State => restoreState(open(changed).world.exchange.dump())

/** An index price of a market's coin as the tick sets it, before margin trading takes it over. */
function tick(x: State, market: MarketId, price: number, isGood = true): void {
  const venue = x.venue(market)!
  venue.indexPrice = Math.round(price * 1e8) as IndexPrice
  venue.isIndexGood = isGood
}

const later = (x: State, ms: number): void => void (x.atMs = (x.atMs + ms) as Millis)

test('MARGIN-LIQ-016: a tick tells how far a level can have fallen: 2m ÷ (1 − m) for the largest move m, rounded up', () => {
  const x = given()
  assert.equal(prices.takePrices(x), 0)
  // 50,000 → 51,000 is a move of 0.02: 0.04 ÷ 0.98; the smaller move of ETH does not count.
  tick(x, btcusdt, 51_000)
  tick(x, ethusdt, 2_510)
  assert.equal(prices.takePrices(x), 40_816_327)
  assert.deepEqual([x.margin.prices[2]!.last, x.margin.prices[3]!.last], [5_100_000_000_000, 251_000_000_000])
  assert.equal(prices.takePrices(x), 0, 'the same prices again')
  // A fall counts like a rise: 51,000 → 45,900 is a move of 0.1, and 0.2 ÷ 0.9; also when a later asset moves less.
  tick(x, btcusdt, 45_900)
  tick(x, ethusdt, 2_500)
  assert.equal(prices.takePrices(x), 222_222_223)
  // Of a move of 0.29 the level can lose almost 0.82, of more than 0.3 everything.
  tick(x, btcusdt, 45_900 * 0.71)
  assert.equal(prices.takePrices(x), Math.ceil((0.58 / 0.71) * 1e9))
  tick(x, ethusdt, 1_740)
  assert.equal(prices.takePrices(x), 1_000_000_000)
})

test('MARGIN-TRANSFER-003: an asset gets its price with the first good tick, which ends the calm of all accounts', () => {
  const x = given()
  for (const asset of [btc, eth]) x.margin.prices[asset] = undefined
  assert.deepEqual(
    [usdt, btc, eth].map((asset) => prices.hasPrice(x, asset)),
    [true, false, false],
  )
  assert.deepEqual(
    [usdt, btc].map((asset) => prices.isPriceGood(x, asset)),
    [true, false],
  )
  assert.deepEqual(
    [usdt, btc].map((asset) => prices.isPriceFirm(x, asset)),
    [true, false],
  )
  tick(x, btcusdt, 50_000, false)
  tick(x, ethusdt, 0)
  assert.equal(prices.takePrices(x), 0)
  assert.deepEqual([x.margin.prices[2], x.margin.prices[3]], [undefined, undefined])
  tick(x, btcusdt, 50_000)
  assert.equal(prices.takePrices(x), 1_000_000_000)
  assert.deepEqual(
    [usdt, btc, eth].map((asset) => prices.hasPrice(x, asset)),
    [true, true, false],
  )
  x.margin.prices[3] = new Price()
  assert.equal(prices.hasPrice(x, eth), false, 'a price of nothing is none')
})

test('MARGIN-LIQ-013: a price that is not good keeps its last value, and an outage of 3 s bars openings and liquidations for a time', () => {
  const x = given()
  const said = (): readonly boolean[] => [prices.isPriceGood(x, btc), prices.isPriceFirm(x, btc)]
  tick(x, btcusdt, 40_000, false)
  assert.equal(prices.takePrices(x), 0)
  assert.deepEqual([x.margin.prices[2]!.last, prices.hasPrice(x, btc), ...said()], [5_000_000_000_000, true, false, false])
  later(x, 2_999)
  tick(x, btcusdt, 50_000)
  prices.takePrices(x)
  assert.deepEqual(said(), [true, true])
  tick(x, btcusdt, 40_000, false)
  prices.takePrices(x)
  later(x, 3_000)
  tick(x, btcusdt, 50_000)
  assert.equal(prices.takePrices(x), 0, 'the price is where it was')
  assert.deepEqual(said(), [false, false])
  later(x, 5_000)
  assert.deepEqual(said(), [true, false])
  later(x, 5_000)
  assert.deepEqual(said(), [true, true])
})

test('MARGIN-BORROW-004: an isolated account needs good prices of both assets, a cross account that of the asset', () => {
  const good = (lost: AssetId): readonly boolean[] => {
    const x = given()
    x.margin.prices[lost]!.outage.begin(x.atMs)
    return [
      prices.isAccountPriceGood(x, cross, usdt),
      prices.isAccountPriceGood(x, cross, btc),
      prices.isAccountPriceGood(x, btcusdt, usdt),
      prices.isAccountPriceGood(x, ethbtc, eth),
      prices.isAccountPriceGood(x, ethbtc, btc),
      prices.isAccountPriceGood(x, ethusdt, usdt),
    ]
  }
  assert.deepEqual(good(btc), [true, false, false, false, false, true])
  assert.deepEqual(good(eth), [true, true, true, false, false, false])
})

test('MARGIN-LIQ-014: a market is firm while it trades and until 10 s after a halt of 3 s or more', () => {
  const x = given()
  const venue = x.venue(btcusdt)!
  const firm = (): boolean => prices.isVenueFirm(x, venue)
  const halt = (isTrading: boolean): void => {
    venue.setTerms({ ...venue.market.terms, isTrading }, x.atMs)
    prices.noteHalt(x, venue)
  }
  halt(true)
  assert.deepEqual([firm(), x.margin.halts.size], [true, 0], 'a market that never halted has no record')
  halt(false)
  later(x, 1_000)
  // Terms that change while the market is halted don't begin the halt again.
  halt(false)
  assert.equal(firm(), false)
  later(x, 2_000)
  halt(true)
  assert.equal(firm(), false)
  later(x, 9_999)
  assert.equal(firm(), false)
  later(x, 1)
  assert.equal(firm(), true)
  halt(false)
  later(x, 2_999)
  halt(true)
  assert.equal(firm(), true)
  assert.equal(prices.isVenueFirm(x, x.venue(ethusdt)!), true)
})

test('LEND-RATE-002: an hour costs the rate at the mean share that was lent out, by milliseconds and rounded up', () => {
  const x = given()
  const begin = Math.floor(x.atMs / hour) * hour
  x.margin.hour = begin / hour
  const pool = new Pool(usdt)
  pool.rate = 7_000_000
  pool.usedSince = begin
  const now = (ms: number): void => void (x.atMs = (begin + ms) as Millis)
  // Nothing for 15 minutes, 0.4 for 30, 0.8 for the last 15: a mean of 0.4, half of the way to the kink.
  now(hour / 4)
  measure(x, pool, 400_000_000)
  assert.deepEqual([pool.usedMs, pool.usedSince, pool.used], [0, begin + hour / 4, 400_000_000])
  now((hour * 3) / 4)
  measure(x, pool, 800_000_000)
  assert.equal(pool.usedMs, 400_000_000 * (hour / 2))
  assert.equal(hourRate(x, pool), 7_000_000, 'the running hour keeps its rate')
  now(hour - 1)
  assert.equal(hourRate(x, pool), 7_000_000)
  now(hour)
  assert.equal(hourRate(x, pool), 12_500_000)
  now(2 * hour - 1)
  assert.equal(hourRate(x, pool), 12_500_000)
  // Hours without a command: all but the first had a share of 0.8.
  now(2 * hour)
  assert.equal(hourRate(x, pool), 20_000_000)
  // One unit of utilization for one millisecond is rounded up to a mean of 1, and that to a rate of 1 above the least.
  now(hour)
  assert.equal(hourRate(x, { ...pool, used: 0, usedMs: 1 } as Pool), 5_000_001)
  const { terms } = x.margin
  x.margin.terms = undefined
  assert.equal(hourRate(x, pool), 0)
  now(hour - 1)
  assert.equal(hourRate(x, pool), 7_000_000)
  x.margin.terms = terms

  // What is measured after the hour ended, before it turned, belongs to the hour until its end.
  now(hour + 60_000)
  measure(x, pool, 0)
  assert.deepEqual([pool.usedMs, pool.usedSince], [400_000_000 * (hour / 2) + 800_000_000 * (hour / 4), begin + hour])
  fixRate(x, pool)
  assert.deepEqual([pool.rate, pool.usedMs, pool.usedSince, pool.used], [12_500_000, 0, begin + hour, 0])
})

/** Alice has ETH and USDT in a cross account and owes BTC; trifles are worth up to 10 USDT. */
function indebted(ethAmount: string, usdtAmount: string) {
  const desk = open({}).user('alice', { USDT: '1000', ETH: '10' })
  desk.enter('alice', 'ETH', ethAmount).isAccepted()
  desk.enter('alice', 'USDT', usdtAmount).isAccepted()
  const x = restoreState(desk.world.exchange.dump())
  const account = x.margin.find(desk.world.user('alice') as UserId, cross)!
  const debt = new Debt(btc, x.margin.hour)
  debt.principal = units('BTC', '1') as Units
  account.debts.push(debt)
  account.assets.splice(0, 3, 1, 2, 3)
  return { x, account }
}

test('MARGIN-LIQ-012: at most a trifle that waits for its price does not stop a liquidation; more does, unless more can be given', () => {
  const cases = [
    // 0.004 ETH are worth 10 USDT, the smallest loan.
    ['0.004', '0.000001', false, true],
    ['0.00400001', '10', true, false],
    ['0.00400001', '10.000001', true, true],
  ] as const
  for (const [ethAmount, usdtAmount, waits, acts] of cases) {
    const { x, account } = indebted(ethAmount, usdtAmount)
    assert.deepEqual([isWaiting(x, account), canAct(x, account)], [false, true], 'all prices are good')
    x.margin.prices[eth]!.outage.begin(x.atMs)
    assert.deepEqual([isWaiting(x, account), canAct(x, account)], [waits, acts], `${ethAmount} ETH, ${usdtAmount} USDT`)
    // A second debt without a good price does not matter while the first can be bought back.
    const debt = new Debt(eth, x.margin.hour)
    debt.principal = 1 as Units
    account.debts.push(debt)
    assert.equal(canAct(x, account), acts)
    x.margin.prices[btc]!.outage.begin(x.atMs)
    assert.equal(canAct(x, account), false, 'no debt can be bought back')
  }
})

test('MARGIN-LIQ-012: an asset can be sold with a firm price in a market that trades; USDT always, except in a halted market’s account', () => {
  const { x, account } = indebted('1', '1')
  const isolated = x.margin.account(account.user, btcusdt)
  const said = (): readonly boolean[] => [
    ...[usdt, btc, eth, 4 as AssetId].map((asset) => isActable(x, account, asset)),
    ...[usdt, btc].map((asset) => isActable(x, isolated, asset)),
    canAct(x, isolated),
  ]
  assert.deepEqual(said(), [true, true, true, false, true, true, true])
  const venue = x.venue(btcusdt)!
  venue.setTerms({ ...venue.market.terms, isTrading: false }, x.atMs)
  assert.deepEqual(said(), [true, false, true, false, false, false, false])
  venue.setTerms({ ...venue.market.terms, isTrading: true }, x.atMs)
  x.margin.prices[btc]!.outage.begin(x.atMs)
  assert.deepEqual(said(), [true, false, true, false, true, false, false])
  // A price without a market in USDT: nothing can be traded.
  x.usdtVenues[eth] = undefined
  assert.deepEqual(said().slice(0, 4), [true, false, false, false])
})
