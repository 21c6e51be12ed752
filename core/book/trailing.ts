import type { Ppm, Ticks } from '../money/brand.ts'
import type { OrderSlot } from './order-fields.ts'
import type { Orders } from './orders.ts'
import { Sorted } from './sorted.ts'

/** Trailing orders that have the same best price. They wake in the order of their trails. */
type Group = {
  peak: Ticks
  /** Slots: the shortest trail first, then the order that has slept longest. */
  readonly members: Sorted<number>
  /** Price at which the group's first order wakes, in millionths of a tick. */
  trigger: number
  /** The group's first order: of two groups with the same trigger, the one whose first order has slept longer wakes first. */
  first: OrderSlot
}

const million = 1_000_000
const noSlot = -1 as OrderSlot

/**
 * Trailing orders of one market that wake in the same direction. Orders with the same best price form a group. When a new best
 * price passes several groups, they become one. A price therefore costs time only for orders that wake or groups that merge, not
 * for the orders that sleep on.
 */
export class Trailing {
  readonly #orders: Orders
  /** True: the orders wake when the price falls back from a peak. False: when it rises from a trough. */
  readonly #falls: boolean
  /** Slots of orders that wait for their activation price, the next to be activated first. */
  readonly #waiting: Sorted<number>
  /**
   * All groups, in two orders: by peak, with the group that the next best price passes first at the front; and by trigger, with
   * the group that wakes first at the front.
   */
  readonly #byPeak: Sorted<Group>
  readonly #byTrigger: Sorted<Group>
  readonly #groupOf = new Map<number, Group>()
  /** Stands for a group with a given best price in searches. */
  readonly #probe: Group

  constructor(orders: Orders, falls: boolean) {
    this.#orders = orders
    this.#falls = falls
    const sign = falls ? 1 : -1
    const of = (slot: number) => orders.extra(slot as OrderSlot)
    this.#waiting = new Sorted((a, b) => sign * (of(a).activation - of(b).activation) || orders.seniority(a as OrderSlot, b as OrderSlot))
    this.#byPeak = new Sorted((a, b) => sign * (a.peak - b.peak))
    this.#byTrigger = new Sorted((a, b) => sign * (b.trigger - a.trigger) || orders.seniority(a.first, b.first))
    this.#probe = { peak: 0 as Ticks, members: this.#emptyMembers(), trigger: 0, first: noSlot }
  }

  get count(): number {
    return this.#waiting.length + this.#groupOf.size
  }

  /**
   * Price at which the next order wakes unless a better price comes first, in millionths of a tick; undefined when no order would
   * wake.
   */
  get trigger(): number | undefined {
    return this.#byTrigger.first?.trigger
  }

  /** Slot of the order that wakes next, −1 for none. */
  get next(): OrderSlot {
    return this.#byTrigger.first?.first ?? noSlot
  }

  /**
   * Adds an order. Without an activation price, or if that is already passed, it starts from `lastPrice`, unless its `Extra` has
   * a peak.
   */
  add(slot: OrderSlot, lastPrice: Ticks): void {
    const extra = this.#orders.extra(slot)
    if (extra.peak === 0 && (extra.activation === 0 || this.#isActive(extra.activation, lastPrice))) extra.peak = lastPrice
    if (extra.peak === 0) this.#waiting.add(slot)
    else this.#join(slot, extra.peak)
  }

  remove(slot: OrderSlot): void {
    const group = this.#groupOf.get(slot)
    if (group === undefined) return this.#waiting.remove(slot)
    // An order that only steps aside goes on from its best price.
    this.#orders.extra(slot).peak = group.peak
    this.#byTrigger.remove(group)
    group.members.remove(slot)
    this.#groupOf.delete(slot)
    this.#put(group)
  }

  /** Handles a new price: it activates orders and becomes the best price of those for which it is better. */
  follow(price: Ticks): void {
    const joining: number[] = []
    for (let slot = this.#waiting.first; slot !== undefined; slot = this.#waiting.first) {
      if (!this.#isActive(this.#orders.extra(slot as OrderSlot).activation, price)) break
      joining.push(this.#waiting.takeFirst()!)
    }
    if (this.#isPassed(price)) this.#pass(price)
    for (const slot of joining) this.#join(slot as OrderSlot, price)
  }

  /** Removes and returns the order that wakes next. There must be one. */
  takeFirst(): OrderSlot {
    const group = this.#byTrigger.takeFirst()!
    const slot = group.members.takeFirst()! as OrderSlot
    this.#orders.extra(slot).peak = group.peak
    this.#groupOf.delete(slot)
    this.#put(group)
    return slot
  }

  /** Writes each order's best price into its `Extra`. */
  tellPeaks(): void {
    for (const [slot, { peak }] of this.#groupOf) this.#orders.extra(slot as OrderSlot).peak = peak
  }

  #isActive(activation: Ticks, price: Ticks): boolean {
    return this.#falls ? price >= activation : price <= activation
  }

  /** Whether the price is better than the best price of some group. */
  #isPassed(price: Ticks): boolean {
    const group = this.#byPeak.first
    return group !== undefined && (this.#falls ? price > group.peak : price < group.peak)
  }

  /** Merges all groups that the price passes. The members of the largest group stay in place. */
  #pass(price: Ticks): void {
    const passed: Group[] = []
    while (this.#isPassed(price)) passed.push(this.#byPeak.takeFirst()!)
    const equal = this.#byPeak.first?.peak === price ? this.#byPeak.takeFirst()! : undefined
    if (equal !== undefined) passed.push(equal)
    if (passed.length < 8) for (const group of passed) this.#byTrigger.remove(group)
    else {
      const gone = new Set(passed)
      this.#byTrigger.keep((group) => !gone.has(group))
    }
    const largest = passed.reduce((a, b) => (b.members.length > a.members.length ? b : a))
    const moved = passed.flatMap((group) => (group === largest ? [] : group.members.items))
    for (const slot of moved) this.#groupOf.set(slot, largest)
    largest.members.addAll(moved)
    largest.peak = price
    this.#byPeak.add(largest)
    this.#put(largest)
  }

  #join(slot: OrderSlot, peak: Ticks): void {
    let group = this.#groupAt(peak)
    if (group === undefined) {
      group = { peak, members: this.#emptyMembers(), trigger: 0, first: noSlot }
      this.#byPeak.add(group)
    } else this.#byTrigger.remove(group)
    group.members.add(slot)
    this.#groupOf.set(slot, group)
    this.#put(group)
  }

  #groupAt(peak: Ticks): Group | undefined {
    this.#probe.peak = peak
    return this.#byPeak.find(this.#probe)
  }

  #emptyMembers(): Sorted<number> {
    const orders = this.#orders
    return new Sorted(
      (a, b) =>
        orders.extra(a as OrderSlot).trigger - orders.extra(b as OrderSlot).trigger || orders.seniority(a as OrderSlot, b as OrderSlot),
    )
  }

  /** Inserts a group by its first member; the group must not be in the list by trigger. An empty group is dropped. */
  #put(group: Group): void {
    const first = group.members.first as OrderSlot
    if (first === undefined) {
      this.#byPeak.remove(group)
      return
    }
    group.trigger = triggerOf(group.peak, this.#orders.extra(first).trigger as Ppm, this.#falls)
    group.first = first
    this.#byTrigger.add(group)
  }
}

/**
 * Price at which a trailing order wakes, in millionths of a tick: the peak minus the trail, or the trough plus the trail.
 *
 *   falls   peak × (10^6 − trailPpm)        rises   trough × (10^6 + trailPpm)
 *
 * Exact: ticks stay below 2^31 and ppm below 2^20.
 */
export function triggerOf(peak: Ticks, trailPpm: Ppm, falls: boolean): number {
  return peak * (falls ? million - trailPpm : million + trailPpm)
}
