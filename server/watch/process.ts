import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Sample, sample } from './samples.ts'

/** What one process tells about itself, every two seconds. */
export type Told = { readonly process: string; readonly samples: readonly Sample[] }

const everyMs = 2_000
const resolutionMs = 20

/** Reports the metrics of this process every two seconds: its own state, and what its parts count. */
export class ProcessReport implements Disposable {
  readonly #lag = monitorEventLoopDelay({ resolution: resolutionMs })
  readonly #name: string
  readonly #parts: () => readonly Sample[]
  readonly #timer: NodeJS.Timeout
  #last: Told

  constructor(name: string, parts: () => readonly Sample[] = () => [], tell: (told: Told) => void = () => undefined) {
    this.#name = name
    this.#parts = parts
    this.#lag.enable()
    this.#last = this.#look()
    tell(this.#last)
    this.#timer = setInterval(() => tell((this.#last = this.#look())), everyMs)
    this.#timer.unref()
  }

  get last(): Told {
    return this.#last
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#lag.disable()
  }

  #look(): Told {
    const { max } = this.#lag
    this.#lag.reset()
    const of = { process: this.#name }
    const { rss, heapUsed, external } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const own = [
      sample('candor_process_uptime_seconds', process.uptime(), of),
      sample('candor_process_resident_bytes', rss, of),
      sample('candor_process_heap_bytes', heapUsed, of),
      sample('candor_process_external_bytes', external, of),
      sample('candor_process_cpu_seconds_total', (user + system) / 1e6, of),
      sample('candor_process_loop_lag_seconds', Math.max(0, max / 1e9 - resolutionMs / 1e3), of),
      sample('candor_process_handles', process.getActiveResourcesInfo().length, of),
      ...descriptors().map((count) => sample('candor_process_descriptors', count, of)),
    ]
    return { process: this.#name, samples: [...own, ...this.#parts()] }
  }
}

/** Empty where the system does not list them. */
function descriptors(): readonly number[] {
  try {
    return [readdirSync('/proc/self/fd').length]
  } catch {
    return []
  }
}

/** The last reports of other processes. One that is silent keeps its last values, and its age grows. */
export class ToldReports {
  readonly #heard = new Map<string, { readonly told: Told; readonly at: number }>()
  readonly #clock: () => number

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  hear(told: Told): void {
    this.#heard.set(told.process, { told, at: this.#clock() })
  }

  samples(): readonly Sample[] {
    return [...this.#heard.values()].flatMap(({ told, at }) => [
      sample('candor_process_heard_age_seconds', (this.#clock() - at) / 1e3, { process: told.process }),
      ...told.samples,
    ])
  }
}
