import type { Answered, Area, Ended } from '../../watch/request.ts'
import { RequestClock } from '../../watch/request.ts'
import { type Sample, sample, Spread } from '../../watch/samples.ts'
import type { SlowRequests } from '../../watch/slow.ts'
import type { Traces } from '../../watch/traces.ts'

const areas: readonly Area[] = ['spot', 'futures', 'coin', 'wallet', 'app', 'console', 'hooks', 'pages']
const classes = ['2xx', '3xx', '4xx', '5xx'] as const
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts of one part of the interface; made once, so that an answer only adds to numbers. */
class AreaCounts {
  readonly seconds = new Spread(bounds)
  readonly byClass = new Float64Array(classes.length)
  slow = 0
}

/** What becomes of each answered request: counts, the log of slow ones, and traces. */
export class Requests {
  readonly #counts = Object.fromEntries(areas.map((area) => [area, new AreaCounts()])) as Readonly<Record<Area, AreaCounts>>
  readonly #slow: SlowRequests
  readonly #traces: Traces | undefined

  constructor(slow: SlowRequests, traces: Traces | undefined) {
    this.#slow = slow
    this.#traces = traces
  }

  /** A clock for a request that begins. */
  readonly clock = (): RequestClock => this.#traces?.clock() ?? new RequestClock()

  readonly ended: Ended = (answered: Answered): void => {
    const { area, status, ms } = answered
    const counts = this.#counts[area]
    counts.byClass[status < 300 ? 0 : status < 400 ? 1 : status < 500 ? 2 : 3]!++
    counts.seconds.add(ms / 1e3)
    if (this.#slow.note(answered)) counts.slow++
    this.#traces?.ended(answered)
  }

  samples(): readonly Sample[] {
    return areas.flatMap((area) => {
      const { seconds, byClass, slow } = this.#counts[area]
      return [
        ...classes.map((status, place) => sample('candor_http_requests_total', byClass[place]!, { area, status })),
        seconds.sample('candor_http_request_seconds', { area }),
        sample('candor_http_slow_total', slow, { area }),
      ]
    })
  }
}
