import type { Millis } from '../../../money/brand.ts'
import { Shards } from '../../../protocol/codec/shards.ts'
import type { MarketId, MatchNumber, OrderId, UserId } from '../../../protocol/ids.ts'

/** The end of an order, or with order 0 of a user's countdown in a market. `place`: where it is in the heap, −1 when it is not. */
type Due = { readonly atMs: Millis; readonly order: OrderId; readonly user: UserId; readonly market: MarketId; place: number }

/** What few orders have: the time at which it expires, and 1 + the number in `priceMatches`; 0 for none. */
export type OrderTerms = { readonly goodTill: Millis; readonly match: MatchNumber }

/** A countdown that has ended: the user's orders in the market's book, up to this one, are being cancelled. */
export type PerpSweep = { readonly user: UserId; readonly market: MarketId; readonly upTo: OrderId }

/** Above every market's number. */
const marketsMax = 2 ** 20
const none = 0 as OrderId

/**
 * Times at which Futures orders expire and countdowns end, earliest first. A binary heap whose entries know their places, so that an
 * order that ends early leaves at once: dates of years ahead can't pile up.
 */
export class Deadlines {
  readonly #heap: Due[] = []
  /** By order. */
  readonly #terms = new Shards<OrderTerms & { readonly due: Due | undefined }>()
  /** By user and market. */
  readonly #countdowns = new Shards<Due>()
  /** In the order in which the countdowns ended. */
  readonly sweeps: PerpSweep[] = []

  get first(): Omit<Due, 'place'> | undefined {
    return this.#heap[0]
  }

  termsOf(order: OrderId): OrderTerms | undefined {
    return this.#terms.get(order)
  }

  /** Notes the terms of an order, until it is forgotten. */
  keep(order: OrderId, { goodTill, match }: OrderTerms, user: UserId, market: MarketId): void {
    const due = goodTill === 0 ? undefined : { atMs: goodTill, order, user, market, place: -1 }
    if (due !== undefined) this.#add(due)
    this.#terms.set(order, { goodTill, match, due })
  }

  forget(order: OrderId): void {
    const terms = this.#terms.get(order)
    if (terms === undefined) return
    if (terms.due !== undefined) this.#remove(terms.due)
    this.#terms.delete(order)
  }

  /** Starts a user's countdown in a market in place of the present one. */
  count(user: UserId, market: MarketId, atMs: Millis): void {
    this.stop(user, market)
    const due = { atMs, order: none, user, market, place: -1 }
    this.#add(due)
    this.#countdowns.set(keyOf(user, market), due)
  }

  /** Ends a user's countdown in a market, if there is one. */
  stop(user: UserId, market: MarketId): void {
    const due = this.#countdowns.get(keyOf(user, market))
    if (due === undefined) return
    this.#remove(due)
    this.#countdowns.delete(keyOf(user, market))
  }

  /** Orders with terms, by number. */
  orders(): (OrderTerms & { readonly order: number })[] {
    return [...this.#terms].sort((a, b) => a[0] - b[0]).map(([order, { goodTill, match }]) => ({ order, goodTill, match }))
  }

  /** Running countdowns, by user and market. */
  countdowns(): { readonly user: UserId; readonly market: MarketId; readonly atMs: Millis }[] {
    return [...this.#countdowns.values()].sort((a, b) => a.user - b.user || a.market - b.market)
  }

  #add(due: Due): void {
    due.place = this.#heap.push(due) - 1
    this.#rise(due)
  }

  #remove(due: Due): void {
    const last = this.#heap.pop()!
    if (last !== due) {
      last.place = due.place
      this.#heap[last.place] = last
      this.#rise(last)
      this.#sink(last)
    }
    due.place = -1
  }

  /** Moves an entry towards the top of the heap, as far as it is earlier than what is above it. */
  #rise(due: Due): void {
    while (due.place > 0) {
      const above = this.#heap[(due.place - 1) >>> 1]!
      if (!isBefore(due, above)) return
      this.#swap(due, above)
    }
  }

  /** Moves an entry down, as far as something below it is earlier. */
  #sink(due: Due): void {
    for (;;) {
      const [left, right] = [this.#heap[2 * due.place + 1], this.#heap[2 * due.place + 2]]
      const below = left !== undefined && right !== undefined && isBefore(right, left) ? right : left
      if (below === undefined || !isBefore(below, due)) return
      this.#swap(due, below)
    }
  }

  #swap(a: Due, b: Due): void {
    ;[a.place, b.place] = [b.place, a.place]
    this.#heap[a.place] = a
    this.#heap[b.place] = b
  }
}

/** A total order: at the same time countdowns come first, by user and market, then orders by number. */
function isBefore(a: Due, b: Due): boolean {
  return (a.atMs - b.atMs || a.order - b.order || a.user - b.user || a.market - b.market) < 0
}

function keyOf(user: UserId, market: MarketId): number {
  return user * marketsMax + market
}
