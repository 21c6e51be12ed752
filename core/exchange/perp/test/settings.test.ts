/** Changes of leverage, margin mode and hedge mode, and of the margin of a position, to the unit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Exchange } from '../../exchange.ts'
import { contract, givenPerp, marketTerms, perpTerms } from './world.ts'
import type { PerpWorld } from './world.ts'

const three = { alice: '1000', bob: '1000', carol: '5000' }
const second = 4

function withSecond(world: PerpWorld): PerpWorld {
  const listed = { type: 'perp.list', symbol: 'BTCUSDTPERP2', base: 2, quote: 1, tick: '1', lot: '0.001' }
  world.do({ ...listed, terms: marketTerms, perp: perpTerms }).isAccepted()
  world.index(100)
  return world
}

/** Opens a position of alice against carol at 100; below zero: a short one. */
function opens(world: PerpWorld, lots: number, more: object = {}): PerpWorld {
  const [seller, buyer] = lots > 0 ? ['carol', 'alice'] : ['alice', 'carol']
  const ofAlice = (name: string): object => (name === 'alice' ? more : { ...more, position: 'both' })
  world.sell(seller!, 100, Math.abs(lots), ofAlice(seller!)).isAccepted()
  world.buy(buyer!, 100, Math.abs(lots), ofAlice(buyer!)).isAccepted()
  return world
}

function halts(world: PerpWorld, isTrading: boolean): void {
  world.do({ type: 'perp.set', market: contract, terms: { ...marketTerms, isTrading }, perp: perpTerms }).isAccepted()
}

test('PERP-LEVERAGE-001: a leverage is between 1 and that of the market, and the first reason to refuse it is given', () => {
  const world = withSecond(givenPerp(three))
  for (const wrong of [0, 11, -1]) world.leverage('alice', wrong).isRefused('LEVERAGE_INVALID')
  const user = world.id('alice')
  world.do({ type: 'user.certify', user, isCertified: false }).isAccepted()
  world.leverage('alice', 11).isRefused('NOT_CERTIFIED')
  world.leverage('alice', 2, 1).isRefused('MARKET_UNKNOWN')
  world.mode('alice', 'cross', 1).isRefused('MARKET_UNKNOWN')
  world.do({ type: 'user.set', user, isFrozen: true }).isAccepted()
  world.leverage('alice', 2, 1).isRefused('USER_FROZEN')
  world.mode('alice', 'cross', 1).isRefused('USER_FROZEN')
  world.hedge('alice', true).isRefused('USER_FROZEN')
  world.do({ type: 'user.set', user, isFrozen: false }).isAccepted()
  world.do({ type: 'user.certify', user, isCertified: true }).isAccepted()
  for (const leverage of [10, 1]) {
    const [told] = world.leverage('alice', leverage).isAccepted().of('perp.settings')
    assert.deepEqual([told!.user, told!.market, told!.leverage, told!.mode, told!.isHedge], [user, contract, leverage, 'isolated', false])
  }
  // Each market has its own settings.
  world.leverage('alice', 7, second).isAccepted()
  world.mode('alice', 'cross', second).isAccepted()
  assert.deepEqual(world.exchange.perpAccount(user).settings, [
    { market: contract, leverage: 1, mode: 'isolated' },
    { market: second, leverage: 7, mode: 'cross' },
  ])
  world.isReplayable()
})

test('PERP-LEVERAGE-001: a leverage must be allowed for each side: a position with the orders that would enlarge it', () => {
  const tiers = [
    { valueMax: 200_000_000, initialPpm: 100_000, maintenancePpm: 25_000 },
    { valueMax: 2 ** 40, initialPpm: 200_000, maintenancePpm: 50_000 },
  ]
  for (const sign of [1, -1]) {
    const enlarge = (world: PerpWorld, lots: number): number =>
      (sign > 0 ? world.buy('alice', 99, lots) : world.sell('alice', 101, lots)).isAccepted().order
    const shrink = (world: PerpWorld, lots: number): number =>
      (sign > 0 ? world.sell('alice', 100, lots) : world.buy('alice', 100, lots)).isAccepted().order
    const world = opens(givenPerp(three, { tiers }), 1000 * sign)
    const large = enlarge(world, 1020)
    world.leverage('alice', 10).isRefused('LEVERAGE_TOO_HIGH')
    world.cancel('alice', large).isAccepted()
    enlarge(world, 980)
    // Orders that close the position first open only what exceeds it, on the other side.
    const turning = shrink(world, 3001)
    world.leverage('alice', 10).isRefused('LEVERAGE_TOO_HIGH')
    world.cancel('alice', turning).isAccepted()
    shrink(world, 3000)
    world.leverage('alice', 10).isAccepted()
    world.isReplayable()
  }
})

test('PERP-LEVERAGE-001: an isolated position keeps its additional margin, and takes the new initial margin for the old', () => {
  const world = opens(givenPerp(three), 1000)
  world.adjust('alice', '7').isAccepted()
  world.has('alice', '892.95', '107')
  world.leverage('alice', 4).isAccepted()
  world.has('alice', '967.95', '32')
  world.leverage('alice', 3).isAccepted()
  // A third of 100, rounded up.
  world.has('alice', '959.616666', '40.333334')
  assert.equal(world.position('alice').margin, 40_333_334)
  world.isReplayable()
})

test('PERP-LEVERAGE-001: a lower leverage is accepted with exactly the money that it needs, for positions and orders together', () => {
  const lowers = (funds: string): ReturnType<PerpWorld['leverage']> => {
    const world = givenPerp({ ...three, alice: funds })
    world.leverage('alice', 10).isAccepted()
    opens(world, 1000)
    world.buy('alice', 90, 1000).isAccepted()
    // 10 and 9.045 are held, and the fee was 0.05.
    return world.leverage('alice', 5)
  }
  // It needs 10 and 9 more.
  lowers('38.095').isAccepted()
  lowers('38.094999').isRefused('MARGIN_INSUFFICIENT')
})

test('PERP-LEVERAGE-001: an isolated position keeps its initial margin at the mark after its loss, to the unit', () => {
  for (const [sign, mark] of [
    [1, 90],
    [-1, 110],
  ] as const) {
    const world = opens(givenPerp(three), 1000 * sign)
    const added = (amount: string): boolean => {
      world.adjust('alice', amount).isAccepted()
      return world.leverage('alice', 10).outcome.refusal === undefined
    }
    world.leverage('alice', 5).isAccepted()
    world.index(mark)
    // At leverage 10 the margin would be 10; after the loss of 10, a tenth of the value at the mark must be left.
    const value = mark / 10
    assert.equal(added(`${value - 0.000001}`), false)
    assert.equal(added('0.000001'), true)
  }
})

test('PERP-LEVERAGE-001: a cross position releases its margin whatever it has lost', () => {
  const world = givenPerp(three)
  world.mode('alice', 'cross').isAccepted()
  opens(world, 1000)
  world.index(90)
  world.leverage('alice', 10).isAccepted()
  world.has('alice', '989.95', '10')
  // Of the 989.95 that are free, 10 are lost.
  world.transfer('alice', '979.950001').isRefused('AMOUNT_BOUND')
  world.transfer('alice', '979.95').isAccepted()
  world.isReplayable()
})

test('PERP-LEVERAGE-003: while the market is not open, margin of positions is not released, and orders may follow any leverage', () => {
  const world = withSecond(givenPerp(three))
  world.leverage('alice', 2).isAccepted()
  opens(world, 1000)
  world.buy('bob', 90, 1000).isAccepted()
  halts(world, false)
  world.leverage('alice', 3).isRefused('MARKET_HALTED')
  world.leverage('alice', 2).isAccepted()
  world.leverage('alice', 1).isAccepted()
  world.leverage('bob', 10).isAccepted()
  world.leverage('alice', 10, second).isAccepted()
  world.has('bob', '990.955', '9.045')
  world.index(100, 2)
  world.leverage('alice', 3).isRefused('NO_INDEX_PRICE')
  world.isReplayable()
})

test('PERP-LEVERAGE-001: in hedge mode both positions of a market follow, and one may pay for the other', () => {
  const world = givenPerp({ ...three, alice: '63' })
  world.hedge('alice', true).isAccepted()
  world.leverage('alice', 5).isAccepted()
  opens(world, 1000, { position: 'long' })
  opens(world, -1000, { position: 'short' })
  const margins = (): readonly number[] => world.positions('alice').map(({ margin }) => margin / 1e6)
  assert.deepEqual(margins(), [20, 20])
  world.leverage('alice', 4).isAccepted()
  assert.deepEqual(margins(), [25, 25])
  world.leverage('alice', 3).isRefused('MARGIN_INSUFFICIENT')
  world.leverage('alice', 10).isAccepted()
  assert.deepEqual(margins(), [10, 10])
  world.isReplayable()
})

test('PERP-CORE-002: a change of leverage reports the long position first, whichever was opened first', () => {
  const world = givenPerp(three)
  world.hedge('alice', true).isAccepted()
  world.leverage('alice', 5).isAccepted()
  opens(world, -1000, { position: 'short' })
  opens(world, 1000, { position: 'long' })
  const restored = Exchange.restore(world.exchange.dump())
  const told = world.leverage('alice', 4).isAccepted()
  assert.deepEqual(
    told.of('perp.position').map(({ side, margin }) => [side, margin]),
    [
      ['long', 25_000_000],
      ['short', 25_000_000],
    ],
  )
  world.world.exchange = restored
  assert.deepEqual(world.leverage('alice', 4).events, told.events)
})

test('PERP-MODE-001: positions and orders of either side of the market keep the mode, and those of other markets do not', () => {
  const world = withSecond(givenPerp(three))
  opens(world, 1000)
  world.mode('alice', 'cross').isRefused('POSITION_OPEN')
  world.mode('alice', 'cross', second).isAccepted()
  world.mode('alice', 'cross', second).isRefused('MODE_UNCHANGED')
  const sleeping = { trigger: { kind: 'stop', price: 90, direction: 'falls-to' } }
  const { order } = world.sell('bob', 89, 100, sleeping).isAccepted()
  world.mode('bob', 'cross').isRefused('POSITION_OPEN')
  world.hedge('bob', true).isRefused('POSITION_OPEN')
  world.cancel('bob', order).isAccepted()
  world.mode('bob', 'cross').isAccepted()
  world.mode('bob', 'isolated').isAccepted()
  world.isReplayable()
})

test('PERP-HEDGE-001: a change of the hedge mode is reported, and needs that nothing is open in any market', () => {
  const world = withSecond(givenPerp(three))
  world.hedge('alice', false).isRefused('MODE_UNCHANGED')
  const { order } = world.buy('alice', 90, 100, { market: second }).isAccepted()
  world.hedge('alice', true).isRefused('POSITION_OPEN')
  world.do({ type: 'perp.cancel', user: world.id('alice'), clientId: '', market: second, order, orderClientId: '' }).isAccepted()
  for (const isHedge of [true, false]) {
    const [told] = world.hedge('alice', isHedge).isAccepted().of('perp.settings')
    assert.deepEqual([told!.user, told!.market, told!.leverage, told!.mode, told!.isHedge], [world.id('alice'), 0, 1, 'isolated', isHedge])
  }
  world.hedge('alice', true).isAccepted()
  const [told] = world.leverage('alice', 2).isAccepted().of('perp.settings')
  assert.equal(told!.isHedge, true)
  world.isReplayable()
})

test('PERP-ADJUST-001: margin moves only for an open isolated position, and the first reason to refuse it is given', () => {
  const world = withSecond(givenPerp(three))
  const adjust = (amount: number, market: number = contract, position = 'both') =>
    world.do({ type: 'perp.adjustMargin', user: world.id('alice'), clientId: '', market, position, amount })
  adjust(0, 1).isRefused('MARKET_UNKNOWN')
  adjust(0).isRefused('AMOUNT_NOT_POSITIVE')
  adjust(1_000_000_001).isRefused('INSUFFICIENT_BALANCE')
  adjust(1_000_000_000).isRefused('POSITION_UNKNOWN')
  adjust(-1).isRefused('POSITION_UNKNOWN')
  opens(world, 1000)
  adjust(1, second).isRefused('POSITION_UNKNOWN')
  // An order there is no position.
  world.buy('alice', 90, 100, { market: second }).isAccepted()
  adjust(1, second).isRefused('POSITION_UNKNOWN')
  world.do({ type: 'spot.cancelAll', user: world.id('alice'), clientId: '', market: second }).isAccepted()
  adjust(1, contract, 'long').isRefused('POSITION_UNKNOWN')
  adjust(-100_000_001).isRefused('AMOUNT_BOUND')
  adjust(-1).isRefused('AMOUNT_BOUND')
  // All of the free balance, and back.
  assert.deepEqual(
    adjust(899_950_000)
      .isAccepted()
      .of('perp.position')
      .map(({ margin }) => margin),
    [999_950_000],
  )
  world.has('alice', '0', '999.95')
  const [told] = adjust(-899_950_000).isAccepted().of('perp.position')
  assert.equal(told!.margin, 100_000_000)
  world.has('alice', '899.95', '100')
  halts(world, false)
  adjust(5).isAccepted()
  adjust(-5).isRefused('AMOUNT_BOUND')
  world.isReplayable()
})

test('PERP-TRANSFER-002: margin that is added to an isolated position leaves cross positions their initial margin', () => {
  const world = withSecond(givenPerp(three))
  world.mode('alice', 'cross').isAccepted()
  world.leverage('alice', 10).isAccepted()
  opens(world, 10_000)
  opens(world, 1000, { market: second })
  world.index(70)
  // 799.45 are left of 1,000; the cross position has lost 300, and its initial margin at the mark is 70 of the 100 that it has.
  const adjust = (amount: string) =>
    world.do({
      type: 'perp.adjustMargin',
      user: world.id('alice'),
      clientId: '',
      market: second,
      position: 'both',
      amount: Math.round(Number(amount) * 1e6),
    })
  assert.equal(world.exchange.perpAccount(world.id('alice')).transferable, 499_450_000)
  adjust('499.450001').isRefused('INSUFFICIENT_BALANCE')
  world.index(130)
  // With a profit, which is not paid yet, 130 must be kept.
  assert.equal(world.exchange.perpAccount(world.id('alice')).transferable, 769_450_000)
  adjust('769.450001').isRefused('AMOUNT_BOUND')
  world.index(70)
  adjust('499.45').isAccepted()
  adjust('0.000001').isRefused('INSUFFICIENT_BALANCE')
  world.isReplayable()
})

test('PERP-REVERSE-001: the first reason to refuse a reversal is given', () => {
  const world = withSecond(givenPerp(three))
  const reverse = (market: number = contract) => world.do({ type: 'perp.reverse', user: world.id('alice'), clientId: '', market })
  reverse(1).isRefused('MARKET_UNKNOWN')
  reverse().isRefused('POSITION_UNKNOWN')
  opens(world, 1000)
  reverse(second).isRefused('POSITION_UNKNOWN')
  // An order there is no position.
  world.buy('alice', 90, 100, { market: second }).isAccepted()
  reverse(second).isRefused('POSITION_UNKNOWN')
  reverse().isRefused('NO_LIQUIDITY')
  const user = world.id('alice')
  world.do({ type: 'user.certify', user, isCertified: false }).isAccepted()
  reverse().isRefused('NO_LIQUIDITY')
  world.buy('carol', 100, 2000).isAccepted()
  reverse().isRefused('NOT_CERTIFIED')
  halts(world, false)
  reverse().isRefused('MARKET_HALTED')
  world.do({ type: 'user.certify', user, isCertified: true }).isAccepted()
  reverse().isRefused('MARKET_HALTED')
  halts(world, true)
  world.index(100, 2)
  reverse().isRefused('NO_INDEX_PRICE')
  reverse(second).isRefused('NO_INDEX_PRICE')
  // Orders that only reduce match again, but a reversal opens.
  world.passes(31_000).index(100, 2)
  world.buy('carol', 100, 1000, { isReduceOnly: true }).isAccepted()
  reverse().isRefused('NO_INDEX_PRICE')
  world.index(100)
  reverse().isRefused('MARKET_HALTED')
})

test('PERP-REVERSE-001: a reversal is a market order of twice the size, of a short position too', () => {
  for (const sign of [1, -1]) {
    const world = opens(givenPerp(three), 1000 * sign)
    if (sign > 0) world.buy('carol', 100, 5000).isAccepted()
    else world.sell('carol', 100, 5000).isAccepted()
    const told = world.reverse('alice').isAccepted().traded('100×2000')
    const [order] = told.of('order.accepted')
    assert.deepEqual([order!.order, order!.orderType, order!.timeInForce, order!.lots], [told.order, 'market', 'IOC', 2000])
    assert.deepEqual([order!.side, order!.perp!.position, order!.perp!.isReduceOnly], [sign > 0 ? 'sell' : 'buy', 'both', false])
    world.holds('alice', `${-1000 * sign}@100`).isReplayable()
  }
})

test('PERP-REVERSE-001: the size filters of the market hold for twice the position', () => {
  const world = opens(givenPerp(three), 1000)
  world.buy('carol', 100, 5000).isAccepted()
  const sets = (terms: object): void => {
    world.do({ type: 'perp.set', market: contract, terms: { ...marketTerms, ...terms }, perp: perpTerms }).isAccepted()
  }
  sets({ lotsMax: 1999 })
  world.reverse('alice').isRefused('QUANTITY_TOO_LARGE')
  sets({ lotsMax: 2000 })
  world.reverse('alice').isAccepted()
  sets({ notionalMin: 200_000_001 })
  world.sell('carol', 101, 5000, { isReduceOnly: false }).isAccepted()
  world.reverse('alice').isRefused('NOTIONAL_TOO_SMALL')
  sets({ notionalMin: 200_000_000 })
  world.reverse('alice').isAccepted()
  world.isReplayable()
})
