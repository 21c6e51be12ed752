/** Limits of what can be listed: assets, markets, their terms, and fee schedules. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notionalMax, ticksMax } from '../../risk/spot.ts'
import type { MarketId } from '../../protocol/ids.ts'
import { Exchange } from '../exchange.ts'
import { wholeRoom } from '../state/room.ts'
import { given, type Told, terms, World } from './world.ts'

/** Lists a market of ETH in USDT, the third one. */
function list(world: World, change: object): Told {
  return world.do({ type: 'market.list', symbol: 'ETHUSDT', base: 3, quote: 1, tick: '0.01', lot: '0.0001', terms, ...change })
}

test('SPOT-LIST-001: an asset has a symbol of 2 to 10 letters and digits, and at most twelve decimals', () => {
  const world = given()
  const asset = (symbol: string, scale: number): Told => world.do({ type: 'asset.list', symbol, scale })
  for (const symbol of ['', 'A', 'ABCDEFGHIJK', 'usdc', 'US-C', ' USDC', 'USDC ']) asset(symbol, 6).isRefused('FIELD_INVALID')
  asset('USDC', -1).isRefused('FIELD_INVALID')
  asset('USDC', 13).isRefused('FIELD_INVALID')
  for (const [symbol, scale, id] of [
    ['A1', 0, 4],
    ['ABCDEFGHIJ', 12, 5],
  ] as const) {
    assert.deepEqual(asset(symbol, scale).isAccepted().of('asset.listed'), [{ type: 'asset.listed', asset: { id, symbol, scale } }])
    asset(symbol, scale).isRefused('ASSET_EXISTS')
  }
  assert.deepEqual(
    world.exchange.listing().assets.map(({ id, symbol, scale }) => [id, symbol, scale]),
    [
      [1, 'USDT', 6],
      [2, 'BTC', 8],
      [3, 'ETH', 8],
      [4, 'A1', 0],
      [5, 'ABCDEFGHIJ', 12],
    ],
  )
  world.isReplayable()
})

test('FUNDS-FULL-002: an asset beyond the limit is refused, unless its symbol is wrong or known', () => {
  const world = new World()
  world.exchange = Exchange.create(0, { ...wholeRoom, assets: 2 })
  const asset = (symbol: string): Told => world.do({ type: 'asset.list', symbol, scale: 6 })
  for (const symbol of ['USDT', 'BTC']) asset(symbol).isAccepted()
  asset('ETH').isRefused('EXCHANGE_FULL')
  asset('BTC').isRefused('ASSET_EXISTS')
  asset('e').isRefused('FIELD_INVALID')
})

test('SPOT-LIST-001: a market has a symbol of 4 to 20 letters and digits, and two assets that are listed', () => {
  const world = given()
  for (const symbol of ['', 'ABC', 'ABCDEFGHIJKLMNOPQRSTU', 'ethusdt', 'ETH/USDT', ' ETHUSDT', 'ETHUSDT '])
    list(world, { symbol }).isRefused('FIELD_INVALID')
  list(world, { base: 0 }).isRefused('ASSET_UNKNOWN')
  list(world, { base: 4 }).isRefused('ASSET_UNKNOWN')
  list(world, { quote: 4 }).isRefused('ASSET_UNKNOWN')
  list(world, { quote: 3 }).isRefused('MARKET_TERMS_INVALID')
  list(world, { symbol: 'ETHBTC' }).isRefused('MARKET_EXISTS')
  const [shortest, longest] = ['ABCD', 'ABCDEFGHIJKLMNOPQRST'].map(
    (symbol) => list(world, { symbol }).isAccepted().of('market.listed')[0]!.market,
  )
  assert.deepEqual([shortest!.id, shortest!.symbol, longest!.id, longest!.symbol], [3, 'ABCD', 4, 'ABCDEFGHIJKLMNOPQRST'])
  assert.deepEqual(
    world.exchange.listing().markets.map(({ id }) => id),
    [1, 2, 3, 4],
  )
  world.isReplayable()
})

test('SPOT-LIST-001: a lot is a whole number of base units, and a tick × lot of quote units, up to the largest value of an order', () => {
  const world = given()
  for (const [tick, lot] of [
    ['0.01', '0.000000001'],
    ['0.001', '0.0001'],
    ['0', '0.0001'],
    ['0.01', '0'],
    ['-0.01', '0.0001'],
    ['0.01', '-0.0001'],
    ['x', '0.0001'],
    ['0.01', 'x'],
    ['', '0.0001'],
    // One tick × lot is one and a half quote units.
    ['0.015', '0.0001'],
  ])
    list(world, { tick, lot }).isRefused('MARKET_TERMS_INVALID')
  list(world, { tick: '0.000000001', lot: '1000', terms: { ...terms, lotsMax: 1 } }).isRefused('MARKET_TERMS_INVALID')
  const listed = (symbol: string, tick: string, lot: string): readonly number[] => {
    const { market } = list(world, { symbol, tick, lot, terms: { ...terms, lotsMax: 1 } })
      .isAccepted()
      .of('market.listed')[0]!
    return [market.basePerLot, market.quotePerTickLot]
  }
  assert.deepEqual(listed('FIRST', '0.01', '0.0001'), [10_000, 1])
  assert.deepEqual(listed('SECOND', '0.00000001', '100'), [1e10, 1])
  assert.deepEqual(listed('THIRD', '2.5', '0.02'), [2_000_000, 50_000])
  // The asset has three decimals and a lot of 2^40 units. At 4,096 quote units each, one tick of a lot is 2^52.
  world.do({ type: 'asset.list', symbol: 'GOLD', scale: 3 }).isAccepted()
  const largest = { base: 4, lot: '1099511627.776', terms: { ...terms, lotsMax: 1 } }
  list(world, { ...largest, symbol: 'GOLDUSDT', tick: '4.097' }).isRefused('MARKET_TERMS_INVALID')
  const { market } = list(world, { ...largest, symbol: 'GOLDUSDT', tick: '4.096' })
    .isAccepted()
    .of('market.listed')[0]!
  assert.deepEqual([market.basePerLot, market.quotePerTickLot], [2 ** 40, notionalMax])
})

test('SPOT-LIST-001: each of a market’s terms has its limits, when it is listed and when it is changed', () => {
  const world = given()
  const lotsMost = Math.floor(notionalMax / 10_000)
  const limits: readonly (readonly [keyof typeof terms, readonly number[], readonly number[]])[] = [
    ['makerFeePpm', [0, 100_000], [-1, 100_001]],
    ['takerFeePpm', [0, 100_000], [-1, 100_001]],
    ['notionalMin', [0, notionalMax], [-1, notionalMax + 1]],
    ['lotsMin', [1, terms.lotsMax], [0, terms.lotsMax + 1]],
    ['lotsMax', [1, lotsMost], [0, lotsMost + 1]],
    ['bandPpm', [1, 1_000_000], [0, 1_000_001]],
    ['slippagePpm', [1, 1_000_000], [0, 1_000_001]],
    ['openOrdersMax', [1, 10_000], [0, 10_001]],
  ]
  list(world, {}).isAccepted()
  const set = (change: object, market = 3): Told => world.do({ type: 'market.set', market, terms: { ...terms, ...change } })
  for (const [name, good, bad] of limits) {
    for (const value of bad) {
      list(world, { symbol: 'OTHER', terms: { ...terms, [name]: value } }).isRefused('MARKET_TERMS_INVALID')
      set({ [name]: value }).isRefused('MARKET_TERMS_INVALID')
    }
    for (const value of good) {
      const [changed] = set({ [name]: value })
        .isAccepted()
        .of('market.changed')
      assert.equal(changed!.market.terms[name], value, name)
      assert.equal(world.exchange.listing().markets[2]!.terms[name], value, name)
    }
  }
  for (const market of [0, 4, -1]) set({}, market).isRefused('MARKET_UNKNOWN')
  world.isReplayable()
})

test('SPOT-FEE-004: a schedule has 1 to 10 tiers with ascending volumes from 0 and fees of 0 to 10 %', () => {
  const world = given()
  const tier = (volumeMin: number, change: object = {}): object => ({ volumeMin, makerPpm: 100_000, takerPpm: 0, ...change })
  const set = (...tiers: readonly object[]): Told => world.do({ type: 'fees.set', tiers })
  const many = (count: number): readonly object[] => Array.from({ length: count }, (_, n) => tier(n * 10))
  set(...many(11)).isRefused('FIELD_INVALID')
  set(tier(0), tier(10), tier(10)).isRefused('FIELD_INVALID')
  set(tier(0), tier(10), tier(9)).isRefused('FIELD_INVALID')
  set(tier(-1)).isRefused('FIELD_INVALID')
  for (const change of [{ makerPpm: -1 }, { makerPpm: 100_001 }, { takerPpm: -1 }, { takerPpm: 100_001 }]) {
    set(tier(0, change)).isRefused('FIELD_INVALID')
    set(tier(0), tier(1, change)).isRefused('FIELD_INVALID')
  }
  for (const count of [1, 10]) {
    const tiers = many(count)
    assert.deepEqual(
      set(...tiers)
        .isAccepted()
        .of('fees.changed'),
      [{ type: 'fees.changed', tiers, perpTiers: [] }],
    )
    assert.deepEqual(world.exchange.listing().fees, tiers)
  }
  set(tier(0, { makerPpm: 0, takerPpm: 100_000 })).isAccepted()
  world.isReplayable()
})

test('TAPE-QUOTES-001: an index tick is refused as a whole when one of its prices is of no market, or below or above all prices', () => {
  const world = given()
  const unit = 100_000_000
  const tick = (...prices: readonly object[]): Told =>
    world.do({ type: 'index.tick', prices: prices.map((price) => ({ market: 1, price: 100 * unit, sources: 3, isGood: true, ...price })) })
  const fine = { market: 2, price: 5_000_000 }
  const seen = (market: number): readonly unknown[] => Object.values(world.exchange.prices(market as MarketId))
  tick(fine, { market: 3 }).isRefused('MARKET_UNKNOWN')
  tick(fine, { market: 0 }).isRefused('MARKET_UNKNOWN')
  tick(fine, { price: unit - 1 }).isRefused('FIELD_INVALID')
  tick(fine, { price: 0 }).isRefused('FIELD_INVALID')
  tick(fine, { sources: -1 }).isRefused('FIELD_INVALID')
  tick(fine, { market: 2, price: (ticksMax + 1) * 1_000 }).isRefused('FIELD_INVALID')
  assert.deepEqual(
    [seen(1), seen(2)],
    [
      [0, 0, false],
      [0, 0, false],
    ],
  )
  const told = tick({ price: unit, sources: 0, isGood: false }, { market: 2, price: ticksMax * 1_000 + 999 }).isAccepted()
  assert.deepEqual(
    told.of('index.ticked').map(({ market, price, sources, isGood }) => [market, price, sources, isGood]),
    [
      [1, unit, 0, false],
      [2, ticksMax * 1_000 + 999, 3, true],
    ],
  )
  assert.deepEqual(
    [seen(1), seen(2)],
    [
      [0, unit, false],
      [0, ticksMax * 1_000 + 999, true],
    ],
  )
  assert.deepEqual(world.exchange.goodPrices(), [{ market: 2, price: ticksMax * 1_000 + 999 }])
  world.isReplayable()
})
