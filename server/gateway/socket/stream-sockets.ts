import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { Session } from '../../ports.ts'
import { parseJson } from '../http/body.ts'
import type { Listing } from '../market/listing.ts'
import { Connection } from './connection.ts'
import type { Publisher } from './publisher.ts'
import { parseStream } from './streams.ts'
import type { UserStreams } from './user-streams.ts'

const streamsMax = 1_024
const pingEveryMs = 20_000

const id = z.union([z.int(), z.string().max(36), z.null()])
const request = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('SUBSCRIBE'), params: z.array(z.string().max(64)).min(1).max(streamsMax), id: id.exactOptional() }),
  z.strictObject({ method: z.literal('UNSUBSCRIBE'), params: z.array(z.string().max(64)).min(1).max(streamsMax), id: id.exactOptional() }),
  z.strictObject({ method: z.literal('LIST_SUBSCRIPTIONS'), id: id.exactOptional() }),
  z.strictObject({ method: z.literal('SET_PROPERTY'), params: z.tuple([z.literal('combined'), z.boolean()]), id: id.exactOptional() }),
  z.strictObject({ method: z.literal('GET_PROPERTY'), params: z.tuple([z.literal('combined')]), id: id.exactOptional() }),
])
type Request = z.infer<typeof request>

/** `combined`: messages are wrapped with the name of their stream. `session`: may also have `user`, its own events. */
export type StreamOptions = {
  readonly isCombined: boolean
  readonly streams: readonly string[]
  readonly session?: Session
  readonly perSecond: number
}

type Client = { readonly connection: Connection; readonly session: Session | undefined; readonly streams: Set<string>; isCombined: boolean }

type Parts = { readonly listing: Listing; readonly publisher: Publisher; readonly users: UserStreams }

/** Sockets that speak SUBSCRIBE and UNSUBSCRIBE: `/ws`, `/stream` and the app's own `/app/v1/stream`. */
export class StreamSockets {
  readonly #parts: Parts
  readonly #clients = new Set<Client>()
  readonly #pinger: NodeJS.Timeout

  constructor(parts: Parts, pingMs = pingEveryMs) {
    this.#parts = parts
    this.#pinger = setInterval(() => this.#ping(), pingMs)
  }

  get size(): number {
    return this.#clients.size
  }

  open(ws: WebSocket, raw: Duplex, options: StreamOptions): void {
    const client: Client = {
      connection: new Connection(ws, raw, options.perSecond),
      session: options.session,
      streams: new Set(options.streams),
      isCombined: options.isCombined,
    }
    this.#clients.add(client)
    if (client.streams.size > 0) this.#listen(client)
    ws.on('message', (data, isBinary) => this.#receive(client, data as Buffer, isBinary))
    ws.on('close', () => {
      this.#clients.delete(client)
      this.#parts.publisher.fanout.listen(client.connection, [])
      if (client.session) this.#parts.users.leave(client.session.user as UserId, client.connection)
    })
  }

  /** Sessions that ended: their sockets say so and close. No ids: all of the account. */
  endSessions(account: string, sessions?: readonly string[]): void {
    for (const { connection, session } of this.#clients) {
      if (session?.account !== account || (sessions && !sessions.includes(session.id))) continue
      connection.sendText(JSON.stringify({ stream: 'user', data: { e: 'ended', E: Date.now() } }))
      connection.close(4001, 'the session has ended')
    }
  }

  close(): void {
    clearInterval(this.#pinger)
    for (const { connection } of this.#clients) connection.close(1001, 'the exchange stops')
  }

  #receive(client: Client, data: Buffer, isBinary: boolean): void {
    if (!client.connection.mayReceive(data.length)) return client.connection.close(1008, 'too many messages')
    let message: unknown
    try {
      if (isBinary) throw new Error('not text')
      message = parseJson(data)
    } catch {
      return complain(client, 3, 'Invalid JSON: expected one well-formed object.', null)
    }
    const read = request.safeParse(message)
    if (!read.success) {
      return complain(
        client,
        2,
        `Invalid request: ${read.error.issues[0]?.path.join('.') || 'method'} is missing or not valid.`,
        idOf(message),
      )
    }
    this.#answer(client, read.data)
  }

  #answer(client: Client, message: Request): void {
    const { connection } = client
    const answer = (result: unknown): void => connection.sendText(JSON.stringify({ result, id: message.id ?? null }))
    switch (message.method) {
      case 'LIST_SUBSCRIPTIONS':
        return answer([...client.streams])
      case 'GET_PROPERTY':
        return answer(client.isCombined)
      case 'SET_PROPERTY':
        client.isCombined = message.params[1]
        this.#listen(client)
        return answer(null)
      case 'UNSUBSCRIBE':
        for (const name of message.params) client.streams.delete(name)
        this.#listen(client)
        return answer(null)
      case 'SUBSCRIBE': {
        const unknown = message.params.find((name) => !this.#isStream(client, name))
        if (unknown !== undefined)
          return complain(client, 2, `Invalid request: there is no stream ${JSON.stringify(unknown)}.`, message.id ?? null)
        if (new Set([...client.streams, ...message.params]).size > streamsMax) {
          return complain(client, 2, `Invalid request: at most ${streamsMax} streams.`, message.id ?? null)
        }
        for (const name of message.params) client.streams.add(name)
        this.#listen(client)
        return answer(null)
      }
    }
  }

  #isStream(client: Client, name: string): boolean {
    if (name === 'user') return client.session !== undefined
    return parseStream(this.#parts.listing, name) !== undefined
  }

  #listen(client: Client): void {
    const form = client.isCombined ? 'all' : 'raw'
    const channels = [...client.streams].filter((name) => name !== 'user').map((name) => `${form}:${name}`)
    this.#parts.publisher.fanout.listen(client.connection, channels)
    if (!client.session) return
    const user = client.session.user as UserId
    if (client.streams.has('user')) this.#parts.users.join(user, client.connection)
    else this.#parts.users.leave(user, client.connection)
  }

  #ping(): void {
    for (const { connection } of this.#clients) {
      if (!connection.isAlive) connection.ws.terminate()
      else if (connection.ws.readyState === 1) {
        connection.isAlive = false
        connection.ws.ping()
      }
    }
  }
}

function complain({ connection }: Client, code: number, msg: string, requestId: unknown): void {
  connection.sendText(JSON.stringify({ error: { code, msg }, id: requestId }))
}

function idOf(message: unknown): unknown {
  const given = id.safeParse((message as { id?: unknown } | null)?.id)
  return given.success ? given.data : null
}
