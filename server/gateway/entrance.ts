import type { IncomingMessage, Server } from 'node:http'
import { apiServer } from '../programs/frame.ts'
import { signalServer } from '../programs/signal/hook.ts'
import { preflightLimit } from '../programs/preflight.ts'
import type { Context } from '../live/context.ts'
import { Connections } from '../http/connections.ts'
import { watchFirstBytes } from '../http/first-bytes.ts'
import { front } from '../http/front.ts'
import { transportHeaders } from '../http/headers.ts'
import { Hosts } from '../http/hosts.ts'
import { isLoopback, Limits } from '../http/limits.ts'
import { Proxies } from '../http/proxies.ts'
import { serveFirst } from '../http/raw.ts'
import { requestIds } from '../http/request-ids.ts'
import { type Known, type Sent, Shut } from '../http/shut.ts'
import { type GatewayOptions, isSecure } from './options.ts'
import type { Requests } from './metrics/requests.ts'
import { accountBy } from './callers.ts'
import type { ConsoleDoor } from './console-door.ts'
import type { People } from './people.ts'
import type { Programs } from './programs.ts'
import { makeDoors } from './doors.ts'
import { OpenSockets } from '../http/open-sockets.ts'
import { makeUpgrade } from '../sockets/upgrade.ts'
import type { Sockets } from './sockets.ts'

/** Sockets that one address may have open at the same time; the operator may change it. */
const socketsPerAddress = 200

/** Shared by all entrances: the source address of a request, its limits, its id, and the open sockets. */
export type Entrance = {
  readonly proxies: Proxies
  readonly limits: Limits
  readonly requestId: () => string
  readonly sockets: OpenSockets
}

export function makeEntrance(options: Pick<GatewayOptions, 'trustedProxies' | 'socketsPerAddress'>): Entrance {
  return {
    proxies: new Proxies(options.trustedProxies),
    limits: new Limits(),
    requestId: requestIds(),
    sockets: new OpenSockets(options.socketsPerAddress ?? socketsPerAddress),
  }
}

export type EntranceParts = {
  readonly options: GatewayOptions
  readonly entrance: Entrance
  readonly context: Context
  readonly programs: Programs
  readonly sockets: Sockets
  readonly people: People
  readonly door: ConsoleDoor
  readonly requests: Requests
}

/**
 * Installs what every request and handshake passes first: host names and counts, then the API for programs. The framework handles
 * the rest.
 */
export function guard(server: Server, parts: EntranceParts): void {
  const { options, entrance, context, programs, people, door, requests } = parts
  const { ended: onEnded, clock: newClock } = requests
  const { mode, publicUrls, consoleUrl, host, hosts: names = [], logger } = options
  const { proxies, limits, requestId } = entrance
  const { now, staleness } = context
  const { auth, weights, routes, signals } = programs

  const knownAs = knownBy(parts)
  const accountOf = accountBy({
    ...people,
    userOfKey: (key) => auth.userOf(key),
    ownerOfSignal: (url) => signals.known.addressIn(url)?.account,
  })
  const connections = new Connections({ proxies, mode, isKnown: (request) => knownAs(request) !== undefined, accountOf })
  const hosts = new Hosts({ mode, publicUrls: consoleUrl === undefined ? publicUrls : [...publicUrls, consoleUrl], host, hosts: names })
  const shut = new Shut({ limits, knownAs, isSecure: isSecure(options) })
  watchFirstBytes(server, { shut, proxies, mode })
  connections.listen(server)
  const note = (request: IncomingMessage, status: number): void => shut.note(request, proxies.addressOf(request), status)
  const upgrade = makeUpgrade(doorsOf(parts), hosts, note, transportHeaders(isSecure(options)))
  server.on('upgrade', (request, socket, head) => {
    connections.note(request)
    const ip = proxies.addressOf(request)
    if ((mode === 'production' || !isLoopback(ip)) && shut.takes(request, ip)) return void socket.on('error', () => socket.destroy())
    // No page of the console opens one.
    if (door.isBy(request)) return void socket.destroy()
    connections.noteSocket(request)
    upgrade(request, socket, head)
  })
  const noteConnection = (request: IncomingMessage): boolean => {
    connections.note(request)
    return false
  }
  serveFirst(server, [
    noteConnection,
    front({ hosts, proxies, mode, requestId, shut, isSecure: isSecure(options), accountOf }),
    door.first,
    signalServer({ ...signals, mode, proxies, isSecure: isSecure(options), now, logger, requestId, onEnded, newClock }),
    preflightLimit({ weights, mode, proxies, now, isSecure: isSecure(options) }),
    apiServer({ routes, auth, weights, mode, proxies, isSecure: isSecure(options), now, logger, requestId, onEnded, newClock, staleness }),
  ])
}

function doorsOf({ options, entrance, context: { now, data }, programs, sockets, people }: EntranceParts): ReturnType<typeof makeDoors> {
  return makeDoors({
    ...{ mode: options.mode, publicUrls: options.publicUrls, ...entrance, now },
    ...{ weights: programs.weights, wsApi: programs.wsApi, wss: sockets.wss, streams: sockets.streams },
    isReady: () => data.isReady,
    session: people.sessionOf,
  })
}

/** Identifies a recent good caller by the cookie or key of a request, a browser that has logged in before, or a signal address. */
function knownBy({ people, programs: { auth, signals } }: EntranceParts): (request: Sent) => Known | undefined {
  const { cookies, sessions, deviceOf } = people
  return (request) => {
    const token = cookies.tokenOf(request)
    if (token !== undefined && sessions.wasGood(token)) return { name: token, isSecret: true }
    const key = String(request.headers['x-mbx-apikey'] ?? '')
    if (auth.isKnown(key)) return { name: key, isSecret: false }
    const device = deviceOf(request)
    // All browsers of an account count together: each log-in can make a new key.
    if (device) return { name: `device ${device.account}`, isSecret: true }
    const signal = signals.known.addressIn(request.url)
    return signal === undefined ? undefined : { name: `signal ${signal.hash}`, isSecret: true }
  }
}
