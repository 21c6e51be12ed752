import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserId } from '../../../protocol/ids.ts'
import { given } from '../../test/world.ts'
import { contract, givenPerp, marketTerms, perpTerms, PerpWorld } from './world.ts'

const two = { alice: '1000', bob: '1000' }

test('PERP-LIST-001: a perpetual contract follows a spot market of the same assets, in USDT, and contradictory terms are refused', () => {
  const world = new PerpWorld(given())
  const listed = {
    type: 'perp.list',
    symbol: 'BTCUSDTPERP',
    base: 2,
    quote: 1,
    tick: '1',
    lot: '0.001',
    terms: marketTerms,
    perp: perpTerms,
  }
  const [first, ...rest] = perpTerms.tiers
  const wrong: object[] = [
    { index: 2 },
    { index: 9 },
    { leverageMax: 0 },
    { leverageMax: 11 },
    { tiers: [] },
    { tiers: [{ ...first, maintenancePpm: 100_000 }] },
    { tiers: [...rest, first] },
    { tiers: [{ ...first, valueMax: 2 ** 47 }] },
    { fundingHours: 7 },
    { impactValue: 0 },
    { liquidationStepPpm: 0 },
    { openInterestMax: 0 },
    { userInterestPpm: 1_000_001 },
    { carryPpm: 0 },
    { markClampPpm: 1_000_001 },
  ]
  for (const change of wrong) world.do({ ...listed, perp: { ...perpTerms, ...change } }).isRefused('MARKET_TERMS_INVALID')
  world.do({ ...listed, base: 3, quote: 2, tick: '0.00001', perp: { ...perpTerms, index: 2 } }).isRefused('MARKET_TERMS_INVALID')
  world.do({ ...listed, terms: { ...marketTerms, lotsMin: 0 } }).isRefused('MARKET_TERMS_INVALID')
  const [event] = world.do(listed).isAccepted().of('market.listed')
  assert.deepEqual(event!.market.perp, perpTerms)
  world.do(listed).isRefused('MARKET_EXISTS')
  world.do({ ...listed, symbol: 'BTCUSDTPERP2', perp: { ...perpTerms, index: contract } }).isRefused('MARKET_TERMS_INVALID')
  world.isReplayable()
})

test('PERP-LIST-002: spot commands refuse Futures markets and Futures commands refuse spot markets; cancelling all orders includes both', () => {
  const world = givenPerp(two)
  const spot = { clientId: '', market: contract, side: 'buy', orderType: 'limit', timeInForce: 'GTC', price: 100, lots: 100 }
  const user = world.id('alice')
  world.do({ type: 'spot.place', user, ...spot, isPostOnly: false, selfTrade: 'none' }).isRefused('MARKET_UNKNOWN')
  world.do({ type: 'market.set', market: contract, terms: marketTerms }).isRefused('MARKET_UNKNOWN')
  world.do({ type: 'perp.set', market: 1, terms: marketTerms, perp: perpTerms }).isRefused('MARKET_UNKNOWN')
  world.do({ type: 'index.tick', prices: [{ market: contract, price: 1e10, sources: 5, isGood: true }] }).isRefused('MARKET_UNKNOWN')
  world.buy('alice', 100, 100, { market: 1 }).isRefused('MARKET_UNKNOWN')
  const order = world.buy('alice', 100, 100).isAccepted().order
  const reference = { user, clientId: '', order, orderClientId: '' }
  world.do({ type: 'spot.cancel', market: contract, ...reference }).isRefused('MARKET_UNKNOWN')
  world.do({ type: 'spot.amend', market: contract, lots: 50, ...reference }).isRefused('MARKET_UNKNOWN')
  world.do({ type: 'perp.cancel', market: 1, ...reference }).isRefused('MARKET_UNKNOWN')
  world.do({ type: 'spot.cancelAll', user, clientId: '', market: 0 }).isAccepted().closed(order, 'cancelled')
  world.has('alice', '1000').isReplayable()
})

test('PERP-ORDER-001: an order that opens holds its initial margin and the taker’s fee, an order that reduces holds nothing', () => {
  const world = givenPerp(two)
  world.leverage('alice', 10).isAccepted()
  // 1,000 lots at 100 are worth 100 USDT: 10 margin and a fee of 0.05.
  const order = world.buy('alice', 100, 1000).isAccepted().order
  world.has('alice', '989.95', '10.05')
  world.sell('bob', 100, 400).isAccepted().traded('100×400')
  // A value of 40 has traded, with 4 margin and 0.008 fee paid; 60 rest and hold 6.03.
  world.has('alice', '989.962', '10.03').holds('alice', '400@100')
  world.sell('alice', 110, 400).isAccepted()
  world.has('alice', '989.962', '10.03')
  world.cancel('alice', order).isAccepted()
  world.has('alice', '995.992', '4')
  // The resting order already closes the position, so this one opens 100,000 lots at 110: 1,100 margin and 5.5 fee.
  world.sell('alice', 110, 100_000).isRefused('MARGIN_INSUFFICIENT')
  world.buy('alice', 100, 200_000).isRefused('MARGIN_INSUFFICIENT')
  world.isReplayable()
})

test('PERP-ORDER-002: if several orders could close a position, the most expensive ones count as opening', () => {
  const world = givenPerp({ ...two, carol: '1000' })
  world.leverage('alice', 10).isAccepted()
  world.sell('bob', 100, 1000)
  world.buy('alice', 100, 1000).isAccepted()
  const before = world.exchange.perpAccount(world.id('alice')).held
  world.sell('alice', 102, 1000).isAccepted()
  assert.equal(world.exchange.perpAccount(world.id('alice')).held, before)
  world.sell('alice', 110, 500).isAccepted()
  // The 500 lots at 110 count as opening, not 500 at 102: 55 ÷ 10 margin and 0.0275 fee.
  assert.equal(world.exchange.perpAccount(world.id('alice')).held, before + 5_527_500)
  world.buy('carol', 102, 1000).isAccepted().traded('102×1000')
  assert.equal(world.exchange.perpAccount(world.id('alice')).held, 5_527_500)
  world.buy('carol', 110, 500).isAccepted()
  world.holds('alice', '-500@110').isReplayable()
})

test('PERP-ORDER-003: only verified users open; users who are frozen or not verified can close and cancel', () => {
  const world = givenPerp(two)
  world.sell('bob', 100, 2000)
  world.buy('alice', 100, 1000).isAccepted()
  const order = world.sell('alice', 120, 1000).order
  world.do({ type: 'user.certify', user: world.id('alice'), isCertified: false }).isAccepted()
  world.buy('alice', 100, 1000).isRefused('NOT_CERTIFIED')
  world.do({ type: 'user.set', user: world.id('alice'), isFrozen: true }).isAccepted()
  world.buy('alice', 100, 1000).isRefused('USER_FROZEN')
  world.reverse('alice').isRefused('USER_FROZEN')
  world.leverage('alice', 2).isRefused('USER_FROZEN')
  world.adjust('alice', '1').isRefused('USER_FROZEN')
  world.cancel('alice', order).isAccepted()
  world.buy('bob', 99, 1000, { isReduceOnly: true }).isAccepted()
  world.market('alice', 'sell', 1000, { isReduceOnly: true }).isAccepted().traded('99×1000')
  world.holds('alice', '').holds('bob', '')
})

test('PERP-ORDER-004: without a mark no order is accepted, and limit prices lie in the band around the mark', () => {
  const world = new PerpWorld(given())
  const listed = {
    type: 'perp.list',
    symbol: 'BTCUSDTPERP',
    base: 2,
    quote: 1,
    tick: '1',
    lot: '0.001',
    terms: marketTerms,
    perp: perpTerms,
  }
  world.do(listed).isAccepted()
  world.trader('alice', '1000').trader('bob', '1000')
  world.buy('alice', 100, 1000).isRefused('NO_INDEX_PRICE')
  world.index(100, 2, false)
  world.buy('alice', 100, 1000).isRefused('NO_INDEX_PRICE')
  world.index(100)
  world.buy('alice', 79, 1000).isRefused('PRICE_OUTSIDE_BAND')
  world.sell('alice', 121, 1000).isRefused('PRICE_OUTSIDE_BAND')
  world.buy('alice', 80, 1000).isAccepted()
  world.market('alice', 'buy', 1000).isRefused('NO_LIQUIDITY')
  world.buy('alice', 100, 1000, { timeInForce: 'IOC' }).isAccepted().traded()
  world.place('alice', { orderType: 'limit', lots: 1000 }).isRefused('ORDER_TYPE_INVALID')
  world.place('alice', { price: 100, lots: 1000, isClosing: true }).isRefused('ORDER_TYPE_INVALID')
  world.buy('alice', 100, 1).isRefused('NOTIONAL_TOO_SMALL')
  world.sell('bob', 80, 1000, { isPostOnly: true }).isRefused('POST_ONLY_WOULD_TAKE')
  world.sell('bob', 80, 1500, { timeInForce: 'FOK' }).isRefused('FOK_NOT_FILLABLE')
  world.do({ type: 'perp.set', market: contract, terms: { ...marketTerms, isTrading: false }, perp: perpTerms }).isAccepted()
  world.buy('alice', 100, 1000).isRefused('MARKET_HALTED')
})

test('PERP-ORDER-005: the tier of position and resting orders together limits the leverage', () => {
  const tiers = [
    { valueMax: 200_000_000, initialPpm: 100_000, maintenancePpm: 25_000 },
    { valueMax: 400_000_000, initialPpm: 200_000, maintenancePpm: 50_000 },
  ]
  const world = givenPerp(two, { tiers })
  world.leverage('alice', 11).isRefused('LEVERAGE_INVALID')
  world.leverage('alice', 10).isAccepted()
  world.buy('alice', 100, 2001).isRefused('LEVERAGE_TOO_HIGH')
  world.buy('alice', 100, 1000).isAccepted()
  world.sell('bob', 100, 500).isAccepted()
  world.buy('alice', 100, 1001).isRefused('LEVERAGE_TOO_HIGH')
  world.leverage('alice', 5).isAccepted()
  world.buy('alice', 100, 3000).isAccepted()
  world.buy('alice', 100, 100).isRefused('NOTIONAL_TOO_LARGE')
  world.leverage('alice', 10).isRefused('LEVERAGE_TOO_HIGH')
  // Orders of the other side are counted by themselves.
  world.sell('alice', 101, 2500).isAccepted()
})

test('PERP-ORDER-006: an amend to a smaller quantity keeps the order’s place, any other moves it to the end; the held margin follows', () => {
  const world = givenPerp({ ...two, carol: '1000' })
  const order = world.buy('alice', 100, 1000).isAccepted().order
  world.buy('bob', 100, 1000).isAccepted()
  world.amend('alice', order, { lots: 600 }).isAccepted()
  world.has('alice', '939.97', '60.03')
  world.sell('carol', 100, 100, { timeInForce: 'IOC' }).traded('100×100')
  world.holds('alice', '100@100')
  world.amend('alice', order, { price: 99, lots: 1100 }).isAccepted()
  // The position has 10 margin, the rest of the order holds 99 and 0.0495, and 0.002 fee was paid.
  world.has('alice', '890.9485', '109.0495').world.shows(['100×1000', '99×1000'], [], contract)
  world.amend('alice', order, { lots: 1100 }).isRefused('AMEND_UNCHANGED')
  world.amend('alice', order, { lots: 20_000 }).isRefused('MARGIN_INSUFFICIENT')
  world.amend('alice', order, { price: 300 }).isRefused('PRICE_OUTSIDE_BAND')
  world.amend('alice', order + 99, { lots: 1 }).isRefused('ORDER_UNKNOWN')
  world.sell('carol', 98, 500).isAccepted().traded('100×500')
  world.amend('alice', order, { price: 100, lots: 1100 }).isAccepted()
  world.sell('carol', 100, 1000).isAccepted().traded('100×500', '100×500')
  world.isReplayable()
})

test('PERP-ORDER-006: an amend of the price alone is refused if the post-only order would then take, and the order stays', () => {
  const world = givenPerp(two)
  world.buy('bob', 98, 300).isAccepted()
  world.sell('bob', 102, 300).isAccepted()
  const bid = world.buy('alice', 97, 200, { isPostOnly: true }).isAccepted().order
  const ask = world.sell('alice', 103, 200, { isPostOnly: true }).isAccepted().order
  for (const change of [{ price: 102 }, { price: 105 }, { price: 102, lots: 100 }])
    world.amend('alice', bid, change).isRefused('POST_ONLY_WOULD_TAKE')
  for (const change of [{ price: 98 }, { price: 90 }, { price: 98, lots: 100 }])
    world.amend('alice', ask, change).isRefused('POST_ONLY_WOULD_TAKE')
  world.world.shows(['98×300', '97×200'], ['102×300', '103×200'], contract)
  world.amend('alice', bid, { price: 101 }).isAccepted().traded()
  world.amend('alice', ask, { price: 102 }).isAccepted().traded()
  world.world.shows(['101×200', '98×300'], ['102×500'], contract)
  world.isReplayable()
})

test('PERP-ORDER-007: no order closes a position at a price beyond bankruptcy', () => {
  const world = givenPerp({ ...two, carol: '5000' })
  world.leverage('alice', 10).isAccepted()
  world.sell('bob', 100, 1000)
  world.buy('alice', 100, 1000).isAccepted()
  world.sell('alice', 89, 1000).isRefused('PRICE_BEYOND_BANKRUPTCY')
  world.buy('carol', 91, 400)
  world.buy('carol', 88, 4000)
  world.index(93)
  const sold = world.market('alice', 'sell', 1000).isAccepted().traded('91×400')
  sold.closed(sold.order, 'slippage')
  // A resting order closes when a change of leverage puts it beyond bankruptcy: less margin covers a smaller loss.
  world.leverage('alice', 5).isAccepted()
  const exit = world.sell('alice', 89, 600).isAccepted().order
  world.index(100)
  world.leverage('alice', 10).isAccepted().closed(exit, 'margin')
  world.isReplayable()
})

test('PERP-REDUCE-001: reduce-only orders need a position, never reverse it, and shrink or end with it', () => {
  const world = givenPerp({ ...two, carol: '1000' })
  world.sell('alice', 100, 500, { isReduceOnly: true }).isRefused('REDUCE_ONLY_REJECTED')
  world.sell('bob', 100, 1000)
  world.buy('alice', 100, 1000).isAccepted()
  world.buy('alice', 99, 500, { isReduceOnly: true }).isRefused('REDUCE_ONLY_REJECTED')
  const first = world.sell('alice', 110, 700, { isReduceOnly: true }).isAccepted().order
  const second = world.sell('alice', 112, 700, { isReduceOnly: true }).isAccepted()
  assert.deepEqual(
    world.world.open('alice').map(({ lots }) => lots),
    [700, 300],
  )
  world.sell('alice', 113, 100, { isReduceOnly: true }).isRefused('REDUCE_ONLY_REJECTED')
  // An order that is not reduce-only takes quantity from the newest reduce-only order.
  world.sell('alice', 111, 200).isAccepted()
  assert.deepEqual(
    world.world.open('alice').map(({ lots }) => lots),
    [700, 100, 200],
  )
  world.buy('carol', 99, 400)
  world.market('alice', 'sell', 400).isAccepted().traded('99×400').closed(second.order, 'reduce-only')
  assert.deepEqual(
    world.world.open('alice').map(({ order, lots }) => [order === first, lots]),
    [
      [true, 400],
      [false, 200],
    ],
  )
  world.buy('carol', 98, 600)
  const rest = world.market('alice', 'sell', 5000, { isReduceOnly: true }).isAccepted().traded('98×600')
  rest.closed(first, 'reduce-only')
  world.holds('alice', '').isReplayable()
})

test('PERP-REDUCE-002: the last part of a position may be closed, however small it is', () => {
  const world = givenPerp(two)
  world.sell('bob', 100, 1000)
  world.buy('alice', 100, 1000).isAccepted()
  world.buy('bob', 100, 980, { isReduceOnly: true })
  world.market('alice', 'sell', 980).isAccepted()
  world.buy('bob', 100, 20, { isReduceOnly: true }).isAccepted()
  world.market('alice', 'sell', 20).isRefused('NOTIONAL_TOO_SMALL')
  world.market('alice', 'sell', 20, { isReduceOnly: true }).isAccepted()
  world.holds('alice', '').holds('bob', '')
})

test('PERP-INTEREST-001: an order that opens is refused when it would exceed the market’s cap, and an order that closes is accepted', () => {
  const world = givenPerp({ alice: '5000', bob: '5000', carol: '5000' }, { openInterestMax: 500_000_000 })
  world.sell('bob', 100, 4000).isAccepted()
  world.buy('alice', 100, 4000).isAccepted()
  // The open interest is 400 USDT, and its cap 500.
  world.buy('carol', 100, 1001).isRefused('OPEN_INTEREST_FULL')
  world.sell('bob', 100, 1001).isRefused('OPEN_INTEREST_FULL')
  world.sell('bob', 101, 900).isAccepted()
  const { order } = world.buy('carol', 99, 900).isAccepted()
  world.index(110)
  // At the new mark it is 440: no order above 60 opens, while orders may shrink and positions close.
  world.buy('carol', 110, 700).isRefused('OPEN_INTEREST_FULL')
  world.amend('carol', order, { lots: 800 }).isAccepted()
  world.index(130)
  world.buy('carol', 130, 100).isRefused('OPEN_INTEREST_FULL')
  world.sell('alice', 130, 1000, { isReduceOnly: true }).isAccepted()
  world.isReplayable()
})

test('PERP-INTEREST-002: positions and opening orders of one user are worth at most the user’s part of the cap', () => {
  const world = givenPerp({ alice: '5000', bob: '5000' }, { openInterestMax: 5_000_000_000, userInterestPpm: 100_000 })
  world.sell('bob', 100, 3000).isAccepted()
  world.buy('alice', 100, 3000).isAccepted()
  world.buy('alice', 100, 2001).isRefused('POSITION_TOO_LARGE')
  const { order } = world.buy('alice', 100, 2000).isAccepted()
  world.buy('alice', 99, 100).isRefused('POSITION_TOO_LARGE')
  world.amend('alice', order, { lots: 2100 }).isRefused('POSITION_TOO_LARGE')
  world.amend('alice', order, { lots: 1900 }).isAccepted()
  // A reversal may open 5,000 lots on the other side.
  world.market('alice', 'sell', 8001).isRefused('POSITION_TOO_LARGE')
  world.sell('alice', 101, 8001).isRefused('POSITION_TOO_LARGE')
  world.sell('alice', 101, 3000).isAccepted()
  world.isReplayable()
})

test('PERP-INTEREST-003: a user reads the value that the caps allow in each direction, and the exchange accepts exactly that', () => {
  const world = givenPerp({ alice: '5000', bob: '5000', carol: '5000' }, { openInterestMax: 1_000_000_000, userInterestPpm: 600_000 })
  const left = (name: string): readonly number[] => {
    const row = world.exchange.perpAccount(world.id(name) as UserId).interest[0]!
    return [row.left, row.buy, row.sell].map((units) => units / 1e6)
  }
  assert.deepEqual(left('carol'), [1000, 600, 600])
  world.sell('bob', 100, 4000).isAccepted()
  world.buy('alice', 100, 4000).isAccepted()
  assert.deepEqual(left('alice'), [600, 200, 600], 'a sale closes her long first')
  assert.deepEqual(left('bob'), [600, 600, 200])
  world.buy('alice', 99, 1000).isAccepted()
  assert.deepEqual(left('alice'), [600, 101, 600], 'resting orders count at their price')
  world.buy('alice', 100, 1011).isRefused('POSITION_TOO_LARGE')
  world.buy('alice', 100, 1010).isAccepted()
  assert.deepEqual(left('alice'), [600, 0, 600])
  world.index(110)
  assert.deepEqual(left('alice'), [560, 0, 600], 'the position is worth more at the new mark')
  world.buy('carol', 110, 5091).isRefused('OPEN_INTEREST_FULL')
  world.buy('carol', 110, 5090).isAccepted()
  assert.deepEqual(left('carol'), [560, 40.1, 600])
  world.isReplayable()
})
