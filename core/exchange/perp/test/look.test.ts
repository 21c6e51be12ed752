/** Which positions and accounts an index tick finds, when the fund trades, and in which order liquidations run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lots, Millis, Ticks } from '../../../money/brand.ts'
import { beginLook, isLooking, lookSome } from '../liquidation/find-ruined.ts'
import { workDueAtMs, workOff } from '../liquidation/work-off.ts'
import type { Contract } from '../records/state.ts'
import { Alone } from './alone.ts'

const queued = ({ x }: Alone): readonly (readonly (number | undefined)[])[] =>
  x.perp.queue.map((one) => [one.account.user, one.holding?.id])

test('PERP-LIQUIDATION-007: a check that a tick finds unfinished begins again after it, and movements of marks add up', () => {
  const { x } = new Alone()
  x.perp.movedBy = 40
  assert.equal(isLooking(x), false)
  beginLook(x)
  assert.deepEqual([x.perp.looksOn, x.perp.looksAgain, x.perp.moved, x.perp.movedBy, isLooking(x)], [true, false, 41, 0, true])
  lookSome(x)
  assert.deepEqual([x.perp.looksOn, x.perp.lookedTo, isLooking(x)], [false, 0, false])
  beginLook(x)
  x.perp.lookedTo = 5
  x.perp.movedBy = 2
  beginLook(x)
  assert.deepEqual([x.perp.looksOn, x.perp.looksAgain, x.perp.moved], [true, true, 45])
  lookSome(x)
  assert.deepEqual([x.perp.looksOn, x.perp.looksAgain, x.perp.lookedTo], [true, false, 0])
  lookSome(x)
  assert.equal(x.perp.looksOn, false)
  // Between two checks a level that the mark has reached is not looked for.
  const alone = new Alone()
  alone.contract.setLevel(alone.opens(1, 1, 200, 1), 100 as Ticks)
  lookSome(alone.x)
  assert.deepEqual(queued(alone), [])
})

test('PERP-LIQUIDATION-007: a mark reaches the level of a long from above and of a short from below, each exactly', () => {
  const alone = new Alone()
  const { x } = alone
  // Each has lost everything, so that it is queued as soon as it is found.
  const found = (lots: number, level: number): boolean => {
    const holding = alone.opens(1, lots, lots > 0 ? 200 : 1, 1)
    alone.contract.setLevel(holding, level as Ticks)
    x.perp.looksOn = true
    lookSome(x)
    const isFound = x.perp.queue.length > 0
    x.perp.queue.length = 0
    holding.isLiquidating = false
    holding.isWatched = false
    x.perp.watched.length = 0
    holding.lots = 0 as Lots
    x.perp.enlist(holding)
    return isFound
  }
  assert.deepEqual([found(1, 99), found(1, 100), found(1, 101), found(1, 0)], [false, true, true, false])
  assert.deepEqual([found(-1, 101), found(-1, 100), found(-1, 99), found(-1, 0)], [false, true, true, false])
  alone.contract.source.isIndexGood = false
  assert.equal(found(1, 101), false)
})

test('PERP-LIQUIDATION-007: one command checks 128 positions and the next one those with higher numbers, each once', () => {
  const alone = new Alone()
  const { x } = alone
  for (let user = 129; user >= 1; user--) alone.contract.setLevel(alone.opens(user, 1, 200, 1), 100 as Ticks)
  beginLook(x)
  lookSome(x)
  assert.deepEqual([x.perp.queue.length, x.perp.lookedTo, x.perp.looksOn], [128, 228, true])
  assert.deepEqual(queued(alone)[0], [1, 101])
  assert.deepEqual(queued(alone)[127], [128, 228])
  lookSome(x)
  assert.deepEqual([x.perp.queue.length, x.perp.lookedTo, x.perp.looksOn], [129, 0, false])
  lookSome(x)
  assert.equal(x.perp.queue.length, 129)
  const exact = new Alone()
  for (let user = 128; user >= 1; user--) exact.contract.setLevel(exact.opens(user, 1, 200, 1), 100 as Ticks)
  beginLook(exact.x)
  lookSome(exact.x)
  assert.deepEqual([exact.x.perp.queue.length, exact.x.perp.lookedTo, exact.x.perp.looksOn], [128, 0, false])
})

test('PERP-LIQUIDATION-007: positions that wait in a halted market are checked once and keep their levels', () => {
  const alone = new Alone()
  const { x } = alone
  for (let user = 256; user >= 1; user--) alone.contract.setLevel(alone.opens(user, 1, 200, 1), 100 as Ticks)
  alone.contract.gate.advance(0 as Millis, true, false)
  beginLook(x)
  lookSome(x)
  assert.deepEqual([x.perp.watched.length, x.perp.lookedTo, x.perp.looksOn], [128, 228, true])
  lookSome(x)
  assert.deepEqual([x.perp.watched.length, x.perp.lookedTo, x.perp.looksOn, queued(alone)], [256, 0, false, []])
})

test('PERP-LIQUIDATION-007: isolated positions are queued by their numbers, then cross accounts by their users, and only ruined ones', () => {
  const alone = new Alone()
  const { x } = alone
  const opened = [
    alone.opens(6, 1, 200, 1, { isCross: true }),
    alone.opens(2, 1, 200, 1, { isCross: true }),
    alone.opens(5, 1, 200, 1),
    alone.opens(3, 1, 200, 1),
    // This one has 3 at the mark, one more than its maintenance margin of ⌈2.5⌉; it is only close to liquidation.
    alone.opens(4, 1, 100, 4),
  ]
  // The position of user 1 has the highest number.
  const last = alone.opens(1, 1, 200, 1)
  last.id = 300 as typeof last.id
  // The position of user 2 is younger than that of user 6.
  opened[1]!.id = 400 as typeof last.id
  for (const holding of [...opened, last]) alone.contract.setLevel(holding, 100 as Ticks)
  beginLook(x)
  lookSome(x)
  assert.deepEqual(queued(alone), [
    [3, 103],
    [5, 105],
    [1, 300],
    [2, undefined],
    [6, undefined],
  ])
  assert.deepEqual(
    alone.told('perp.level').map(({ user, state }) => [user, state]),
    [1, 2, 3, 4, 5, 6].map((user) => [user, 'watch']),
  )
  const halted = new Alone()
  const one = halted.opens(1, 1, 200, 1)
  halted.contract.setLevel(one, 100 as Ticks)
  halted.contract.gate.advance(0 as Millis, true, false)
  beginLook(halted.x)
  lookSome(halted.x)
  assert.deepEqual(queued(halted), [])
})

/** A cross account of user 1 with two long positions of 100 lots at 100 and this balance. */
function mixed(balance: number): Alone {
  const alone = new Alone()
  const other = alone.lists(5)
  alone.opens(1, 100, 100, 0, { isCross: true })
  const second = alone.opens(1, 100, 100, 0, { contract: other, isCross: true })
  second.id = 102 as typeof second.id
  alone.pays(1, balance - 2)
  return alone
}

test('PERP-LIQUIDATION-007: a mixed account rests until marks have moved as far as its room allows', () => {
  const rests = (balance: number): number => {
    const alone = mixed(balance)
    const { x } = alone
    assert.equal(isLooking(x), false)
    x.perp.moved = 1
    assert.equal(isLooking(x), true)
    lookSome(x)
    assert.deepEqual([queued(alone).length, isLooking(x)], [0, false])
    return x.perp.mixed.first!.calmUntil - 1
  }
  // 2 × ⌈10,000 × 3.125 % + 2⌉ = 630 must be left: room ÷ (20,000 × 1.03125) × 0.92.
  assert.deepEqual([rests(1630), rests(2630)], [Math.floor((1000 / 20_625) * 920_000_000), Math.floor((2000 / 20_625) * 920_000_000)])
  // At most 15 %, at least 1.
  assert.deepEqual([rests(20_000), rests(631), rests(630), rests(626)], [150_000_000, Math.floor((1 / 20_625) * 920_000_000), 1, 1])
})

test('PERP-LIQUIDATION-007: one command values 250 mixed accounts, and a ruined one is queued as a whole', () => {
  const alone = new Alone()
  const other = alone.lists(5)
  const { x } = alone
  for (let user = 251; user >= 1; user--) {
    alone.opens(user, 1, 100, 5, { isCross: true })
    const second = alone.opens(user, 1, 100, 5, { contract: other, isCross: true })
    second.id = (user + 1000) as typeof second.id
  }
  x.perp.moved = 1
  lookSome(x)
  assert.deepEqual([x.perp.mixed.first?.user, x.perp.mixed.first?.calmUntil, isLooking(x)], [251, 1, true])
  lookSome(x)
  assert.deepEqual([x.perp.mixed.first!.calmUntil > 1, isLooking(x)], [true, false])
  const ruined = mixed(200)
  ruined.x.perp.moved = 1
  lookSome(ruined.x)
  assert.deepEqual(queued(ruined), [[1, undefined]])
  assert.equal(ruined.x.perp.mixed.first!.calmUntil, 2)
})

const works = (contract: Contract, lots: number, sinceMs: number, workedAtMs: number): void => {
  Object.assign(contract.inventory, { lots, cost: Math.abs(lots) * 90, sinceMs, workedAtMs })
  contract.openLots = Math.max(0, lots) as Lots
}

test('PERP-FUND-002: the fund is due ten seconds after its last order in any contract, and never without an inventory', () => {
  const alone = new Alone()
  const other = alone.lists(5)
  assert.equal(workDueAtMs(alone.x), Infinity)
  workOff(alone.at(5_000_000).x)
  assert.deepEqual([alone.contract.rankings, other.inventory.workedAtMs], [[undefined, undefined], 0])
  works(other, -5, 4000, 8000)
  assert.equal(workDueAtMs(alone.x), 18_000)
  works(alone.contract, 5, 4000, 7000)
  assert.equal(workDueAtMs(alone.x), 17_000)
  works(alone.contract, 5, 4000, 9000)
  assert.equal(workDueAtMs(alone.x), 18_000)
  workOff(alone.at(18_000).x)
  assert.deepEqual([other.inventory.workedAtMs, alone.contract.inventory.workedAtMs], [18_000, 9000])
  workOff(alone.at(19_000).x)
  assert.deepEqual([other.inventory.workedAtMs, alone.contract.inventory.workedAtMs], [18_000, 19_000])
})

test('PERP-FUND-002: the fund sells and buys at most 1 % from the mark', () => {
  const worked = (lots: number, side: 'buy' | 'sell', price: number): number => {
    const alone = new Alone(1000)
    works(alone.contract, lots, 1000, 1000)
    alone.quotes(1, side, price, 10)
    alone.contract.inventory.traded(10_000 as Millis, 240 as Lots)
    workOff(alone.at(11_000).x)
    return alone.contract.inventory.lots
  }
  assert.deepEqual([worked(10, 'buy', 99), worked(10, 'buy', 98)], [6, 10])
  assert.deepEqual([worked(-10, 'sell', 101), worked(-10, 'sell', 102)], [-6, -10])
})

test('PERP-FUND-003: after exactly half an hour an inventory is closed at the mark, unless its market does not liquidate', () => {
  const begun = 1_000_000
  const made = (): Alone => {
    const alone = new Alone(1000)
    alone.opens(1, -10, 110, 1100)
    works(alone.contract, 10, begun, begun)
    return alone
  }
  const early = made()
  workOff(early.at(begun + 1_799_999).x)
  assert.deepEqual([early.contract.inventory.lots, early.contract.inventory.workedAtMs], [10, begun + 1_799_999])
  const exact = made()
  workOff(exact.at(begun + 1_800_000).x)
  assert.deepEqual([exact.contract.inventory.lots, exact.has(1)], [0, [1201, 0]])
  assert.equal(exact.told('perp.closed').length, 1, 'its events are complete')
  const halted = made()
  halted.contract.gate.advance((begun + 1) as Millis, true, false)
  workOff(halted.at(begun + 1_800_000).x)
  assert.deepEqual([halted.contract.inventory.lots, halted.contract.inventory.workedAtMs], [10, begun + 1_800_000])
  // Without positions that can bear the mark, the next try is ten seconds later; with a part closed, at once.
  const alone = new Alone(1000)
  works(alone.contract, 10, begun, begun)
  workOff(alone.at(begun + 1_800_000).x)
  assert.deepEqual([alone.contract.inventory.lots, workDueAtMs(alone.x)], [10, begun + 1_810_000])
  const many = new Alone(1000)
  for (let user = 1; user <= 40; user++) many.opens(user, -1, 110, 110)
  works(many.contract, 40, begun, begun)
  workOff(many.at(begun + 1_800_000).x)
  assert.deepEqual([many.contract.inventory.lots, workDueAtMs(many.x)], [8, begun + 10_000])
})
