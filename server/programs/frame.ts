import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { bodyMax, isCoded, strangerBodyMax } from '../http/body.ts'
import { isWrite, logFault } from '../http/errors.ts'
import { isLoopback } from '../http/limits.ts'
import { transportList } from '../http/headers.ts'
import type { Proxies } from '../http/proxies.ts'
import { bodyOf, type RawServer, sendText } from '../http/raw.ts'
import { type Area, clocks, type Ended, RequestClock } from '../watch/request.ts'
import type { ApiAuth } from './auth.ts'
import { ApiError, apiErrorOf, illegal, noSuchPath } from './errors.ts'
import { type Sent, sentOf } from './params.ts'
import { answerOf, type Call, type Method, methods, type Route, userOf } from './route.ts'
import { staleHeader, type Staleness } from '../live/staleness.ts'
import type { Family } from '../live/program-names.ts'
import type { Weights } from './weights.ts'

/** Roots of the API for programs. No page is ever served below them. */
const apiRoots = ['/api/', '/sapi/', '/fapi/', '/dapi/'] as const

/** Weight of a request with a key that does not exist or may not do this: it was looked up in the tables. */
const refusedKeyWeight = 20

const formType = 'application/x-www-form-urlencoded'

const programHeaders = Object.entries({
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}).flat()

/** For browsers on any site: this API ignores cookies, so nothing needs protection from other origins. */
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
  /** A clock for each request. Default: one that nobody traces. */
  readonly newClock?: () => RequestClock
  readonly isSecure?: boolean
  readonly staleness?: Staleness
}

/** Serves the API for programs: its own paths before the app's framework, with its own errors, limits and headers. */
export function apiServer(options: ApiFrameOptions): RawServer {
  const frame = new Frame(options)
  const allowed = [...preflight, ...transportList(options.isSecure ?? false)]
  return (request, response) => {
    const url = request.url ?? ''
    if (!apiRoots.some((root) => url.startsWith(root))) return false
    if (request.method === 'OPTIONS') response.writeHead(204, allowed).end()
    else frame.answer(request, response)
    return true
  }
}

/** One request until it is answered, as its route sees it. */
class Asked implements Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: Method
  readonly path: string
  readonly query: string
  readonly family: Family
  readonly key: string | undefined
  readonly ip: string
  readonly isHeld: boolean
  readonly at: number
  readonly clock: RequestClock
  readonly answerHeaders: Record<string, string> = {}
  body: Buffer | undefined
  form = ''
  isCharged = false
  readonly #weights: Weights
  #sent: Sent | undefined

  constructor(request: IncomingMessage, response: ServerResponse, { now, proxies, mode, weights, newClock }: ApiFrameOptions) {
    this.clock = newClock?.() ?? new RequestClock()
    const url = request.url as string
    const mark = url.indexOf('?')
    const key = request.headers['x-mbx-apikey']
    this.request = request
    this.response = response
    this.method = request.method as Method
    this.path = mark < 0 ? url : url.slice(0, mark)
    this.query = mark < 0 ? '' : url.slice(mark + 1)
    this.family = url.startsWith('/fapi/') ? 'futures' : 'spot'
    this.key = typeof key === 'string' ? key : undefined
    this.ip = proxies.addressOf(request)
    this.isHeld = mode === 'production' || !isLoopback(this.ip)
    this.at = now()
    this.#weights = weights
  }

  /** Read once the caller is known: errors about the key come first. */
  get sent(): Sent {
    return (this.#sent ??= sentOf(this.query, this.form))
  }

  charge(weight: number): void {
    this.isCharged = true
    this.#weights.note(this.ip, this.family, weight, this.at)
    if (this.isHeld) this.#weights.check(this.ip, this.family, this.at)
  }
}

class Frame {
  readonly #routes = new Map<string, Route>()
  readonly #paths = new Set<string>()
  readonly #options: ApiFrameOptions
  readonly #programHeaders: readonly string[]
  readonly #apiHeaders: readonly string[]

  constructor(options: ApiFrameOptions) {
    this.#options = options
    const transport = transportList(options.isSecure ?? false)
    this.#programHeaders = [...programHeaders, ...transport]
    this.#apiHeaders = [...apiHeaders, ...transport]
    for (const route of options.routes) {
      const name = `${route.method} ${route.path}`
      if (this.#routes.has(name)) throw new Error(`${name} is declared twice`)
      this.#routes.set(name, route)
      this.#paths.add(route.path)
    }
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const asked = new Asked(request, response, this.#options)
    try {
      const said = clocks.run(asked.clock, () => this.#answerOf(asked))
      if (!(said instanceof Promise)) this.#end(asked, 200, said)
      else
        said.then(
          (value) => this.#end(asked, 200, value),
          (cause: unknown) => this.#refuse(asked, cause),
        )
    } catch (cause) {
      this.#refuse(asked, cause)
    }
  }

  #answerOf(asked: Asked): unknown {
    const { request, ip, at, family, method, path } = asked
    const { weights, auth } = this.#options
    if (asked.isHeld) {
      weights.enter(ip, at)
      // Before any look-up: a caller that sends only malformed requests is never charged otherwise.
      weights.check(ip, family, at)
    }
    const route = this.#routes.get(`${method} ${path}`)
    if (!route) throw noSuchPath(method, path, this.#paths.has(path) ? 405 : 404)
    if (isCoded(request)) throw notDecoded()
    if (!hasBody(request)) return this.#routed(asked, route)
    return readBody(request, auth.isKnown(asked.key) ? bodyMax : strangerBodyMax).then((body) => {
      asked.form = formOf(request, body)
      asked.body = body
      return this.#routed(asked, route)
    })
  }

  #routed(asked: Asked, route: Route): unknown {
    const user = userOf(route, asked, this.#options.auth)
    const answer = (found: Awaited<typeof user>): unknown => {
      asked.clock.readyAt = performance.now()
      return answerOf(route, asked, found)
    }
    return user instanceof Promise ? user.then(answer) : answer(user)
  }

  #refuse(asked: Asked, cause: unknown): void {
    // A refused request has weight too; otherwise bad requests would be free.
    const refused = this.#refusalOf(cause, asked.request)
    if (!asked.isCharged) this.#options.weights.note(asked.ip, asked.family, weightOf(refused), asked.at)
    if (refused.retryAfter !== undefined) asked.answerHeaders['retry-after'] = String(refused.retryAfter)
    this.#end(asked, refused.status, refused.body)
  }

  #end({ request, response, ip, at, family, method, path, answerHeaders, clock }: Asked, status: number, said: unknown): void {
    const { weights, staleness, onEnded } = this.#options
    if (response.destroyed) return
    const used = String(weights.used(ip, family, at))
    const headers = (isProgram(request) ? this.#programHeaders : this.#apiHeaders).slice()
    headers.push('x-mbx-used-weight', used, 'x-mbx-used-weight-1m', used)
    const stale = status === 200 ? staleness?.of(request.method, path) : undefined
    if (stale !== undefined) headers.push(staleHeader, stale)
    for (const name in answerHeaders) headers.push(name, answerHeaders[name] as string)
    // The unread part of a body would be taken for the next request. A request without a body is complete only after its handler.
    if (!request.complete && hasBody(request)) headers.push('connection', 'close')
    sendText(response, status, headers, JSON.stringify(said))
    const route = this.#paths.has(path) ? path : 'unknown'
    onEnded({ area: areaOf(path), method, route, status, ms: performance.now() - clock.begunAt, clock })
  }

  #refusalOf(error: unknown, request: IncomingMessage): ApiError {
    const known = apiErrorOf(error)
    if (known) return known
    // The client disconnected in the middle of the body, which is not an error of the exchange.
    if (error === request.errored) return notNow()
    logFault(this.#options.logger, error, this.#options.requestId(), request)
    return isWrite(request) ? outcomeUnknown() : notNow()
  }
}

/** Whether the caller is a program: it sends an API key without the origin headers that browsers always send and no page can remove. */
function isProgram({ headers }: IncomingMessage): boolean {
  return headers['x-mbx-apikey'] !== undefined && headers.origin === undefined && headers['sec-fetch-site'] === undefined
}

const areas: Readonly<Record<string, Area>> = { '/fapi': 'futures', '/sapi': 'wallet', '/dapi': 'coin' }
const areaOf = (path: string): Area => areas[path.slice(0, 5)] ?? 'spot'

const weightOf = ({ body }: ApiError): number => (body.code === -2015 ? refusedKeyWeight : 1)

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}

/** throws  ApiError for a body that is too large, whether or not its length was announced */
function readBody(request: IncomingMessage, max: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > max) throw tooLarge()
  return bodyOf(request, max, tooLarge)
}

/** An empty body may have any type: some clients always send one. */
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

const notDecoded = (): ApiError => new ApiError(-1100, 'Compressed bodies are not supported: send no content-encoding.', 415)
const tooLarge = (): ApiError => apiErrorOf({ refusal: 'BODY_TOO_LARGE' }) as ApiError
const outcomeUnknown = (): ApiError => apiErrorOf({ refusal: 'STATUS_UNKNOWN' }) as ApiError
const notNow = (): ApiError => apiErrorOf({ refusal: 'UNAVAILABLE' }) as ApiError
