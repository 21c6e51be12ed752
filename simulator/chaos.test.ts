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

for (const seed of seeds) {
  test(`SIM-CHAOS-001: seed ${seed}: no command of ${steps} throws or breaks what always holds, and an exchange that is restored on the way says the same`, () => {
    const world = new ChaosWorld({ wholeEvery: 100 })
    const workload = new ChaosWorkload(seed)
    for (let step = 0; step < steps; step++) world.step(workload.next(world.exchange))
    world.finish()
    assert.ok(world.trades > 20, `${world.trades} trades`)
    for (const type of world.accepted) accepted.add(type)
  })
}

test('SIM-CHAOS-002: over the runs every command that there is was accepted', () => {
  assert.deepEqual(
    Object.keys(commandCodes).filter((type) => !accepted.has(type)),
    [],
  )
})

test('SIM-CHAOS-003: the same seed gives the same state', () => {
  assert.deepEqual(simulate(7, 600, 100, 'chaos'), simulate(7, 600, 100, 'chaos'))
})
