import { timingSafeEqual } from 'node:crypto'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { App } from '../app.ts'
import { sendRefusal } from '../../http/errors.ts'
import { isLoopback } from '../../http/limits.ts'
import type { Ended } from '../../http/raw.ts'

/** A part that trading needs: its name, and its current problem (`undefined`: none). */
export type Check = { readonly name: string; readonly problem: () => Promise<string | undefined> | string | undefined }

const checkMaxMs = 1_000
const sharedMs = 250

/**
 * `/healthz`: 200 while every part that trading needs is up, otherwise 503. Callers that may read the metrics also get the list
 * of problems; others learn only whether it is up.
 */
export function healthRoute(app: App, token: string | undefined, checks: readonly Check[]): void {
  const names = checks.map(({ name }) => name)
  const problemsNow = shared(() => problemsOf(checks))
  app.get('/healthz', { schema: { hide: true } as object }, async (request, reply) => {
    const missing = await problemsNow()
    const isUp = Object.keys(missing).length === 0
    const isTold = mayRead(request.address, request.headers.authorization, token)
    const details = isTold ? { ...(isUp ? {} : { missing }), checks: names } : {}
    return reply
      .header('cache-control', 'no-store')
      .code(isUp ? 200 : 503)
      .send({ status: isUp ? 'ok' : 'degraded', ...details })
  })
}

/** Shares one answer among callers within a moment, so that many callers cost one query of the database. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let kept: { readonly at: number; readonly answer: Promise<T> } | undefined
  return () => {
    const now = performance.now()
    if (!kept || now - kept.at >= sharedMs) kept = { at: now, answer: ask() }
    return kept.answer
  }
}

async function problemsOf(checks: readonly Check[]): Promise<Readonly<Record<string, string>>> {
  const problems: Record<string, string> = {}
  await Promise.all(
    checks.map(async ({ name, problem }) => {
      const found = await Promise.race([
        Promise.resolve().then(problem),
        new Promise<string>((resolve) => setTimeout(resolve, checkMaxMs, 'no answer within a second').unref()),
      ]).catch((cause: unknown) => (cause instanceof Error ? cause.message : String(cause)))
      if (found !== undefined) problems[name] = found
    }),
  )
  return problems
}

export type Gauges = Readonly<Record<string, { readonly help: string; readonly read: () => number }>>

/** `/metrics` for Prometheus: from this machine, or with the token as bearer. Returns a function that counts the answers to programs. */
export function metricsRoute(app: App, token: string | undefined, gauges: Gauges): Ended {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'candor_gateway_' })
  for (const [name, { help, read }] of Object.entries(gauges)) {
    const gauge = new Gauge({
      name: `candor_${name}`,
      help,
      registers: [],
      collect() {
        this.set(read())
      },
    })
    registry.registerMetric(gauge)
  }
  const requests = new Counter({
    name: 'candor_http_requests_total',
    help: 'Requests by status class',
    labelNames: ['status'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'candor_http_request_seconds',
    help: 'Time from request to answer',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  })
  const counts = {
    '2xx': requests.labels('2xx'),
    '3xx': requests.labels('3xx'),
    '4xx': requests.labels('4xx'),
    '5xx': requests.labels('5xx'),
  }
  const ended: Ended = (status, ms) => {
    counts[status < 300 ? '2xx' : status < 400 ? '3xx' : status < 500 ? '4xx' : '5xx'].inc()
    seconds.observe(ms / 1_000)
  }
  app.addHook('onResponse', (_request, reply, done) => {
    ended(reply.statusCode, reply.elapsedTime)
    done()
  })
  app.get('/metrics', { schema: { hide: true } as object }, async (request, reply) => {
    if (!mayRead(request.address, request.headers.authorization, token)) return sendRefusal(reply, 'FORBIDDEN')
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
  return ended
}

function mayRead(ip: string, authorization: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return isLoopback(ip)
  const given = Buffer.from(authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
