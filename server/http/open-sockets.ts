import type { Duplex } from 'node:stream'
import { networkOf } from '../networks.ts'

/** Sockets that stand open for each address, of IPv6 for each network: never more than so many. */
export class OpenSockets {
  readonly max: number
  readonly #counts = new Map<string, number>()

  constructor(max: number) {
    this.max = max
  }

  /** Networks that have one. */
  get size(): number {
    return this.#counts.size
  }

  /** Counts a socket until it closes. False: there are as many as there may be. */
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
