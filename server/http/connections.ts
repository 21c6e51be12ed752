import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { OpenSockets } from './open-sockets.ts'
import { isLoopback } from './limits.ts'
import { peerOf, type Proxies } from './proxies.ts'
import { Replaceable } from './replaceable.ts'

/** Connections of all kinds that one network may have open at the same time: its WebSockets plus some for requests. */
const connectionsPerNetwork = 300
/** Connections of everybody. Each costs memory and a file descriptor. */
const connectionsOfAll = 20_000

export type ConnectionLimits = {
  readonly proxies: Proxies
  readonly mode: 'sandbox' | 'production'
  /** Whether the sender is a known customer: one with a session or key that was good a moment ago. */
  readonly isKnown: (request: IncomingMessage) => boolean
  /** The account of a known customer: by a browser's signed cookie, or by a session or key that was good a moment ago. */
  readonly accountOf?: (request: IncomingMessage) => string | undefined
  readonly max?: number
  readonly total?: number
}

/**
 * Limits the connections of each network, of wide networks, and of all together.
 *
 * A connection beyond the limit of its networks takes the place of the oldest one of its own network on which no known customer has
 * sent anything; without such a one it is closed before a byte of it is read. So strangers who hold all connections of a network
 * can't keep its customers out. A trusted proxy carries the connections of many networks: their requests are counted instead. When
 * the exchange has as many connections as it may, a new one takes the place of the oldest on which no known customer has sent
 * anything: strangers who hold all places lose them to whoever comes next, and customers keep theirs.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #open: OpenSockets
  readonly #total: number
  /** In the order in which they came. */
  readonly #strangers = new Set<Socket>()
  readonly #customers = new Set<Socket>()
  readonly #replaceable = new Replaceable()

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
    this.#open = new OpenSockets(limits.max ?? connectionsPerNetwork)
    this.#total = limits.total ?? connectionsOfAll
  }

  listen(server: Server): void {
    server.on('connection', (socket: Socket) => {
      if (!this.#admit(socket)) socket.destroy()
    })
  }

  /** Called for each request and handshake: the connection of a known customer keeps its place. */
  note(request: IncomingMessage): void {
    const { socket } = request
    if (!this.#strangers.has(socket) || !this.#limits.isKnown(request)) return
    this.#strangers.delete(socket)
    this.#customers.add(socket)
    const account = this.#limits.accountOf?.(request)
    if (account !== undefined) this.#replaceable.keepFor(account, socket)
  }

  /** Called for each handshake: WebSockets have their own limit, and stay. */
  noteSocket({ socket }: IncomingMessage): void {
    this.#replaceable.keep(socket)
  }

  #admit(socket: Socket): boolean {
    const { proxies, mode } = this.#limits
    const ip = peerOf(socket.remoteAddress)
    const isProxy = proxies.isTrusted(ip)
    if (!isProxy && mode === 'sandbox' && isLoopback(ip)) return true
    if (!isProxy && !this.#open.admit(ip, socket) && !(this.#replace(ip) && this.#open.admit(ip, socket))) return false
    if (this.#strangers.size + this.#customers.size >= this.#total && !this.#makeRoom()) return false
    this.#strangers.add(socket)
    if (!isProxy) this.#replaceable.add(ip, socket)
    socket.once('close', () => {
      this.#strangers.delete(socket)
      this.#customers.delete(socket)
    })
    return true
  }

  #replace(ip: string): boolean {
    const oldest = this.#replaceable.takeOldest(ip)
    if (oldest === undefined) return false
    this.#open.release(oldest)
    oldest.destroy()
    return true
  }

  #makeRoom(): boolean {
    for (const oldest of this.#strangers) {
      this.#strangers.delete(oldest)
      oldest.destroy()
      return true
    }
    return false
  }
}
