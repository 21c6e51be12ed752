/** Bounds of Second on both sides: terms, limits, exposures, and what a queue holds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis, Units } from '../../../money/brand.ts'
import type { OptionTerms } from '../../../protocol/command/option.ts'
import type { OrderId, UserId } from '../../../protocol/ids.ts'
import * as records from '../records/state.ts'
import { DueQueue } from '../records/queue.ts'
import { areTermsValid } from '../set-terms.ts'
import { given as givenSpot } from '../../test/world.ts'
import { firstTerms, given, start, units } from './world.ts'

const dayMs = 86_400_000
const million = 1_000_000

test('OPTION-TERMS-003: each term is valid from its least to its largest value, and not one beyond', () => {
  const isValid = (change: object): boolean => areTermsValid({ ...firstTerms, ...change } as OptionTerms)
  const rates = (count: number, first = 30): object => ({
    rates: Array.from({ length: count }, (_, n) => ({ seconds: first + n, profitPpm: 1 })),
  })
  const rate = (seconds: number, profitPpm = 1): object => ({ rates: [{ seconds, profitPpm }] })
  const two = (seconds: number, profitPpm = 1): object => ({
    rates: [
      { seconds: 30, profitPpm: 1 },
      { seconds, profitPpm },
    ],
  })
  const pairs: readonly (readonly [valid: object, invalid: object])[] = [
    [rates(1), rates(0)],
    [rates(20), rates(21)],
    [
      { ...rate(1), gapMaxMs: 1 },
      { ...rate(0), gapMaxMs: 1 },
    ],
    [rate(86_400), rate(86_401)],
    [two(31), two(30)],
    [two(60, 1), two(60, 0)],
    [two(60, million), two(60, million + 1)],
    [{ stakeMin: 1 }, { stakeMin: 0 }],
    [{ stakeMin: units(1000) }, { stakeMin: units(1000) + 1 }],
    [{ openMax: units(1000) }, { openMax: units(1000) - 1 }],
    [{ openMax: 2 ** 50 }, { openMax: 2 ** 50 + 1 }],
    [{ sideMax: units(5) }, { sideMax: units(5) - 1 }],
    [{ sideMax: 2 ** 50 }, { sideMax: 2 ** 50 + 1 }],
    [{ strikeDelayMs: 1 }, { strikeDelayMs: 0 }],
    [{ strikeDelayMs: 60_000 }, { strikeDelayMs: 60_001 }],
    // The window of 30 s has at least a millisecond from 34 ppm on.
    [{ windowPpm: 34 }, { windowPpm: 33 }],
    [{ windowPpm: million }, { windowPpm: million + 1 }],
    [{ windowMaxMs: 1 }, { windowMaxMs: 0 }],
    [{ windowMaxMs: 60_000 }, { windowMaxMs: 60_001 }],
    [{ gapMaxMs: 1 }, { gapMaxMs: 0 }],
    [
      { ...rate(900), gapMaxMs: 60_000 },
      { ...rate(900), gapMaxMs: 60_001 },
    ],
    [{ gapMaxMs: 26_999 }, { gapMaxMs: 27_000 }],
    // Of two durations each must be decidable.
    [
      {
        rates: [
          { seconds: 4, profitPpm: 1 },
          { seconds: 60, profitPpm: 1 },
        ],
      },
      {
        rates: [
          { seconds: 3, profitPpm: 1 },
          { seconds: 60, profitPpm: 1 },
        ],
      },
    ],
    [{ guardVoidsFree: 0 }, { guardVoidsFree: -1 }],
    [{ guardVoidsFree: million }, { guardVoidsFree: million + 1 }],
    [{ houseFloor: 0 }, { houseFloor: -1 }],
    [{ houseFloor: 2 ** 50 }, { houseFloor: 2 ** 50 + 1 }],
    [{ limitWaitMs: 0 }, { limitWaitMs: -1 }],
    [{ limitWaitMs: 30 * dayMs }, { limitWaitMs: 30 * dayMs + 1 }],
  ]
  const shares = ['marketExposurePpm', 'totalExposurePpm', 'groupExposurePpm', 'groupPpm', 'guardVoidsPpm']
  const ofShares = shares.flatMap(
    (name) =>
      [
        [{ [name]: 0 }, { [name]: -1 }],
        [{ [name]: million }, { [name]: million + 1 }],
      ] as const,
  )
  for (const [valid, invalid] of [...pairs, ...ofShares]) {
    assert.equal(isValid(valid), true, JSON.stringify(valid))
    assert.equal(isValid(invalid), false, JSON.stringify(invalid))
  }
})

test('OPTION-LIMITS-003: a limit is at most 2^50 units, and before Second has terms a raised one waits for a day', () => {
  const world = given()
  const user = world.trader('alice')
  const set = (lossMax: number) => world.do({ type: 'option.setLimits', user, lossMax, coolOffUntil: 0 })
  set(2 ** 50 + 1).isRefused('LIMIT_INVALID')
  set(2 ** 50).isAccepted()
  world.do({ type: 'option.setTerms', terms: { ...firstTerms, limitWaitMs: 5_000 } }).isAccepted()
  const [raised] = set(0).isAccepted().of('option.limits')
  assert.deepEqual([raised!.lossMax, raised!.nextLossMax, raised!.nextAt], [2 ** 50, 0, start + 5_000])
  // A lower limit ends the wait for a higher one.
  const [lowered] = set(units(10)).isAccepted().of('option.limits')
  assert.deepEqual([lowered!.lossMax, lowered!.nextLossMax, lowered!.nextAt], [units(10), units(10), 0])

  const early = givenSpot()
  const bob = early.user('bob')
  for (const lossMax of [units(10), units(20)]) early.do({ type: 'option.setLimits', user: bob, lossMax, coolOffUntil: 0 }).isAccepted()
  const { lossMax, nextLossMax, nextAt } = early.exchange.optionMe(bob)
  assert.deepEqual([lossMax, nextLossMax, nextAt], [units(10), units(20), start + dayMs])
})

test('OPTION-LIMITS-004: a pause lasts from a millisecond to 366 days, ends on time, and may be set again to the same end', () => {
  const world = given()
  const user = world.trader('alice')
  const pause = (until: number) => world.do({ type: 'option.setLimits', user, lossMax: 0, coolOffUntil: until })
  pause(world.atMs).isRefused('LIMIT_INVALID')
  pause(world.atMs + 366 * dayMs + 1).isRefused('LIMIT_INVALID')
  const [told] = pause(world.atMs + 1)
    .isAccepted()
    .of('option.limits')
  assert.equal(told!.coolOffUntil, start + 1)
  pause(start + 1_000).isAccepted()
  pause(start + 1_000).isAccepted()
  pause(start + 999).isRefused('LIMIT_INVALID')
  assert.equal(world.world.exchange.optionMe(user).coolOffUntil, start + 1_000)
  world.world.atMs = start + 999
  world.tick({ 1: 60_000 })
  world.open('alice', 'up').isRefused('COOLING_OFF')
  world.world.atMs = start + 1_000
  world.tick({ 1: 60_000 })
  world.open('alice', 'up').isAccepted()
  assert.equal(world.world.exchange.optionMe(user).coolOffUntil, 0)
  pause(start + 1_000 + 366 * dayMs).isAccepted()
})

test('OPTION-REFUSE-001: requests exactly at their bounds are accepted', () => {
  const world = given({ stakeMin: units(5), stakeMax: units(100), openMax: units(105) })
  const user = world.trader('alice', 105)
  world.do({ type: 'option.setLimits', user, lossMax: units(105), coolOffUntil: 0 }).isAccepted()
  // The last tick is as old as the longest gap.
  world.world.atMs += 3_000
  world.open('alice', 'up', { stake: 100, guardPpm: 1_000_000 }).isAccepted()
  world.open('alice', 'down', { stake: 5, guardPpm: 0 }).isAccepted()
  assert.deepEqual([world.balance('alice'), world.world.exchange.optionMe(user).openStakes], ['0+105', units(105)])
  world.world.atMs += 1
  world.trader('bob')
  world.open('bob', 'up').isRefused('NO_INDEX_PRICE')
})

test('OPTION-EXPOSURE-002: the worst case of Down counts like that of Up, and the shares hold to the unit', () => {
  // 3 % of 200,000 are 6,000, all markets' 4 % are 8,000; 70 % of another market count in the group.
  const caps = { openMax: units(1_000_000), sideMax: units(1_000_000), totalExposurePpm: 40_000, groupExposurePpm: 1_000_000 }
  for (const direction of ['up', 'down'] as const) {
    const world = given(caps, 200_000)
    world.trader('alice', 20_000)
    const opposite = direction === 'up' ? 'down' : 'up'
    for (let n = 0; n < 7; n++) world.open('alice', direction, { stake: 1000 }).isAccepted()
    // 5,600 at risk; 500 more are 400, to 6,000 exactly.
    world.open('alice', direction, { stake: 500.000002 }).isRefused('EXPOSURE_LIMIT')
    world.open('alice', direction, { stake: 500 }).isAccepted()
    // 2,000 are left for the other market.
    for (let n = 0; n < 2; n++) world.open('alice', direction, { stake: 1000, market: 3 }).isAccepted()
    world.open('alice', direction, { stake: 500.000002, market: 3 }).isRefused('EXPOSURE_LIMIT')
    world.open('alice', direction, { stake: 500, market: 3 }).isAccepted()
    // The lost stake of the other direction pays for more: 6,000 − 5 + 4 is within the share again.
    world.open('alice', direction, { stake: 5 }).isRefused('EXPOSURE_LIMIT')
    world.open('alice', opposite, { stake: 5 }).isAccepted()
    world.open('alice', direction, { stake: 5 }).isAccepted()
    world.open('alice', direction, { stake: 6.250001 }).isRefused('EXPOSURE_LIMIT')
  }
})

test('OPTION-EXPOSURE-004: an order may take the last free unit of the fund', () => {
  const world = given({ houseFloor: 0, marketExposurePpm: million, totalExposurePpm: million, groupExposurePpm: million }, 8)
  world.trader('alice')
  world.open('alice', 'up', { stake: 10.000002 }).isRefused('EXPOSURE_LIMIT')
  world.open('alice', 'up', { stake: 10 }).isAccepted()
  assert.equal(world.balance('option-house'), '0+8')
})

test('OPTION-HOUSE-001: Second is open with exactly the floor in the fund and closed one unit below it', () => {
  for (const [floor, isOpen] of [
    [units(1_000_000), true],
    [units(1_000_000) + 1, false],
  ] as const) {
    const world = given()
    world.trader('alice')
    const told = world.do({ type: 'option.setTerms', terms: { ...firstTerms, houseFloor: floor } }).isAccepted()
    const expected = isOpen ? [] : [{ type: 'option.house', isOpen: false, fund: units(1_000_000) }]
    assert.deepEqual(told.of('option.house'), expected)
    assert.equal(world.world.exchange.optionTerms().isOpen, isOpen)
    assert.equal(world.open('alice', 'up').outcome.refusal, isOpen ? undefined : 'PRODUCT_CLOSED')
  }
})

test('OPTION-LIMITS-002: losses and guards belong to the UTC day of their time', () => {
  const desk = new records.OptionDesk()
  const one = desk.user(7 as UserId)
  assert.equal(desk.user(7 as UserId), one)
  const at = (ms: number): Millis => ms as Millis
  records.addLoss(one, at(10 * dayMs), units(5) as Units)
  records.addLoss(one, at(11 * dayMs - 1), -units(2) as Units)
  assert.deepEqual([one.day, records.lossOf(one, at(11 * dayMs - 1)), records.lossOf(one, at(11 * dayMs))], [10, units(3), 0])
  records.addLoss(one, at(11 * dayMs), units(1) as Units)
  assert.deepEqual([one.day, one.loss], [11, units(1)])
  records.countGuards(one, at(10 * dayMs), 1, 0)
  records.countGuards(one, at(11 * dayMs - 1), 2, 1)
  assert.deepEqual(records.guardsOf(one, at(11 * dayMs - 1)), { orders: 3, voids: 1 })
  assert.deepEqual(records.guardsOf(one, at(11 * dayMs)), { orders: 0, voids: 0 })
  records.countGuards(one, at(11 * dayMs), 0, 1)
  assert.deepEqual([one.guardDay, one.dayOrders, one.guardVoids], [11, 0, 1])
  one.lossMax = 5 as Units
  one.nextLossMax = 9 as Units
  one.nextAt = at(1_000)
  assert.deepEqual([records.lossMaxOf(one, at(999)), records.lossMaxOf(one, at(1_000))], [5, 9])
})

test('OPTION-SETTLE-005: a queue gives the earliest item first, of equal times the lower number, and skips what is done', () => {
  type Item = { readonly order: OrderId; readonly dueAt: number; isDone: boolean }
  let state = 5
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let round = 0; round < 200; round++) {
    const items: Item[] = Array.from({ length: random(24) }, (_, n) => ({ order: (n + 1) as OrderId, dueAt: random(6), isDone: false }))
    const queue = new DueQueue<Item>(
      (item) => item.dueAt,
      (item) => !item.isDone,
    )
    assert.equal(queue.first, undefined)
    for (const item of items.toSorted((a, b) => ((a.order * 7) % 25) - ((b.order * 7) % 25))) queue.add(item)
    // Some are done in another queue before their turn.
    for (const item of items) if (random(4) === 0) item.isDone = true
    const expected = items.filter(({ isDone }) => !isDone).toSorted((a, b) => a.dueAt - b.dueAt || a.order - b.order)
    for (const item of expected) {
      assert.equal(queue.first, item)
      item.isDone = true
    }
    assert.equal(queue.first, undefined)
  }
})
