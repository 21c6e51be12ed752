import { openConnection, type ConnectionOptions, type ConnectionState } from '../socket/connection.ts'
import { messageIn } from '../socket/message.ts'
import { type Call, type CallOptions, type Credentials, type Params, type Route, withClientId } from './call.ts'
import { ConnectionError } from './errors.ts'
import { type Answer, Asks } from './socket-asks.ts'
import { SocketEvents } from './socket-events.ts'
import { SocketReady } from './socket-ready.ts'
import { SocketSession } from './socket-session.ts'
import { socketOrigin } from './stream.ts'
import type { SpotEvent } from './user-types.ts'

export type SocketApiOptions = Omit<ConnectionOptions, 'url'> &
  Credentials & {
    /** Origin of the exchange: `https://…`, or `wss://…`. */
    readonly url: string
    /** `spot` (default: spot, margin and account) or `futures`. */
    readonly market?: 'spot' | 'futures'
    readonly recvWindowMs?: number
    /** How long to wait for an answer. Default 15,000. */
    readonly timeoutMs?: number
    /** Further attempts of requests that are safe to repeat, after a lost socket. Default 2. */
    readonly retries?: number
    readonly now?: () => number
  }

export type SocketApi = {
  readonly state: ConnectionState
  /** Replaces `makeCall`: the same functions, over this socket; several may be in progress at once. */
  readonly call: Call
  /**
   * Opens a session with an Ed25519 key: later requests need no signature. It is opened again after a lost socket.
   *
   * throws  ProgramError, or TypeError for another kind of key
   */
  logon(): Promise<void>
  /**
   * Events of the account, such as `executionReport` and `outboundAccountPosition`, until the returned function is called. After
   * a lost socket it subscribes again; events in between are lost, and `onState` of the options tells when to read the account
   * again.
   */
  userData(listener: (event: SpotEvent) => void): Promise<() => Promise<void>>
  close(): void
}

/** Longest wait for an answer, in milliseconds. */
const timeoutDefaultMs = 15_000
const retriesDefault = 2

/** The WebSocket API: one socket for requests, their answers and the account's events. */
export function openSocketApi(options: SocketApiOptions): SocketApi {
  const { now = Date.now, timeoutMs = timeoutDefaultMs, retries = retriesDefault } = options
  const asks = new Asks((text) => connection.send(text), timeoutMs, now)
  const session = new SocketSession(options, asks, now)
  const events = new SocketEvents(session)
  const ready = new SocketReady(timeoutMs)

  const onState = (state: ConnectionState): void => {
    if (state !== 'open') {
      ready.lost()
      asks.lost()
      events.lost()
    }
    options.onState?.(state)
  }
  /** Restores the session and its streams before requests that wait for the socket are sent. */
  const onOpen = async (): Promise<void> => {
    try {
      if (session.isOpen) await session.logOn()
      await events.subscribeAgain()
    } catch {
      // A socket that was lost meanwhile reconnects by itself; the next request reports a key that is refused.
    }
    ready.become(connection.state === 'open')
  }
  const onText = (text: string): void => {
    const message = messageIn<Answer>(text)
    if (message?.event !== undefined) events.heard(message)
    else if (message !== undefined) asks.answered(message)
  }
  const connection = openConnection(
    { ...options, url: addressOf(options), onState },
    { onOpen: () => void onOpen(), onText, ping: () => JSON.stringify({ id: 'ping', method: 'ping' }) },
  )

  return {
    get state() {
      return connection.state
    },
    call: callOver(session, ready, retries),
    async logon() {
      session.checkKey()
      await ready.reached()
      await session.logOn()
    },
    async userData(listener) {
      await ready.reached()
      // A function of its own, so that one listener can listen twice.
      const own = (event: SpotEvent): void => listener(event)
      await events.subscribe(own)
      return async () => {
        const subscriptionId = events.forget(own)
        if (subscriptionId !== undefined && connection.state === 'open') await asks.ask('userDataStream.unsubscribe', { subscriptionId })
      }
    },
    close() {
      connection.close()
      asks.lost()
      ready.close()
    },
  }
}

function addressOf({ url, market }: SocketApiOptions): string {
  return `${socketOrigin(url)}${market === 'futures' ? '/ws-fapi/v1' : '/ws-api/v3'}`
}

/** Repeats requests that are safe to repeat after a lost socket. */
function callOver(session: SocketSession, ready: SocketReady, retries: number): Call {
  return async <T>(route: Route, params: Params = {}, callOptions: CallOptions = {}): Promise<T> => {
    const { socket } = route
    if (socket === undefined) throw new TypeError(`${route.method} ${route.path} is not on the WebSocket API`)
    const whole = withClientId(route, params)
    const isSafe = route.method === 'GET' || route.clientId !== undefined || route.isRepeatable === true
    for (let attempt = 0; ; attempt++) {
      await ready.reached(callOptions)
      try {
        return (await session.timed(socket, () => session.dressed(route, whole), callOptions)) as T
      } catch (error) {
        const isLost = error instanceof ConnectionError && error.reason === 'unreachable'
        if (!isLost || !isSafe || ready.isClosed || attempt >= retries) throw error
      }
    }
  }
}
