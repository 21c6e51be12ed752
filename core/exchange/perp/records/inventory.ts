import type { OrderSlot } from '../../../book/order-fields.ts'
import type { Lots, Millis, Units } from '../../../money/brand.ts'
import type { Records } from '../../../protocol/codec/records.ts'

/** Length of the time slots in which customers' trades and the fund's risk are counted. */
export const slotMs = 10_000
const minuteSlots = 6

/** The insurance fund's inventory in a contract: a position without margin, counted like others. Lots are signed. */
export class Inventory {
  lots = 0 as Lots
  cost = 0 as Units
  /** Since when it is not empty, and when the fund last placed an order for it. */
  sinceMs = 0 as Millis
  workedAtMs = 0 as Millis
  /** Risk taken in the last ten minutes, oldest first. */
  readonly taken: { atMs: Millis; readonly risk: number }[] = []
  /** Lots that customers traded per slot of ten seconds, and the number of the newest slot. */
  readonly volumes = Array.from({ length: minuteSlots }, () => 0)
  slot = 0 as OrderSlot

  traded(atMs: Millis, lots: Lots): void {
    this.#roll(atMs)
    this.volumes[this.slot % minuteSlots]! += lots
  }

  /** Lots that customers traded within the last minute. */
  volume(atMs: Millis): number {
    this.#roll(atMs)
    return this.volumes.reduce((sum, lots) => sum + lots, 0)
  }

  #roll(atMs: Millis): void {
    const now = Math.floor(atMs / slotMs) as OrderSlot
    for (let n = Math.min(minuteSlots, now - this.slot); n > 0; n--) this.volumes[(now - n + 1) % minuteSlots] = 0
    this.slot = now
  }

  dump(into: Records): void {
    const { lots, cost, sinceMs, workedAtMs, taken, volumes, slot } = this
    const at = into.reserve(6 + minuteSlots + 2 * taken.length)
    into.data.set([lots, cost, sinceMs, workedAtMs, slot, ...volumes, taken.length], at)
    taken.forEach(({ atMs, risk }, n) => into.data.set([atMs, risk], at + 6 + minuteSlots + 2 * n))
  }

  restore(data: Float64Array, at: number): number {
    this.lots = data[at] as Lots
    this.cost = data[at + 1] as Units
    this.sinceMs = data[at + 2] as Millis
    this.workedAtMs = data[at + 3] as Millis
    this.slot = data[at + 4] as OrderSlot
    for (let n = 0; n < minuteSlots; n++) this.volumes[n] = data[at + 5 + n]!
    const first = at + 6 + minuteSlots
    const end = first + 2 * data[first - 1]!
    for (let from = first; from < end; from += 2) this.taken.push({ atMs: data[from] as Millis, risk: data[from + 1]! })
    return end
  }
}
