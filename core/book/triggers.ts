import type { Ticks } from '../money/brand.ts'
import type { OrderSlot } from './order-fields.ts'
import * as fields from './order-fields.ts'
import type { Orders } from './orders.ts'
import * as layout from '../protocol/codec/layout.ts'
import { Sorted } from './sorted.ts'
import { Trailing } from './trailing.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { F, FLAGS, I, ID } = fields
const { FALLS, TRAILING } = layout

const million = 1_000_000

/** Orders that wake in one direction: stops by their price, trailing ones by the price that follows from the best they saw. */
type Direction = { readonly falls: boolean; readonly stops: Sorted<OrderSlot>; readonly trailing: Trailing }

/** The sleeping orders of one market, and when they wake. A price costs what it wakes, however many sleep. */
export class Triggers {
  readonly #orders: Orders
  readonly #rising: Direction
  readonly #falling: Direction
  /** How many sleep. */
  count = 0

  constructor(orders: Orders) {
    this.#orders = orders
    this.#rising = directionOf(orders, false)
    this.#falling = directionOf(orders, true)
  }

  /** `lastPrice`: the last trade's, where a trailing order without activation starts. Its `Extra` is filled. */
  add(slot: OrderSlot, lastPrice: Ticks): void {
    const { stops, trailing } = this.#directionOf(slot)
    if (this.#isTrailing(slot)) trailing.add(slot, lastPrice)
    else stops.add(slot)
    this.count++
  }

  /** Throws when the order does not sleep here. */
  remove(slot: OrderSlot): void {
    const { stops, trailing } = this.#directionOf(slot)
    if (this.#isTrailing(slot)) trailing.remove(slot)
    else stops.remove(slot)
    this.count--
  }

  /**
   * A trade was made at this price: hands over every order that wakes, first those that waited for a rise, each time the nearest
   * trigger first, of equal ones the older order.
   */
  reach(price: Ticks, wake: (slot: OrderSlot) => void): void {
    this.#reach(this.#rising, price, wake)
    this.#reach(this.#falling, price, wake)
  }

  /** Writes what trailing orders have seen into their `Extra`: they are about to be dumped. */
  tellPeaks(): void {
    this.#rising.trailing.tellPeaks()
    this.#falling.trailing.tellPeaks()
  }

  #reach(direction: Direction, price: Ticks, wake: (slot: OrderSlot) => void): void {
    const { falls, stops, trailing } = direction
    if (trailing.count > 0) trailing.follow(price)
    const reached = price * million
    for (;;) {
      const stop = stops.first as OrderSlot
      const ofStop = stop === undefined ? undefined : this.#orders.extra(stop).trigger * million
      const isTrailingNext = this.#isTrailingNext(direction, stop, ofStop)
      const trigger = isTrailingNext ? trailing.trigger : ofStop
      if (trigger === undefined || (falls ? trigger < reached : trigger > reached)) return
      this.count--
      wake(isTrailingNext ? trailing.takeFirst() : (stops.takeFirst()! as OrderSlot))
    }
  }

  #isTrailingNext({ falls, trailing }: Direction, stop: number | undefined, ofStop: number | undefined): boolean {
    const { trigger } = trailing
    if (stop === undefined || ofStop === undefined || trigger === undefined) return trigger !== undefined
    if (trigger === ofStop) return trailing.next < this.#orders.f[stop * F + ID]!
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
  const order = (a: OrderSlot, b: OrderSlot): number =>
    sign * (orders.extra(a).trigger - orders.extra(b).trigger) || orders.f[a * F + ID]! - orders.f[b * F + ID]!
  return { falls, stops: new Sorted(order), trailing: new Trailing(orders, falls) }
}
