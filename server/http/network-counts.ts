import { networkOf, wideNetworkOf, wideTimes } from '../networks.ts'

/**
 * Counts what is in progress per network, and per wide network (/24, /48), which may have eight times as much: no customer of a
 * provider gets more by using many of its networks.
 */
export class NetworkCounts {
  readonly max: number
  readonly #counts = new Map<string, number>()

  constructor(max: number) {
    this.max = max
  }

  /** Number of networks, of both sizes, with something in progress. */
  get size(): number {
    return this.#counts.size
  }

  /** Counts one more, which `leave` must end. Returns false at the limit of either network. */
  enter(ip: string): boolean {
    const [network, wide] = [networkOf(ip), wideNetworkOf(ip)]
    const [count, wideCount] = [this.#counts.get(network) ?? 0, this.#counts.get(wide) ?? 0]
    if (count >= this.max || wideCount >= this.max * wideTimes) return false
    this.#counts.set(network, count + 1)
    this.#counts.set(wide, wideCount + 1)
    return true
  }

  leave(ip: string): void {
    for (const network of [networkOf(ip), wideNetworkOf(ip)]) {
      const left = (this.#counts.get(network) as number) - 1
      if (left > 0) this.#counts.set(network, left)
      else this.#counts.delete(network)
    }
  }
}
