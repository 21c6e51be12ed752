import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController, type RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { z } from 'zod'
import type { Session } from '../ports.ts'
import { deviceOf } from '../identity/device.ts'
import { actsOfRoute } from '@candor/core/protocol/wire/firm/acts.ts'
import { origins } from '../origins.ts'
import { clocks, RequestClock } from '../watch/request.ts'
import { Refused } from '../refused.ts'
import { bodyMax, isCoded, parseJson, strangerBodyMax } from '../http/body.ts'
import { answerBrokenHttp, handleErrors, refusedOf, sendRefusal } from '../http/errors.ts'
import { commonHeaders, dataHeaders, transportHeaders } from '../http/headers.ts'
import type { Admitted, Gate } from '../http/gate.ts'
import type { Proxies } from '../http/proxies.ts'
import { staleHeader, type Staleness } from '../live/staleness.ts'

/** Fastify as all routes use it: schemas are written in Zod, and their types reach the handlers. */
export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

declare module 'fastify' {
  interface FastifyRequest {
    session: Session
    /** Token in the cookie, if there is one. */
    sessionToken: string | undefined
    /** Counts the request for the sender's network, where the gate counted it for the device alone. */
    asStranger: (() => void) | undefined
    /** Whether the session still holds: see `Admitted`. */
    again: (() => unknown) | undefined
    /** Where the time of the request goes. */
    clock: RequestClock
    /** The sender's address: behind a trusted proxy, the one that the proxy saw. */
    address: string
  }
}

export type AppOptions = {
  readonly proxies: Proxies
  /** True when the public address is https: browsers are told to use nothing else. */
  readonly isSecure?: boolean
  readonly gate: Gate
  readonly requestId: () => string
  readonly tokenOf: (request: IncomingMessage) => string | undefined
  readonly logger: FastifyBaseLogger
  readonly staleness?: Staleness
  /** A clock for each request. Default: one that nobody traces. */
  readonly newClock?: () => RequestClock
  /**
   * A client that reads nothing of an answer for this long, or up to twice as long, is cut off, because waiting answers cost
   * memory. Default: half a minute.
   */
  readonly unreadMs?: number
}

const headerMax = 16 * 1024
const requestTimeoutMs = 10_000
const unreadMaxMs = 30_000

/** The HTTP server with everything common to all routes: parsing, origin, session, limits, headers, errors. */
export function buildApp(options: AppOptions): App {
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Each request logs at most one line, with the request's id, so it needs no logger of its own.
    childLoggerFactory: (logger) => logger,
    bodyLimit: strangerBodyMax,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: options.unreadMs ?? unreadMaxMs,
    keepAliveTimeout: 75_000,
    trustProxy: false,
    genReqId: options.requestId,
    // `first-bytes.ts` sets `noDelay` where it hands a connection over: those that are shut out don't pay for it.
    http: { maxHeaderSize: headerMax, headersTimeout: requestTimeoutMs, connectionsCheckingInterval: 1_000, noDelay: false },
    clientErrorHandler: answerBrokenHttp,
    frameworkErrors: (_error, _request, reply) => void sendRefusal(reply as unknown as FastifyReply, 'NOT_FOUND'),
    routerOptions: { maxParamLength: 128, caseSensitive: true, ignoreTrailingSlash: false },
    forceCloseConnections: true,
  }).withTypeProvider<ZodTypeProvider>() as unknown as App

  app.setValidatorCompiler<z.ZodType>(({ schema, httpPart }) => (data: unknown) => {
    const result = schema.safeParse(data)
    return result.success ? { value: result.data } : { error: refusedOf(result.error, httpPart === 'body' ? data : (data ?? {})) }
  })
  // Answers are checked by the compiler and by tests that hold each of them against its schema.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  handleErrors(app)
  answerUnknownPaths(app)
  app.decorateRequest('session')
  app.decorateRequest('sessionToken', undefined)
  app.decorateRequest('asStranger', undefined)
  app.decorateRequest('again', undefined)
  app.decorateRequest('address', '')
  app.decorateRequest('clock')
  allowLargerBodies(app)
  addActs(app)
  const { newClock = () => new RequestClock() } = options
  app.addHook('onRequest', (request, _reply, done) => {
    request.clock = newClock()
    done()
  })
  addGate(app, options)
  addOrigins(app)
  // After the body, which arrives outside the context of its request.
  app.addHook('preHandler', (request, _reply, done) => {
    request.clock.readyAt = performance.now()
    clocks.run(request.clock, done)
  })
  if (options.staleness !== undefined) markStale(app, options.staleness)
  return app
}

/** Adds their age to answers from memory while nothing updates this memory. */
function markStale(app: App, staleness: Staleness): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const seconds = reply.statusCode === 200 ? staleness.of(request.method, request.url.split('?', 1)[0]!) : undefined
    if (seconds !== undefined && request.url.startsWith('/app/v1/')) reply.header(staleHeader, seconds)
    done()
  })
}

/** Allows larger bodies to requests with a session: the gate refuses all others before a body is read. */
function allowLargerBodies(app: App): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.auth === 'session') route.bodyLimit ??= bodyMax
  })
}

const ofApp = '/app/v1'

/** Tells the gate what each route is for members of firms, by the one table of them. */
function addActs(app: App): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.auth !== 'session' || !route.url.startsWith(`${ofApp}/`)) return
    const [method = ''] = [route.method].flat()
    const acts = actsOfRoute(method === 'HEAD' ? 'GET' : method, route.url.slice(ofApp.length))
    if (acts !== undefined) route.config = { ...route.config, acts }
  })
}

const isData = (url: string): boolean => url.startsWith('/app/') || url.startsWith('/console/v1/')

/** Keeps the origin of a customer's request at hand for the commands that it causes. */
function addOrigins(app: App): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const { session, method } = request
    if (session === undefined || method === 'GET' || method === 'HEAD') return done()
    const { account, user, id, class: userClass, member } = session
    const device = deviceOf((request.headers['user-agent'] ?? '').slice(0, 400))
    const by = { member: member?.id, memberUser: member?.user }
    origins.run({ account, user, class: userClass, session: id, ...by, key: null, ip: request.address, device }, done)
  })
}

/** Checks origin, limits and session before a body is read. */
function addGate(app: App, { gate, tokenOf, proxies, isSecure = false }: AppOptions): void {
  const transport = transportHeaders(isSecure)
  const [ofData, ofPages] = [
    { ...dataHeaders, ...transport },
    { ...commonHeaders, ...transport },
  ]
  app.addHook('onRequest', (request, reply, done) => {
    if (isData(request.raw.url!)) reply.headers(ofData)
    else reply.headers(ofPages)
    if (isCoded(request.raw)) return done(new Refused('MEDIA_TYPE_UNSUPPORTED', { field: 'content-encoding' }))
    request.address = proxies.addressOf(request.raw)
    request.sessionToken = tokenOf(request.raw)
    const admit = ({ session, asStranger, again }: Admitted): void => {
      if (session) request.session = session
      if (asStranger) request.asStranger = asStranger
      if (again) request.again = again
      done()
    }
    try {
      const admitted = gate(request.raw, request.address, request.routeOptions.config)
      if (admitted instanceof Promise) admitted.then(admit, done)
      else admit(admitted)
    } catch (error) {
      done(error as Error)
    }
  })
  // Otherwise a body that its sender holds back would carry out later what the session may no longer do.
  app.addHook('preHandler', (request, _reply, done) => {
    try {
      const held = request.again?.()
      if (held instanceof Promise) held.then(() => done(), done)
      else done()
    } catch (error) {
      done(error as Error)
    }
  })
}

/** Records the methods of each path, to tell a wrong method from a wrong path. */
function answerUnknownPaths(app: App): void {
  const paths: { readonly pattern: RegExp; readonly methods: Set<string> }[] = []
  const seen = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    let methods = seen.get(url)
    if (!methods) {
      methods = new Set()
      seen.set(url, methods)
      const source = url
        .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
        .replace(/:[A-Za-z]+/g, '[^/]+')
        .replaceAll('*', '.*')
      paths.push({ pattern: new RegExp(`^${source}$`), methods })
    }
    for (const one of [method].flat()) methods.add(one)
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0]!
    const known = paths.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods])
    if (known.length === 0 || known.includes(request.method)) return sendRefusal(reply, 'NOT_FOUND')
    reply.header('allow', [...new Set(known)].join(', '))
    return sendRefusal(reply, 'METHOD_NOT_ALLOWED')
  })
}
