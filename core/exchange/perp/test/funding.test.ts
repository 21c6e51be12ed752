import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from '../../test/world.ts'
import type { Told } from '../../test/world.ts'
import { contract, givenPerp, marketTerms, perpTerms } from './world.ts'
import type { PerpWorld } from './world.ts'

const hours8 = 8 * 3_600_000
const due = (Math.floor(start / hours8) + 1) * hours8
const three = { alice: '1000', bob: '1000', carol: '5000' }

/** With an impact value of 10 USDT, small orders count as depth. */
const shallow = { impactValue: 10_000_000 }

/** Sends four index ticks a second. */
function stands(world: PerpWorld, price: number, seconds: number): void {
  for (let n = 0; n < seconds * 4; n++) world.index(price)
}

test('PERP-MARK-001: the mark follows the impact prices of the book over the window, and stays without good index prices', () => {
  const world = givenPerp(three, shallow)
  assert.equal(world.mark(), 100)
  world.buy('carol', 101, 1000)
  world.sell('bob', 103, 1000)
  // The middle of the book is 2 above the index. The clamp of 1 % reduces that to 1, which counts by half after half of the window.
  stands(world, 100, 14)
  assert.equal(world.mark(), 100)
  stands(world, 100, 2)
  assert.equal(world.mark(), 101)
  stands(world, 100, 15)
  assert.equal(world.index(90, 2, false).of('perp.marked').length, 0)
  assert.deepEqual([world.mark(), world.exchange.marks()[0]!.isGood], [101, false])
  assert.deepEqual(
    world
      .index(90)
      .of('perp.marked')
      .map(({ mark, index, fundingAt }) => [mark, index, fundingAt]),
    [[91, 90e8, due]],
  )
  world.do({ type: 'spot.cancelAll', user: world.id('bob'), clientId: '', market: contract })
  // Without one side of the book the basis fades over 30 seconds.
  world.index(90)
  assert.equal(world.mark(), 91)
  stands(world, 90, 12)
  assert.equal(world.mark(), 91)
  stands(world, 90, 6)
  assert.equal(world.mark(), 90)
  world.isReplayable()
})

test('PERP-MARK-003: orders below the impact value move neither the mark nor the funding rate', () => {
  const world = givenPerp({ ...three, mallory: '1000' })
  // Orders of 6 USDT on both sides, 3 % above the index.
  world.buy('mallory', 103, 60).isAccepted()
  world.sell('mallory', 104, 60).isAccepted()
  stands(world, 100, 60)
  const [mark] = world.exchange.marks()
  assert.deepEqual([mark!.mark, mark!.fundingRate], [100, 100_000])
  world.isReplayable()
})

test('PERP-MARK-004: orders that stay only for a known moment count only for that moment, in the premium and in the mark', () => {
  const world = givenPerp({ ...three, mallory: '5000' }, shallow)
  world.buy('carol', 99, 1000).isAccepted()
  const ask = (): number => world.sell('bob', 101, 1000).isAccepted().order
  let asked = ask()
  for (let n = 1, sweeps = 0; n <= 400; n++) {
    // The book is swept for a quarter of a second at a multiple of five seconds, three times in a hundred seconds.
    const isSwept = (world.world.atMs + 250) % 5000 === 0 && sweeps < 3
    if (!isSwept) {
      world.index(100)
      continue
    }
    sweeps++
    world.cancel('bob', asked)
    const bid = world.buy('mallory', 105, 500).isAccepted().order
    world.index(100)
    world.cancel('mallory', bid)
    asked = ask()
  }
  const [mark] = world.exchange.marks()
  // 5 % for 0.75 of 100 seconds is 0.0375 %, which the stretch of 0.05 % absorbs. Three of twenty samples would give 0.75 %.
  assert.deepEqual([mark!.mark, mark!.fundingRate], [100, 100_000])
  world.isReplayable()
})

test('PERP-FUNDING-001: at the funding hours longs pay shorts, and the total paid equals the total received plus a rest', () => {
  const world = givenPerp(three)
  world.leverage('alice', 10)
  world.mode('bob', 'cross')
  world.sell('bob', 100, 1003).isAccepted()
  world.buy('alice', 100, 500).isAccepted()
  world.buy('carol', 100, 503).isAccepted()
  assert.equal(world.exchange.nextDueAtMs, due)
  world.world.atMs = due - 1
  assert.equal(world.tick().of('perp.funded').length, 0)
  world.world.atMs = due
  const told = world.tick()
  // Each pays or receives 0.01 % of 50, 50.3 and 100.3.
  assert.deepEqual(
    told.of('perp.fundingPaid').map(({ user, amount }) => [user, amount]),
    [
      [world.id('alice'), -5000],
      [world.id('carol'), -5030],
      [world.id('bob'), 10_030],
    ],
  )
  assert.deepEqual(told.of('perp.funded')[0], {
    type: 'perp.funded',
    market: contract,
    rate: 100_000,
    mark: 100,
    paid: 10_030,
    received: 10_030,
    rest: 0,
    at: due,
  })
  // Funding of isolated positions too is paid from available money first.
  assert.equal(world.position('alice').margin, 5_000_000)
  assert.equal(world.position('alice').funding, -5000)
  assert.equal(world.exchange.nextDueAtMs, due + hours8)
  world.isReplayable()
})

test('PERP-FUNDING-001: the premium of the book moves the rate, and the rest from rounding goes to the insurance fund', () => {
  const world = givenPerp(three, { ...shallow, fundingInterest: 100_001 }, { notionalMin: 0 })
  world.sell('bob', 100, 3).isAccepted()
  world.buy('alice', 100, 1).isAccepted()
  world.buy('carol', 100, 2).isAccepted()
  // With bids at 98 and asks at 99 the premium is −1 %. The stretch of 0.05 % and the cap make the rate −0.75 %.
  world.buy('carol', 98, 1000)
  world.sell('bob', 99, 1000)
  stands(world, 100, 32)
  assert.equal(world.exchange.marks()[0]!.fundingRate, -7_500_000)
  world.world.atMs = due
  const [funded] = world.tick().of('perp.funded')
  // 0.75 % of three lots at 99 is 2,227.5 units: shorts pay 2,228, longs get 742 and 1,485.
  assert.deepEqual([funded!.mark, funded!.paid, funded!.received, funded!.rest], [99, 2228, 2227, 1])
  assert.equal(world.insurance(), 1)
  world.isReplayable()
})

test('PERP-MARK-005: the premium is the mean over time, and a side without depth keeps its last premium for five minutes', () => {
  // A sale of 300 USDT reaches the third level of bids.
  const world = givenPerp({ ...three, dave: '9000' }, { impactValue: 300_000_000 })
  world.buy('carol', 103, 1000)
  world.buy('carol', 102, 1000)
  world.buy('carol', 101, 5000)
  world.sell('dave', 110, 4000)
  world.index(100)
  assert.equal(world.exchange.marks()[0]!.fundingRate, 100_000)
  // It sells for 103, 102 and 95 of the third level's 505 USDT (941 lots, rounded up): 300.041 for 2.941 coins average 102.02006,
  // 2.02 % above the index; the rate is capped.
  stands(world, 100, 60)
  assert.equal(world.exchange.marks()[0]!.fundingRate, 7_500_000)
  // Without this depth the last premium counts for five more minutes, then zero: 2.02 % for 360 seconds of the whole time.
  world.do({ type: 'spot.cancelAll', user: world.id('carol'), clientId: '', market: contract })
  world.buy('carol', 96, 100)
  stands(world, 100, 300)
  const before = world.exchange.marks()[0]!.fundingRate
  assert.equal(before, 7_500_000)
  stands(world, 100, 1800)
  const after = world.exchange.marks()[0]!.fundingRate
  assert.ok(after < 3_500_000 && after > 2_500_000, `${after}`)
  world.isReplayable()
})

/** Alice is long 1,000 USDT with 100.1 in a cross account and pays 0.75 % each period; bob and carol are short. */
function payer(funds: Record<string, string> = {}): PerpWorld {
  const world = givenPerp({ ...three, alice: '100.6', ...funds }, { fundingInterest: 7_500_000, fundingStretch: 7_500_000 })
  world.leverage('alice', 10)
  world.mode('alice', 'cross')
  world.sell('bob', 100, 6000).isAccepted()
  world.sell('carol', 100, 4000).isAccepted()
  world.buy('alice', 100, 10_000).isAccepted()
  return world
}

test('PERP-FUNDING-002: a position pays down to its maintenance margin; the fund advances the rest, or receivers share the money that came in', () => {
  for (const isInsured of [true, false]) {
    const world = payer()
    if (isInsured) world.insures('10')
    world.has('alice', '0.1', '100')
    // After ten periods of 0.75 % of 1,000, 25.1 are left; the maintenance margin is 25.
    for (let period = 0; period < 10; period++) {
      world.world.atMs = due + period * hours8
      assert.equal(world.tick().of('perp.funded')[0]!.received, 7_500_000)
    }
    world.has('alice', '0', '25.1')
    // The index is lost now, so the liquidation waits.
    world.world.atMs = due + 10 * hours8 - 250
    world.index(100, 2, false)
    const told = world.tick()
    const [funded] = told.of('perp.funded')
    const amounts = told.of('perp.fundingPaid').map(({ amount }) => amount)
    assert.equal(funded!.paid, funded!.received + funded!.rest)
    assert.deepEqual(amounts, isInsured ? [-100_000, 4_500_000, 3_000_000] : [-100_000, 60_000, 40_000])
    assert.equal(world.insurance(), isInsured ? 2_600_000 : 0)
    world.has('alice', '0', '25').isReplayable()
    // The liquidation first pays the advance back.
    const step = world.index(100)
    assert.deepEqual(
      step.of('perp.fundingPaid').map(({ user, rate, amount }) => [user, rate, amount]),
      [[world.id('alice'), 0, -7_400_000]],
    )
    assert.ok(world.insurance() >= (isInsured ? 10_000_000 : 7_400_000))
    world.isReplayable()
  }
})

test('PERP-FUNDING-003: an isolated position pays first from available money of the account, and the fund pays nothing', () => {
  const world = givenPerp({ ...three, alice: '46100', bob: '99000' }, { fundingInterest: 7_500_000, fundingStretch: 7_500_000 })
  world.insures('1000')
  world.leverage('alice', 10).isAccepted()
  world.sell('bob', 100, 10_000).isAccepted()
  world.buy('alice', 100, 10_000).isAccepted()
  world.adjust('bob', '20000').isAccepted()
  // Alice is in profit at 200 with a margin of 100, and 45,999.5 are available in her account.
  world.index(200)
  const before = world.insurance()
  for (let period = 0; period < 20; period++) {
    world.world.atMs = due + period * hours8
    const told = world.tick()
    const mine = told.of('perp.fundingPaid').filter(({ user }) => user === world.id('alice'))
    assert.deepEqual(
      mine.map(({ amount }) => amount),
      [-15_000_000],
    )
    world.index(200)
  }
  assert.equal(world.insurance(), before)
  assert.equal(world.position('alice').margin, 100_000_000)
  world.isReplayable()
})

test('PERP-FUNDING-004: funding that is due when terms change is settled at the old terms', () => {
  const world = payer()
  world.world.atMs = due + 1
  const perp = { ...perpTerms, fundingInterest: 0, fundingStretch: 0, fundingHours: 4 }
  const told = world.do({ type: 'perp.set', market: contract, terms: marketTerms, perp }).isAccepted()
  assert.deepEqual(
    told.of('perp.fundingDue').map(({ rate, mark, at }) => [rate, mark, at]),
    [[7_500_000, 100, due + 1]],
  )
  const [funded] = world.tick().of('perp.funded')
  assert.deepEqual([funded!.received, funded!.rate, funded!.at], [7_500_000, 7_500_000, due + 1])
  assert.equal(world.exchange.nextDueAtMs, due + hours8 / 2)
  world.isReplayable()
})

test('PERP-FUNDING-005: rate, mark and lots are fixed when a period ends, and a position is settled before a command touches it', () => {
  const world = payer({ bob: '9000', zoe: '5000' })
  const crowd = Array.from({ length: 420 }, (_, n) => `user${n}`)
  for (const name of crowd) world.trader(name, '30')
  for (const name of crowd) world.sell(name, 100, 100).isAccepted()
  world.buy('zoe', 100, 42_000).isAccepted()
  const late = crowd.at(-1)!
  world.world.atMs = due
  const first = world.tick()
  assert.deepEqual([first.of('perp.fundingDue').length, first.of('perp.funded').length], [1, 0])
  world.isReplayable()
  // The mark moves, carol and the last user of the crowd close their positions, and a new position is opened, which owes nothing.
  world.index(101)
  world.sell('bob', 101, 5000).isAccepted()
  world.buy('carol', 101, 4000).isAccepted().traded('101×4000')
  world.buy(late, 101, 100).isAccepted().traded('101×100')
  world.trader('new', '500').buy('new', 101, 500).isAccepted().traded('101×500')
  const parts = new Map<number, number>()
  const note = (told: Told): void => {
    for (const { user, amount, rate } of told.of('perp.fundingPaid')) {
      assert.equal(rate, 7_500_000)
      assert.ok(!parts.has(user), 'nobody is settled twice')
      parts.set(user, amount)
    }
  }
  note(first)
  let pages = 0
  for (; world.exchange.nextDueAtMs <= world.world.atMs; pages++) note(world.tick())
  assert.ok(pages > 1)
  assert.equal(parts.get(world.id('carol')), 3_000_000)
  assert.equal(parts.get(world.id('bob')), 4_500_000)
  assert.equal(parts.get(world.id(late)), 75_000)
  assert.equal(parts.get(world.id('zoe')), -31_500_000)
  assert.equal(parts.get(world.id('new')), undefined)
  assert.equal(
    [...parts.values()].reduce((sum, part) => sum + part, 0),
    0,
  )
  world.isReplayable()
})

test('PERP-FUNDING-005: unpaid funding of a running round can’t leave the account', () => {
  const world = givenPerp({ bob: '9000', alice: '2000' }, { fundingInterest: 7_500_000, fundingStretch: 7_500_000 })
  const crowd = Array.from({ length: 401 }, (_, n) => `user${n}`)
  for (const name of crowd) world.trader(name, '30')
  for (const name of crowd) world.sell(name, 100, 100).isAccepted()
  world.trader('zoe', '6000').mode('zoe', 'cross')
  world.buy('zoe', 100, 40_100).isAccepted()
  const free = world.exchange.perpAccount(world.id('zoe')).transferable
  world.world.atMs = due
  world.tick()
  const now = world.exchange.perpAccount(world.id('zoe')).transferable
  assert.equal(free - now, 30_075_000)
  world.transfer('zoe', ((now + 1) / 1e6).toFixed(6)).isRefused('AMOUNT_BOUND')
  world.transfer('zoe', (now / 1e6).toFixed(6)).isAccepted()
  while (world.exchange.nextDueAtMs <= world.world.atMs) world.tick()
  assert.equal(world.exchange.perpAccount(world.id('zoe')).available, 0)
  world.isReplayable()
})

test('PERP-FUNDING-006: funding counts open time only: a halt for a quarter of the period reduces the rate by a quarter', () => {
  const world = givenPerp(three)
  world.sell('bob', 100, 5000).isAccepted()
  world.buy('alice', 100, 5000).isAccepted()
  const terms = world.exchange.listing().markets.find(({ id }) => id === contract)!
  const halts = (isTrading: boolean): Told =>
    world.do({ type: 'perp.set', market: contract, terms: { ...terms.terms, isTrading }, perp: terms.perp }).isAccepted()
  world.world.atMs = due
  world.index(100)
  world.passes(hours8 / 2)
  halts(false)
  world.passes(hours8 / 4 - 5000)
  // The five seconds after a halt, in which the market takes only cancels, are not open time either.
  halts(true)
  world.passes(5000).tick()
  world.world.atMs = due + hours8
  world.isReplayable()
  const rates = world
    .tick()
    .of('perp.fundingDue')
    .map(({ rate }) => rate)
  // The rate is the interest of 0.01 % for three quarters of the period.
  assert.deepEqual(rates, [75_000])
  world.isReplayable()
})
