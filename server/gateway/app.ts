import { randomBytes } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController, type RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { z } from 'zod'
import { Refused } from '../refused.ts'
import type { Session } from '../ports.ts'
import { parseJson } from './http/body.ts'
import { answerBrokenHttp, handleErrors, isWrite, refusedOf, sendRefusal } from './http/errors.ts'
import { commonHeaders, dataHeaders } from './http/headers.ts'
import { isApiPath, sendLost } from './api/frame.ts'
import { isLoopback, type Limits, tiers, visitor, visitorAuth } from './http/limits.ts'
import { isOwnOrigin } from './http/origin.ts'
import { quickCheckOf } from './http/quick-check.ts'
import type { Sessions } from './http/sessions.ts'

/** Fastify as every room of routes sees it: schemas are Zod's, and their types reach the handlers. */
export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `session`: who is not logged in is refused, and `request.session` is set. Default: open to all. */
    readonly auth?: 'session'
    /** Registration, login and codes: stricter limits per address. */
    readonly isAuth?: boolean
    /** Writes that need no cookie, and may come from anywhere. */
    readonly isOriginFree?: boolean
  }
  interface FastifyRequest {
    session: Session
    /** The cookie's token, when there is one. */
    sessionToken: string | undefined
  }
}

export type AppOptions = {
  readonly mode: 'sandbox' | 'production'
  readonly publicUrls: readonly string[]
  readonly trustProxy: boolean
  readonly sessions: Sessions
  readonly limits: Limits
  readonly tokenOf: (request: IncomingMessage) => string | undefined
  readonly logger: FastifyBaseLogger
}

export const bodyMax = 256 * 1024
const headerMax = 16 * 1024
const requestTimeoutMs = 10_000

/** The HTTP server with what holds for every route: parsing, origin, session, limits, headers, errors. */
export function buildApp(options: AppOptions): App {
  const mark = randomBytes(4).toString('hex')
  let requests = 0
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // The one line that a request may log names it: no logger of its own for each.
    childLoggerFactory: (logger) => logger,
    bodyLimit: bodyMax,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: 0,
    keepAliveTimeout: 75_000,
    // One hop: what the proxy itself saw. Anything before that in the header is what a client wrote.
    trustProxy: options.trustProxy ? (_address: string, hop: number) => hop === 0 : false,
    genReqId: () => `${mark}-${(++requests).toString(36)}`,
    http: { maxHeaderSize: headerMax, headersTimeout: requestTimeoutMs, connectionsCheckingInterval: 1_000 },
    clientErrorHandler: answerBrokenHttp as never,
    frameworkErrors: (_error, request, reply) => {
      if (isApiPath(request.url)) sendLost(request.method, request.url, reply as never)
      else sendRefusal(reply as never, 'NOT_FOUND')
    },
    routerOptions: { maxParamLength: 128, caseSensitive: true, ignoreTrailingSlash: false },
    forceCloseConnections: true,
  }).withTypeProvider<ZodTypeProvider>() as unknown as App

  app.setValidatorCompiler<z.ZodType>(({ schema, httpPart }) => {
    const isPlainlyRight = quickCheckOf(schema)
    return (data: unknown) => {
      if (isPlainlyRight?.(data)) return { value: data }
      const result = schema.safeParse(data)
      return result.success ? { value: result.data } : { error: refusedOf(result.error, httpPart === 'body' ? data : (data ?? {})) }
    }
  })
  // What goes out is checked by the compiler and by the tests, which hold every answer against its schema.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  handleErrors(app as never)
  answerUnknownPaths(app)
  app.decorateRequest('session', undefined as never)
  app.decorateRequest('sessionToken', undefined)
  addGate(app, options)
  return app
}

/** Origin, limits and session, before a body is read. */
function addGate(app: App, { mode, publicUrls, sessions, limits, tokenOf }: AppOptions): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Programs have their own limits and headers, and no cookie means anything to them.
    if (isApiPath(request.raw.url!)) return done()
    const { config } = request.routeOptions
    if (request.raw.url!.startsWith('/app/')) reply.headers(dataHeaders)
    else reply.headers(commonHeaders)
    if (isWrite(request) && !config.isOriginFree && !isOwnOrigin(request.raw, publicUrls)) return done(new Refused('ORIGIN_REFUSED'))

    const ip = request.ip
    const isCounted = mode === 'production' || !isLoopback(ip)
    const token = tokenOf(request.raw)
    request.sessionToken = token
    try {
      if (isCounted && config.isAuth && isWrite(request)) limits.check(`auth:${ip}`, visitorAuth)
    } catch (error) {
      return done(error as Error)
    }
    const admit = (session: Session | undefined): void => {
      try {
        if (session) {
          request.session = session
          const tier = tiers[session.class]
          if (isWrite(request)) limits.check(`w${session.user}`, tier.write)
          else limits.check(`r${session.user}`, tier.read)
        } else {
          if (isCounted) limits.check(`ip:${ip}`, visitor)
          if (config.auth === 'session') throw new Refused('UNAUTHENTICATED')
        }
        done()
      } catch (error) {
        done(error as Error)
      }
    }
    if (token === undefined || config.auth !== 'session') return admit(undefined)
    const remembered = sessions.remembered(token)
    if (remembered) return admit(remembered)
    sessions.find(token).then(admit, done)
  })
}

/** Knows which methods each path has, to tell a wrong method from a wrong path. */
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
    if (known.length === 0 || known.includes(request.method)) return sendRefusal(reply as never, 'NOT_FOUND')
    reply.header('allow', [...new Set(known)].join(', '))
    return sendRefusal(reply as never, 'METHOD_NOT_ALLOWED')
  })
}
