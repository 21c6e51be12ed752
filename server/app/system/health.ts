import { timingSafeEqual } from 'node:crypto'
import type { App } from '../app.ts'
import { sendRefusal } from '../../http/errors.ts'
import { isLoopback } from '../../http/limits.ts'
import type { Area, Ended } from '../../watch/request.ts'

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

export type MetricsText = {
  /** The metrics; `health`: the problem of each check, if there is one. */
  readonly text: (health: Readonly<Record<string, string | undefined>>) => Promise<string>
  readonly requests: { readonly ended: Ended }
}

/** `/metrics` for Prometheus: from this machine, or with the token as bearer. Reports the answers of this server as they end. */
export function metricsRoute(app: App, token: string | undefined, checks: readonly Check[], metrics: MetricsText): void {
  const { ended } = metrics.requests
  app.addHook('onResponse', ({ raw, method, routeOptions, clock }, { statusCode: status, elapsedTime: ms }, done) => {
    ended({ area: areaOf(raw.url ?? ''), method, route: routeOptions.url ?? 'unknown', status, ms, clock })
    done()
  })
  app.get('/metrics', { schema: { hide: true } as object }, async (request, reply) => {
    if (!mayRead(request.address, request.headers.authorization, token)) return sendRefusal(reply, 'FORBIDDEN')
    const problems = await problemsOf(checks)
    const body = await metrics.text(Object.fromEntries(checks.map(({ name }) => [name, problems[name]])))
    return reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8').header('cache-control', 'no-store').send(body)
  })
}

function areaOf(url: string): Area {
  if (url.startsWith('/app/')) return 'app'
  return url.startsWith('/console/v1/') ? 'console' : 'pages'
}

function mayRead(ip: string, authorization: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return isLoopback(ip)
  const given = Buffer.from(authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
