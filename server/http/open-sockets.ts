import type { Duplex } from 'node:stream'
import { NetworkCounts } from './network-counts.ts'

/** Counts the open sockets per network and limits them. */
export class OpenSockets {
  /** Gateways may share them. */
  readonly counts: NetworkCounts
  readonly #ips = new Map<Duplex, string>()

  /** max  sockets per network; a wide network may have eight times as many */
  constructor(max: number) {
    this.counts = new NetworkCounts(max)
  }

  get max(): number {
    return this.counts.max
  }

  /** Number of networks, of both sizes, with an open socket. */
  get size(): number {
    return this.counts.size
  }

  /** Counts a socket until it closes or is released. Returns false when a limit is reached. */
  admit(ip: string, socket: Duplex): boolean {
    if (socket.closed) return true
    if (!this.counts.enter(ip)) return false
    this.#ips.set(socket, ip)
    socket.once('close', () => this.release(socket))
    return true
  }

  /** Ends the count of a socket that is about to close. */
  release(socket: Duplex): void {
    const ip = this.#ips.get(socket)
    if (ip === undefined) return
    this.#ips.delete(socket)
    this.counts.leave(ip)
  }
}
