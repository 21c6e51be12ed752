import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Session } from '../ports.ts'
import { parseJson } from '../http/body.ts'
import type { Listing } from '../live/listing.ts'
import type { Family } from '../live/program-names.ts'
import { Connection } from './connection.ts'
import type { Crowd } from './crowd.ts'
import { type Following, isListenKey, type OpenedByKey } from './listen-key.ts'
import { Lives } from './lives.ts'
import type { Publisher } from './publisher.ts'
import { readRequest, type StreamRequest } from './stream-requests.ts'
import { channelOf, parseStream } from './streams.ts'
import type { UserStreams } from './user-streams.ts'

/** Limits of one socket, by family. `perSecond`: messages that the client sends. */
export const streamLimits: Readonly<Record<Family, { readonly streams: number; readonly perSecond: number }>> = {
  spot: { streams: 1_024, perSecond: 5 },
  futures: { streams: 200, perSecond: 10 },
}

/**
 * `isCombined`: messages are wrapped with the name of their stream. `hasPlainLists`: except lists. `session`: may also follow
 * `user`, its own events. `streams`: stream names, of which unknown ones are ignored, and at most one listen key.
 */
export type StreamOptions = {
  readonly family: Family
  readonly isCombined: boolean
  readonly hasPlainLists?: boolean
  readonly streams: readonly string[]
  readonly ip: string
  readonly session?: Session
  /** True for users' own sockets, false for those of programs. */
  readonly isApp?: boolean
  readonly perSecond: number
}

type Client = {
  readonly connection: Connection
  /** Whether its network may send one more message. */
  readonly mayCrowd: () => boolean
  readonly family: Family
  readonly ip: string
  readonly session: Session | undefined
  readonly streams: Set<string>
  /** Followed streams by listen key. */
  readonly keyed: Map<string, Following>
  /** Listen keys being looked up; resolves to true when the key opened a stream. */
  readonly asked: Map<string, Promise<boolean>>
  isCombined: boolean
  readonly hasPlainLists: boolean
}

type Parts = {
  readonly crowd: Crowd
  readonly listing: Listing
  readonly publisher: Publisher
  readonly users: UserStreams
  readonly keyed: OpenedByKey
  readonly guesses: Guesses
}

/** Limits look-ups of listen keys that open nothing, by address. */
export type Guesses = { readonly mayAsk: (ip: string) => boolean; readonly wasWrong: (ip: string) => void }

/** Sockets that understand SUBSCRIBE and UNSUBSCRIBE: `/ws`, `/stream`, `/fstream` and the app's own `/app/v1/stream`. */
export class StreamSockets {
  readonly #parts: Parts
  readonly #clients = new Map<Connection, Client>()
  readonly #lives: Lives

  constructor(parts: Parts, lives = new Lives()) {
    this.#parts = parts
    this.#lives = lives
  }

  get size(): number {
    return this.#clients.size
  }

  open(ws: WebSocket, raw: Duplex, options: StreamOptions): void {
    const { family, isCombined, hasPlainLists = false, streams, ip, session, isApp = false, perSecond } = options
    const connection = new Connection(ws, raw, perSecond)
    const client: Client = {
      connection,
      mayCrowd: this.#parts.crowd(ip),
      family,
      ip,
      session,
      streams: new Set(),
      keyed: new Map(),
      asked: new Map(),
      isCombined,
      hasPlainLists,
    }
    this.#clients.set(connection, client)
    this.#lives.add(connection, isApp ? 'app' : family)
    for (const name of streams) {
      if (isListenKey(name)) void this.#attach(client, name)
      else if (this.#isStream(client, name) && client.streams.size < streamLimits[family].streams) client.streams.add(name)
    }
    if (client.streams.size > 0) this.#listen(client)
    ws.on('message', (data, isBinary) => this.#receive(client, data as Buffer, isBinary))
    ws.on('close', () => {
      this.#clients.delete(connection)
      this.#lives.delete(connection)
      this.#parts.publisher.fanout.listen(connection, [])
      for (const attached of client.keyed.values()) attached.leave()
      client.keyed.clear()
      client.asked.clear()
      if (client.session) this.#parts.users.leave(client.session.user as UserId, connection)
    })
  }

  /**
   * Sessions ended: their sockets are notified and closed. Without ids: all sessions of the account. Sockets of an account of a firm are
   * closed whenever anything about it ends; those of a member also when the member's own session does. `isActing`: only those.
   */
  endSessions(account: string, sessions?: readonly string[], isActing = false): void {
    for (const { connection, session } of this.#clients.values()) {
      if (session === undefined || !isEnded(session, account, sessions, isActing)) continue
      connection.sendText(JSON.stringify({ stream: 'user', data: { e: 'ended', E: Date.now() } }))
      connection.close(4001, 'the session has ended')
    }
  }

  close(): void {
    this.#lives.close()
  }

  #receive(client: Client, data: Buffer, isBinary: boolean): void {
    const { connection } = client
    if (!connection.mayReceive(data.length) || (!client.mayCrowd() && connection.isBusy)) return connection.close(1008, 'too many messages')
    let message: unknown
    try {
      if (isBinary) throw new Error('not text')
      message = parseJson(data)
    } catch {
      return complain(client, 3, 'Invalid JSON: expected one well-formed object.', null)
    }
    const read = readRequest(message)
    if ('fault' in read) complain(client, 2, read.fault, read.id)
    else void this.#answer(client, read)
  }

  async #answer(client: Client, message: StreamRequest): Promise<void> {
    const { connection, streams, keyed, asked, family } = client
    const answer = (result: unknown): void => connection.sendText(JSON.stringify({ result, id: message.id ?? null }))
    switch (message.method) {
      case 'LIST_SUBSCRIPTIONS':
        // Listen keys in the path get no confirmation of their own, so this answer waits for them.
        await Promise.all(asked.values())
        return answer([...streams, ...keyed.keys()])
      case 'GET_PROPERTY':
        return answer(client.isCombined)
      case 'SET_PROPERTY':
        client.isCombined = message.params[1]
        this.#listen(client)
        return answer(null)
      case 'UNSUBSCRIBE':
        for (const name of message.params) {
          streams.delete(name)
          keyed.get(name)?.leave()
          keyed.delete(name)
          asked.delete(name)
        }
        this.#listen(client)
        return answer(null)
      case 'SUBSCRIBE': {
        const refuse = (why: string): void => complain(client, 2, `Invalid request: ${why}.`, message.id ?? null)
        const keys = message.params.filter((name) => isListenKey(name))
        const names = message.params.filter((name) => !isListenKey(name))
        if (keys.length > 1) return refuse('one listenKey at a time')
        const unknown = names.find((name) => !this.#isStream(client, name))
        if (unknown !== undefined) return refuse(`there is no stream ${JSON.stringify(unknown)}`)
        const max = streamLimits[family].streams
        if (new Set([...streams, ...keyed.keys(), ...asked.keys(), ...message.params]).size > max) return refuse(`at most ${max} streams`)
        for (const name of names) streams.add(name)
        this.#listen(client)
        for (const key of keys) if (!(await this.#attach(client, key))) return refuse('This listenKey does not exist')
        return answer(null)
      }
    }
  }

  #isStream({ session, family }: Client, name: string): boolean {
    if (name === 'user') return session !== undefined
    return parseStream(this.#parts.listing, name, family) !== undefined
  }

  #listen({ connection, family, isCombined, hasPlainLists, streams, session }: Client): void {
    const isWrapped = (name: string): boolean => isCombined && !(hasPlainLists && /@arr(@|$)/.test(name))
    const channels = [...streams].filter((name) => name !== 'user').map((name) => channelOf(family, isWrapped(name), name))
    this.#parts.publisher.fanout.listen(connection, channels)
    if (!session) return
    const user = session.user as UserId
    if (streams.has('user')) this.#parts.users.join(user, connection)
    else this.#parts.users.leave(user, connection)
  }

  /** Opens the user stream of a listen key. Returns false when there is none, or the socket left meanwhile. */
  async #attach(client: Client, listenKey: string): Promise<boolean> {
    if (client.keyed.has(listenKey)) return true
    const known = client.asked.get(listenKey)
    if (known !== undefined) return known
    const asked: Promise<boolean> = this.#lookUp(client, listenKey).then((attached) => {
      // It may have been unsubscribed, or the socket closed, during the look-up.
      const isWanted = client.asked.get(listenKey) === asked
      if (isWanted) client.asked.delete(listenKey)
      if (attached && isWanted) client.keyed.set(listenKey, attached)
      else attached?.leave()
      return attached !== undefined && isWanted
    })
    client.asked.set(listenKey, asked)
    return asked
  }

  async #lookUp(client: Client, listenKey: string): Promise<Following | undefined> {
    const { guesses } = this.#parts
    if (!guesses.mayAsk(client.ip)) return undefined
    const attached = await this.#opened(client, listenKey)
    if (!attached) guesses.wasWrong(client.ip)
    return attached
  }

  #opened(client: Client, listenKey: string): Promise<Following | undefined> {
    const { connection, keyed, asked, ip } = client
    const say = (event: string): void => connection.queue(client.isCombined ? `{"stream":"${listenKey}","data":${event}}` : event)
    return this.#parts.keyed
      .attach(listenKey, ip, {
        say,
        flush: () => connection.flush(),
        onEnd: () => {
          keyed.delete(listenKey)
          asked.delete(listenKey)
          say(JSON.stringify({ e: 'listenKeyExpired', E: Date.now(), listenKey }))
          connection.flush()
        },
        onLost: () => connection.close(1012, 'events were missed'),
      })
      .catch(() => undefined)
  }
}

function isEnded({ id, account: own, member }: Session, account: string, ended: readonly string[] | undefined, isActing: boolean): boolean {
  const isNamed = ended === undefined || ended.includes(id)
  if (member === undefined) return own === account && isNamed && !isActing
  return own === account || (member.account === account && (isNamed || isActing))
}

function complain({ connection }: Client, code: number, msg: string, requestId: unknown): void {
  connection.sendText(JSON.stringify({ error: { code, msg }, id: requestId }))
}
