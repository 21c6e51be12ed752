import * as fields from './order-fields.ts'
import type { Orders } from './orders.ts'
import * as layout from '../protocol/codec/layout.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { F, FLAGS, I, ID } = fields
const { FALLS, TRAILING } = layout

/** Trailing orders that may sleep in one market: each new extreme price looks at all of them. */
export const trailingMax = 5000

/**
 * The sleeping orders of one market, and when they wake. Stops stand sorted by their price; trailing ones are looked
 * at when a trade price could matter to any of them.
 */
export class Triggers {
  readonly #orders: Orders
  /** Slots of stops, next to wake at the end: those that wake when the price rises to theirs, then when it falls. */
  readonly #rising: number[] = []
  readonly #falling: number[] = []
  readonly #trailing: number[] = []

  constructor(orders: Orders) {
    this.#orders = orders
  }

  get count(): number {
    return this.#rising.length + this.#falling.length + this.#trailing.length
  }

  get trailingCount(): number {
    return this.#trailing.length
  }

  /** `lastPrice`: the last trade's, where a trailing order without activation starts. Its `Extra` is filled. */
  add(slot: number, lastPrice: number): void {
    if ((this.#orders.i[slot * I + FLAGS]! & TRAILING) === 0) {
      const list = this.#listOf(slot)
      list.splice(this.#position(list, slot), 0, slot)
      return
    }
    const extra = this.#orders.extra(slot)
    if (extra.peak === 0 && (extra.activation === 0 || this.#isActive(slot, lastPrice))) extra.peak = lastPrice
    this.#trailing.push(slot)
  }

  remove(slot: number): void {
    if ((this.#orders.i[slot * I + FLAGS]! & TRAILING) !== 0) {
      const at = this.#trailing.indexOf(slot)
      if (at < 0) throw new Error('trailing order is not among the sleeping')
      this.#trailing.splice(at, 1)
      return
    }
    const list = this.#listOf(slot)
    const at = this.#position(list, slot)
    if (list[at] !== slot) throw new Error('stop is not among the sleeping')
    list.splice(at, 1)
  }

  /** A trade was made at this price: hands over every order that wakes, nearest trigger first, then by number. */
  reach(price: number, wake: (slot: number) => void): void {
    for (const list of [this.#rising, this.#falling]) {
      const isRising = list === this.#rising
      while (list.length > 0) {
        const slot = list[list.length - 1]!
        const trigger = this.#orders.extra(slot).trigger
        if (isRising ? trigger > price : trigger < price) break
        list.pop()
        wake(slot)
      }
    }
    if (this.#trailing.length > 0) this.#trail(price, wake)
  }

  #trail(price: number, wake: (slot: number) => void): void {
    let kept = 0
    const woken: number[] = []
    for (const slot of this.#trailing) {
      const extra = this.#orders.extra(slot)
      const falls = this.#falls(slot)
      if (extra.peak === 0 && this.#isActive(slot, price)) extra.peak = price
      if (extra.peak !== 0 && (falls ? price > extra.peak : price < extra.peak)) extra.peak = price
      if (extra.peak !== 0 && isReached(price, extra.peak, extra.trigger, falls)) woken.push(slot)
      else this.#trailing[kept++] = slot
    }
    this.#trailing.length = kept
    for (const slot of woken) wake(slot)
  }

  #isActive(slot: number, price: number): boolean {
    const { activation } = this.#orders.extra(slot)
    return this.#falls(slot) ? price >= activation : price <= activation
  }

  #falls(slot: number): boolean {
    return (this.#orders.i[slot * I + FLAGS]! & FALLS) !== 0
  }

  #listOf(slot: number): number[] {
    return this.#falls(slot) ? this.#falling : this.#rising
  }

  /** The list ends with what wakes first; of equal triggers the older order wakes first. */
  #position(list: readonly number[], slot: number): number {
    const falls = this.#falls(slot)
    const trigger = this.#orders.extra(slot).trigger
    const id = this.#orders.f[slot * F + ID]!
    let low = 0
    let high = list.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = list[middle]!
      const otherTrigger = this.#orders.extra(other).trigger
      const isLater =
        otherTrigger === trigger ? this.#orders.f[other * F + ID]! > id : falls ? otherTrigger < trigger : otherTrigger > trigger
      if (isLater) low = middle + 1
      else high = middle
    }
    return low
  }
}

/**
 * Whether a trailing order wakes: the price came back from the peak by the trail or more.
 *
 *   falls   (peak − price) × 10^6 ≥ peak × trailPpm        rises   (price − trough) × 10^6 ≥ trough × trailPpm
 *
 * Exact: ticks stay below 2^31, ppm below 2^20.
 */
export function isReached(price: number, peak: number, trailPpm: number, falls: boolean): boolean {
  return (falls ? peak - price : price - peak) * 1_000_000 >= peak * trailPpm
}
