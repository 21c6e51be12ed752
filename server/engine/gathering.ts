/** With fewer callers answered together there is no wait. */
const returningMin = 4
/** This many commands are worth a commit of their own: they are decided while the commit before is in flight. */
export const fullMin = 128
/** After useless waits, at most this many releases pass without one. */
const passedMax = 64

/**
 * After a release, callers that were just answered get a moment to join the next batch, because most send again at once and one commit
 * for all costs half as much as two. After a useless wait, the next ones come more rarely.
 */
export class Gathering {
  readonly #returnMs: number
  readonly #onEnd: () => void
  #timer: NodeJS.Timeout | undefined
  /** Count of commands that were there when the wait began, and the count at which everybody has joined. */
  #from = 0
  #to = 0
  #passed = 0
  #passing = 0

  /** `onEnd` is called when the time is over: the owner calls `end` then. */
  constructor(returnMs: number, onEnd: () => void) {
    this.#returnMs = returnMs
    this.#onEnd = onEnd
  }

  get isOn(): boolean {
    return this.#timer !== undefined
  }

  /** `answered` callers have just been answered, and `waiting` commands are there. Returns whether their owner should wait. */
  begin(answered: number, waiting: number): boolean {
    if (answered >= returningMin && answered < fullMin && this.#passing === 0) {
      this.#from = waiting
      this.#to = waiting + answered
      clearTimeout(this.#timer)
      this.#timer = setTimeout(this.#onEnd, this.#returnMs)
      return true
    }
    if (answered > 0 && this.#passing > 0) this.#passing--
    return false
  }

  /** Whether a wait goes on that lacks nobody any more. */
  isWhole(waiting: number): boolean {
    return this.isOn && waiting >= this.#to
  }

  /** Ends the wait, if there is one, and learns from its result. */
  end(waiting: number): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    const isInVain = waiting - this.#from < (this.#to - this.#from) / 2
    this.#passed = isInVain ? Math.min(Math.max(2 * this.#passed, 1), passedMax) : 0
    this.#passing = this.#passed
  }
}
