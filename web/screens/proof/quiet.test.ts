import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isQuiet } from './quiet.ts'

test('UI-PROOF-011: no new head is told of when the newest one is older than a quarter of an hour at the time of the check', () => {
  const checkedAt = 1_790_000_000_000
  assert.deepEqual(
    [0, 60_000, 900_000, 900_001, -60_000].map((age) => isQuiet(checkedAt - age, checkedAt)),
    [false, false, false, true, false],
  )
})
