/** The sources of time; tests supply their own. `wall` is the machine's time of day, `steady` is monotonic. */
export type TimeSource = { readonly wall: () => number; readonly steady: () => number }

export const machineTime: TimeSource = { wall: () => Date.now(), steady: () => performance.now() }

const pauseBeyondMs = 1000
const slewPerMs = 0.02

/**
 * The exchange's clock: anchored to the wall once, then steady, never backwards. When the wall clock differs, it approaches it
 * at 2 %, so that a jump of hours expires nothing; more than a second apart, new orders wait.
 */
export class Sequencer {
  readonly #time: TimeSource
  #anchorWall: number
  #anchorSteady: number
  #lastAt: number

  constructor(lastAt: number, time: TimeSource = machineTime) {
    this.#time = time
    this.#anchorWall = Math.max(lastAt, time.wall())
    this.#anchorSteady = time.steady()
    this.#lastAt = lastAt
  }

  /** Timestamp for the next command, in whole milliseconds. */
  now(): number {
    const steady = this.#time.steady()
    const elapsed = steady - this.#anchorSteady
    const expected = this.#anchorWall + elapsed
    const apart = this.#time.wall() - expected
    const step = Math.min(Math.abs(apart), elapsed * slewPerMs)
    this.#anchorWall = expected + Math.sign(apart) * step
    this.#anchorSteady = steady
    this.#lastAt = Math.max(this.#lastAt, Math.floor(this.#anchorWall))
    return this.#lastAt
  }

  /** How far the wall clock is ahead of ours, ms. */
  apartMs(): number {
    return this.#time.wall() - this.#anchorWall - (this.#time.steady() - this.#anchorSteady)
  }

  isSynced(): boolean {
    return Math.abs(this.apartMs()) <= pauseBeyondMs
  }
}
