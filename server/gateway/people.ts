import type { IncomingMessage } from 'node:http'
import type { SignedDevice } from '../identity/devices.ts'
import type { Session } from '../ports.ts'
import { Sessions } from '../http/sessions.ts'
import type { Sent } from '../http/shut.ts'
import { type GatewayOptions, isSecure } from './options.ts'
import { Cookies } from '../app/user/cookies.ts'
import type { StreamSockets } from '../sockets/stream-sockets.ts'
import { topics } from './topics.ts'

/** Identifies the logged-in user by the cookies of a request, or a browser that has logged in before. */
export type People = {
  readonly cookies: Cookies
  readonly sessions: Sessions
  /** Resolves to undefined for a visitor. */
  readonly sessionOf: (request: IncomingMessage) => Promise<Session | undefined>
  /** The browser, if its cookie is signed by one of the server's keys. */
  readonly deviceOf: (request: Sent) => SignedDevice | undefined
  readonly close: () => void
}

/** When a session ends, in this process or another, it is forgotten and its sockets are closed. */
export function openPeople(options: Pick<GatewayOptions, 'identity' | 'link' | 'publicUrls'>, streams: StreamSockets): People {
  const { identity, link } = options
  const cookies = new Cookies(isSecure(options))
  const sessions = new Sessions((token) => identity.session(token))
  const end = (account: string, ids: readonly string[]): void => {
    sessions.forgetAccount(account)
    streams.endSessions(account, ids)
  }
  const close = identity.sessions.onRevoked(({ account, sessions: ids }) => {
    end(account, ids)
    link.publish(topics.sessions, { account, sessions: ids })
  })
  link.onPublished(topics.sessions, (value) => {
    const { account, sessions: ids } = value as { account: string; sessions: readonly string[] }
    end(account, ids)
  })
  const sessionOf = async (request: IncomingMessage): Promise<Session | undefined> => {
    const token = cookies.tokenOf(request)
    return token === undefined ? undefined : sessions.find(token)
  }
  const deviceOf = (request: Sent): SignedDevice | undefined => {
    const cookie = cookies.deviceOf(request)
    return cookie === undefined ? undefined : identity.devices.verified(cookie)
  }
  return { cookies, sessions, sessionOf, deviceOf, close }
}
