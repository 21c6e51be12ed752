/** A span as OpenTelemetry understands it. Times in milliseconds since 1970. Ids are hexadecimal. */
export type Span = {
  readonly traceId: string
  readonly spanId: string
  readonly parentId?: string
  readonly name: string
  readonly fromMs: number
  readonly toMs: number
  readonly isServer?: boolean
  readonly isError?: boolean
  readonly attributes: Readonly<Record<string, string | number>>
}

const queuedMax = 20_000
const batchMax = 2_000
const everyMs = 1_000
const answerMs = 5_000

export type OtlpOptions = {
  /** Of the collector; `/v1/traces` is added to an address without a path. */
  readonly url: string
  readonly service: string
  readonly version: string
  /** Called when the collector fails, and not again until it has answered. */
  readonly onFault: (cause: unknown) => void
}

/**
 * Sends spans to a collector by OTLP over HTTP, in JSON. A collector that is away or slow costs no more than the queue: what does not
 * fit is dropped and counted.
 */
export class OtlpExporter implements AsyncDisposable {
  readonly #options: OtlpOptions
  readonly #url: string
  readonly #timer: NodeJS.Timeout
  readonly #queue: Span[] = []
  #sending: Promise<void> | undefined
  #dropped = 0
  #isFailing = false

  constructor(options: OtlpOptions) {
    this.#options = options
    const url = new URL(options.url)
    if (url.pathname === '/') url.pathname = '/v1/traces'
    this.#url = url.href
    this.#timer = setInterval(() => this.#send(), everyMs)
    this.#timer.unref()
  }

  /** Spans that did not fit into the queue. */
  get dropped(): number {
    return this.#dropped
  }

  add(spans: readonly Span[]): void {
    if (this.#queue.length + spans.length > queuedMax) this.#dropped += spans.length
    else this.#queue.push(...spans)
  }

  /** Sends what waits, once. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#sending
    this.#send()
    await this.#sending
  }

  #send(): void {
    if (this.#sending !== undefined || this.#queue.length === 0) return
    const spans = this.#queue.splice(0, batchMax)
    this.#sending = this.#post(spans)
      .then(
        () => {
          this.#isFailing = false
        },
        (cause: unknown) => {
          this.#dropped += spans.length
          if (!this.#isFailing) this.#options.onFault(cause)
          this.#isFailing = true
        },
      )
      .finally(() => (this.#sending = undefined))
  }

  async #post(spans: readonly Span[]): Promise<void> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(requestOf(spans, this.#options)),
      signal: AbortSignal.timeout(answerMs),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`the collector of traces answered ${response.status}`)
  }
}

const [serverKind, internalKind, errorStatus] = [2, 1, 2]

/** An ExportTraceServiceRequest in the JSON encoding of OTLP 1. */
function requestOf(spans: readonly Span[], { service, version }: OtlpOptions): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': service, 'service.version': version }) },
        scopeSpans: [
          {
            scope: { name: 'candor', version },
            spans: spans.map(({ traceId, spanId, parentId, name, fromMs, toMs, isServer, isError, attributes }) => ({
              ...{ traceId, spanId, name, kind: isServer ? serverKind : internalKind },
              ...(parentId === undefined ? {} : { parentSpanId: parentId }),
              ...{ startTimeUnixNano: nanos(fromMs), endTimeUnixNano: nanos(toMs), attributes: attributesOf(attributes) },
              ...(isError ? { status: { code: errorStatus } } : {}),
            })),
          },
        ],
      },
    ],
  }
}

/** As text: so many nanoseconds are beyond what a number holds. */
const nanos = (ms: number): string => String(BigInt(Math.round(ms * 1e3)) * 1_000n)

function attributesOf(attributes: Readonly<Record<string, string | number>>): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }))
}
