import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { actingHeader, type Acts } from '@candor/core/protocol/wire/firm/acts.ts'
import type { FirmRight } from '@candor/core/protocol/wire/firm/firm.ts'
import type { FastifyContextConfig } from 'fastify'
import type { Session } from '../ports.ts'
import { Refused } from '../refused.ts'
import type { ActingSessions } from './acting.ts'
import { isWrite } from './errors.ts'
import {
  checkVisitor,
  customers,
  device,
  devices,
  devicesTimes,
  isLoopback,
  type Limits,
  locking,
  photos,
  photosOfNetwork,
  tiers,
  visitor,
  visitorAuth,
  urgent,
} from './limits.ts'
import { isOwnOrigin } from './origin.ts'
import type { Sessions } from './sessions.ts'

declare module 'fastify' {
  /** Properties of a route that the gate reads. */
  interface FastifyContextConfig {
    /** `session`: requests without a login are refused, and `request.session` is set. Default: open to everybody. */
    readonly auth?: 'session'
    /** What the route is for a member who acts for an account of a firm. Default: it refuses them. */
    readonly acts?: Acts
    /** Registration, login, codes, passwords: stricter limits apply, per address, known device or user. */
    readonly isAuth?: boolean
    /** For writes that need no cookie and may come from any origin. */
    readonly isOriginFree?: boolean
    /** Count of requests that this one is charged as. Default: one. */
    readonly weight?: (request: IncomingMessage) => number
    /** For writes that lock the account's rows: they have an allowance of their own, so that many of them delay no order. */
    readonly isLocking?: boolean
    /** For writes by which an owner stops a thief: they count for the session alone, whose allowance no other session can use up. */
    readonly isUrgent?: boolean
    /** For photos that are decoded and kept: they have an allowance of their own. */
    readonly isPhoto?: boolean
  }
}

/** A browser by its signed cookie: its own key, and a tag that all browsers of one account share. */
export type Device = { readonly key: string; readonly account: string }

export type GateOptions = {
  readonly mode: 'sandbox' | 'production'
  readonly publicUrls: readonly string[]
  readonly sessions: Sessions
  /** Sessions of members who act for accounts of firms. */
  readonly acting: ActingSessions
  readonly limits: Limits
  readonly tokenOf: (request: IncomingMessage) => string | undefined
  /** The browser, if one of the server's keys signed its cookie. */
  readonly deviceOf: (request: IncomingMessage) => Device | undefined
}

export type Admitted = {
  readonly session?: Session
  /** Counts the request for the sender's network, because it was counted for the device alone. throws  Refused RATE_LIMITED */
  readonly asStranger?: () => void
  /**
   * For writes with a session: whether it still holds once the body is there, which its sender can hold back for seconds.
   *
   * throws  Refused, or rejects with it
   */
  readonly again?: () => unknown
}

/** Returns the session where the route needs one. throws  Refused, or rejects with it */
export type Gate = (request: IncomingMessage, ip: string, config: FastifyContextConfig) => Admitted | Promise<Admitted>

type Charge = {
  readonly ip: string
  readonly isWriting: boolean
  readonly isAuth: boolean
  readonly isLocking: boolean
  readonly isPhoto: boolean
  readonly isUrgent: boolean
  readonly cost: number | undefined
}

/** Checks origin, limits and session before a body is read, and the session of a write again when the body is there. */
export function gateOf(options: GateOptions): Gate {
  const admission = admissionOf(options)
  return (request, ip, config) => {
    const admitted = admission(request, ip, config)
    if (config.auth !== 'session' || !isWrite(request)) return admitted
    const withAgain = (found: Admitted): Admitted => ({ ...found, again: () => holds(options, request, config.acts) })
    return admitted instanceof Promise ? admitted.then(withAgain) : withAgain(admitted)
  }
}

function admissionOf(options: GateOptions): Gate {
  const { mode, publicUrls, sessions, acting, limits, tokenOf, deviceOf } = options
  const isHeld = (ip: string): boolean => mode === 'production' || !isLoopback(ip)
  const ofCustomer = (session: Session | undefined, charge: Charge): Admitted => {
    if (!session) throw new Refused('UNAUTHENTICATED')
    const { ip, isWriting, isAuth, isLocking, isPhoto, isUrgent, cost } = charge
    if (isUrgent) {
      limits.check(`u${session.id}`, urgent)
      return { session }
    }
    const tier = tiers[session.class]
    if (isAuth && isHeld(ip)) {
      limits.check(`auth${session.user}`, visitorAuth)
      // Each password is hashed for a twentieth of a second. Those of customers count apart from those of strangers.
      if (session.class === 'retail') checkVisitor(limits, 'auth-customers', ip, visitorAuth)
    }
    if (isLocking) {
      limits.check(`l${session.user}`, tier.locking)
      if (session.class === 'retail' && isHeld(ip)) checkVisitor(limits, 'locking', ip, locking)
    }
    if (isPhoto) {
      limits.check(`p${session.user}`, photos)
      if (session.class === 'retail' && isHeld(ip)) checkVisitor(limits, 'photos', ip, photosOfNetwork)
    }
    if (isWriting) limits.check(`w${session.user}`, tier.write, cost)
    else limits.check(`r${session.user}`, tier.read, cost)
    // Checked after the customer's own limit, so that a customer beyond it uses up nothing of the network's share.
    if (session.class === 'retail' && isHeld(ip)) checkVisitor(limits, isWriting ? 'writes' : 'reads', ip, customers, cost)
    return { session }
  }
  const ofVisitor = (request: IncomingMessage, charge: Charge): Admitted => {
    const { ip, isAuth, cost } = charge
    if (!isHeld(ip)) return {}
    const known = deviceOf(request)
    if (known) {
      checkDevice(limits, known, charge)
      return isAuth ? { asStranger: () => checkVisitor(limits, 'auth', ip, visitorAuth) } : {}
    }
    if (isAuth) checkVisitor(limits, 'auth', ip, visitorAuth)
    checkVisitor(limits, 'ip', ip, visitor, cost)
    return {}
  }
  /**
   * The person's own session, or the one by which they act. Their requests count for themselves, and again for their share of the account,
   * which is a retail customer's. Each member has a share: otherwise one who may only read could keep all others from their account.
   */
  const admit = (session: Session | undefined, request: IncomingMessage, acts: Acts | undefined, charge: Charge): ReturnType<Gate> => {
    const own = ofCustomer(session, charge)
    const uid = request.headers[actingHeader]
    if (uid === undefined) return own
    const right = rightOf(acts)
    const derived = acting.find(own.session!, String(uid), right)
    const counted = (found: Session): Admitted => {
      const { isWriting, cost } = charge
      limits.check(`${isWriting ? 'w' : 'r'}${found.user} ${own.session!.user}`, isWriting ? tiers.retail.write : tiers.retail.read, cost)
      return { session: found }
    }
    return derived instanceof Promise ? derived.then(counted) : counted(derived)
  }
  return (request, ip, { auth, acts, isAuth, isLocking, isPhoto, isUrgent, isOriginFree, weight }) => {
    const isWriting = isWrite(request)
    if (isWriting && !isOriginFree && !isOwnOrigin(request, publicUrls, mode === 'sandbox')) throw new Refused('ORIGIN_REFUSED')
    const charge: Charge = {
      ...{ ip, isWriting, isAuth: isWriting && isAuth === true, isLocking: isLocking === true, isPhoto: isPhoto === true },
      isUrgent: isUrgent === true,
      cost: weight?.(request),
    }
    if (auth !== 'session') return ofVisitor(request, charge)
    const token = tokenOf(request)
    if (token === undefined) {
      ofVisitor(request, charge)
      throw new Refused('UNAUTHENTICATED')
    }
    const remembered = sessions.remembered(token)
    if (remembered) return admit(remembered, request, acts, charge)
    // Callers that make up tokens are limited before the look-up. A token that was valid a moment ago is not made up.
    if (!sessions.wasGood(token)) ofVisitor(request, { ...charge, isAuth: false, cost: 1 })
    return sessions.find(token).then((session) => admit(session, request, acts, charge))
  }
}

/** Looks a session up once more, and the one by which a member acts. Counts nothing. throws  Refused, or rejects with it */
function holds({ sessions, acting, tokenOf }: GateOptions, request: IncomingMessage, acts: Acts | undefined): unknown {
  const token = tokenOf(request) ?? ''
  const uid = request.headers[actingHeader]
  const act = (session: Session | undefined): unknown => {
    if (!session) throw new Refused('UNAUTHENTICATED')
    return uid === undefined ? session : acting.find(session, String(uid), rightOf(acts))
  }
  const remembered = sessions.remembered(token)
  return remembered ? act(remembered) : sessions.find(token).then(act)
}

/** throws  Refused FIRM_NOT_HERE at a route that is for people's own accounts */
function rightOf(acts: Acts | undefined): FirmRight {
  if (acts === undefined || acts === 'own' || acts === 'never') throw new Refused('FIRM_NOT_HERE')
  return acts
}

/** Names of counts are told to other gateways, and the key of a browser is its own. */
const nameOf = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 22)

/**
 * Counts a request of a visitor with a signed cookie: for the device, for all devices of its account, and for all known devices of
 * the network. Strangers can use up none of these.
 */
function checkDevice(limits: Limits, { key, account }: Device, { ip, isAuth, cost }: Charge): void {
  const [kind, own, network, charged] = isAuth ? (['auth', visitorAuth, customers, 1] as const) : (['', device, devices, cost] as const)
  limits.check(`${kind}#${nameOf(key)}`, own, charged)
  limits.check(`${kind}#${account}`, { burst: own.burst * devicesTimes, perSecond: own.perSecond * devicesTimes }, charged)
  checkVisitor(limits, `${kind}-devices`, ip, network, charged)
}
