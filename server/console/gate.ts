import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { isWrite, logFault } from '../http/errors.ts'
import { type Allowance, checkVisitor, isLoopback, type Limits } from '../http/limits.ts'
import { isOwnOrigin } from '../http/origin.ts'
import { Refused } from '../refused.ts'
import { type Action, may } from '../staff/permissions.ts'
import type { StaffSession } from '../staff/sessions.ts'
import type { Staff } from '../staff/staff.ts'
import type { StaffCookie } from './cookie.ts'
import { visitorOf } from './scope.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The action of a console route, as the table of permissions names it. */
    readonly action?: Action
    /** Requests of the member's allowance that it costs. Default 1. */
    readonly cost?: number
  }
  interface FastifyRequest {
    /** Undefined before a login. */
    staff: StaffSession
  }
}

export type ConsoleGateOptions = {
  readonly mode: 'sandbox' | 'production'
  readonly publicUrls: readonly string[]
  readonly limits: Limits
  readonly cookie: StaffCookie
  readonly staff: Pick<Staff, 'refused'> & { readonly sessions: Pick<Staff['sessions'], 'find'> }
}

/** Of all routes here. */
export const prefix = '/console/v1'

/** Requests of one network before a look at their session, and those to the doors: a login with a passkey is two of them. */
const visitors: Allowance = { burst: 200, perSecond: 20 }
const doors: Allowance = { burst: 40, perSecond: 0.5 }
/** Requests of one member, from anywhere. */
const reads: Allowance = { burst: 200, perSecond: 20 }
const writes: Allowance = { burst: 40, perSecond: 2 }
/** Refused attempts of one member that reach the log, so that it can't be filled with them. */
const attempts: Allowance = { burst: 30, perSecond: 1 / 60 }
/** Refusals that say that a member tried what the member has no right to do. Others follow from mistakes. */
const suspicious: ReadonlySet<Refusal> = new Set(['FORBIDDEN', 'SECOND_PERSON_NEEDED', 'SESSION_NOT_FRESH', 'CLAIMED'])

/**
 * The one place that decides who reaches a route of the console: a page of ours, within limits, with a living session of the staff,
 * and with a role that the table of permissions allows the route's action. Runs before a body is read. What it or a route refuses to a
 * member is in the log.
 */
export function addConsoleGate(scope: FastifyInstance, options: ConsoleGateOptions): void {
  const { mode, publicUrls, limits, cookie, staff } = options
  const attemptsOf = ({ staff: member }: StaffSession): string => `console-attempts${member}`
  const isHeld = ({ address }: FastifyRequest): boolean => mode === 'production' || !isLoopback(address)
  scope.decorateRequest('staff')
  scope.addHook('onRoute', ({ config, url, method }) => {
    if (config?.action === undefined) throw new Error(`${String(method)} ${url} names no action of server/staff/permissions.ts`)
  })
  scope.addHook('onRequest', async (request) => {
    const { action, cost = 1 } = request.routeOptions.config
    const isWriting = isWrite(request.raw)
    // Unlike customers' programs, which send none, the console's browser sends an origin with each write.
    if (isWriting && (request.headers.origin === undefined || !isOwnOrigin(request.raw, publicUrls, mode === 'sandbox')))
      throw new Refused('ORIGIN_REFUSED')
    if (isHeld(request)) {
      checkVisitor(limits, 'console', request.address, visitors)
      if (action === 'open' && isWriting) checkVisitor(limits, 'console-doors', request.address, doors)
    }
    if (action === 'open') return
    const token = cookie.tokenOf(request.raw)
    const session = token === undefined ? undefined : await staff.sessions.find(token)
    if (session === undefined) throw new Refused('UNAUTHENTICATED')
    limits.check(`${isWriting ? 'console-w' : 'console-r'}${session.staff}`, isWriting ? writes : reads, cost)
    request.staff = session
    if (action !== undefined && may(session.role, action)) return
    if (!limits.has(attemptsOf(session), attempts)) throw new Refused('RATE_LIMITED', { retryAfter: 60 })
    throw new Refused('FORBIDDEN')
  })
  scope.addHook('onError', async (request, _reply, error: unknown) => {
    const { staff: session, url, routeOptions } = request
    if (session === undefined || !(error instanceof Refused) || !suspicious.has(error.refusal)) return
    if (limits.take(attemptsOf(session), attempts) > 0) return
    const attempt = { action: String(routeOptions.config.action), path: url.split('?', 1)[0]!.replace(prefix, ''), refusal: error.refusal }
    await staff
      .refused(attempt, { session, visitor: visitorOf(request) })
      .catch((cause: unknown) => logFault(request.log, cause, request.id, request.raw))
  })
}
