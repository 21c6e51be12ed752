import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from '../../test/world.ts'
import { contract, givenPerp } from './world.ts'

const hours8 = 8 * 3_600_000
const due = (Math.floor(start / hours8) + 1) * hours8
const three = { alice: '1000', bob: '1000', carol: '5000' }

test('PERP-MARK-001: every index tick samples the basis and moves the mark; without good prices it stays', () => {
  const world = givenPerp(three)
  assert.equal(world.mark(), 100)
  world.buy('carol', 101, 1000)
  world.sell('bob', 103, 1000)
  // The middle of the book is 2 above: the clamp of 1 % makes it 101.
  assert.deepEqual(
    world
      .index(100)
      .of('perp.marked')
      .map(({ mark, index, fundingAt }) => [mark, index, fundingAt]),
    [[101, 100e8, due]],
  )
  assert.equal(world.index(100).of('perp.marked').length, 0)
  assert.equal(world.index(90, 2, false).of('perp.marked').length, 0)
  assert.deepEqual([world.mark(), world.exchange.marks()[0]!.isGood], [101, false])
  world.index(90)
  assert.deepEqual([world.mark(), world.exchange.marks()[0]!.isGood], [91, true])
  world.do({ type: 'spot.cancelAll', user: world.id('bob'), clientId: '', market: contract })
  // With one side gone the samples run out.
  world.index(90)
  assert.equal(world.mark(), 91)
  world.world.atMs += 30_000
  world.index(90)
  assert.equal(world.mark(), 90)
  world.isReplayable()
})

test('PERP-FUNDING-001: at the hours longs pay shorts; paid is received and the rest', () => {
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
  // 0.01 % of 50, 50.3 and 100.3.
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
  assert.equal(world.position('alice').margin, 5_000_000 - 5000)
  assert.equal(world.position('alice').funding, -5000)
  assert.equal(world.exchange.nextDueAtMs, due + hours8)
  world.isReplayable()
})

test('PERP-FUNDING-001: the premium of the book moves the rate, and what rounding leaves goes to the fund', () => {
  const world = givenPerp(three, { fundingInterest: 100_001 }, { notionalMin: 0 })
  world.sell('bob', 100, 3).isAccepted()
  world.buy('alice', 100, 1).isAccepted()
  world.buy('carol', 100, 2).isAccepted()
  // Bids at 98 and asks at 99: the premium is −1 %, stretched back by 0.05 %, capped at −0.75 %.
  world.buy('carol', 98, 1000)
  world.sell('bob', 99, 1000)
  for (let n = 0; n < 3; n++) {
    world.world.atMs += 5000
    world.index(100)
  }
  assert.equal(world.exchange.marks()[0]!.fundingRate, -7_500_000)
  world.world.atMs = due
  const [funded] = world.tick().of('perp.funded')
  // 0.75 % of three lots at 99 is 2,227.5 units: shorts pay 2,228, longs get 742 and 1,485.
  assert.deepEqual([funded!.mark, funded!.paid, funded!.received, funded!.rest], [99, 2228, 2227, 1])
  assert.equal(world.insurance(), 1)
  world.isReplayable()
})

test('PERP-RISK-004: the premium is taken every five seconds from the prices for the impact value, on a thin side from the best', () => {
  // 300 USDT reach into the third level of bids; of asks there is less.
  const world = givenPerp(three, { impactValue: 300_000_000 })
  world.buy('carol', 103, 1000)
  world.buy('carol', 102, 1000)
  world.buy('carol', 101, 5000)
  world.sell('bob', 104, 100)
  world.index(100)
  assert.equal(world.exchange.marks()[0]!.fundingRate, 100_000)
  world.world.atMs += 5000
  world.index(100)
  // 103 and 102 USDT, and 95 of 505 (941 lots, rounded up): 300.041 for 2.941 are 102.02006, or 2.02 % above the index; capped.
  assert.equal(world.exchange.marks()[0]!.fundingRate, 7_500_000)
  world.do({ type: 'spot.cancelAll', user: world.id('carol'), clientId: '', market: contract })
  world.buy('carol', 96, 100)
  world.sell('bob', 97, 100)
  world.world.atMs += 5000
  world.index(100)
  // Asks at 97 and 104 hold less than 300: the best counts, 3 % below; the mean of both is −0.4899694 %.
  assert.equal(world.exchange.marks()[0]!.fundingRate, -4_899_694 + 500_000)
  world.isReplayable()
})

test('PERP-FUNDING-002: who can not pay pays what there is; the fund adds the rest, or receivers share what came in', () => {
  for (const isInsured of [true, false]) {
    const world = givenPerp({ ...three, alice: '100.6' }, { fundingInterest: 7_500_000, fundingStretch: 7_500_000 })
    if (isInsured) world.insures('10')
    world.leverage('alice', 10)
    world.mode('alice', 'cross')
    world.sell('bob', 100, 6000).isAccepted()
    world.sell('carol', 100, 4000).isAccepted()
    world.buy('alice', 100, 10_000).isAccepted()
    world.has('alice', '0.1', '100')
    // No good prices, no liquidation: thirteen periods of 0.75 % of 1,000 leave 2.6.
    world.index(100, 2, false)
    for (let period = 0; period < 13; period++) {
      world.world.atMs = due + period * hours8
      assert.equal(world.tick().of('perp.funded')[0]!.received, 7_500_000)
    }
    world.has('alice', '0', '2.6')
    world.world.atMs = due + 13 * hours8
    const told = world.tick()
    const [funded] = told.of('perp.funded')
    const amounts = told.of('perp.fundingPaid').map(({ amount }) => amount)
    assert.equal(funded!.paid, funded!.received + funded!.rest)
    if (isInsured) {
      assert.deepEqual(amounts, [-2_600_000, 4_500_000, 3_000_000])
      assert.equal(world.insurance(), 5_100_000)
    } else {
      assert.deepEqual(amounts, [-2_600_000, 1_560_000, 1_040_000])
      assert.equal(world.insurance(), 0)
    }
    world.has('alice', '0').isReplayable()
  }
})
