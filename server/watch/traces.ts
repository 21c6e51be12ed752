import type { CommitTimes } from './engine-meter.ts'
import type { Span } from './otlp.ts'
import { type Answered, RequestClock } from './request.ts'
import { randomBytes } from 'node:crypto'

/** Requests that are traced in a second. A trace costs about as much as a small request, so a flood must not trace itself. */
const tracedPerSecond = 200
/** Batches whose times are kept: at 400 commits a second, those of the last ten seconds. */
const keptCommits = 4_096

/** Where spans go: an exporter with a bounded queue. */
export type SpanSink = { add(spans: readonly Span[]): void }

/** Makes the spans of a request: the request, its commands, and of each the decision, the commit and the way to the answer. */
export class Traces {
  readonly #sink: SpanSink
  readonly #commits: CommitTimes[] = []
  #next = 0
  #second = 0
  #traced = 0

  constructor(sink: SpanSink) {
    this.#sink = sink
  }

  /** When a batch became durable. The engine says so before it answers. */
  hear(times: CommitTimes): void {
    this.#commits[this.#next] = times
    this.#next = (this.#next + 1) % keptCommits
  }

  /** A clock for a new request. */
  clock(): RequestClock {
    const clock = new RequestClock()
    const second = Math.floor(clock.begunAt / 1e3)
    if (second !== this.#second) [this.#second, this.#traced] = [second, 0]
    clock.isTraced = this.#traced++ < tracedPerSecond
    return clock
  }

  ended({ method, route, status, ms, clock }: Answered): void {
    if (clock?.isTraced !== true) return
    const { timeOrigin } = performance
    const traceId = randomBytes(16).toString('hex')
    const span = (name: string, from: number, to: number, more: Partial<Span> = {}): Span => ({
      ...{ traceId, spanId: randomBytes(8).toString('hex'), name, fromMs: from, toMs: Math.max(from, to), attributes: {} },
      ...more,
    })
    const [begun, end] = [timeOrigin + clock.begunAt, timeOrigin + clock.begunAt + ms]
    const root = span(`${method} ${route}`, begun, end, {
      isServer: true,
      isError: status >= 500,
      attributes: { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
    })
    const spans = [root]
    for (const { type, begunAt, endedAt = begunAt, seq } of clock.commands) {
      const [from, to] = [timeOrigin + begunAt, timeOrigin + endedAt]
      const attributes = { 'candor.command': type, ...(seq === undefined ? {} : { 'candor.seq': seq }) }
      const command = span('command', from, to, { parentId: root.spanId, attributes })
      spans.push(command)
      const commit = seq === undefined ? undefined : this.#commits.find(({ firstSeq, lastSeq }) => firstSeq <= seq && seq <= lastSeq)
      if (commit === undefined) continue
      const { firstSeq, lastSeq, closedAt, durableAt } = commit
      const batch = { 'candor.batch.first': firstSeq, 'candor.batch.last': lastSeq }
      spans.push(
        span('decide', from, closedAt, { parentId: command.spanId }),
        span('commit', closedAt, durableAt, { parentId: command.spanId, attributes: batch }),
        span('answer', durableAt, end, { parentId: root.spanId }),
      )
    }
    this.#sink.add(spans)
  }
}
