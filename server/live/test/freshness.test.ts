import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { Freshness } from '../freshness.ts'

test('API-AGAIN-004: the answer to a repeated request does not make its user’s next read older', async () => {
  let tables = 5
  let asked = 0
  const freshness = new Freshness(async () => (asked++, tables++), undefined, 60_000)
  const [alice, bob] = [1 as UserId, 2 as UserId]
  freshness.wrote(alice, 9)
  freshness.wrote(alice, 3)
  freshness.wrote(bob, 4)
  assert.deepEqual([freshness.lastOf(alice), freshness.lastOf(bob)], [9, 4])
  await freshness.settled(alice)
  assert.equal(asked, 5, 'until the tables hold the command at 9')
  freshness.wrote(alice, 10)
  assert.equal(freshness.lastOf(alice), 10)
  // The same holds if the older half was dropped in between.
  for (let user = 100; user < 50_200; user++) freshness.wrote(user as UserId, 1)
  freshness.wrote(alice, 2)
  assert.equal(freshness.lastOf(alice), 10)
})

test('API-AGAIN-005: the row of an own command is waited for, and its answer is STATUS_UNKNOWN when that takes too long, never that there is none', async () => {
  const alice = 1 as UserId
  let tables = 5
  const catchesUp = new Freshness(async () => tables++, undefined, 0, 60_000)
  catchesUp.wrote(alice, 9)
  await catchesUp.written(alice)
  assert.equal(tables, 10)
  const stands = new Freshness(async () => 5, undefined, 60_000, 30)
  stands.wrote(alice, 9)
  await assert.rejects(stands.written(alice), { refusal: 'STATUS_UNKNOWN' })
  await stands.written(2 as UserId)
})
