import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pace } from '../pace.ts'

/** A clock that passes by work and by pauses alone. */
class Time {
  ms = 1_000
  pauses = 0
  /** Longest work in one piece. */
  longest = 0
  #piece = 0

  pace(balances: number): Pace {
    return new Pace(
      balances,
      () => this.ms,
      (ms) => {
        this.ms += ms
        this.pauses++
        this.#piece = 0
        return Promise.resolve()
      },
    )
  }

  work(ms: number): void {
    this.ms += ms
    this.#piece += ms
    this.longest = Math.max(this.longest, this.#piece)
  }
}

/** So many rows of balances, each of which is so much work. */
async function hash(time: Time, pace: Pace, rows: number, balances: number, workMs: number): Promise<number> {
  const begun = time.ms
  for (let row = 0; row < rows; row++) {
    time.work(workMs)
    await pace.rest(balances)
  }
  return time.ms - begun
}

test('PROOF-LIABILITY-023: work is spread evenly in small pieces; a few balances take no time, and any number at most 75 seconds', async () => {
  const time = new Time()
  const many = await hash(time, time.pace(1_000_000), 40_000, 25, 0.2)
  assert.ok(many > 24_990 && many < 25_010, `${many} ms`)
  assert.ok(time.longest < 1, `${time.longest} ms in one piece`)
  const most = await hash(time, time.pace(10_000_000), 400_000, 25, 0.1)
  assert.ok(most > 74_990 && most < 75_010, `${most} ms`)
  time.pauses = 0
  await hash(time, time.pace(20), 1, 20, 0.2)
  assert.equal(time.pauses, 0)
})

test('PROOF-LIABILITY-023: what a busy machine delayed is not made up for in one piece', async () => {
  const time = new Time()
  const pace = time.pace(1_000_000)
  await hash(time, pace, 1_000, 25, 0.2)
  time.ms += 30_000
  time.longest = 0
  const after = await hash(time, pace, 1_000, 25, 0.2)
  assert.ok(after > 615 && after < 626, `${after} ms`)
  assert.ok(time.longest < 6, `${time.longest} ms in one piece`)
})
