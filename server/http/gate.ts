import type { IncomingMessage } from 'node:http'
import type { FastifyContextConfig } from 'fastify'
import type { Session } from '../ports.ts'
import { Refused } from '../refused.ts'
import { isWrite } from './errors.ts'
import { checkVisitor, isLoopback, type Limits, customers, tiers, visitor, visitorAuth } from './limits.ts'
import { isOwnOrigin } from './origin.ts'
import type { Sessions } from './sessions.ts'

declare module 'fastify' {
  /** Properties of a route that the gate reads. */
  interface FastifyContextConfig {
    /** `session`: requests without a login are refused, and `request.session` is set. Default: open to everybody. */
    readonly auth?: 'session'
    /** Registration, login and codes: stricter limits per address apply. */
    readonly isAuth?: boolean
    /** For writes that need no cookie and may come from any origin. */
    readonly isOriginFree?: boolean
    /** Count of requests that this one is charged as, at most the burst of a visitor. Default: one. */
    readonly weight?: (request: IncomingMessage) => number
  }
}

export type GateOptions = {
  readonly mode: 'sandbox' | 'production'
  readonly publicUrls: readonly string[]
  readonly sessions: Sessions
  readonly limits: Limits
  readonly tokenOf: (request: IncomingMessage) => string | undefined
}

/** Returns the session where the route needs one. throws  Refused, or rejects with it */
export type Gate = (
  request: IncomingMessage,
  ip: string,
  config: FastifyContextConfig,
) => Session | undefined | Promise<Session | undefined>

/** Checks origin, limits and session before a body is read. */
export function gateOf({ mode, publicUrls, sessions, limits, tokenOf }: GateOptions): Gate {
  const isHeld = (ip: string): boolean => mode === 'production' || !isLoopback(ip)
  const count = (isWriting: boolean, ip: string, auth: 'session' | undefined, session: Session | undefined, cost = 1) => {
    if (session) {
      const tier = tiers[session.class]
      if (isWriting) limits.check(`w${session.user}`, tier.write, cost)
      else limits.check(`r${session.user}`, tier.read, cost)
      // Checked after the customer's own limit, so that a customer beyond it uses up nothing of the network's share.
      if (session.class === 'retail' && isHeld(ip)) checkVisitor(limits, isWriting ? 'writes' : 'reads', ip, customers, cost)
      return session
    }
    if (isHeld(ip)) checkVisitor(limits, 'ip', ip, visitor, cost)
    if (auth === 'session') throw new Refused('UNAUTHENTICATED')
    return undefined
  }
  return (request, ip, { auth, isAuth, isOriginFree, weight }) => {
    const isWriting = isWrite(request)
    if (isWriting && !isOriginFree && !isOwnOrigin(request, publicUrls, mode === 'sandbox')) throw new Refused('ORIGIN_REFUSED')
    if (isWriting && isAuth && isHeld(ip)) checkVisitor(limits, 'auth', ip, visitorAuth)
    const token = auth === 'session' ? tokenOf(request) : undefined
    const cost = weight?.(request)
    if (token === undefined) return count(isWriting, ip, auth, undefined, cost)
    const remembered = sessions.remembered(token)
    if (remembered) return count(isWriting, ip, auth, remembered, cost)
    // Callers that make up tokens are limited before the look-up. A token that was valid a moment ago is not made up.
    if (isHeld(ip) && !sessions.wasGood(token)) checkVisitor(limits, 'ip', ip, visitor)
    return sessions.find(token).then((session) => count(isWriting, ip, auth, session, cost))
  }
}
