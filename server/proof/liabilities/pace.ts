/** Time for each balance: about twice the work on two cores of a virtual machine. */
const balanceMs = 0.022
/** The most time for all balances together, so that rests alone never make a statement late. */
const allMs = 65_000
/** A delay up to this is made up for. A longer one is not: the work would then come in one piece. */
const lateMs = 0.3
/** A shorter pause is not worth a call. */
const pauseMinMs = 0.02
/** The longest pause after work of unknown amount. */
const breathMaxMs = 5

const never = new Int32Array(new SharedArrayBuffer(4))
/** Blocks this thread, which has nothing else to do. Timers can't wait for less than a millisecond. */
const block = (ms: number): void => void Atomics.wait(never, 0, 0, ms)

/**
 * Spreads the hashing of balances evenly over time, in pieces of a fifth of a millisecond. A process of the lowest priority that never rests
 * costs those who trade a fifth of their orders, and one that rests after each millisecond hardly less: it occupies the processor on which
 * the others would be woken, and Linux lets it keep that for a slice. After pieces that are much shorter than a slice nobody waits.
 */
export class Pace {
  readonly #balanceMs: number
  readonly #now: () => number
  readonly #wait: (ms: number) => void
  #freeAt: number
  #restedAt: number

  /** `balances`: of all trees. `now`, `wait`: test only. */
  constructor(balances: number, now = () => performance.now(), wait = block) {
    this.#balanceMs = Math.min(balanceMs, allMs / balances)
    this.#now = now
    this.#wait = wait
    this.#freeAt = this.#restedAt = now()
  }

  /** After the leaves of so many balances, which need be no whole number. Returns when the next ones may be hashed. */
  rest(balances: number): void {
    const now = this.#now()
    this.#freeAt = Math.max(this.#freeAt, now - lateMs) + balances * this.#balanceMs
    this.#pause(this.#freeAt - now)
  }

  /** Pauses for as long as the work since the last pause took. For work whose amount is unknown. */
  breathe(): void {
    this.#pause(Math.min(breathMaxMs, this.#now() - this.#restedAt))
  }

  #pause(ms: number): void {
    if (ms >= pauseMinMs) this.#wait(ms)
    this.#restedAt = this.#now()
  }
}
