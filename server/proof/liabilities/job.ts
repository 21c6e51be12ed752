import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Store } from '../../store/open.ts'
import { LiabilityMaker, statementMs } from './maker.ts'

const program = fileURLToPath(new URL('process.ts', import.meta.url))
/** A process that takes longer is ended. */
const limitMs = 540_000
const errorMax = 4_000
/** Pause after the first failure. Each further one doubles it: what fails for a million customers costs as much as what succeeds. */
const [pauseMs, pauseMaxMs] = [60_000, 600_000]

/** Makes statements of liabilities in a process of low priority, so that nobody who trades waits for them. */
export class LiabilityJob implements AsyncDisposable {
  readonly #store: Pick<Store, 'pool' | 'url'>
  readonly #maker: LiabilityMaker
  readonly #clock: () => number
  #child: ChildProcess | undefined
  #isEnding = false
  #failures = 0
  /** On the steady clock. */
  #madeAt = Number.NEGATIVE_INFINITY
  #pausedTo = 0

  constructor(store: Pick<Store, 'pool' | 'url'>, clock: () => number = Date.now) {
    this.#store = store
    this.#clock = clock
    this.#maker = new LiabilityMaker(store.pool, clock)
  }

  /**
   * Makes the statement of this period unless there is one, or one failed a moment ago.
   *
   * throws  Error with what the process said when it failed
   */
  async turn(): Promise<void> {
    if (this.#isEnding || this.#clock() < this.#pausedTo) return
    const due = await this.#maker.isDue()
    if (due === false || (due === 'ahead' && performance.now() - this.#madeAt < statementMs)) return
    try {
      await this.#run()
      this.#madeAt = performance.now()
      this.#failures = 0
    } catch (cause) {
      this.#pausedTo = this.#clock() + Math.min(pauseMaxMs, pauseMs * 2 ** this.#failures)
      this.#failures += 1
      throw cause
    }
  }

  async #run(): Promise<void> {
    const child = fork(program, [], {
      env: { CANDOR_STATEMENT_DATABASE: this.#store.url, CANDOR_STATEMENT_AT: String(this.#clock()) },
      execArgv: ['--no-warnings'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child = child
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-errorMax)))
    try {
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    } catch {
      // Some systems do not allow this; the process then has normal priority.
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
    try {
      const [code] = (await once(child, 'close')) as [number | null]
      if (code !== 0 && !this.#isEnding) throw new Error(`the process that makes statements of liabilities failed: ${said}`)
    } finally {
      clearTimeout(timer)
      this.#child = undefined
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true
    this.#child?.kill('SIGKILL')
    return Promise.resolve()
  }
}
