import type { IncomingMessage } from 'node:http'
import type { Millis } from '@candor/core/money/brand.ts'
import { ApiError } from '../programs/errors.ts'
import type { WsApi } from '../programs/socket/ws-api.ts'
import type { Weights } from '../programs/weights.ts'
import type { Session } from '../ports.ts'
import { isLoopback, type Limits, takeForNetworks } from '../http/limits.ts'
import type { Family } from '../live/program-names.ts'
import { isOwnOrigin } from '../http/origin.ts'
import type { Proxies } from '../http/proxies.ts'
import { isListenKey } from '../sockets/listen-key.ts'
import type { OpenSockets } from '../http/open-sockets.ts'
import { type StreamSockets, streamLimits } from '../sockets/stream-sockets.ts'
import type { Endpoint } from '../sockets/upgrade.ts'
import type { WssSockets } from '../sockets/wss.ts'

/** 300 connections of a network in five minutes; of a wide network eight times as many. */
const connectionsPerIp = { burst: 300, perSecond: 1 }
const appPerSecond = 50

export type DoorParts = {
  readonly mode: 'sandbox' | 'production'
  readonly publicUrls: readonly string[]
  readonly proxies: Proxies
  readonly limits: Limits
  readonly weights: Weights
  readonly now: () => Millis
  /** Whether the market data of this process is complete. */
  readonly isReady: () => boolean
  readonly session: (request: IncomingMessage) => Promise<Session | undefined>
  readonly sockets: OpenSockets
  readonly wss: WssSockets
  readonly streams: StreamSockets
  readonly wsApi: WsApi
}

/** A visitor, by the address that limits are counted for. */
type Visitor = { readonly ip: string; readonly isHeld: boolean }

/** Decides which socket serves each path, and who may connect. */
export function makeDoors(parts: DoorParts): (path: string) => Endpoint | undefined {
  const [wss, app] = [wssDoor(parts), appDoor(parts)]
  const [spotApi, futuresApi] = [apiDoor(parts, 'spot'), apiDoor(parts, 'futures')]
  return (path) => {
    switch (path) {
      case '/wss':
        return wss
      case '/app/v1/stream':
        return app
      case '/ws-api/v3':
        return spotApi
      case '/ws-fapi/v1':
        return futuresApi
      default: {
        const market = /^(\/fstream(?:\/(?:public|market|private))?)?\/(ws|stream)(?:\/(.*))?$/.exec(path)
        return market ? streamDoor(parts, market[1] === undefined ? 'spot' : 'futures', market[2] === 'stream', market[3] ?? '') : undefined
      }
    }
  }
}

function wssDoor(parts: DoorParts): Endpoint {
  return own(parts, ({ ip }) => ({ open: (ws, raw) => parts.wss.open(ws, raw, ip) }))
}

function appDoor(parts: DoorParts): Endpoint {
  return own(parts, async ({ ip }, request) => {
    const session = await parts.session(request)
    const options = { family: 'spot', isCombined: true, streams: [], ip, perSecond: appPerSecond } as const
    return { open: (ws, raw) => parts.streams.open(ws, raw, { ...options, isApp: true, ...(session ? { session } : {}) }) }
  })
}

function apiDoor(parts: DoorParts, family: Family): Endpoint {
  return open(parts, (visitor, url) => ({
    open: (ws, raw) =>
      parts.wsApi.open(ws, raw, { ...visitor, family, returnsRateLimits: url.searchParams.get('returnRateLimits') !== 'false' }),
  }))
}

function streamDoor(parts: DoorParts, family: Family, isCombined: boolean, path: string): Endpoint {
  return open(parts, ({ ip }, url) => {
    const { perSecond } = streamLimits[family]
    const names = isCombined ? [] : decoded(path).split('/')
    for (const name of ['streams', 'listenKey']) names.push(...(url.searchParams.get(name) ?? '').split('/'))
    if (names.filter(isListenKey).length > 1) return { error: tooManyListenKeys() }
    // Clients with a path like `/stream/0` tell the two kinds of streams apart by it, and can't unwrap a list.
    const hasPlainLists = isCombined && path !== ''
    const options = { family, isCombined, hasPlainLists, streams: names, ip, perSecond }
    return { open: (ws, raw) => parts.streams.open(ws, raw, options) }
  })
}

/** Handshakes of the app's own sockets: only from its own pages, because the cookie authorizes there. */
function own(parts: DoorParts, endpoint: (visitor: Visitor, request: IncomingMessage) => ReturnType<Endpoint>): Endpoint {
  return (request) => {
    if (!isOwnOrigin(request, parts.publicUrls, parts.mode === 'sandbox')) return { refusal: 'ORIGIN_REFUSED' }
    const visitor = visitorOf(parts, request)
    const { ip, isHeld } = visitor
    if (isHeld && takeForNetworks(parts.limits, 'socket', ip, connectionsPerIp) > 0) return { refusal: 'RATE_LIMITED' }
    if (!parts.isReady()) return { refusal: 'UNAVAILABLE' }
    if (isHeld && !parts.sockets.admit(ip, request.socket)) return { refusal: 'RATE_LIMITED' }
    return endpoint(visitor, request)
  }
}

/** Handshakes of programs, from any site, like the rest of their API. */
function open(parts: DoorParts, endpoint: (visitor: Visitor, url: URL) => ReturnType<Endpoint>): Endpoint {
  return (request, url) => {
    const visitor = visitorOf(parts, request)
    const { ip, isHeld } = visitor
    try {
      if (isHeld) parts.weights.enter(ip, parts.now())
    } catch (error) {
      if (error instanceof ApiError) return { error }
      throw error
    }
    const wait = isHeld ? takeForNetworks(parts.limits, 'socket', ip, connectionsPerIp) : 0
    if (wait > 0) return { error: tooManyConnections(Math.max(1, Math.ceil(wait))) }
    if (!parts.isReady()) return { refusal: 'UNAVAILABLE' }
    if (isHeld && !parts.sockets.admit(ip, request.socket)) return { error: tooManyOpen(parts.sockets.max) }
    return endpoint(visitor, url)
  }
}

function visitorOf({ proxies, mode }: DoorParts, request: IncomingMessage): Visitor {
  const ip = proxies.addressOf(request)
  return { ip, isHeld: mode === 'production' || !isLoopback(ip) }
}

const tooManyListenKeys = () => new ApiError(-1100, 'One listenKey per connection URL.', 400)

const tooManyConnections = (wait: number) =>
  new ApiError(-1003, 'Too many connections; current limit is 300 connections per 5 MINUTE.', 429, wait)

const tooManyOpen = (max: number) =>
  new ApiError(
    -1003,
    `Too many open connections; current limit is ${max} at a time for each address. Close one before you open another.`,
    429,
  )

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
