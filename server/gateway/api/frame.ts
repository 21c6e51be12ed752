import { isUtf8 } from 'node:buffer'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { isWrite } from '../http/errors.ts'
import { isLoopback } from '../http/limits.ts'
import type { ApiAuth } from './auth.ts'
import { ApiError, apiErrorOf, illegal, noSuchPath } from './errors.ts'
import { sentOf } from './params.ts'
import { answerOf, type Call, type Family, type Method, methods, type Route, userOf } from './route.ts'
import type { Weights } from './weights.ts'

/** Where the programs' API begins. Nothing below these is ever a page. */
export const apiRoots = ['/api', '/sapi', '/fapi', '/dapi'] as const

const formType = 'application/x-www-form-urlencoded'

/** Data for programs on any site: a cookie means nothing here, so that there is nothing to protect from other origins. */
const apiHeaders = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'X-MBX-USED-WEIGHT, X-MBX-USED-WEIGHT-1M, X-MBX-ORDER-COUNT-10S, X-MBX-ORDER-COUNT-1D, Retry-After',
} as const

const preflightHeaders = {
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': 'X-MBX-APIKEY, Content-Type',
  'access-control-max-age': '86400',
} as const

export function isApiPath(url: string): boolean {
  return apiRoots.some((root) => url.startsWith(`${root}/`))
}

/** For an address that is not even a path. */
export function sendLost(method: string, url: string, reply: FastifyReply): void {
  const { status, body } = noSuchPath(method, url.split('?', 1)[0] as string, 404)
  void reply.code(status).headers(apiHeaders).send(body)
}

export type ApiFrameOptions = {
  readonly routes: readonly Route[]
  readonly auth: ApiAuth
  readonly weights: Weights
  readonly mode: 'sandbox' | 'production'
  readonly now: () => number
}

/** The programs' API on the server of the gateway: one room of its own, with its own errors, limits and headers. */
export async function serveApi(app: App, options: ApiFrameOptions): Promise<void> {
  const frame = new Frame(options)
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body))
    scope.setErrorHandler((error, request, reply) => frame.fail(error, request, reply as never))
    for (const root of apiRoots) {
      const hidden = { schema: { hide: true } as object, url: `${root}/*` }
      scope.route({ ...hidden, method: [...methods], handler: (request, reply) => frame.answer(request, reply as never) })
      scope.route({
        ...hidden,
        method: 'OPTIONS',
        handler: (_request, reply) =>
          reply
            .code(204)
            .headers({ ...apiHeaders, ...preflightHeaders })
            .send(),
      })
    }
    done()
  })
}

class Frame {
  readonly #routes = new Map<string, Route>()
  readonly #paths = new Set<string>()
  readonly #options: ApiFrameOptions

  constructor(options: ApiFrameOptions) {
    this.#options = options
    for (const route of options.routes) {
      const name = `${route.method} ${route.path}`
      if (this.#routes.has(name)) throw new Error(`${name} is there twice`)
      this.#routes.set(name, route)
      this.#paths.add(route.path)
    }
  }

  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { weights, now, auth } = this.#options
    const at = now()
    const [path, family] = placeOf(request)
    const answerHeaders: Record<string, string> = {}
    let isCharged = false
    const charge = (weight: number): void => {
      isCharged = true
      weights.note(request.ip, family, weight, at)
      if (this.#isHeld(request)) weights.check(request.ip, family, at)
    }
    try {
      if (this.#isHeld(request)) weights.enter(request.ip, at)
      const route = this.#routes.get(`${request.method} ${path}`)
      if (!route) throw noSuchPath(request.method, path, this.#paths.has(path) ? 405 : 404)
      const call = callOf(request, { path, family, at, answerHeaders, charge })
      const body = await answerOf(route, call, await userOf(route, call, auth))
      return this.#send(request, reply, 200, body, answerHeaders)
    } catch (error) {
      // What is wrong costs as well, or asking wrongly would be free.
      if (!isCharged) weights.note(request.ip, family, 1, at)
      return this.fail(error, request, reply, answerHeaders)
    }
  }

  fail(error: unknown, request: FastifyRequest, reply: FastifyReply, headers: Readonly<Record<string, string>> = {}): FastifyReply {
    const known = apiErrorOf(error) ?? frameworkErrorOf(error)
    const said = known ?? (isWrite(request) ? outcomeUnknown() : notNow())
    if (!known) {
      const url = request.url.split('?', 1)[0]
      request.log.error({ err: error, reqId: request.id, url, method: request.method }, 'a request failed')
    }
    if (said.retryAfter !== undefined) reply.header('retry-after', String(said.retryAfter))
    return this.#send(request, reply, said.status, said.body, headers)
  }

  #send(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): FastifyReply {
    const { weights, now } = this.#options
    const used = String(weights.used(request.ip, placeOf(request)[1], now()))
    return reply
      .code(status)
      .headers({ ...apiHeaders, ...headers, 'x-mbx-used-weight': used, 'x-mbx-used-weight-1m': used })
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(body))
  }

  /** Whether limits hold for it: a sandbox does not hold back who runs it. */
  #isHeld(request: FastifyRequest): boolean {
    return this.#options.mode === 'production' || !isLoopback(request.ip)
  }
}

function placeOf(request: FastifyRequest): readonly [path: string, family: Family] {
  const path = request.url.split('?', 1)[0] as string
  return [path, path.startsWith('/fapi/') ? 'futures' : 'spot']
}

function callOf(request: FastifyRequest, known: Pick<Call, 'path' | 'family' | 'at' | 'answerHeaders' | 'charge'>): Call {
  const at = request.url.indexOf('?')
  const query = at < 0 ? '' : request.url.slice(at + 1)
  const body = request.body as Buffer | undefined
  const key = request.headers['x-mbx-apikey']
  return {
    ...known,
    method: request.method as Method,
    query,
    body,
    sent: sentOf(query, formOf(request, body)),
    key: typeof key === 'string' ? key : undefined,
    ip: request.ip,
  }
}

/** An empty body may have any type: clients name one whether or not they send anything. */
function formOf(request: FastifyRequest, body: Buffer | undefined): string {
  if (body === undefined || body.length === 0) return ''
  const type = String(request.headers['content-type'] ?? '')
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase()
  if (type !== formType) throw new ApiError(-1100, `Send parameters in the query or as ${formType}.`, 415)
  if (!isUtf8(body)) throw illegal('body', 'UTF-8, percent-encoded')
  return body.toString('utf8')
}

function frameworkErrorOf(error: unknown): ApiError | undefined {
  const { statusCode } = (error ?? {}) as { statusCode?: unknown }
  if (statusCode === 413) return apiErrorOf({ refusal: 'BODY_TOO_LARGE' })
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? apiErrorOf({ refusal: 'BODY_MALFORMED' }) : undefined
}

const outcomeUnknown = (): ApiError => apiErrorOf({ refusal: 'STATUS_UNKNOWN' }) as ApiError
const notNow = (): ApiError => apiErrorOf({ refusal: 'UNAVAILABLE' }) as ApiError
