import type { Lots, Millis, Ticks, Units } from '../money/brand.ts'
import type { Side } from '../protocol/command/spot.ts'
import type { TradeId } from '../protocol/ids.ts'

/** A trade as shown to the public, without its parties. */
export type PublicTrade = {
  readonly trade: TradeId
  readonly price: Ticks
  readonly lots: Lots
  readonly quote: Units
  readonly takerSide: Side
  readonly at: Millis
}

/** The newest trades of one market, in bounded memory. */
export class TradeRing {
  readonly #depth: number
  readonly #ring: PublicTrade[] = []
  /** Index for the next trade once the ring is full: that of the oldest. */
  #next = 0
  #untaken = 0

  constructor(depth = 1000) {
    this.#depth = depth
  }

  add(trade: PublicTrade): void {
    if (this.#ring.length < this.#depth) this.#ring.push(trade)
    else this.#ring[this.#next] = trade
    this.#next = (this.#next + 1) % this.#depth
    this.#untaken++
  }

  /** Newest first. */
  newest(limit: number): readonly PublicTrade[] {
    const count = Math.min(limit, this.#ring.length)
    return Array.from({ length: count }, (_, i) => this.#ring[(this.#next - 1 - i + 2 * this.#depth) % this.#depth] as PublicTrade)
  }

  /** Trades added since the last call, oldest first; if more were added than the ring holds, the newest of them. */
  take(): readonly PublicTrade[] {
    if (this.#untaken === 0) return []
    const taken = this.newest(this.#untaken).toReversed()
    this.#untaken = 0
    return taken
  }
}
