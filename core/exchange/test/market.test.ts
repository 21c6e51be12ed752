import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from './world.ts'

test('SPOT-MARKET-001: a market order trades at once, stops at the slippage limit, and never rests', () => {
  const world = given({ alice: { BTC: '10' }, bob: { USDT: '1000' } }).prints(100)
  world.sell('alice', 100, 100)
  world.sell('alice', 105, 100)
  world.sell('alice', 106, 100)
  const bought = world.market('bob', 'buy', { lots: 300 }).isAccepted().traded('100×100', '105×100')
  bought.closed(bought.order, 'slippage')
  world.shows([], ['106×100']).has('bob', 'USDT', '979.5')
})

test('SPOT-MARKET-002: a market order is refused without a reference price, and when the other side is empty', () => {
  const world = given({ alice: { USDT: '1000', BTC: '1' } })
  world.market('alice', 'buy', { lots: 100 }).isRefused('NO_REFERENCE_PRICE')
  world.prints(100)
  world.market('alice', 'buy', { lots: 100 }).isRefused('NO_LIQUIDITY')
  world.market('alice', 'buy', { lots: 100, spend: 5_000_000 }).isRefused('ORDER_TYPE_INVALID')
  world.market('alice', 'buy', { lots: 100, timeInForce: 'FOK' }).isRefused('ORDER_TYPE_INVALID')
  world.market('alice', 'buy', { spend: 4_999_999 }).isRefused('NOTIONAL_TOO_SMALL')
  world.market('alice', 'buy', { spend: 2_000_000_000 }).isRefused('INSUFFICIENT_BALANCE')
})

test('SPOT-MARKET-004: an amount to spend buys as many lots as it can pay for, and the rest stays available', () => {
  const world = given({ alice: { BTC: '10' }, bob: { USDT: '50' } }).prints(100)
  world.sell('alice', 101, 1000)
  const bought = world.market('bob', 'buy', { spend: 50_000_000 }).isAccepted().traded('101×495')
  bought.closed(bought.order, 'filled')
  world.has('bob', 'USDT', '0.005')
  // The order counts as filled also when amount and book run out together.
  world.gives('bob', 'USDT', '51.005')
  const last = world.market('bob', 'buy', { spend: 51_005_000 }).isAccepted().traded('101×505')
  last.closed(last.order, 'filled')
  world.shows([], [])
})

test('SPOT-MARKET-005: an order with an amount to receive sells no more than this amount needs', () => {
  const world = given({ alice: { USDT: '1000' }, bob: { BTC: '1' } }).prints(100)
  world.buy('alice', 99, 1000)
  const sold = world.market('bob', 'sell', { spend: 20_000_000 }).isAccepted().traded('99×202')
  sold.closed(sold.order, 'filled')
  // Bob receives 19.998 less 0.1 %.
  world.has('bob', 'USDT', '19.978002').has('bob', 'BTC', '0.798')
})

test('SPOT-FEE-001: each side pays its fee in the asset that it receives, rounded up, to the account `fees`', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' } }, { makerFeePpm: 333, takerFeePpm: 777 })
  world.sell('alice', 101, 77)
  const trade = world.buy('bob', 101, 77).of('traded')[0]!
  // 7.777 USDT × 333 ppm = 2589.741; 0.077 BTC × 777 ppm = 5982.9.
  assert.deepEqual([trade.makerFee, trade.takerFee], [2590, 5983])
  const fees = world.exchange.accounts().filter(({ account }) => 'system' in account && account.system === 'fees')
  assert.deepEqual(
    fees.map(({ account, available }) => [account.asset, available]),
    [
      [1, 2590],
      [2, 5983],
    ],
  )
})

test('SPOT-FEE-002: the volume of thirty days decides the tier, and drops out after thirty days', () => {
  const world = given({ alice: { BTC: '100' }, bob: { USDT: '100000' } })
  world.do({
    type: 'fees.set',
    tiers: [
      { volumeMin: 0, makerPpm: 1000, takerPpm: 1000 },
      { volumeMin: 1_000_000_000, makerPpm: 100, takerPpm: 5000 },
    ],
  })
  const trade = (): readonly [number, number] => {
    world.sell('alice', 100, 10_000)
    const { makerFee, takerFee } = world.buy('bob', 100, 10_000).of('traded')[0]!
    return [makerFee, takerFee]
  }
  assert.deepEqual(trade(), [1_000_000, 1_000_000])
  assert.deepEqual(world.exchange.tier(world.user('bob')), { volume: 1_000_000_000, tier: 1, perp: { volume: 0, tier: 0 } })
  // A tier never costs more than the market's own rates: the taker still pays 0.1 %.
  assert.deepEqual(trade(), [100_000, 1_000_000])
  world.atMs += 30 * 86_400_000
  world.tick()
  assert.deepEqual(world.exchange.tier(world.user('bob')), { volume: 0, tier: 0, perp: { volume: 0, tier: 0 } })
  assert.deepEqual(trade(), [1_000_000, 1_000_000])
})

test('SPOT-FEE-003: volume in another quote asset counts at that asset’s price in USDT', () => {
  const world = given({ alice: { ETH: '10' }, bob: { BTC: '10' } }).prints(100)
  world.place('alice', { market: 2, side: 'sell', price: 5000, lots: 1000 })
  world.place('bob', { market: 2, side: 'buy', price: 5000, lots: 1000 }).isAccepted()
  // 1 ETH costs 0.05 BTC, worth 100 USDT each.
  assert.equal(world.exchange.tier(world.user('bob')).volume, 5_000_000)
})

test('SPOT-FEE-004: a fee schedule that does not ascend from 0 is refused', () => {
  const world = given()
  const tier = { makerPpm: 1, takerPpm: 1 }
  for (const tiers of [
    [],
    [{ volumeMin: 1, ...tier }],
    [
      { volumeMin: 0, ...tier },
      { volumeMin: 0, ...tier },
    ],
    [{ ...tier, volumeMin: 0, makerPpm: -1 }],
  ]) {
    world.do({ type: 'fees.set', tiers }).isRefused('FIELD_INVALID')
  }
})

test('SPOT-FEE-005: a trade of a higher value than a volume can count is a normal trade', () => {
  const world = given({ ann: { BTC: '1' }, bob: { USDT: '5000' }, cid: { ETH: '1000000' }, dan: { BTC: '200000' } })
  world.sell('ann', 1_000_000, 1)
  world.buy('bob', 1_000_000, 1).isAccepted()
  world.place('cid', { market: 2, side: 'sell', price: 15_000, lots: 1_000_000_000 }).isAccepted()
  world.place('dan', { market: 2, side: 'buy', price: 15_000, lots: 1_000_000_000 }).traded('15000×1000000000')
  world.isReplayable()
})

test('SPOT-LIST-001: one lot must be a whole number of base units, and one tick × one lot a whole number of quote units', () => {
  const world = given()
  const { terms } = world.exchange.listing().markets[0]!
  const list = (change: object): ReturnType<typeof world.do> =>
    world.do({ type: 'market.list', symbol: 'ETHUSDT', base: 3, quote: 1, tick: '0.01', lot: '0.0001', terms, ...change })
  list({ lot: '0.000000001' }).isRefused('MARKET_TERMS_INVALID')
  list({ tick: '0.001' }).isRefused('MARKET_TERMS_INVALID')
  list({ base: 1 }).isRefused('MARKET_TERMS_INVALID')
  list({ base: 9 }).isRefused('ASSET_UNKNOWN')
  list({ symbol: 'BTCUSDT' }).isRefused('MARKET_EXISTS')
  list({ terms: { ...terms, lotsMin: 5, lotsMax: 4 } }).isRefused('MARKET_TERMS_INVALID')
  const { market } = list({}).isAccepted().of('market.listed')[0]!
  assert.deepEqual([market.id, market.basePerLot, market.quotePerTickLot], [3, 10_000, 1])
  world.do({ type: 'asset.list', symbol: 'BTC', scale: 8 }).isRefused('ASSET_EXISTS')
})
