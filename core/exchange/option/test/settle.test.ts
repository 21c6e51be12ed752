/** What a settlement moves and tells, what one command decides, and what the exchange remembers of the tape. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MarketId, UserId } from '../../../protocol/ids.ts'
import { restoreState } from '../../dump.ts'
import { given as givenSpot } from '../../test/world.ts'
import type { Told } from '../../test/world.ts'
import { firstTerms, given, start, units, unlimited, usdt } from './world.ts'
import type { OptionWorld } from './world.ts'

const dayMs = 86_400_000

/** Entries of the command: account, reason, available and held part. */
function entries(told: Told): readonly (readonly [string, string, number, number])[] {
  return told
    .of('entry')
    .map(({ account, reason, delta, heldDelta }) => [
      'kind' in account ? account.kind : account.system,
      reason,
      delta / 1e6,
      heldDelta / 1e6,
    ])
}

test('OPTION-SETTLE-001: a win moves the profit, a loss the stake, a tie and a void order nothing; the holds end', () => {
  const cases = [
    {
      end: 60_010,
      result: 'win',
      payout: 18,
      loss: -8,
      moved: [
        ['option-house', 'payout', -8, 0],
        ['option', 'payout', 8, 0],
      ],
    },
    {
      end: 59_990,
      result: 'lose',
      payout: 0,
      loss: 10,
      moved: [
        ['option', 'stake', -10, 0],
        ['option-house', 'stake', 10, 0],
      ],
    },
    { end: 60_000, result: 'tie', payout: 10, loss: 0, moved: [] },
  ] as const
  for (const { end, result, payout, loss, moved } of cases) {
    const world = given()
    const user = world.trader('alice', 100)
    const { order } = world.open('alice', 'up').isAccepted()
    world.run(1_500, () => 60_000).run(29_750, () => end)
    world.world.atMs = start + 31_500
    const told = world.tick({ 1: 1 })
    assert.deepEqual(told.of('option.settled'), [
      {
        ...{ type: 'option.settled', order, user, market: 1, result, reason: 'none' },
        ...{ price: usdt(end), payout: units(payout), at: start + 31_500 },
      },
    ])
    const held = [
      ['option', 'hold', 10, -10],
      ['option-house', 'hold', 8, -8],
    ]
    assert.deepEqual(
      entries(told).filter(([, , , heldDelta]) => heldDelta === 0),
      moved,
    )
    assert.deepEqual(
      entries(told)
        .filter(([, , , heldDelta]) => heldDelta !== 0)
        .map(([account, , delta, heldDelta]) => [account, 'hold', delta, heldDelta]),
      held,
    )
    assert.equal(world.balance('alice'), `${90 + payout}+0`)
    const { openStakes, loss: lost } = world.world.exchange.optionMe(user)
    assert.deepEqual([openStakes, lost / 1e6], [0, loss])
    assert.deepEqual(world.world.exchange.openOptions(user), [])
    world.world.isReplayable()
  }
})

test('OPTION-VOID-001: a void order gives its stake back and counts as no loss, with and without a strike', () => {
  for (const [isStruck, at] of [
    [false, start + 4_501],
    [true, start + 34_500],
  ] as const) {
    const world = given()
    const user = world.trader('alice', 100)
    const { order } = world.open('alice', 'down').isAccepted()
    if (isStruck) world.run(20_000, () => 59_000)
    assert.equal(world.world.exchange.nextDueAtMs, at)
    world.silence(at - world.atMs)
    assert.deepEqual(world.settled.get(order), {
      ...{ type: 'option.settled', order, user, market: 1, result: 'void', reason: 'gap' },
      ...{ price: 0, payout: units(10), at },
    })
    assert.deepEqual([world.balance('alice'), world.balance('option-house')], ['100+0', '1000000+0'])
    assert.equal(world.world.exchange.optionMe(user).loss, 0)
  }
})

test('OPTION-SETTLE-005: one command decides 64 orders of all kinds together; the clock continues at once', () => {
  const world = given(unlimited)
  world.trader('alice', 10_000)
  const opens = (count: number): void => {
    for (let n = 0; n < count; n++) world.open('alice', n % 2 === 0 ? 'up' : 'down', { stake: 5 }).isAccepted()
  }
  opens(70)
  world.silence(4_500)
  assert.equal(world.settled.size, 0)
  world.world.atMs += 1
  const steps = (): number[] => {
    const counts: number[] = []
    while (world.world.exchange.nextDueAtMs <= world.atMs) {
      const told = world.do({ type: 'clock.tick' })
      counts.push(told.of('option.struck').length + told.of('option.settled').length)
    }
    return counts
  }
  assert.deepEqual(steps(), [64, 6])
  // 70 orders with a strike, and a silence until after their expiry.
  world.tick({ 1: 60_000 })
  opens(70)
  world.run(2_000, () => 60_000)
  assert.deepEqual(steps(), [])
  assert.equal(world.struck.size, 70)
  world.world.atMs += 29_499 + 3_000
  assert.deepEqual(steps(), [])
  world.world.atMs += 1
  assert.deepEqual(steps(), [64, 6])
  assert.equal(world.settled.size, 140)
  // 40 orders end and 40 begin with one tick: 40 strikes come first, then 24 settlements.
  world.tick({ 1: 60_000 })
  opens(40)
  world.run(30_000, () => 60_000)
  opens(40)
  world.world.atMs += 1_500
  const told = world.tick({ 1: 60_000 })
  assert.deepEqual([told.of('option.struck').length, told.of('option.settled').length], [40, 24])
  assert.deepEqual(steps(), [16])
  world.world.isReplayable()
})

test('TAPE-CHAIN-001: ticks are kept per market with open orders, back to the one before the longest window and gap', () => {
  const world = given()
  world.trader('alice', 100)
  const kept = (): Record<number, number[]> => {
    const { points } = restoreState(world.world.exchange.dump()).option
    return Object.fromEntries([...points].map(([market, list]) => [market, list.map(({ at }) => (at - start) / 1000)]))
  }
  assert.deepEqual(kept(), {})
  world.open('alice', 'up', { market: 3 }).isAccepted()
  world.run(5_000, () => 60_000, 1_000)
  world.open('alice', 'up', { market: 1, seconds: 60 }).isAccepted()
  world.run(15_000, () => 60_000, 1_000)
  // Windows of 3 s and 5 s, a gap of 3 s and 2 s more: ten seconds.
  const ten = Array.from({ length: 11 }, (_, n) => n + 10)
  assert.deepEqual(kept(), { 1: ten, 3: ten })
  world.run(12_000, () => 60_000, 1_000)
  // The order of 30 s is settled, and its market’s ticks are gone.
  assert.deepEqual(Object.keys(kept()), ['1'])
  world.run(40_000, () => 60_000, 1_000)
  assert.deepEqual([kept(), restoreState(world.world.exchange.dump()).option.keepMs], [{}, 0])
})

test('OPTION-EXPOSURE-003: a restored exchange counts the open orders of each market and direction as before', () => {
  const world = given()
  world.trader('bob', 100)
  world.trader('alice', 100)
  world.open('bob', 'up', { market: 3 }).isAccepted()
  world.open('alice', 'down').isAccepted()
  world.run(2_000, () => 60_000)
  const { option } = restoreState(world.world.exchange.dump())
  assert.equal(option.orders.size, 2)
  assert.equal(option.worst, units(16))
  assert.deepEqual(
    [...option.sides].map(([market, sides]) => [market, sides]),
    [
      [3, { upStake: units(10), upProfit: units(8), downStake: 0, downProfit: 0 }],
      [1, { upStake: 0, upProfit: 0, downStake: units(10), downProfit: units(8) }],
    ],
  )
})

test('OPTION-CAP-006: before terms there is nothing to offer, and a stranger has no limits', () => {
  const world = givenSpot()
  const { terms, isOpen, fund, markets, tape } = world.exchange.optionTerms()
  assert.deepEqual([terms, isOpen, fund, tape], [null, false, 0, { tick: 0, at: 0 }])
  assert.deepEqual(markets, [{ market: 1, isPaused: true }])
  const none = { openStakes: 0, loss: 0, lossMax: 0, nextLossMax: 0, nextAt: 0, coolOffUntil: 0 }
  const { isOpenInRegion, ...rest } = world.exchange.optionMe(world.user('alice'))
  assert.deepEqual(rest, { isAdmitted: false, isGuardSpent: false, ...none, left: [] })
  assert.deepEqual(world.exchange.openOptions(world.user('alice')), [])
  assert.equal(typeof isOpenInRegion, 'boolean')
})

/** The view of a customer, with times since the start. */
function standing(world: OptionWorld, user: UserId): object {
  const { left: _, isOpenInRegion: __, ...rest } = world.world.exchange.optionMe(user)
  return rest
}

test('OPTION-LIMITS-001: a customer sees open stakes, the day’s loss, the limit and its waiting change, and the pause', () => {
  const world = given()
  const user = world.trader('alice', 100)
  world.do({ type: 'option.setLimits', user, lossMax: units(50), coolOffUntil: 0 }).isAccepted()
  world.do({ type: 'option.setLimits', user, lossMax: units(80), coolOffUntil: start + 60_000 }).isAccepted()
  const limits = { lossMax: units(50), nextLossMax: units(80), nextAt: start + dayMs, coolOffUntil: start + 60_000 }
  const rest = { isAdmitted: true, openStakes: 0, loss: 0, isGuardSpent: false }
  assert.deepEqual(standing(world, user), { ...rest, ...limits })
  world.silence(60_000)
  world.tick({ 1: 60_000 })
  assert.deepEqual(standing(world, user), { ...rest, ...limits, coolOffUntil: 0 })
  const first = world.open('alice', 'up', { stake: 7 }).isAccepted().order
  const second = world.open('alice', 'down', { stake: 5, seconds: 60 }).isAccepted().order
  assert.deepEqual(standing(world, user), { ...rest, ...limits, coolOffUntil: 0, openStakes: units(12) })
  const running = (): object[] =>
    world.world.exchange.openOptions(user).map((one) => [one.order, one.direction, one.stake, 'struck' in one ? one.struck : undefined])
  assert.deepEqual(running(), [
    [first, 'up', units(7), undefined],
    [second, 'down', units(5), undefined],
  ])
  world.world.atMs += 1_500
  const { tick, at } = world.tick({ 1: 60_001 }).of('option.struck')[0]!
  const struck = { strike: usdt(60_001), tick, at }
  assert.deepEqual(running(), [
    [first, 'up', units(7), struck],
    [second, 'down', units(5), struck],
  ])
  // The waiting limit applies from the very millisecond that was told.
  world.silence(start + dayMs - world.atMs)
  world.tick({ 1: 60_000 })
  assert.deepEqual(standing(world, user), { ...rest, lossMax: units(80), nextLossMax: units(80), nextAt: 0, coolOffUntil: 0 })
  const offer = world.world.exchange.optionTerms()
  assert.deepEqual(
    offer.markets.map(({ market, isPaused }) => [market as MarketId, isPaused]),
    [
      [1, false],
      [3, false],
    ],
  )
  world.tick({ 3: 3_000 }, { isGood: false, sources: 2 })
  assert.deepEqual(
    world.world.exchange.optionTerms().markets.map(({ isPaused }) => isPaused),
    [false, true],
  )
  assert.deepEqual(offer.terms, firstTerms)
})
