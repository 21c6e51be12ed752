import { LowProcess } from '../../low-process.ts'
import type { Store } from '../../store/open.ts'
import { LiabilityMaker, statementMs } from './maker.ts'

const program = new URL('process.ts', import.meta.url)
/** A process that takes longer is ended. */
const limitMs = 540_000
/** Pause after the first failure. Each further one doubles it: what fails for a million customers costs as much as what succeeds. */
const [pauseMs, pauseMaxMs] = [60_000, 600_000]

/** Makes statements of liabilities in a process of low priority, so that nobody who trades waits for them. */
export class LiabilityJob implements AsyncDisposable {
  readonly #maker: LiabilityMaker
  readonly #clock: () => number
  readonly #process: LowProcess
  #failures = 0
  /** On the steady clock. */
  #madeAt = Number.NEGATIVE_INFINITY
  #pausedTo = 0

  constructor(store: Pick<Store, 'pool' | 'url'>, clock: () => number = Date.now) {
    this.#clock = clock
    this.#maker = new LiabilityMaker(store.pool, clock)
    this.#process = new LowProcess({
      ...{ program, limitMs, name: 'the process that makes statements of liabilities' },
      environment: { CANDOR_STATEMENT_DATABASE: store.url },
    })
  }

  /**
   * Makes the statement of this period unless there is one, or one failed a moment ago.
   *
   * throws  Error with what the process said when it failed
   */
  async turn(): Promise<void> {
    if (this.#process.isEnding || this.#clock() < this.#pausedTo) return
    const due = await this.#maker.isDue()
    if (due === false || (due === 'ahead' && performance.now() - this.#madeAt < statementMs)) return
    try {
      await this.#process.run({ CANDOR_STATEMENT_AT: String(this.#clock()) })
      this.#madeAt = performance.now()
      this.#failures = 0
    } catch (cause) {
      this.#pausedTo = this.#clock() + Math.min(pauseMaxMs, pauseMs * 2 ** this.#failures)
      this.#failures += 1
      throw cause
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#process.end()
    return Promise.resolve()
  }
}
