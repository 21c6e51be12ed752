import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'

/** How long clock commands follow each other before whoever waits outside has a turn. */
const portionMs = 2
/** A clock command that told nothing is not repeated sooner: what is due then waits for something else. */
const pauseMs = 10
const farMs = 60_000

export type LeftoverWork = {
  /** When a clock command has something to do; Infinity for never, and while none can be decided. */
  readonly dueAtMs: () => number
  /** The exchange's clock. */
  readonly now: () => number
  /** A clock that measures: it never jumps. */
  readonly steady: () => number
  /** Decides one clock command, the given one. Returns whether it told anything; undefined when no more can be decided now. */
  readonly tick: (command: Float64Array) => boolean | undefined
  /** A portion ended. */
  readonly finished: () => void
}

/** A `clock.tick` that is not stamped yet. */
const clockTick = (() => {
  const command = new Records(16)
  encodeCommand({ type: 'clock.tick' }, { seq: 0, at: 0, keyId: 0 }, command)
  return command.data.slice(0, command.length)
})()

/**
 * Lets time pass for the core when something in it is due. What earlier commands left over goes back to back, in portions of 2 ms: between
 * two portions everything that has arrived from outside is decided.
 */
export class Leftovers {
  readonly #work: LeftoverWork
  #timer: NodeJS.Timeout | undefined
  #next: NodeJS.Immediate | undefined
  /** No portion before this time. */
  #notBeforeMs = 0

  constructor(work: LeftoverWork) {
    this.#work = work
  }

  /** To be called after everything that may have changed what is due. */
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
