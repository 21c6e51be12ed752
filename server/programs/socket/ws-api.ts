import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Family } from '../../live/program-names.ts'
import { Connection } from '../../sockets/connection.ts'
import type { Staleness } from '../../live/staleness.ts'
import { Lives } from '../../sockets/lives.ts'
import type { ApiAuth } from '../auth.ts'
import { ApiError, apiErrorOf } from '../errors.ts'
import type { ApiUser } from '../key-ring.ts'
import { orderAllowances } from '../order-counts.ts'
import { answerOf, type Call, type Route } from '../route.ts'
import type { Sent } from '../params.ts'
import { weightMax, type Weights } from '../weights.ts'
import type { KeyedStreams } from './keyed-streams.ts'
import { methodsOf } from './methods.ts'
import { BadRequest, readSocketRequest, sentOfParams, type SocketRequest } from './request.ts'
import { isSessionMethod, type Session, SocketSession } from './session.ts'

const connectWeight = 2
/** Bytes of answers to large questions that may wait at the same time. */
const queuedMax = 16 * 1024 * 1024
/** Requests of one socket in progress; beyond that the socket is not read. */
const inFlightMax = 512
const unlimited = Number.POSITIVE_INFINITY

export type WsApiOptions = {
  readonly routes: readonly Route[]
  readonly auth: ApiAuth
  readonly weights: Weights
  readonly keyed: KeyedStreams
  readonly now: () => number
  readonly staleness: Staleness
  readonly onFault: (cause: unknown, method: string) => void
}

export type WsApiSocket = {
  readonly family: Family
  readonly ip: string
  /** Whether limits apply to the address. */
  readonly isHeld: boolean
  readonly returnsRateLimits: boolean
}

type Client = WsApiSocket & {
  readonly connection: Connection
  readonly session: Session
  inFlight: number
  isPaused: boolean
}

const nothingSent: Sent = new Map()

/** One request until it is answered: to its route, a call like any other. */
class Asked implements Call {
  readonly client: Client
  readonly request: SocketRequest
  /** Undefined for requests that the socket answers itself. */
  readonly route: Route | undefined
  readonly at: number
  readonly answerHeaders: Record<string, string> = {}
  readonly query = ''
  readonly body = undefined
  sent = nothingSent
  owner: ApiUser | undefined
  isCharged = false
  readonly #weights: Weights

  constructor(client: Client, request: SocketRequest, route: Route | undefined, at: number, weights: Weights) {
    this.client = client
    this.request = request
    this.route = route
    this.at = at
    this.#weights = weights
  }

  get method(): Call['method'] {
    return this.route?.method ?? 'GET'
  }

  get path(): string {
    return this.route?.path ?? ''
  }

  get ip(): string {
    return this.client.ip
  }

  get family(): Family {
    return this.client.family
  }

  get key(): string | undefined {
    const { apiKey } = this.request.params
    return typeof apiKey === 'string' ? apiKey : this.client.session.key
  }

  get isTold(): boolean {
    const { returnRateLimits } = this.request.params
    return returnRateLimits === undefined ? this.client.returnsRateLimits : returnRateLimits !== false && returnRateLimits !== 'false'
  }

  charge(weight: number): void {
    const { ip, family, isHeld } = this.client
    this.isCharged = true
    this.#weights.note(ip, family, weight, this.at)
    if (isHeld) this.#weights.check(ip, family, this.at)
  }
}

/**
 * The WebSocket API: the routes of programs by name. A socket may have many requests in progress; each is answered as soon as its
 * result is known.
 */
export class WsApi {
  readonly #options: WsApiOptions
  readonly #methods: Readonly<Record<Family, ReadonlyMap<string, Route>>>
  readonly #clients = new Set<Client>()
  readonly #lives = new Lives({ shutdownText: (at) => `{"event":{"e":"serverShutdown","E":${at}}}` })
  /** Sockets with unsent answers, sent at the end of this turn of the event loop. */
  readonly #dirty = new Set<Connection>()
  readonly #flush = (): void => {
    const dirty = [...this.#dirty]
    this.#dirty.clear()
    for (const connection of dirty) connection.flush()
  }

  constructor(options: WsApiOptions) {
    this.#options = options
    this.#methods = { spot: methodsOf(options.routes, 'spot'), futures: methodsOf(options.routes, 'futures') }
  }

  get size(): number {
    return this.#clients.size
  }

  open(ws: WebSocket, raw: Duplex, socket: WsApiSocket): void {
    const { weights, auth, keyed, now } = this.#options
    const connection = new Connection(ws, raw, unlimited, queuedMax)
    const say = (text: string): void => this.#say(connection, text)
    const session = new SocketSession({ ...socket, connection, auth, keyed, now, say })
    const client: Client = { ...socket, connection, session, inFlight: 0, isPaused: false }
    this.#clients.add(client)
    this.#lives.add(connection, socket.family)
    weights.note(socket.ip, socket.family, connectWeight, now())
    ws.on('message', (data, isBinary) => this.#receive(client, data as Buffer, isBinary))
    ws.on('close', () => {
      this.#clients.delete(client)
      this.#lives.delete(connection)
      session.close()
    })
  }

  /** Called when an API key was changed or deleted somewhere: sessions that it no longer permits end. */
  async keyChanged(key: string): Promise<void> {
    for (const { session } of this.#clients) if (session.key === key) await session.check()
  }

  close(): void {
    this.#lives.close()
  }

  #receive(client: Client, data: Buffer, isBinary: boolean): void {
    const { connection, ip, family } = client
    const { weights, now } = this.#options
    const at = now()
    let request: SocketRequest
    try {
      if (client.isHeld) weights.enter(ip, at)
      request = readSocketRequest(data, isBinary)
    } catch (error) {
      weights.note(ip, family, 1, at)
      const unread = { id: error instanceof BadRequest ? error.id : null, method: '', params: {} }
      this.#sayError(new Asked(client, unread, undefined, at, weights), error as ApiError)
      return
    }
    if (++client.inFlight >= inFlightMax && !client.isPaused) {
      client.isPaused = true
      connection.ws.pause()
    }
    this.#answer(new Asked(client, request, this.#methods[family].get(request.method), at, weights))
  }

  #answered(client: Client): void {
    client.inFlight--
    if (!client.isPaused || client.inFlight > inFlightMax / 2) return
    client.isPaused = false
    client.connection.ws.resume()
  }

  /** Uses only one promise in most cases: thousands of requests per second wait here. */
  #answer(asked: Asked): void {
    const { client, request } = asked
    const { session, isHeld, ip, family } = client
    try {
      // Before any look-up: a caller that sends only malformed requests is never charged otherwise.
      if (isHeld) this.#options.weights.check(ip, family, asked.at)
      const { route } = asked
      let result: unknown
      if (route !== undefined) {
        const owner = session.userOf(route, request.params)
        result = owner instanceof Promise ? owner.then((found) => this.#routed(asked, route, found)) : this.#routed(asked, route, owner)
      } else if (isSessionMethod(request.method, family)) {
        asked.charge(2)
        result = session.answer(request.method, request.params)
      } else throw new ApiError(-5000, `Method ${request.method} is invalid`)
      if (!(result instanceof Promise)) this.#sayResult(asked, result)
      else
        result.then(
          (value) => this.#sayResult(asked, value),
          (cause: unknown) => this.#sayFault(asked, cause),
        )
    } catch (cause) {
      this.#sayFault(asked, cause)
    }
  }

  #routed(asked: Asked, route: Route, owner: ApiUser | undefined): unknown {
    asked.owner = owner
    asked.sent = sentOfParams(asked.request.params)
    return answerOf(route, asked, owner)
  }

  #sayResult(asked: Asked, result: unknown): void {
    const { client, request, route } = asked
    const { id } = request
    let text: string
    try {
      const stale = route === undefined ? undefined : this.#options.staleness?.of(route.method, route.path)
      const limits = asked.isTold ? `,"rateLimits":${this.#limits(asked)}` : ''
      text = `{"id":${typeof id === 'number' ? id : JSON.stringify(id)},"status":200,"result":${JSON.stringify(result)}${stale === undefined ? '' : `,"stale":${stale}`}${limits}}`
    } catch (cause) {
      return this.#sayFault(asked, cause)
    }
    this.#say(client.connection, text)
    if (route === undefined) client.session.answered(result as object)
    this.#answered(client)
  }

  #sayFault(asked: Asked, cause: unknown): void {
    const { client, request, route, at } = asked
    if (!asked.isCharged) this.#options.weights.note(client.ip, client.family, 1, at)
    const known = apiErrorOf(cause)
    if (!known) this.#options.onFault(cause, request.method)
    this.#sayError(
      asked,
      known ?? (apiErrorOf({ refusal: route && route.method !== 'GET' ? 'STATUS_UNKNOWN' : 'UNAVAILABLE' }) as ApiError),
    )
    this.#answered(client)
  }

  #sayError(asked: Asked, error: ApiError): void {
    const { client, request, at } = asked
    const { retryAfter } = error
    const wait = retryAfter === undefined ? {} : { data: { serverTime: at, retryAfter: at + 1_000 * retryAfter } }
    const limits = asked.isTold ? `,"rateLimits":${this.#limits(asked)}` : ''
    const body = JSON.stringify({ ...wait, ...error.body })
    this.#say(client.connection, `{"id":${JSON.stringify(request.id)},"status":${error.status},"error":${body}${limits}}`)
    // A banned address is disconnected here as well.
    if (error.status === 418 && client.connection.isOpen) client.connection.close(1008, 'too many requests')
  }

  /** Weight of the address and, after an order, the account's order counts. */
  #limits({ ip, family, at, owner, answerHeaders: headers }: Asked): string {
    const used = this.#options.weights.used(ip, family, at)
    const weight = `{"rateLimitType":"REQUEST_WEIGHT","interval":"MINUTE","intervalNum":1,"limit":${weightMax},"count":${used}}`
    const [short, day] = [headers['x-mbx-order-count-10s'], headers['x-mbx-order-count-1d']]
    if (owner === undefined || short === undefined || day === undefined) return `[${weight}]`
    const allowance = orderAllowances[owner.class]
    return `[{"rateLimitType":"ORDERS","interval":"SECOND","intervalNum":10,"limit":${allowance.tenSeconds},"count":${short}},{"rateLimitType":"ORDERS","interval":"DAY","intervalNum":1,"limit":${allowance.day},"count":${day}},${weight}]`
  }

  #say(connection: Connection, text: string): void {
    connection.queue(text)
    // All answers of one turn of the event loop are sent in one write per socket.
    if (this.#dirty.size === 0) setImmediate(this.#flush)
    this.#dirty.add(connection)
  }
}
