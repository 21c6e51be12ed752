import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { bodyMax, strangerBodyMax } from '../app.ts'
import { isCoded } from '../http/body.ts'
import { isWrite, logFault } from '../http/errors.ts'
import { isLoopback } from '../http/limits.ts'
import { transportHeaders } from '../http/headers.ts'
import type { Proxies } from '../http/proxies.ts'
import { bodyOf, type Ended, type RawServer, sendText } from '../http/raw.ts'
import type { ApiAuth } from './auth.ts'
import { ApiError, apiErrorOf, illegal, noSuchPath } from './errors.ts'
import { type Sent, sentOf } from './params.ts'
import { answerOf, type Call, type Family, type Method, methods, type Route, userOf } from './route.ts'
import { staleHeader, type Staleness } from '../staleness.ts'
import type { Weights } from './weights.ts'

/** Where the programs' API begins. Nothing below these is ever a page. */
const apiRoots = ['/api/', '/sapi/', '/fapi/', '/dapi/'] as const

const formType = 'application/x-www-form-urlencoded'

const programHeaders = Object.entries({
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}).flat()

/** For browsers, on any site: a cookie means nothing here, so that there is nothing to protect from other origins. */
const browserHeaders = Object.entries({
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'X-MBX-USED-WEIGHT, X-MBX-USED-WEIGHT-1M, X-MBX-ORDER-COUNT-10S, X-MBX-ORDER-COUNT-1D, Retry-After, X-Candor-Stale',
}).flat()

const apiHeaders = [...programHeaders, ...browserHeaders]

const preflight = [
  ...apiHeaders,
  ...['access-control-allow-methods', methods.join(', ')],
  ...['access-control-allow-headers', 'X-MBX-APIKEY, Content-Type'],
  ...['access-control-max-age', '86400'],
]

export type ApiFrameOptions = {
  readonly routes: readonly Route[]
  readonly auth: ApiAuth
  readonly weights: Weights
  readonly mode: 'sandbox' | 'production'
  readonly proxies: Proxies
  readonly now: () => number
  readonly logger: FastifyBaseLogger
  readonly requestId: () => string
  readonly onEnded: Ended
  readonly isSecure?: boolean
  readonly staleness?: Staleness
}

/** The programs' API: paths of its own before the app's framework, with their own errors, limits and headers. */
export function apiServer(options: ApiFrameOptions): RawServer {
  const frame = new Frame(options)
  return (request, response) => {
    const url = request.url ?? ''
    if (!apiRoots.some((root) => url.startsWith(root))) return false
    if (request.method === 'OPTIONS') response.writeHead(204, preflight).end()
    else void frame.answer(request, response)
    return true
  }
}

class Frame {
  readonly #routes = new Map<string, Route>()
  readonly #paths = new Set<string>()
  readonly #options: ApiFrameOptions
  readonly #transport: readonly string[]

  constructor(options: ApiFrameOptions) {
    this.#options = options
    this.#transport = Object.entries(transportHeaders(options.isSecure ?? false)).flat()
    for (const route of options.routes) {
      const name = `${route.method} ${route.path}`
      if (this.#routes.has(name)) throw new Error(`${name} is there twice`)
      this.#routes.set(name, route)
      this.#paths.add(route.path)
    }
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { weights, now, auth, proxies, onEnded } = this.#options
    const began = performance.now()
    const at = now()
    const url = request.url as string
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const query = mark < 0 ? '' : url.slice(mark + 1)
    const family: Family = path.startsWith('/fapi/') ? 'futures' : 'spot'
    const ip = proxies.addressOf(request)
    const isHeld = this.#options.mode === 'production' || !isLoopback(ip)
    const answerHeaders: Record<string, string> = {}
    let isCharged = false
    const charge = (weight: number): void => {
      isCharged = true
      weights.note(ip, family, weight, at)
      if (isHeld) weights.check(ip, family, at)
    }
    let status = 200
    let said: unknown
    try {
      if (isHeld) {
        weights.enter(ip, at)
        // Before anything is looked up: who only asks wrongly is never charged.
        weights.check(ip, family, at)
      }
      const method = request.method as Method
      const route = this.#routes.get(`${method} ${path}`)
      if (!route) throw noSuchPath(method, path, this.#paths.has(path) ? 405 : 404)
      const header = request.headers['x-mbx-apikey']
      const key = typeof header === 'string' ? header : undefined
      if (isCoded(request)) throw notDecoded()
      const body = hasBody(request) ? await readBody(request, auth.isKnown(key) ? bodyMax : strangerBodyMax) : undefined
      const form = formOf(request, body)
      let parsed: Sent | undefined
      const call: Call = {
        method,
        path,
        family,
        key,
        query,
        body,
        ip,
        at,
        answerHeaders,
        charge,
        // Once it is known who asks: what is wrong with a key is said first.
        get sent() {
          return (parsed ??= sentOf(query, form))
        },
      }
      const user = userOf(route, call, auth)
      said = answerOf(route, call, user instanceof Promise ? await user : user)
      if (said instanceof Promise) said = await said
    } catch (error) {
      // What is wrong costs as well, or asking wrongly would be free.
      if (!isCharged) weights.note(ip, family, 1, at)
      const refused = this.#refusalOf(error, request)
      status = refused.status
      said = refused.body
      if (refused.retryAfter !== undefined) answerHeaders['retry-after'] = String(refused.retryAfter)
    }
    if (response.destroyed) return
    const used = String(weights.used(ip, family, at))
    const headers = [
      ...(isProgram(request) ? programHeaders : apiHeaders),
      ...this.#transport,
      'x-mbx-used-weight',
      used,
      'x-mbx-used-weight-1m',
      used,
    ]
    const stale = status === 200 ? this.#options.staleness?.of(request.method, path) : undefined
    if (stale !== undefined) headers.push(staleHeader, stale)
    for (const name in answerHeaders) headers.push(name, answerHeaders[name] as string)
    // What was not read of a body would be taken for the next request. Without one, a request is complete only after its handler.
    if (!request.complete && hasBody(request)) headers.push('connection', 'close')
    sendText(response, status, headers, JSON.stringify(said))
    onEnded(status, performance.now() - began)
  }

  #refusalOf(error: unknown, request: IncomingMessage): ApiError {
    const known = apiErrorOf(error)
    if (known) return known
    // Who asked left in the middle of the body, which is no fault of the exchange.
    if (error === request.errored) return notNow()
    logFault(this.#options.logger, error, this.#options.requestId(), request)
    return isWrite(request) ? outcomeUnknown() : notNow()
  }
}

/** Sends what no browser leaves out and no page can set: an API key without an origin. */
function isProgram({ headers }: IncomingMessage): boolean {
  return headers['x-mbx-apikey'] !== undefined && headers.origin === undefined && headers['sec-fetch-site'] === undefined
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}

/** throws  ApiError for one that is too large, whether or not its length was told */
function readBody(request: IncomingMessage, max: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > max) throw tooLarge()
  return bodyOf(request, max, tooLarge)
}

/** An empty body may have any type: clients name one whether or not they send anything. */
function formOf(request: IncomingMessage, body: Buffer | undefined): string {
  if (body === undefined || body.length === 0) return ''
  const type = String(request.headers['content-type'] ?? '')
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase()
  if (type !== formType) throw new ApiError(-1100, `Send parameters in the query or as ${formType}.`, 415)
  if (!isUtf8(body)) throw illegal('body', 'UTF-8, percent-encoded')
  return body.toString('utf8')
}

const notDecoded = (): ApiError => new ApiError(-1100, 'A body is read as it is: send no content-encoding.', 415)
const tooLarge = (): ApiError => apiErrorOf({ refusal: 'BODY_TOO_LARGE' }) as ApiError
const outcomeUnknown = (): ApiError => apiErrorOf({ refusal: 'STATUS_UNKNOWN' }) as ApiError
const notNow = (): ApiError => apiErrorOf({ refusal: 'UNAVAILABLE' }) as ApiError
