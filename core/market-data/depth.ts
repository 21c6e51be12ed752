import type { Lots, Ticks } from '../money/brand.ts'
import type { Side } from '../protocol/command/spot.ts'
import type { LevelChanged } from '../protocol/event/index.ts'
import type { Level } from '../protocol/market.ts'
import type { BookView } from '../protocol/port.ts'

/** Levels that changed from update `first` to `last` (U and u), each once, with their present lots; lots 0: the level is gone. */
export type DepthDiff = { readonly first: number; readonly last: number; readonly bids: readonly Level[]; readonly asks: readonly Level[] }

/**
 * `applied`   the view now contains the update
 * `old`       the view already contained it; nothing changed
 * `gap`       updates are missing: the view is stale until `reset`
 */
export type Applied = 'applied' | 'old' | 'gap'

/** The public copy of one market's book, updated by `book.level` events. A new market's copy is empty, at update 0. */
export class DepthBook {
  #update = 0
  #isStale = false
  #bids = new Ladder('buy')
  #asks = new Ladder('sell')
  readonly #changedBids = new Set<Ticks>()
  readonly #changedAsks = new Set<Ticks>()
  /** The last update that `takeDiff` has returned. */
  #taken = 0

  /** Last update that the view contains. */
  get update(): number {
    return this.#update
  }

  /** Whether updates are missing, so that the view must not be shown as live. */
  get isStale(): boolean {
    return this.#isStale
  }

  /** Starts over from a complete view, and forgets pending differences. */
  reset(view: { readonly update: number; readonly bids: readonly Level[]; readonly asks: readonly Level[] }): void {
    this.#bids = new Ladder('buy', view.bids)
    this.#asks = new Ladder('sell', view.asks)
    this.#changedBids.clear()
    this.#changedAsks.clear()
    this.#update = view.update
    this.#taken = view.update
    this.#isStale = false
  }

  apply({ update, side, price, lots }: LevelChanged): Applied {
    if (update <= this.#update && !this.#isStale) return 'old'
    if (update !== this.#update + 1 || this.#isStale) {
      this.#isStale = true
      return 'gap'
    }
    this.#update = update
    const isBid = side === 'buy'
    const ladder = isBid ? this.#bids : this.#asks
    ladder.set(price, lots)
    const changed = isBid ? this.#changedBids : this.#changedAsks
    changed.add(price)
    return 'applied'
  }

  bestBid(): Level | undefined {
    return this.#bids.top(1)[0]
  }

  bestAsk(): Level | undefined {
    return this.#asks.top(1)[0]
  }

  /** Best first, at most `limit` a side. */
  view(limit = Number.POSITIVE_INFINITY): Omit<BookView, 'market'> {
    return { update: this.#update, bids: this.#bids.top(limit), asks: this.#asks.top(limit) }
  }

  /** The changes since the last call; undefined when there are none, or while the view is stale. */
  takeDiff(): DepthDiff | undefined {
    if (this.#isStale || this.#update === this.#taken) return undefined
    const diff = {
      first: this.#taken + 1,
      last: this.#update,
      bids: this.#bids.at(this.#changedBids),
      asks: this.#asks.at(this.#changedAsks),
    }
    this.#changedBids.clear()
    this.#changedAsks.clear()
    this.#taken = this.#update
    return diff
  }
}

/** One side of a book: lots by price, and the sorted prices with the best at the end, where most changes are. */
class Ladder {
  readonly #lots = new Map<Ticks, Lots>()
  readonly #prices: Ticks[]
  /** Prices times this are ascending in `#prices`. */
  readonly #sign: 1 | -1

  constructor(side: Side, levels: readonly Level[] = []) {
    this.#sign = side === 'buy' ? 1 : -1
    for (const { price, lots } of levels) this.#lots.set(price, lots)
    this.#prices = levels.map(({ price }) => price).sort((a, b) => this.#sign * (a - b))
  }

  set(price: Ticks, lots: Lots): void {
    const isThere = this.#lots.has(price)
    if (lots > 0) this.#lots.set(price, lots)
    else this.#lots.delete(price)
    if (lots > 0 && !isThere) this.#prices.splice(this.#placeOf(price), 0, price)
    if (lots === 0 && isThere) this.#prices.splice(this.#placeOf(price), 1)
  }

  top(limit: number): readonly Level[] {
    const levels: Level[] = []
    const end = Math.max(0, this.#prices.length - limit)
    for (let i = this.#prices.length - 1; i >= end; i--) levels.push(this.#levelAt(this.#prices[i] as Ticks))
    return levels
  }

  /** Best first. */
  at(prices: ReadonlySet<Ticks>): readonly Level[] {
    return [...prices].sort((a, b) => this.#sign * (b - a)).map((price) => this.#levelAt(price))
  }

  #levelAt(price: Ticks): Level {
    return { price, lots: this.#lots.get(price) ?? (0 as Lots) }
  }

  /** First index whose price does not come before this one. */
  #placeOf(price: Ticks): number {
    let low = 0
    let high = this.#prices.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#sign * ((this.#prices[middle] as Ticks) - price) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
