import type { IncomingMessage } from 'node:http'
import type { SignedDevice } from '../identity/devices.ts'
import type { Acting, Session } from '../ports.ts'
import { Refused } from '../refused.ts'
import { actingParameter } from '@candor/core/protocol/wire/firm/acts.ts'
import { ActingSessions } from '../http/acting.ts'
import { Sessions } from '../http/sessions.ts'
import type { Revoked } from '../identity/sessions.ts'
import type { Sent } from '../http/shut.ts'
import { type GatewayOptions, isSecure } from './options.ts'
import { Cookies } from '../app/user/cookies.ts'
import type { StreamSockets } from '../sockets/stream-sockets.ts'
import { revokedIn } from './facts.ts'
import { topics } from './topics.ts'

/** Identifies the logged-in user by the cookies of a request, or a browser that has logged in before. */
export type People = {
  readonly cookies: Cookies
  readonly sessions: Sessions
  /** Sessions of members who act for accounts of firms. */
  readonly acting: ActingSessions
  /**
   * Resolves to undefined for a visitor. With the parameter `account`, the session by which a member reads that account of a firm.
   *
   * throws  Refused FIRM_NOT_MEMBER, UNAUTHENTICATED with the parameter and without a login
   */
  readonly sessionOf: (request: IncomingMessage) => Promise<Session | undefined>
  /** The browser, if its cookie is signed by one of the server's keys. */
  readonly deviceOf: (request: Sent) => SignedDevice | undefined
  /** Ends what was revoked, here or elsewhere. */
  readonly end: (revoked: Revoked) => void
  readonly close: () => void
}

export type PeopleParts = Pick<GatewayOptions, 'identity' | 'link' | 'publicUrls'> & {
  /** See `actingFor`. */
  readonly actingFor: (session: Session, uid: string) => Promise<Acting | undefined>
}

/** When a session ends, in this process or another, it is forgotten and its sockets are closed. */
export function openPeople(options: PeopleParts, streams: StreamSockets): People {
  const { identity, link } = options
  const cookies = new Cookies(isSecure(options))
  const sessions = new Sessions((token) => identity.session(token))
  const acting = new ActingSessions(options.actingFor)
  const end = ({ account, sessions: ids, isActing = false }: Revoked): void => {
    acting.forgetAccount(account)
    if (!isActing) sessions.forgetAccount(account)
    streams.endSessions(account, ids, isActing)
  }
  const close = identity.sessions.onRevoked((revoked) => {
    end(revoked)
    link.publish(topics.sessions, revoked)
  })
  link.onPublished(topics.sessions, (fact) => {
    const revoked = revokedIn(fact)
    if (revoked !== undefined) end(revoked)
  })
  const sessionOf = async (request: IncomingMessage): Promise<Session | undefined> => {
    const token = cookies.tokenOf(request)
    const session = token === undefined ? undefined : await sessions.find(token)
    const named = new URL(request.url ?? '/', 'http://localhost').searchParams.getAll(actingParameter)
    if (named.length === 0) return session
    if (session === undefined) throw new Refused('UNAUTHENTICATED')
    return acting.find(session, named.join(), 'read')
  }
  const deviceOf = (request: Sent): SignedDevice | undefined => {
    const cookie = cookies.deviceOf(request)
    return cookie === undefined ? undefined : identity.devices.verified(cookie)
  }
  return { cookies, sessions, acting, sessionOf, deviceOf, end, close }
}
