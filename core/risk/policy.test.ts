import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leverageCeiling, noCeiling, policies } from './policy.ts'

const week = 7 * 24 * 3600 * 1000

test('in production a new customer has a ceiling of 5 for a week, and of 2 in a region that has opened no more', () => {
  for (const [ageMs, isOpened, ceiling] of [
    [0, true, 5],
    [week - 1, true, 5],
    [week, true, noCeiling],
    [0, false, 2],
    [week, false, 2],
  ] as const)
    assert.equal(leverageCeiling('production', ageMs, isOpened), ceiling, `${ageMs} ${isOpened}`)
  assert.equal(policies.newCustomerMs.production, week)
})

test('a sandbox has no ceiling', () => {
  for (const isOpened of [true, false]) assert.equal(leverageCeiling('sandbox', 0, isOpened), noCeiling)
  assert.equal(noCeiling, 1000)
})
