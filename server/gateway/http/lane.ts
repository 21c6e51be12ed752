import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyContextConfig, RouteOptions } from 'fastify'
import type { z } from 'zod'
import { Refused } from '../../refused.ts'
import { quickCheckOf } from './quick-check.ts'
import { parseJson } from './body.ts'
import { logFault, refusedOf, type Told, toldOf } from './errors.ts'
import type { Gate } from './gate.ts'
import { dataHeaders, transportHeaders } from './headers.ts'
import type { Proxies } from './proxies.ts'
import { bodyOf, type Ended, type RawServer, sendText } from './raw.ts'

/** What a handler of a hot route may look at: the parts of Fastify's request that have these names. */
type LaneRequest = { session: unknown; body: unknown; params: unknown; query: unknown }

type LaneRoute = {
  readonly config: FastifyContextConfig
  readonly check: { readonly body: Check; readonly params: Check; readonly query: Check }
  readonly handler: (request: LaneRequest) => unknown
}

/** Returns the data as the schema gives it. throws  Refused */
type Check = (data: unknown) => unknown

export type LaneOptions = {
  readonly gate: Gate
  readonly proxies: Proxies
  readonly requestId: () => string
  readonly logger: FastifyBaseLogger
  readonly onEnded: Ended
  readonly isSecure?: boolean
}

const bodyMax = 16 * 1024
const plainHeaders = [...Object.entries(dataHeaders), ['content-type', 'application/json; charset=utf-8']].flat()
const idPattern = /^[A-Za-z0-9_-]{1,64}$/

/**
 * A way past the framework for the few routes that most requests are for (`isHot`): the same gate, schemas, handlers and
 * answers, with less work. A request that looks in any way unusual is left to the framework.
 */
export class Lane {
  /** By method and path; of a path that ends in a parameter, what stands before it. */
  readonly #routes = new Map<string, LaneRoute>()
  readonly #options: LaneOptions
  readonly #headers: readonly string[]

  constructor(options: LaneOptions) {
    this.#options = options
    this.#headers = [...plainHeaders, ...Object.entries(transportHeaders(options.isSecure ?? false)).flat()]
  }

  /** Hears of every route of the framework, and takes the hot ones. At most one parameter, `id`, at its end. */
  readonly add = ({ method, url, schema, config, handler }: RouteOptions): void => {
    if (!config?.isHot) return
    const path = url.endsWith('/:id') ? url.slice(0, -':id'.length) : url
    const check = (part: 'body' | 'params' | 'querystring') => checkOf(schema?.[part] as z.ZodType | undefined, part === 'body')
    this.#routes.set(`${String(method)} ${path}`, {
      config,
      check: { body: check('body'), params: check('params'), query: check('querystring') },
      handler: handler as never,
    })
  }

  /** True: it is being answered here. */
  readonly take: RawServer = (request, response) => {
    const { url = '', method = '' } = request
    if (!url.startsWith('/app/')) return false
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    let params: Readonly<Record<string, string>> = none
    let route = this.#routes.get(`${method} ${path}`)
    if (!route) {
      const slash = path.lastIndexOf('/') + 1
      route = this.#routes.get(`${method} ${path.slice(0, slash)}`)
      const id = path.slice(slash)
      if (!route || !idPattern.test(id)) return false
      params = { id }
    }
    const query = mark < 0 ? none : plainQuery(url.slice(mark + 1))
    if (!query) return false
    const hasBody = method !== 'DELETE'
    if (hasBody ? !isPlainJson(request) : mayHaveBody(request)) return false
    void this.#answer(route, request, response, params, query, hasBody)
    return true
  }

  async #answer(
    route: LaneRoute,
    request: IncomingMessage,
    response: ServerResponse,
    params: unknown,
    query: unknown,
    hasBody: boolean,
  ): Promise<void> {
    const began = performance.now()
    const { gate, proxies, requestId, logger, onEnded } = this.#options
    let told: Told
    try {
      const admitted = gate(request, proxies.addressOf(request), route.config)
      const session = admitted instanceof Promise ? await admitted : admitted
      const body = hasBody ? parseJson(await bodyOf(request, bodyMax, tooLarge)) : undefined
      const { check, handler } = route
      // In the order in which the framework looks at them.
      const asked: LaneRequest = { session, params: check.params(params), body: check.body(body), query: check.query(query) }
      told = { status: 200, body: (await handler(asked)) as object }
    } catch (cause) {
      const id = requestId()
      told = toldOf(cause, id, { isWrite: true, body: undefined })
      // Who left in the middle of the body is no fault of the exchange.
      if (told.isUnforeseen && cause !== request.errored) logFault(logger, cause, id, request)
    }
    if (response.destroyed) return
    const all = [...this.#headers]
    if (told.retryAfter !== undefined) all.push('retry-after', String(told.retryAfter))
    sendText(response, told.status, all, JSON.stringify(told.body))
    onEnded(told.status, performance.now() - began)
  }
}

const tooLarge = () => new Refused('BODY_TOO_LARGE')
const none: Readonly<Record<string, string>> = Object.freeze({})

function checkOf(schema: z.ZodType | undefined, isBody: boolean): Check {
  if (!schema) return (data) => data
  const isPlainlyRight = quickCheckOf(schema)
  return (data) => {
    if (isPlainlyRight?.(data)) return data
    const result = schema.safeParse(data)
    if (!result.success) throw refusedOf(result.error, isBody ? data : (data ?? {}))
    return result.data
  }
}

/** Names and values that need no decoding, each name once; undefined for any other. */
function plainQuery(text: string): Readonly<Record<string, string>> | undefined {
  if (!/^[A-Za-z0-9_=&.-]*$/.test(text)) return undefined
  const query: Record<string, string> = {}
  for (const part of text.split('&')) {
    const at = part.indexOf('=')
    if (at <= 0 || Object.hasOwn(query, part.slice(0, at)) || part.startsWith('__')) return undefined
    query[part.slice(0, at)] = part.slice(at + 1)
  }
  return query
}

function isPlainJson({
  headers: { 'content-type': type, 'content-length': length, 'transfer-encoding': encoding, 'content-encoding': coding },
}: IncomingMessage): boolean {
  if (coding !== undefined) return false
  return type === 'application/json' && encoding === undefined && length !== undefined && Number(length) > 0 && Number(length) <= bodyMax
}

function mayHaveBody({
  headers: { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type },
}: IncomingMessage): boolean {
  return encoding !== undefined || type !== undefined || (length !== undefined && length !== '0')
}
