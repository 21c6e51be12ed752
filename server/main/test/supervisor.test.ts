import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backOffMs, crashesAfter } from '../supervisor.ts'

/** Waits of a role before each start, if it is ready for `ranMs` each time. */
function waits(ranMs: number, times: number): readonly number[] {
  const seen: number[] = []
  for (let crashes = 0; seen.length < times; ) {
    crashes = crashesAfter(crashes, ranMs)
    seen.push(backOffMs(crashes))
  }
  return seen
}

test('MAIN-RUN-002: a role that keeps crashing is restarted later each time, after ten seconds at most; one that ran well starts over', () => {
  const growing = [400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000]
  assert.deepEqual(waits(0, 8), growing, 'never ready')
  assert.deepEqual(waits(2_000, 8), growing, 'two seconds')
  assert.deepEqual(waits(4_000, 4), [400, 400, 400, 400], 'ten times as long as it waited')
  assert.equal(crashesAfter(6, 59_999), 7)
  assert.equal(crashesAfter(6, 60_000), 1, 'a minute is enough for anybody')
})
