import { compilerFlags } from '@candor/core/compiler-flags.ts'
import { LowProcess } from '../low-process.ts'
import type { Store } from '../store/open.ts'
import { Explainer } from './explainer.ts'

const limitMs = 600_000
const pauseMs = 10_000

/** Lets a process of low priority work out the explanations that customers wait for. */
export class ExplainJob implements AsyncDisposable {
  readonly #explainer: Explainer
  readonly #clock: () => number
  readonly #process: LowProcess
  #pausedTo = 0

  constructor(store: Pick<Store, 'pool' | 'url'>, clock: () => number = Date.now) {
    this.#clock = clock
    this.#explainer = new Explainer(store.pool)
    this.#process = new LowProcess({
      ...{ program: new URL('process.ts', import.meta.url), limitMs, name: 'the process that explains results' },
      environment: { CANDOR_EXPLAIN_DATABASE: store.url },
      flags: compilerFlags,
    })
  }

  /**
   * Works out what waits. After a failure it pauses for ten seconds.
   *
   * throws  Error with what the process said when it failed
   */
  async turn(): Promise<void> {
    if (this.#process.isEnding || this.#clock() < this.#pausedTo || !(await this.#explainer.isDue())) return
    try {
      await this.#process.run()
    } catch (cause) {
      this.#pausedTo = this.#clock() + pauseMs
      throw cause
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#process.end()
    return Promise.resolve()
  }
}
