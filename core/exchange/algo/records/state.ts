import { Sorted } from '../../../book/sorted.ts'
import type { Lots, Millis, Ticks, Units } from '../../../money/brand.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { AlgoKindNumber, MarketId, OrderId, Parts, ShapeNumber, UserId } from '../../../protocol/ids.ts'

/**
 * A running order that the exchange carries out in parts. `from`, `to`: first and last price of a scaled order; `from` of a TWAP order: its
 * worst price, 0 for none.
 */
export type Algo = {
  readonly number: OrderId
  readonly user: UserId
  readonly market: MarketId
  readonly kind: AlgoKindNumber
  readonly flags: OrderFlags
  readonly lots: Lots
  readonly parts: Parts
  readonly everyMs: Millis
  readonly from: Ticks
  readonly to: Ticks
  readonly shape: ShapeNumber
  readonly placedAtMs: Millis
  /** Not executed yet, of a TWAP order. */
  left: Lots
  partsLeft: Parts
  executed: Units
  /** Time of the next part, or of the next look at the orders of a scaled one. */
  dueAtMs: Millis
  /** For how long the market did not take the parts. */
  haltedMs: Millis
  /** Open orders of a scaled order, by number. */
  orders: readonly OrderId[]
}

/** All running orders in parts. */
export class AlgoState {
  readonly #all = new Map<OrderId, Algo>()
  /** Those of each user who has any. */
  readonly #ofUser = new Map<UserId, Set<Algo>>()
  /** The scaled order of each of its open orders. */
  readonly #ofOrder = new Map<OrderId, OrderId>()
  /** By the time of the next work, then by number. */
  readonly #due = new Sorted<Algo>((a, b) => a.dueAtMs - b.dueAtMs || a.number - b.number)

  get size(): number {
    return this.#all.size
  }

  /** The one with the next work; undefined for none. */
  get first(): Algo | undefined {
    return this.#due.first
  }

  /** By number. */
  all(): readonly Algo[] {
    return [...this.#all.values()].sort((a, b) => a.number - b.number)
  }

  has(number: OrderId): boolean {
    return this.#all.has(number)
  }

  get(number: OrderId): Algo | undefined {
    return this.#all.get(number)
  }

  countOf(user: UserId): number {
    return this.#ofUser.get(user)?.size ?? 0
  }

  /** Those of a user, by number. */
  ofUser(user: UserId): readonly Algo[] {
    return [...(this.#ofUser.get(user) ?? [])].sort((a, b) => a.number - b.number)
  }

  /** The scaled order that has this open order; 0 for none. */
  of(order: OrderId): OrderId {
    return this.#ofOrder.get(order) ?? (0 as OrderId)
  }

  /** Forgets the orders that are no longer open. */
  keep(algo: Algo, open: readonly OrderId[]): void {
    for (const order of algo.orders) this.#ofOrder.delete(order)
    for (const order of open) this.#ofOrder.set(order, algo.number)
    algo.orders = open
  }

  add(algo: Algo): void {
    this.#all.set(algo.number, algo)
    const own = this.#ofUser.get(algo.user)
    if (own === undefined) this.#ofUser.set(algo.user, new Set([algo]))
    else own.add(algo)
    this.#due.add(algo)
    for (const order of algo.orders) this.#ofOrder.set(order, algo.number)
  }

  remove(algo: Algo): void {
    this.#due.remove(algo)
    this.#all.delete(algo.number)
    for (const order of algo.orders) this.#ofOrder.delete(order)
    const own = this.#ofUser.get(algo.user)!
    own.delete(algo)
    if (own.size === 0) this.#ofUser.delete(algo.user)
  }

  /** Sets the time of the next work. */
  due(algo: Algo, atMs: Millis): void {
    this.#due.remove(algo)
    algo.dueAtMs = atMs
    this.#due.add(algo)
  }
}
