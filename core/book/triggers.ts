import type { Ticks } from '../money/brand.ts'
import type { OrderSlot } from './order-fields.ts'
import * as fields from './order-fields.ts'
import type { Orders } from './orders.ts'
import * as layout from '../protocol/codec/layout.ts'
import { Sorted } from './sorted.ts'
import { Trailing } from './trailing.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { FLAGS, I } = fields
const { FALLS, TRAILING } = layout

const million = 1_000_000

/**
 * Orders that wake in one direction: stops at their trigger price, trailing orders at a price that depends on their best price so
 * far.
 */
type Direction = { readonly falls: boolean; readonly stops: Sorted<OrderSlot>; readonly trailing: Trailing }

/**
 * The sleeping orders of one market and when they wake. The cost of a price depends on how many orders it wakes, not on how many
 * sleep.
 */
export class Triggers {
  readonly #orders: Orders
  readonly #rising: Direction
  readonly #falling: Direction
  /** Number of sleeping orders. */
  count = 0

  constructor(orders: Orders) {
    this.#orders = orders
    this.#rising = directionOf(orders, false)
    this.#falling = directionOf(orders, true)
  }

  /**
   * Adds an order whose `Extra` is filled. `lastPrice`: price of the last trade, from which a trailing order without activation
   * price starts.
   */
  add(slot: OrderSlot, lastPrice: Ticks): void {
    const { stops, trailing } = this.#directionOf(slot)
    if (this.#isTrailing(slot)) trailing.add(slot, lastPrice)
    else stops.add(slot)
    this.count++
  }

  /** Throws if the order does not sleep here. */
  remove(slot: OrderSlot): void {
    const { stops, trailing } = this.#directionOf(slot)
    if (this.#isTrailing(slot)) trailing.remove(slot)
    else stops.remove(slot)
    this.count--
  }

  /**
   * Handles a trade at this price: passes every order that wakes to `wake`. Orders that waited for a rise come first; within a
   * direction, the nearest trigger first; for equal triggers, the order that has slept with it longer.
   */
  reach(price: Ticks, wake: (slot: OrderSlot) => void): void {
    this.#reach(this.#rising, price, wake)
    this.#reach(this.#falling, price, wake)
  }

  /** Writes the best prices of trailing orders into their `Extra`, before a dump. */
  tellPeaks(): void {
    this.#rising.trailing.tellPeaks()
    this.#falling.trailing.tellPeaks()
  }

  #reach(direction: Direction, price: Ticks, wake: (slot: OrderSlot) => void): void {
    const { falls, stops, trailing } = direction
    if (trailing.count > 0) trailing.follow(price)
    const reached = price * million
    for (;;) {
      const stop = stops.first
      const ofStop = stop === undefined ? undefined : this.#orders.extra(stop).trigger * million
      const isTrailingNext = this.#isTrailingNext(direction, stop, ofStop)
      const trigger = isTrailingNext ? trailing.trigger : ofStop
      if (trigger === undefined || (falls ? trigger < reached : trigger > reached)) return
      this.count--
      wake(isTrailingNext ? trailing.takeFirst() : (stops.takeFirst()! as OrderSlot))
    }
  }

  #isTrailingNext({ falls, trailing }: Direction, stop: OrderSlot | undefined, ofStop: number | undefined): boolean {
    const { trigger } = trailing
    if (stop === undefined || ofStop === undefined || trigger === undefined) return trigger !== undefined
    if (trigger === ofStop) return this.#orders.seniority(trailing.next, stop) < 0
    return falls ? trigger > ofStop : trigger < ofStop
  }

  #directionOf(slot: OrderSlot): Direction {
    return (this.#orders.i[slot * I + FLAGS]! & FALLS) !== 0 ? this.#falling : this.#rising
  }

  #isTrailing(slot: OrderSlot): boolean {
    return (this.#orders.i[slot * I + FLAGS]! & TRAILING) !== 0
  }
}

function directionOf(orders: Orders, falls: boolean): Direction {
  const sign = falls ? -1 : 1
  const order = (a: OrderSlot, b: OrderSlot): number => sign * (orders.extra(a).trigger - orders.extra(b).trigger) || orders.seniority(a, b)
  return { falls, stops: new Sorted(order), trailing: new Trailing(orders, falls) }
}
