import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isWrite } from '../http/errors.ts'
import { type Allowance, checkVisitor, isLoopback, type Limits } from '../http/limits.ts'
import { isOwnOrigin } from '../http/origin.ts'
import { Refused } from '../refused.ts'
import { type Action, may } from '../staff/permissions.ts'
import type { StaffSession, StaffSessions } from '../staff/sessions.ts'
import type { StaffCookie } from './cookie.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The action of a console route, as the table of permissions names it. */
    readonly action?: Action
  }
  interface FastifyRequest {
    staff: StaffSession
  }
}

export type ConsoleGateOptions = {
  readonly mode: 'sandbox' | 'production'
  readonly publicUrls: readonly string[]
  readonly limits: Limits
  readonly cookie: StaffCookie
  readonly sessions: Pick<StaffSessions, 'find'>
}

/** Requests of one network before a look at their session, and those to the doors: a login with a passkey is two of them. */
const visitors: Allowance = { burst: 200, perSecond: 20 }
const doors: Allowance = { burst: 40, perSecond: 0.5 }
/** Requests of one member, from anywhere. */
const reads: Allowance = { burst: 200, perSecond: 20 }
const writes: Allowance = { burst: 40, perSecond: 2 }

/**
 * The one place that decides who reaches a route of the console: a page of ours, within limits, with a living session of the staff,
 * and with a role that the table of permissions allows the route's action. Runs before a body is read.
 */
export function addConsoleGate(scope: FastifyInstance, options: ConsoleGateOptions): void {
  const { mode, publicUrls, limits, cookie, sessions } = options
  const isHeld = ({ address }: FastifyRequest): boolean => mode === 'production' || !isLoopback(address)
  scope.decorateRequest('staff')
  scope.addHook('onRoute', ({ config, url, method }) => {
    if (config?.action === undefined) throw new Error(`${String(method)} ${url} names no action of server/staff/permissions.ts`)
  })
  scope.addHook('onRequest', async (request) => {
    const { action } = request.routeOptions.config
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
    const session = token === undefined ? undefined : await sessions.find(token)
    if (session === undefined) throw new Refused('UNAUTHENTICATED')
    if (action === undefined || !may(session.role, action)) throw new Refused('FORBIDDEN')
    limits.check(`${isWriting ? 'console-w' : 'console-r'}${session.staff}`, isWriting ? writes : reads)
    request.staff = session
  })
}
