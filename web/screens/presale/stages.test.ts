import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOf, stairsOf, timelineOf } from './stages.ts'

const day = 86_400_000
const schedule = [
  { day: 0, at: 10 * day, percent: '20' },
  { day: 10, at: 20 * day, percent: '60' },
  { day: 20, at: 30 * day, percent: '100' },
]
const presale = { startsAt: 7 * day, endsAt: 10 * day, outcome: null, schedule }

test('UI-PRESALE-005: the timeline goes from subscribing over the lock-up to the last release, and marks the present stage', () => {
  const at = (now: number, change: object = {}) => timelineOf({ ...presale, ...change }, now).map(({ name, phase }) => `${name} ${phase}`)
  assert.deepEqual(at(6 * day), ['subscribe coming', 'lock coming', 'release coming'])
  assert.deepEqual(at(8 * day), ['subscribe now', 'lock coming', 'release coming'])
  assert.deepEqual(at(10 * day), ['subscribe past', 'lock now', 'release coming'])
  assert.deepEqual(at(30 * day), ['subscribe past', 'lock past', 'release past'])
  assert.deepEqual(at(8 * day, { schedule: [{ day: 0, at: 10 * day, percent: '100' }] }), ['subscribe now', 'release coming'])
  assert.deepEqual(at(12 * day, { outcome: 'missed' }), ['subscribe past', 'refund past'])
  assert.deepEqual(at(8 * day, { outcome: 'cancelled' }), ['subscribe past', 'refund past'])
  assert.deepEqual(
    timelineOf(presale, 0).map(({ from, until }) => [from / day, until / day]),
    [
      [7, 10],
      [10, 30],
      [30, 30],
    ],
  )
})

test('UI-PRESALE-005: the chart is a stair with a step on each day of a release', () => {
  assert.equal(stairsOf(schedule, { width: 200, height: 100 }), 'M0 100H0V80H100V40H200V0H200')
  assert.equal(stairsOf([{ day: 0, percent: '100' }], { width: 200, height: 100 }), 'M0 100H0V0H200')
  assert.deepEqual([placeOf(schedule, 9 * day), placeOf(schedule, 15 * day), placeOf(schedule, 31 * day)], [undefined, 0.25, undefined])
})
