import type { Duplex } from 'node:stream'
import { NetworkCounts } from './network-counts.ts'

/** Counts the open sockets per network and limits them. */
export class OpenSockets {
  readonly #counts: NetworkCounts

  /** max  sockets per network; a wide network may have eight times as many */
  constructor(max: number) {
    this.#counts = new NetworkCounts(max)
  }

  get max(): number {
    return this.#counts.max
  }

  /** Number of networks, of both sizes, with an open socket. */
  get size(): number {
    return this.#counts.size
  }

  /** Counts a socket until it closes. Returns false when a limit is reached. */
  admit(ip: string, socket: Duplex): boolean {
    if (socket.closed) return true
    if (!this.#counts.enter(ip)) return false
    socket.once('close', () => this.#counts.leave(ip))
    return true
  }
}
