import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'

const errorMax = 4_000

export type LowProcessOptions = {
  readonly program: URL
  readonly environment: Readonly<Record<string, string>>
  readonly flags?: readonly string[]
  /** A process that takes longer is ended. */
  readonly limitMs: number
  /** What a failure calls it. */
  readonly name: string
}

/** Runs a program of the exchange as a process of low priority, so that nobody who trades waits for it. One at a time. */
export class LowProcess {
  readonly #options: LowProcessOptions
  #child: ChildProcess | undefined
  #isEnding = false

  constructor(options: LowProcessOptions) {
    this.#options = options
  }

  get isEnding(): boolean {
    return this.#isEnding
  }

  /**
   * Resolves when the process has done its work, or was ended by `end`.
   *
   * now     what its environment has besides, this time
   * throws  Error with what the process said when it failed
   */
  async run(now: Readonly<Record<string, string>> = {}): Promise<void> {
    const { program, environment, flags = [], limitMs, name } = this.#options
    const child = fork(program, [], {
      env: { ...environment, ...now },
      execArgv: ['--no-warnings', ...flags],
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
      if (code !== 0 && !this.#isEnding) throw new Error(`${name} failed: ${said}`)
    } finally {
      clearTimeout(timer)
      this.#child = undefined
    }
  }

  /** Ends the process at once. No other one is started. */
  end(): void {
    this.#isEnding = true
    this.#child?.kill('SIGKILL')
  }
}
