import type { Count, SharedCounts } from '../counters/counts.ts'
import { networkOf, wideNetworkOf, wideTimes } from '../networks.ts'

/**
 * Counts what is in progress per network, and per wide network (/24, /48), which may have eight times as much: no customer of a
 * provider gets more by using many of its networks. Where gateways share the count, what others have in progress counts too.
 */
export class NetworkCounts implements SharedCounts {
  readonly kind = 'level'
  readonly keptMs = Number.POSITIVE_INFINITY
  readonly max: number
  readonly #counts = new Map<string, number>()
  readonly #others = new Map<string, number>()
  #changed: Set<string> | undefined

  constructor(max: number) {
    this.max = max
  }

  /** Number of networks, of both sizes, with something in progress here. */
  get size(): number {
    return this.#counts.size
  }

  /** Counts one more, which `leave` must end. Returns false at the limit of either network. */
  enter(ip: string): boolean {
    const [network, wide] = [networkOf(ip), wideNetworkOf(ip)]
    if (this.#of(network) >= this.max || this.#of(wide) >= this.max * wideTimes) return false
    for (const name of [network, wide]) {
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
      this.#changed?.add(name)
    }
    return true
  }

  leave(ip: string): void {
    for (const network of [networkOf(ip), wideNetworkOf(ip)]) {
      const left = (this.#counts.get(network) as number) - 1
      if (left > 0) this.#counts.set(network, left)
      else this.#counts.delete(network)
      this.#changed?.add(network)
    }
  }

  watch(isWatched: boolean): void {
    this.#changed = isWatched ? new Set() : undefined
  }

  changed(): readonly Count[] {
    const found = [...(this.#changed ?? [])].map((network): Count => [network, 0, this.#counts.get(network) ?? 0])
    this.#changed?.clear()
    return found
  }

  all(): readonly Count[] {
    return [...this.#counts].map(([network, count]): Count => [network, 0, count])
  }

  add(network: string, _mark: number, more: number): boolean {
    const count = (this.#others.get(network) ?? 0) + more
    if (count > 0) this.#others.set(network, count)
    else this.#others.delete(network)
    return true
  }

  /** In all gateways. */
  #of(network: string): number {
    return (this.#counts.get(network) ?? 0) + (this.#others.size === 0 ? 0 : (this.#others.get(network) ?? 0))
  }
}
