import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { Connection } from '../../socket/connection.ts'
import type { Staleness } from '../../staleness.ts'
import { Lives } from '../../socket/lives.ts'
import type { ApiAuth } from '../auth.ts'
import { ApiError, apiErrorOf } from '../errors.ts'
import type { ApiUser } from '../key-ring.ts'
import { orderAllowances } from '../order-counts.ts'
import { answerOf, type Call, type Family, type Route } from '../route.ts'
import { weightMax, type Weights } from '../weights.ts'
import type { KeyedStreams } from './keyed-streams.ts'
import { methodsOf } from './methods.ts'
import { BadRequest, readSocketRequest, sentOfParams, type SocketRequest } from './request.ts'
import { isSessionMethod, type Session, SocketSession } from './session.ts'

const connectWeight = 2
/** Answers to many large questions may wait at once. */
const queuedMax = 16 * 1024 * 1024
/** Requests of one socket that are being answered; beyond that nothing more is read from it. */
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
  /** Whether limits hold for the address. */
  readonly isHeld: boolean
  readonly returnsRateLimits: boolean
}

type Client = WsApiSocket & {
  readonly connection: Connection
  readonly session: Session
  inFlight: number
  isPaused: boolean
}

/** The WebSocket API: the routes of programs by name, many at a time on one socket, each answered as soon as it is known. */
export class WsApi {
  readonly #options: WsApiOptions
  readonly #methods: Readonly<Record<Family, ReadonlyMap<string, Route>>>
  readonly #clients = new Set<Client>()
  readonly #lives = new Lives({ shutdownText: (at) => `{"event":{"e":"serverShutdown","E":${at}}}` })
  /** Sockets that have something to say when this turn of the event loop is over. */
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

  /** An API key was changed or deleted somewhere: sessions that it opened end when it would not open them any more. */
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
      this.#sayError(client, error instanceof BadRequest ? error.id : null, error as ApiError, client.returnsRateLimits, at, undefined, {})
      return
    }
    if (++client.inFlight >= inFlightMax && !client.isPaused) {
      client.isPaused = true
      connection.ws.pause()
    }
    void this.#answer(client, request, at)
  }

  #answered(client: Client): void {
    client.inFlight--
    if (!client.isPaused || client.inFlight > inFlightMax / 2) return
    client.isPaused = false
    client.connection.ws.resume()
  }

  async #answer(client: Client, request: SocketRequest, at: number): Promise<void> {
    const { id, method, params } = request
    const { ip, family, isHeld, session, connection } = client
    const { weights } = this.#options
    const answerHeaders: Record<string, string> = {}
    const { returnRateLimits } = params
    const isTold = returnRateLimits === undefined ? client.returnsRateLimits : returnRateLimits !== false && returnRateLimits !== 'false'
    let isCharged = false
    let owner: ApiUser | undefined
    const charge = (weight: number): void => {
      isCharged = true
      weights.note(ip, family, weight, at)
      if (isHeld) weights.check(ip, family, at)
    }
    const route = this.#methods[family].get(method)
    try {
      let result: unknown
      // Before anything is looked up: who only asks wrongly is never charged.
      if (isHeld) weights.check(ip, family, at)
      if (route) {
        const asking = session.userOf(route, params)
        owner = asking instanceof Promise ? await asking : asking
        result = await answerOf(route, this.#call(client, route, request, at, answerHeaders, charge), owner)
      } else if (isSessionMethod(method, family)) {
        charge(2)
        result = await session.answer(method, params)
      } else throw new ApiError(-5000, `Method ${method} is invalid`)
      const stale = route === undefined ? undefined : this.#options.staleness?.of(route.method, route.path)
      const limits = isTold ? `,"rateLimits":${this.#limits(client, at, owner, answerHeaders)}` : ''
      this.#say(
        connection,
        `{"id":${typeof id === 'number' ? id : JSON.stringify(id)},"status":200,"result":${JSON.stringify(result)}${stale === undefined ? '' : `,"stale":${stale}`}${limits}}`,
      )
      if (!route) session.answered(result as object)
    } catch (error) {
      if (!isCharged) weights.note(ip, family, 1, at)
      const known = apiErrorOf(error)
      if (!known) this.#options.onFault(error, method)
      const said = known ?? (apiErrorOf({ refusal: route && route.method !== 'GET' ? 'STATUS_UNKNOWN' : 'UNAVAILABLE' }) as ApiError)
      this.#sayError(client, id, said, isTold, at, owner, answerHeaders)
    } finally {
      this.#answered(client)
    }
  }

  #call(
    { ip, family, session }: Client,
    { method, path }: Route,
    { params }: SocketRequest,
    at: number,
    answerHeaders: Record<string, string>,
    charge: Call['charge'],
  ): Call {
    const { apiKey } = params
    const key = typeof apiKey === 'string' ? apiKey : session.key
    return { method, path, family, key, query: '', body: undefined, sent: sentOfParams(params), ip, at, answerHeaders, charge }
  }

  #sayError(
    client: Client,
    id: SocketRequest['id'],
    error: ApiError,
    isTold: boolean,
    at: number,
    owner: ApiUser | undefined,
    headers: Readonly<Record<string, string>>,
  ): void {
    const { retryAfter } = error
    const wait = retryAfter === undefined ? {} : { data: { serverTime: at, retryAfter: at + 1_000 * retryAfter } }
    const limits = isTold ? `,"rateLimits":${this.#limits(client, at, owner, headers)}` : ''
    const body = JSON.stringify({ ...wait, ...error.body })
    this.#say(client.connection, `{"id":${JSON.stringify(id)},"status":${error.status},"error":${body}${limits}}`)
    // Whoever is shut out is shut out here as well.
    if (error.status === 418 && client.connection.isOpen) client.connection.close(1008, 'too many requests')
  }

  /** Weight of the address, and after an order those of its account. */
  #limits({ ip, family }: Client, at: number, owner: ApiUser | undefined, headers: Readonly<Record<string, string>>): string {
    const used = this.#options.weights.used(ip, family, at)
    const weight = `{"rateLimitType":"REQUEST_WEIGHT","interval":"MINUTE","intervalNum":1,"limit":${weightMax},"count":${used}}`
    const [short, day] = [headers['x-mbx-order-count-10s'], headers['x-mbx-order-count-1d']]
    if (owner === undefined || short === undefined || day === undefined) return `[${weight}]`
    const allowance = orderAllowances[owner.class]
    return `[{"rateLimitType":"ORDERS","interval":"SECOND","intervalNum":10,"limit":${allowance.tenSeconds},"count":${short}},{"rateLimitType":"ORDERS","interval":"DAY","intervalNum":1,"limit":${allowance.day},"count":${day}},${weight}]`
  }

  #say(connection: Connection, text: string): void {
    connection.queue(text)
    // Everything that is answered in one turn of the event loop leaves in one write per socket.
    if (this.#dirty.size === 0) setImmediate(this.#flush)
    this.#dirty.add(connection)
  }
}
