import { monitorEventLoopDelay } from 'node:perf_hooks'

/** State of one process. `lagMs`: how late its timers fired at worst since the last report. `bytes`: memory in use. */
export type ProcessHealth = {
  readonly name: string
  readonly pid: number
  readonly node: string
  readonly uptimeMs: number
  readonly bytes: number
  readonly lagMs: number
}

const everyMs = 2_000
const resolutionMs = 20

/** Reports the state of this process every two seconds. */
export class HealthReport implements Disposable {
  readonly #histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  readonly #name: string
  readonly #timer: NodeJS.Timeout
  #last: ProcessHealth

  constructor(name: string, tell: (health: ProcessHealth) => void = () => undefined) {
    this.#name = name
    this.#histogram.enable()
    this.#last = this.#look()
    tell(this.#last)
    this.#timer = setInterval(() => {
      this.#last = this.#look()
      tell(this.#last)
    }, everyMs)
    this.#timer.unref()
  }

  get last(): ProcessHealth {
    return this.#last
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#histogram.disable()
  }

  #look(): ProcessHealth {
    const { max } = this.#histogram
    this.#histogram.reset()
    const lagMs = Math.max(0, Math.round(max / 1e6) - resolutionMs)
    return {
      ...{ name: this.#name, pid: process.pid, node: process.version, uptimeMs: Math.round(process.uptime() * 1_000) },
      ...{ bytes: process.memoryUsage.rss(), lagMs },
    }
  }
}

/** The last reports of other processes, with their age. */
export class HealthReports {
  readonly #heard = new Map<string, { readonly health: ProcessHealth; readonly at: number }>()
  readonly #clock: () => number

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  hear(health: ProcessHealth): void {
    this.#heard.set(health.name, { health, at: this.#clock() })
  }

  now(): readonly (ProcessHealth & { readonly ageMs: number })[] {
    return [...this.#heard.values()].map(({ health, at }) => ({ ...health, ageMs: Math.round(this.#clock() - at) }))
  }
}
