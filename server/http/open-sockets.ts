import type { Duplex } from 'node:stream'
import { networkOf } from '../networks.ts'

/** Counts the open sockets per address (IPv6: per network) and limits them. */
export class OpenSockets {
  readonly max: number
  readonly #counts = new Map<string, number>()

  constructor(max: number) {
    this.max = max
  }

  /** Number of networks with an open socket. */
  get size(): number {
    return this.#counts.size
  }

  /** Counts a socket until it closes. Returns false when the limit is reached. */
  admit(ip: string, socket: Duplex): boolean {
    if (socket.closed) return true
    const network = networkOf(ip)
    const count = this.#counts.get(network) ?? 0
    if (count >= this.max) return false
    this.#counts.set(network, count + 1)
    socket.once('close', () => {
      const left = (this.#counts.get(network) as number) - 1
      if (left > 0) this.#counts.set(network, left)
      else this.#counts.delete(network)
    })
    return true
  }
}
