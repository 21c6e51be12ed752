import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playStrategy } from '../report.ts'
import { strategies } from '../strategies.ts'

for (const strategy of strategies) {
  test(`REDTEAM-STRATEGY-001: ${strategy.name} takes nothing, because ${strategy.rule}`, () => {
    assert.deepEqual(playStrategy(strategy, 20).faults, [])
  })
}
