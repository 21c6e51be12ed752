import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Exchange } from '../../exchange.ts'
import type { Told } from '../../test/world.ts'
import { contract, givenPerp, marketTerms, perpTerms, q } from './world.ts'

const three = { alice: '1000', bob: '1000', carol: '5000' }

test('PERP-LIST-003: new terms apply at once: a position is assessed by the new tiers', () => {
  const world = givenPerp(three)
  world.leverage('alice', 10).isAccepted()
  world.sell('bob', 100, 1000)
  world.buy('alice', 100, 1000).isAccepted()
  assert.equal(world.position('alice').liquidationPrice, 92)
  const tiers = [{ valueMax: 2 ** 46, initialPpm: 100_000, maintenancePpm: 90_000 }]
  const told = world.do({ type: 'perp.set', market: contract, terms: marketTerms, perp: { ...perpTerms, tiers } }).isAccepted()
  assert.equal(told.of('market.changed').length, 1)
  assert.equal(world.position('alice').liquidationPrice, 98)
  world.do({ type: 'perp.set', market: contract, terms: marketTerms, perp: { ...perpTerms, index: 2 } }).isRefused('MARKET_TERMS_INVALID')
  world.isReplayable()
})

test('PERP-LIST-006: new terms are applied to many positions page by page, and a restored exchange continues where the dumped one was', () => {
  const world = givenPerp({ alice: '1000000' })
  const crowd = Array.from({ length: 300 }, (_, n) => `user${n}`)
  for (const name of crowd) {
    world.trader(name, '100').leverage(name, 10).isAccepted()
    world.sell('alice', 100, 1000)
    world.buy(name, 100, 1000).isAccepted()
  }
  const tiers = [{ valueMax: 2 ** 46, initialPpm: 100_000, maintenancePpm: 90_000 }]
  const at = (): number[] => [0, 126, 127, 254, 255, 299].map((n) => world.position(crowd[n]!).liquidationPrice)
  const told = world.do({ type: 'perp.set', market: contract, terms: marketTerms, perp: { ...perpTerms, tiers } }).isAccepted()
  // Alice's position is the first of the page.
  assert.equal(told.of('perp.position').length, 128)
  assert.deepEqual(at(), [98, 98, 92, 92, 92, 92])
  world.isReplayable()
  world.world.exchange = Exchange.restore(world.exchange.dump())
  assert.deepEqual(at(), [98, 98, 92, 92, 92, 92])
  assert.equal(world.exchange.nextDueAtMs, world.exchange.atMs)
  world.do({ type: 'clock.tick' }).isAccepted()
  assert.deepEqual(at(), [98, 98, 98, 98, 92, 92])
  world.do({ type: 'clock.tick' }).isAccepted()
  assert.deepEqual(at(), [98, 98, 98, 98, 98, 98])
  assert.ok(world.exchange.nextDueAtMs > world.exchange.atMs)
  world.isReplayable()
})

test('PERP-POSITION-001: trades open, enlarge, reduce, reverse and close a position, and post profit and loss at once', () => {
  const world = givenPerp(three)
  world.leverage('alice', 10).isAccepted()
  world.sell('carol', 100, 1000)
  world.buy('alice', 100, 1000).isAccepted()
  // 100 USDT at 10× take 10 margin and a fee of 0.05.
  world.has('alice', '989.95', '10').holds('alice', '1000@100')
  world.sell('carol', 104, 1000)
  world.buy('alice', 104, 1000).isAccepted()
  // 104 more take 10.4 margin and a fee of 0.052.
  world.has('alice', '979.498', '20.4').holds('alice', '2000@102')
  world.buy('carol', 110, 500)
  world.sell('alice', 110, 500).isAccepted()
  // Closing a quarter gives a profit of 55 − 51 = 4, returns 5.1 margin and costs 0.0275.
  world.has('alice', '988.5705', '15.3').holds('alice', '1500@102')
  assert.equal(world.position('alice').realised, 4_000_000)
  world.buy('carol', 96, 2500)
  world.market('alice', 'sell', 2500).isAccepted()
  // 1,500 lots close at 96 with a loss of 9 and return 15.3 margin; 1,000 lots open short with 9.6 margin; the fee is 0.12.
  world.has('alice', '985.1505', '9.6').holds('alice', '-1000@96')
  world.sell('carol', 90, 1000)
  world.buy('alice', 90, 1000).isAccepted()
  world.has('alice', '1000.7055').holds('alice', '').isReplayable()
})

test('PERP-POSITION-001: many odd fills need the same margin as one large fill, to the unit, for makers and takers', () => {
  // At 3×, 100 lots at 101 need 3,366,666⅔ units of margin.
  const margins = (fills: readonly number[], isTakenAtOnce: boolean): unknown => {
    const world = givenPerp(three)
    for (const name of ['alice', 'bob']) world.leverage(name, 3).isAccepted()
    const all = fills.reduce((sum, lots) => sum + lots, 0)
    for (const lots of fills) {
      world.sell('bob', 101, lots).isAccepted()
      if (!isTakenAtOnce) world.buy('alice', 101, lots).isAccepted().traded(`101×${lots}`)
    }
    if (isTakenAtOnce) world.buy('alice', 101, all).isAccepted()
    world.isReplayable()
    return ['alice', 'bob'].map((name) => world.position(name)).map(({ lots, cost, margin }) => [Math.abs(lots), cost, margin])
  }
  const expected = [1000, 101_000_000, 33_666_667]
  for (const fills of [[1000], Array<number>(10).fill(100), [101, 203, 307, 389]]) {
    for (const isTakenAtOnce of [true, false]) assert.deepEqual(margins(fills, isTakenAtOnce), [expected, expected], fills.join())
  }
})

test('PERP-POSITION-002: makers pay the market’s 0.02 %, takers its 0.05 % in USDT in tier 0; Futures don’t count for the fee tiers of spot', () => {
  const world = givenPerp(three)
  const tiers = [
    { volumeMin: 0, makerPpm: 1000, takerPpm: 1000 },
    { volumeMin: 1, makerPpm: 0, takerPpm: 0 },
  ]
  world.do({ type: 'fees.set', tiers }).isAccepted()
  for (let n = 0; n < 2; n++) {
    world.sell('bob', 100, 1234)
    const [trade] = world.buy('alice', 100, 1234).isAccepted().of('traded')
    assert.deepEqual([trade!.quote, trade!.makerFee, trade!.takerFee], [123_400_000, 24_680, 61_700])
  }
  assert.equal(world.exchange.tier(world.id('alice')).volume, 0)
  assert.equal(world.system('fees'), 2 * (24_680 + 61_700))
})

test('PERP-POSITION-003: the record of a closed position shows everything opened and closed in it, and the cause of its end', () => {
  const world = givenPerp(three)
  world.sell('carol', 100, 1000)
  const opened = world.buy('alice', 100, 1000).isAccepted()
  world.sell('carol', 110, 1000)
  world.buy('alice', 110, 1000).isAccepted()
  world.buy('carol', 108, 2000)
  world.sell('alice', 108, 500).isAccepted()
  world.world.atMs += 5000
  const told = world.sell('alice', 108, 1500).isAccepted()
  const ended = told.of('perp.closed').find(({ user }) => user === world.id('alice'))
  assert.deepEqual(ended, {
    type: 'perp.closed',
    position: opened.order,
    user: world.id('alice'),
    market: contract,
    side: 'buy',
    mode: 'isolated',
    leverage: 1,
    openedLots: 2000n,
    openedValue: 210_000_000n,
    closedLots: 2000n,
    closedValue: 216_000_000n,
    realised: 6_000_000,
    fees: 50_000 + 55_000 + 27_000 + 81_000,
    funding: 0,
    cause: 'order',
    openedAt: world.world.atMs - 5000,
    closedAt: world.world.atMs,
  })
  const last = told.of('perp.position').find(({ user }) => user === world.id('alice'))
  assert.deepEqual([last?.lots, last?.margin, last?.position], [0, 0, opened.order])
})

test('PERP-REVERSE-001: a reversal closes and opens the same size on the other side, and margin released by closing may pay', () => {
  const world = givenPerp({ ...three, alice: '110' })
  world.reverse('alice').isRefused('POSITION_UNKNOWN')
  world.sell('carol', 100, 1000)
  world.buy('alice', 100, 1000).isAccepted()
  world.reverse('alice').isRefused('NO_LIQUIDITY')
  world.buy('carol', 100, 2000)
  const told = world.reverse('alice').isAccepted().traded('100×2000')
  assert.equal(told.of('perp.closed')[0]!.closedValue, 100_000_000n)
  assert.equal(told.of('perp.closed')[0]!.cause, 'order')
  world.holds('alice', '-1000@100')
  assert.notEqual(world.position('alice').position, told.of('perp.closed')[0]!.position)
  world.sell('carol', 102, 4000)
  // After the loss and two fees, too little is left for the same size at 102.
  world.reverse('alice').isRefused('MARGIN_INSUFFICIENT')
  world.isReplayable()
})

test('PERP-HEDGE-001: hedged accounts have a long and a short position, and closing one never opens the other', () => {
  const world = givenPerp(three)
  world.buy('alice', 100, 1000, { position: 'long' }).isRefused('POSITION_SIDE_INVALID')
  const order = world.buy('alice', 99, 1000).isAccepted().order
  world.hedge('alice', true).isRefused('POSITION_OPEN')
  world.cancel('alice', order)
  world.hedge('alice', true).isAccepted()
  world.hedge('alice', true).isRefused('MODE_UNCHANGED')
  world.buy('alice', 100, 1000).isRefused('POSITION_SIDE_INVALID')
  world.sell('carol', 100, 1000)
  world.buy('alice', 100, 1000, { position: 'long' }).isAccepted()
  world.sell('alice', 101, 1000, { position: 'short' }).isAccepted()
  world.buy('carol', 101, 1000)
  world.holds('alice', '1000@100 -1000@101')
  world.hedge('alice', false).isRefused('POSITION_OPEN')
  world.reverse('alice').isRefused('POSITION_SIDE_INVALID')
  world.buy('carol', 99, 3000)
  // A sell order of the long position only reduces, with or without the flag.
  world.market('alice', 'sell', 3000, { position: 'long' }).isAccepted().traded('99×1000')
  world.holds('alice', '-1000@101')
  world.sell('alice', 120, 1000, { position: 'long' }).isRefused('REDUCE_ONLY_REJECTED')
  world.sell('carol', 102, 500)
  world.market('alice', 'buy', 500, { position: 'short' }).isAccepted()
  world.holds('alice', '-500@101').isReplayable()
})

test('PERP-MODE-001: the margin mode changes only without positions and orders in the market', () => {
  const world = givenPerp(three)
  world.mode('alice', 'isolated').isRefused('MODE_UNCHANGED')
  const order = world.buy('alice', 100, 1000).isAccepted().order
  world.mode('alice', 'cross').isRefused('POSITION_OPEN')
  world.cancel('alice', order)
  const [told] = world.mode('alice', 'cross').isAccepted().of('perp.settings')
  assert.deepEqual([told!.mode, told!.leverage, told!.isHedge, told!.market], ['cross', 1, false, contract])
  world.sell('bob', 100, 1000)
  world.buy('alice', 100, 1000).isAccepted()
  world.mode('alice', 'isolated').isRefused('POSITION_OPEN')
  assert.equal(world.position('alice').mode, 'cross')
  world.adjust('alice', '1').isRefused('MARGIN_NOT_ISOLATED')
  world.isReplayable()
})

test('PERP-LEVERAGE-001: a higher leverage releases margin, a lower one needs more; an isolated position keeps its initial margin', () => {
  const world = givenPerp({ ...three, alice: '250' })
  world.leverage('alice', 2).isAccepted()
  world.sell('bob', 100, 2000)
  world.buy('alice', 100, 2000).isAccepted()
  world.buy('alice', 90, 1000).isAccepted()
  // A position of 200 at 2× has 100 margin, and the order holds 45.045.
  world.has('alice', '104.855', '145.045')
  world.leverage('alice', 5).isAccepted()
  world.has('alice', '191.855', '58.045')
  assert.equal(world.position('alice').liquidationPrice, 82)
  world.leverage('alice', 1).isRefused('MARGIN_INSUFFICIENT')
  world.index(90)
  // The loss is 20: of a margin of 25, less than the initial margin would be left.
  world.leverage('alice', 8).isRefused('MARGIN_INSUFFICIENT')
  world.leverage('alice', 0).isRefused('LEVERAGE_INVALID')
  world.isReplayable()
})

test('PERP-LEVERAGE-004: a refused change of leverage changes nothing', () => {
  const traded = () => {
    const world = givenPerp({ ...three, alice: '250' })
    world.leverage('alice', 5).isAccepted()
    world.sell('bob', 100, 2000)
    world.buy('alice', 100, 2000).isAccepted()
    world.buy('alice', 90, 1000).isAccepted()
    return world
  }
  const [asked, twin] = [traded(), traded()]
  // The first refusal, for lack of money, comes from the last check; the second, for an invalid leverage, from the first check.
  asked.leverage('alice', 1).isRefused('MARGIN_INSUFFICIENT')
  twin.leverage('alice', 0).isRefused('LEVERAGE_INVALID')
  assert.equal(asked.exchange.hash(), twin.exchange.hash())
  asked.isReplayable()
})

test('PERP-ADJUST-001: margin can be added to an isolated position, and removed down to its initial margin at the mark', () => {
  const world = givenPerp(three)
  world.leverage('alice', 10).isAccepted()
  world.adjust('alice', '5').isRefused('POSITION_UNKNOWN')
  world.sell('bob', 100, 1000)
  world.buy('alice', 100, 1000).isAccepted()
  assert.equal(world.position('alice').liquidationPrice, 92)
  world.adjust('alice', '20').isAccepted()
  world.has('alice', '969.95', '30')
  assert.equal(world.position('alice').liquidationPrice, 71)
  world.adjust('alice', '-20.000001').isRefused('AMOUNT_BOUND')
  world.adjust('alice', '970').isRefused('INSUFFICIENT_BALANCE')
  world.adjust('alice', '0').isRefused('AMOUNT_NOT_POSITIVE')
  world.index(95)
  // With a loss of 5 and an initial margin of 9.5 at the mark, 14.5 must stay.
  world.adjust('alice', '-15.500001').isRefused('AMOUNT_BOUND')
  world.adjust('alice', '-15.5').isAccepted()
  world.has('alice', '985.45', '14.5').isReplayable()
})

test('PERP-TRANSFER-001: money that was never used leaves the account', () => {
  givenPerp({ alice: '1000' }).moves('alice', '1000', 'perp', 'spot').has('alice', '0').isReplayable()
})

test('PERP-TRANSFER-001: held money and unpaid losses of cross positions can’t leave the account', () => {
  const world = givenPerp(three)
  world.mode('alice', 'cross').isAccepted()
  world.leverage('alice', 10).isAccepted()
  world.sell('carol', 100, 10_000)
  world.buy('alice', 100, 10_000).isAccepted()
  // 100 are held, and the fee was 0.5.
  world.transfer('alice', '899.500001').isRefused('INSUFFICIENT_BALANCE')
  world.index(70)
  // A loss of 300 is not paid yet.
  assert.equal(world.exchange.perpAccount(world.id('alice')).transferable, 599_500_000)
  world.transfer('alice', '599.500001').isRefused('AMOUNT_BOUND')
  world.buy('alice', 70, 90_000).isRefused('MARGIN_INSUFFICIENT')
  world.transfer('alice', '599.5').isAccepted()
  // The position has 300 and the margin of 100. At 61.54 its 10 coins have lost all but 2.5 % of their value, 615.4.
  world.buy('carol', 65, 20_000)
  assert.equal(world.index(62).of('perp.liquidated').length, 0)
  assert.equal(world.index(61).of('perp.liquidated').length > 0, true)
  world.isReplayable()
})

test('PERP-POSITION-003: the turnover of a position stays exact beyond 2^53', () => {
  const tiers = [{ valueMax: 2 ** 46, initialPpm: 100_000, maintenancePpm: 25_000 }]
  const world = givenPerp({ alice: '1000000000', bob: '1000000000' }, { tiers })
  const price = 1_000_000
  world.index(price)
  for (const name of ['alice', 'bob']) world.leverage(name, 10).isAccepted()
  const swap = (seller: string, buyer: string, lots: number): Told => {
    world.sell(seller, price, lots).isAccepted()
    return world.buy(buyer, price, lots).isAccepted()
  }
  // The position is enlarged and reduced many times, and closed only at the end.
  const [base, size, turns] = [1000, 60_000, 151]
  swap('bob', 'alice', base)
  for (let turn = 0; turn < turns; turn++) {
    swap('bob', 'alice', size)
    swap('alice', 'bob', size)
    if (turn === 149) world.isReplayable()
  }
  const [ended] = swap('alice', 'bob', base).of('perp.closed')
  const lots = BigInt(base + size * turns)
  const value = lots * BigInt(price * q)
  assert.ok(value > 2n ** 53n)
  const { openedLots, openedValue, closedLots, closedValue } = ended!
  assert.deepEqual([openedLots, openedValue, closedLots, closedValue], [lots, value, lots, value])
})

test('PERP-ORDER-010: a user who is not verified can’t change leverage or mode, but can add margin', () => {
  const world = givenPerp(three)
  world.sell('carol', 100, 1000)
  world.buy('alice', 100, 1000).isAccepted()
  world.do({ type: 'user.certify', user: world.id('alice'), isCertified: false }).isAccepted()
  world.leverage('alice', 2).isRefused('NOT_CERTIFIED')
  world.mode('alice', 'cross').isRefused('NOT_CERTIFIED')
  world.hedge('alice', true).isRefused('NOT_CERTIFIED')
  world.adjust('alice', '5').isAccepted()
  world.market('alice', 'sell', 1000, { isReduceOnly: true }).isRefused('NO_LIQUIDITY')
  world.isReplayable()
})

test('PERP-TRANSFER-003: profit at the mark pays for no order and does not leave, a loss beside it is offset, and closing frees it', () => {
  const world = givenPerp({ alice: '200', bob: '1000', carol: '5000' })
  world.hedge('alice', true).isAccepted()
  world.mode('alice', 'cross').isAccepted()
  const free = (): readonly number[] => {
    const { available, transferable } = world.exchange.perpAccount(world.id('alice'))
    return [available, transferable]
  }
  world.sell('carol', 100, 1000).isAccepted()
  world.buy('alice', 100, 1000, { position: 'long' }).isAccepted()
  const before = free()[0]!
  world.index(105)
  assert.equal(world.mark(), 105)
  assert.equal(free()[0], before)
  // 45 lots more than the free money pays at 1×, and less than it with the profit of 5 USDT.
  const lots = Math.floor(before / 105_000) + 45
  world.buy('alice', 105, lots, { position: 'long' }).isRefused('MARGIN_INSUFFICIENT')
  world.transfer('alice', String((free()[1]! + 1) / 1e6)).isRefused('AMOUNT_BOUND')
  world.index(100)
  world.buy('carol', 100, 500).isAccepted()
  world.sell('alice', 100, 500, { position: 'short' }).isAccepted()
  const hedged = free()[0]!
  world.index(95)
  // The long position loses 5 USDT, the short one gains 2.5: only the difference is missing.
  const account = world.exchange.perpAccount(world.id('alice'))
  assert.equal(account.available, hedged)
  assert.ok(account.transferable <= hedged - 2_500_000)
  world.transfer('alice', String((hedged - 2_500_000 + 1) / 1e6)).isRefused('AMOUNT_BOUND')
  world.sell('bob', 95, 500).isAccepted()
  world.buy('alice', 95, 500, { position: 'short' }).isAccepted().traded('95×500')
  assert.ok(world.exchange.perpAccount(world.id('alice')).available > hedged + 52_400_000)
  world.isReplayable()
})
