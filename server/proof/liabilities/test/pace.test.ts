import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pace } from '../pace.ts'

/** A clock that passes by work and by pauses alone. */
class Time {
  ms = 1_000
  /** Longest work in one piece. */
  longest = 0
  #piece = 0

  pace(balances: number): Pace {
    return new Pace(
      balances,
      () => this.ms,
      (ms) => {
        this.ms += ms
        this.#piece = 0
      },
    )
  }

  work(ms: number): void {
    this.ms += ms
    this.#piece += ms
    this.longest = Math.max(this.longest, this.#piece)
  }
}

/** Hashes rows, each of which takes `workMs`. Returns the milliseconds until the end. */
function hash(time: Time, pace: Pace, rows: number, balances: number, workMs: number): number {
  const begun = time.ms
  for (let row = 0; row < rows; row++) {
    time.work(workMs)
    pace.rest(balances)
  }
  return time.ms - begun
}

test('PROOF-LIABILITY-023: work is spread evenly in small pieces; a few balances take no time, and any number at most 65 seconds', () => {
  const time = new Time()
  const many = hash(time, time.pace(1_000_000), 40_000, 25, 0.2)
  assert.ok(many > 21_990 && many < 22_010, `${many} ms`)
  assert.ok(time.longest < 0.3, `${time.longest} ms in one piece`)
  const most = hash(time, time.pace(10_000_000), 400_000, 25, 0.1)
  assert.ok(most > 64_990 && most < 65_010, `${most} ms`)
  const few = hash(time, time.pace(20), 1, 20, 0.2)
  assert.ok(few < 1, `${few} ms`)
})

test('PROOF-LIABILITY-023: what a busy machine delayed is not made up for in one piece', () => {
  const time = new Time()
  const pace = time.pace(1_000_000)
  hash(time, pace, 1_000, 25, 0.2)
  time.ms += 30_000
  time.longest = 0
  const after = hash(time, pace, 1_000, 25, 0.2)
  assert.ok(after > 549 && after < 551, `${after} ms`)
  assert.ok(time.longest < 0.5, `${time.longest} ms in one piece`)
})

test('PROOF-LIABILITY-023: work of unknown amount is followed by a pause as long, and by a short one after a long time', () => {
  const time = new Time()
  const pace = time.pace(0)
  for (const [worked, paused] of [
    [0.4, 0.4],
    [2, 2],
    [9_000, 5],
    [0.01, 0],
  ] as const) {
    time.work(worked)
    const before = time.ms
    pace.breathe()
    assert.ok(Math.abs(time.ms - before - paused) < 1e-6, `${time.ms - before} ms after ${worked} ms`)
  }
})
