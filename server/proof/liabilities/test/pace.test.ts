import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pace } from '../pace.ts'

/** A clock that passes by work and by pauses alone, on a machine of which this share works for others. */
class Time {
  ms = 1_000
  /** Longest work in one piece. */
  longest = 0
  others = 0.1
  #othersMs = 0
  #piece = 0

  pace(balances: number): Pace {
    return new Pace(balances, {
      now: () => this.ms,
      wait: (ms) => {
        this.pass(ms)
        this.#piece = 0
      },
      processors: () => ({ others: this.#othersMs, all: this.ms }),
    })
  }

  pass(ms: number): void {
    this.ms += ms
    this.#othersMs += ms * this.others
  }

  work(ms: number): void {
    this.pass(ms)
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

test('PROOF-LIABILITY-023: work is spread evenly in small pieces; a few balances take no time, and any number at most 50 seconds', () => {
  const time = new Time()
  const many = hash(time, time.pace(1_000_000), 40_000, 25, 0.2)
  assert.ok(many > 21_990 && many < 22_010, `${many} ms`)
  assert.ok(time.longest < 0.3, `${time.longest} ms in one piece`)
  const most = hash(time, time.pace(10_000_000), 400_000, 25, 0.1)
  assert.ok(most > 49_990 && most < 50_010, `${most} ms`)
  const few = hash(time, time.pace(20), 1, 20, 0.2)
  assert.ok(few < 1, `${few} ms`)
})

test('PROOF-LIABILITY-023: on a busy machine everything takes longer, until it is less busy', () => {
  const time = new Time()
  const pace = time.pace(1_000_000)
  const rested = (): number => {
    time.work(1)
    const before = time.ms
    pace.breathe()
    return time.ms - before
  }
  time.others = 0.55
  // It looks each second.
  hash(time, pace, 2_000, 25, 0.2)
  const busy = hash(time, pace, 4_000, 25, 0.2)
  assert.ok(busy > 8_790 && busy < 8_810, `${busy} ms`)
  assert.ok(Math.abs(rested() - 3) < 1e-6)
  time.others = 0.45
  hash(time, pace, 2_000, 25, 0.2)
  const free = hash(time, pace, 4_000, 25, 0.2)
  assert.ok(free > 2_190 && free < 2_210, `${free} ms`)
  assert.ok(Math.abs(rested() - 0.5) < 1e-6)
  time.others = 1
  time.pass(150_000)
  hash(time, pace, 2_000, 25, 0.2)
  const late = hash(time, pace, 4_000, 25, 0.2)
  assert.ok(late > 2_190 && late < 2_210, `${late} ms after minutes of waiting`)
})

test('PROOF-LIABILITY-023: what a busy machine delayed is not made up for in one piece', () => {
  const time = new Time()
  const pace = time.pace(1_000_000)
  hash(time, pace, 1_000, 25, 0.2)
  time.pass(30_000)
  time.longest = 0
  const after = hash(time, pace, 1_000, 25, 0.2)
  assert.ok(after > 549 && after < 551, `${after} ms`)
  assert.ok(time.longest < 0.5, `${time.longest} ms in one piece`)
})

test('PROOF-LIABILITY-023: work of unknown amount is followed by a pause of half as long, and by a short one after a long time', () => {
  const time = new Time()
  const pace = time.pace(0)
  for (const [worked, paused] of [
    [0.4, 0.2],
    [2, 1],
    [9_000, 5],
    [0.03, 0],
  ] as const) {
    time.work(worked)
    const before = time.ms
    pace.breathe()
    assert.ok(Math.abs(time.ms - before - paused) < 1e-6, `${time.ms - before} ms after ${worked} ms`)
  }
})
