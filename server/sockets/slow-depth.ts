import type { DepthDiff } from '@candor/core/market-data/depth.ts'
import type { Lots, Ticks } from '@candor/core/money/brand.ts'
import type { Level } from '@candor/core/protocol/market.ts'

type Side = Map<Ticks, Lots>
type Pending = { readonly first: number; last: number; readonly bids: Side; readonly asks: Side }

/** Collects book changes for clients with slower updates: each changed level once, with its final quantity. */
export class SlowDepth {
  readonly #pending = new Map<number, Pending>()

  /** Differences of one market must come in order. After a gap, which arises while nobody listens, it starts afresh. */
  add(market: number, { first, last, bids, asks }: DepthDiff): void {
    let pending = this.#pending.get(market)
    if (pending?.last !== first - 1) {
      pending = { first, last, bids: new Map(), asks: new Map() }
      this.#pending.set(market, pending)
    }
    pending.last = last
    for (const { price, lots } of bids) pending.bids.set(price, lots)
    for (const { price, lots } of asks) pending.asks.set(price, lots)
  }

  /** The changes since the last call, by market; sides best first. */
  *take(): IterableIterator<readonly [market: number, diff: DepthDiff]> {
    for (const [market, { first, last, bids, asks }] of this.#pending) {
      yield [market, { first, last, bids: levels(bids, -1), asks: levels(asks, 1) }]
    }
    this.#pending.clear()
  }

  clear(): void {
    this.#pending.clear()
  }
}

function levels(side: Side, sign: 1 | -1): readonly Level[] {
  return [...side].sort(([a], [b]) => sign * (a - b)).map(([price, lots]) => ({ price, lots }))
}
