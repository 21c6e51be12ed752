import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as optionRules from '../../../risk/option.ts'
import type { UserId } from '../../../protocol/ids.ts'
import { Exchange } from '../../exchange.ts'
import { given, unlimited, units } from './world.ts'
import type { OptionWorld } from './world.ts'
import { plain } from '../../../money/test/plain.ts'

// These functions take plain numbers, so that the tests can use literals.
const { groupRoom, groupSum, guardVoidsMax } = plain(optionRules)

test('OPTION-CAP-001: a customer’s stakes in one direction stay within their limit, which affects neither the other direction nor others', () => {
  const world = given()
  for (const name of ['alice', 'bob']) world.trader(name, 10_000)
  for (let n = 0; n < 3; n++) world.open('alice', 'up', { stake: 1000 }).isAccepted()
  world.open('alice', 'up', { stake: 5 }).isRefused('STAKES_SIDE_LIMIT')
  world.open('alice', 'down', { stake: 1000 }).isAccepted()
  world.open('bob', 'up', { stake: 1000 }).isAccepted()
  world.run(1500, () => 60_000).run(30_000, () => 61_000)
  world.open('alice', 'up', { stake: 5 }).isAccepted()
})

test('OPTION-CAP-002: each of two markets counts 70 % of the other', () => {
  const world = given()
  world.trader('alice', 10_000)
  for (let n = 0; n < 2; n++) world.open('alice', 'up', { stake: 1000 }).isAccepted()
  world.open('alice', 'up', { stake: 1000, market: 3 }).isAccepted()
  // 2,000 + 70 % of 1,428.57 = 3,000.
  world.open('alice', 'up', { stake: 428.58, market: 3 }).isRefused('STAKES_SIDE_LIMIT')
  world.open('alice', 'up', { stake: 428.57, market: 3 }).isAccepted()
})

test('OPTION-CAP-003: many customers together can’t bet more on one direction of all coins than its share of the fund allows', () => {
  const world = given({ marketExposurePpm: 1_000_000, totalExposurePpm: 1_000_000 }, 200_000)
  const names = Array.from({ length: 30 }, (_, n) => `customer${n}`)
  for (const name of names) world.trader(name, 1_000)
  // 5 % of 200,000 is 10,000: profits of 7,200 in one market plus 70 % of 4,000 in the other.
  for (const name of names.slice(0, 9)) world.open(name, 'up', { stake: 1000 }).isAccepted()
  for (const name of names.slice(9, 14)) world.open(name, 'up', { stake: 1000, market: 3 }).isAccepted()
  world.open(names[14]!, 'up', { stake: 5, market: 3 }).isRefused('EXPOSURE_GROUP_LIMIT')
  world.open(names[14]!, 'up', { stake: 5 }).isRefused('EXPOSURE_GROUP_LIMIT')
  // An order that reduces the cost is accepted, and makes room for others.
  world.open(names[15]!, 'down', { stake: 1000, market: 3 }).isAccepted()
  world.open(names[14]!, 'up', { stake: 500 }).isAccepted()
})

test('OPTION-CAP-004: the total of a group is the largest sum of a market and a share of the others, rounded up', () => {
  const sums = fc.array(fc.integer({ min: -1e12, max: 1e12 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(sums, fc.integer({ min: 0, max: 1_000_000 }), (list, ppm) => {
      const exact = list.map((own, i) => {
        const others = list.filter((_, k) => k !== i).reduce((sum, one) => sum + BigInt(one), 0n)
        const scaled = BigInt(own) * 1_000_000n + BigInt(ppm) * others
        return scaled <= 0n ? 0n : (scaled + 999_999n) / 1_000_000n
      })
      assert.equal(
        BigInt(groupSum(list, ppm)),
        exact.reduce((most, one) => (one > most ? one : most), 0n),
      )
    }),
  )
  assert.equal(groupSum([], 700_000), 0)
})

test('OPTION-CAP-005: the room of one market is the largest amount that keeps the group within the limit', () => {
  const sum = fc.integer({ min: 0, max: 1e10 })
  fc.assert(
    fc.property(sum, fc.array(sum, { maxLength: 8 }), fc.integer({ min: 0, max: 1_000_000 }), sum, (own, others, ppm, most) => {
      const room = groupRoom(own, others, ppm, most)
      const within = (more: number): boolean => groupSum([own + more, ...others], ppm) <= most
      assert.ok(room === 0 || within(room), 'the room itself fits')
      assert.ok(!within(room + 1), 'one more does not')
    }),
    { numRuns: 2000 },
  )
})

test('OPTION-CAP-006: a customer reads the room in each market and direction, and the exchange accepts exactly that stake', () => {
  const world = given()
  world.trader('alice', 10_000)
  const left = (market: number): readonly number[] => {
    const row = world.world.exchange.optionMe(world.world.user('alice') as UserId).left.find((one) => one.market === market)!
    return [row.up / 1e6, row.down / 1e6]
  }
  assert.deepEqual(
    [left(1), left(3)],
    [
      [3000, 3000],
      [3000, 3000],
    ],
  )
  for (let n = 0; n < 2; n++) world.open('alice', 'up', { stake: 1000 }).isAccepted()
  world.open('alice', 'up', { stake: 700, market: 3 }).isAccepted()
  // 510 more: 2,510 + 70 % of 700 = 3,000. In the other market 728.571428 more: 2,000 + 70 % of 1,428.571428.
  assert.deepEqual(
    [left(1), left(3)],
    [
      [510, 3000],
      [728.571428, 3000],
    ],
  )
  world.open('alice', 'up', { stake: 510.000001 }).isRefused('STAKES_SIDE_LIMIT')
  world.open('alice', 'up', { stake: 728.571429, market: 3 }).isRefused('STAKES_SIDE_LIMIT')
  world.open('alice', 'up', { stake: 728.571428, market: 3 }).isAccepted()
  assert.deepEqual(left(3), [0, 3000])
})

/** Opens an order that its guard voids, because the price moves before the strike. */
function voided(world: OptionWorld): void {
  const told = world.open('alice', 'up', { stake: 5, guardPpm: 1 }).isAccepted()
  const price = 60_000 + (world.settled.size % 2 === 0 ? 10 : -10)
  world.run(1750, () => price)
  world.isSettled(told.order, 'void guard')
}

test('OPTION-GUARD-001: when guards have voided three orders of a day, only orders without a guard are accepted until the next UTC day', () => {
  const world = given(unlimited)
  world.do({ type: 'option.setTerms', terms: { ...termsOf(world), guardVoidsFree: 3 } })
  world.trader('alice', 5_000)
  world.trader('bob', 5_000)
  for (let n = 0; n < 3; n++) voided(world)
  world.open('alice', 'up', { stake: 5, guardPpm: 500 }).isRefused('GUARD_LIMIT')
  world.open('alice', 'up', { stake: 5 }).isAccepted()
  world.open('bob', 'up', { stake: 5, guardPpm: 500 }).isAccepted()
  world.world.exchange = Exchange.restore(world.world.exchange.dump())
  world.open('alice', 'up', { stake: 5, guardPpm: 500 }).isRefused('GUARD_LIMIT')
  world.world.atMs += 86_400_000
  world.tick({ 1: 60_000 })
  world.open('alice', 'up', { stake: 5, guardPpm: 500 }).isAccepted()
  world.world.isReplayable()
})

test('OPTION-GUARD-002: orders with a guard that wait for their strike count as if the guard voided them', () => {
  const world = given()
  world.trader('alice', 5_000)
  for (let n = 0; n < 3; n++) world.open('alice', 'up', { stake: 5, guardPpm: 500 }).isAccepted()
  world.open('alice', 'up', { stake: 5, guardPpm: 500 }).isRefused('GUARD_LIMIT')
  world.run(1750, () => 60_000)
  world.open('alice', 'up', { stake: 5, guardPpm: 500 }).isAccepted()
})

test('OPTION-GUARD-003: a guard may void a fifth of many orders of a day', () => {
  const world = given({ stakeMin: units(1) })
  world.trader('alice', 5_000)
  for (let n = 0; n < 24; n++) world.open('alice', 'up', { stake: 1 }).isAccepted()
  // With the first of these the day has 25 orders, of which five may be void.
  for (let n = 0; n < 5; n++) voided(world)
  world.open('alice', 'up', { stake: 5, guardPpm: 500 }).isRefused('GUARD_LIMIT')
  assert.deepEqual([guardVoidsMax(29, 3, 200_000), guardVoidsMax(30, 3, 200_000), guardVoidsMax(0, 3, 200_000)], [5, 6, 3])
})

test('OPTION-GUARD-004: orders that are void because of a gap or too few sources don’t count', () => {
  const world = given()
  world.trader('alice', 5_000)
  for (let n = 0; n < 5; n++) {
    const told = world.open('alice', 'up', { stake: 5, guardPpm: 500 }).isAccepted()
    world.silence(5_000)
    world.isSettled(told.order, 'void gap')
    world.tick({ 1: 60_000 })
  }
  world.open('alice', 'up', { stake: 5, guardPpm: 500 }).isAccepted()
})

function termsOf(world: OptionWorld): object {
  return world.world.exchange.optionTerms().terms!
}
