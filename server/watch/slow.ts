import type { Answered } from './request.ts'

/** A line of the log. Times in whole milliseconds: until the request was read, of its commands, and all else. */
export type SlowLine = {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly readMs: number
  readonly commandMs: number
  readonly otherMs: number
  /** Slow requests since the last line that got none, because there were too many. */
  readonly unsaid: number
}

/** Lines in a row, and per second afterwards. */
const burst = 20
const perSecond = 1

/** Picks the requests that get a line: those above a limit, and not more than a log can take. */
export class SlowRequests {
  readonly #limitMs: number
  readonly #say: (line: SlowLine) => void
  readonly #clock: () => number
  #tokens = burst
  #at: number
  #unsaid = 0

  /** limitMs  0: none is slow */
  constructor(limitMs: number, say: (line: SlowLine) => void, clock: () => number = () => performance.now()) {
    this.#limitMs = limitMs
    this.#say = say
    this.#clock = clock
    this.#at = clock()
  }

  /** Whether it was slow. */
  note({ method, route, status, ms, clock }: Answered): boolean {
    if (this.#limitMs === 0 || ms < this.#limitMs) return false
    const now = this.#clock()
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1e3) * perSecond)
    this.#at = now
    if (this.#tokens < 1) {
      this.#unsaid++
      return true
    }
    this.#tokens -= 1
    const readMs = clock?.readyAt === undefined ? 0 : clock.readyAt - clock.begunAt
    const commandMs = Math.min(
      ms,
      (clock?.commands ?? []).reduce((sum, { begunAt, endedAt = now }) => sum + endedAt - begunAt, 0),
    )
    const whole = { ms: Math.round(ms), readMs: Math.round(readMs), commandMs: Math.round(commandMs) }
    const otherMs = Math.max(0, whole.ms - whole.readMs - whole.commandMs)
    this.#say({ method, route, status, ...whole, otherMs, unsaid: this.#unsaid })
    this.#unsaid = 0
    return true
  }
}
