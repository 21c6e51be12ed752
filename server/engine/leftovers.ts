import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'

/** Clock commands that a batch takes beyond its normal limit, so that customers' commands never crowd out leftover work. */
export const leftoversMax = 256

/** How long clock commands may follow each other before waiting callers get a turn. */
const portionMs = 2
/** After a clock command without events the next one waits at least this long: the due work then depends on something else. */
const pauseMs = 10
const farMs = 60_000

export type LeftoverWork = {
  /** Time at which a clock command has work; Infinity for never, and while none can be decided. */
  readonly dueAtMs: () => number
  /** The exchange's clock. */
  readonly now: () => number
  /** A monotonic clock. */
  readonly steady: () => number
  /** Decides one clock command. Returns whether it caused events; undefined when no more can be decided now. */
  readonly tick: (command: Float64Array) => boolean | undefined
  /** Called at the end of a portion. */
  readonly finished: () => void
}

/** A `clock.tick` that is not stamped yet. */
const clockTick = (() => {
  const command = new Records(16)
  encodeCommand({ type: 'clock.tick' }, { seq: 0, at: 0, keyId: 0 }, command)
  return command.data.slice(0, command.length)
})()

/**
 * Sends clock commands when something in the core is due. Work left over by earlier commands runs in portions of 2 ms; between
 * two portions everything that has arrived is decided.
 */
export class Leftovers {
  readonly #work: LeftoverWork
  #timer: NodeJS.Timeout | undefined
  #next: NodeJS.Immediate | undefined
  /** Time before which no portion starts. */
  #notBeforeMs = 0

  constructor(work: LeftoverWork) {
    this.#work = work
  }

  /** Must be called after every change of the due work. */
  schedule(): void {
    clearTimeout(this.#timer)
    if (this.#next !== undefined) return
    const due = this.#work.dueAtMs()
    if (due === Number.POSITIVE_INFINITY) return
    const delay = Math.max(due, this.#notBeforeMs) - this.#work.now()
    if (delay > 0) this.#timer = setTimeout(() => this.schedule(), Math.min(delay, farMs)).unref()
    else this.#next = setImmediate(() => this.#portion())
  }

  stop(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#next)
    this.#next = undefined
  }

  #portion(): void {
    this.#next = undefined
    const { dueAtMs, now, steady, tick, finished } = this.#work
    const until = steady() + portionMs
    do {
      if (dueAtMs() > now()) break
      const hasTold = tick(clockTick)
      // The batch is full: its commit calls `schedule`.
      if (hasTold === undefined) return finished()
      if (!hasTold) {
        this.#notBeforeMs = now() + pauseMs
        break
      }
    } while (steady() < until)
    finished()
    this.schedule()
  }
}
