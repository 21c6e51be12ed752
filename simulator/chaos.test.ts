import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandCodes } from '@candor/core/protocol/codec/layout.ts'
import { ChaosWorkload } from './chaos/workload.ts'
import { ChaosWorld } from './chaos/world.ts'
import { seedsOf } from './kept.ts'
import { simulate } from './simulate.ts'

const seeds = seedsOf('chaos', 16)
const steps = 2500

const accepted = new Set<string>()
let commissions = 0
const inParts = { parts: 0, missed: 0, ended: 0 }
const ends = { expired: 0, counted: 0, matched: 0 }

for (const seed of seeds) {
  test(`SIM-CHAOS-001: seed ${seed}: none of ${steps} commands throws or breaks an invariant, and an exchange restored on the way gives the same events`, () => {
    const world = new ChaosWorld({ wholeEvery: 100 })
    const workload = new ChaosWorkload(seed)
    for (let step = 0; step < steps; step++) world.step(workload.next(world.exchange, world.algos.running))
    world.finish()
    commissions += world.commissions
    for (const name of ['parts', 'missed', 'ended'] as const) inParts[name] += world.algos[name]
    for (const name of ['expired', 'counted', 'matched'] as const) ends[name] += world.deadlines[name]
    assert.ok(world.trades > 20, `${world.trades} trades`)
    for (const type of world.accepted) accepted.add(type)
  })
}

test('SIM-CHAOS-002: over all runs, every type of command was accepted at least once', () => {
  assert.deepEqual(
    Object.keys(commandCodes).filter((type) => !accepted.has(type)),
    [],
  )
})

test('SIM-CHAOS-005: over all runs, Futures orders expired, countdowns cancelled orders, and orders took prices from the book, each as an audit predicts', () => {
  assert.ok(Math.min(ends.expired, ends.counted, ends.matched) > 10, JSON.stringify(ends))
})

test('ALGO-AUDIT-001: over all runs, the parts of orders in parts add up to what is told at their ends, and nothing comes after an end', () => {
  assert.ok(Math.min(inParts.parts, 2 * inParts.missed, inParts.ended) > 30, JSON.stringify(inParts))
})

test('REFERRAL-AUDIT-001: over all runs, commission equals the table that is recomputed from the trades, and its entries add up to it', () => {
  assert.ok(commissions > 500, `${commissions} payments`)
})

test('SIM-CHAOS-003: the same seed gives the same state', () => {
  assert.deepEqual(simulate(7, 600, 100, 'chaos'), simulate(7, 600, 100, 'chaos'))
})
