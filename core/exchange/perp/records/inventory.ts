import type { Lots, Millis, Units } from '../../../money/brand.ts'
import { layoutOf, put, putRecord } from '../../../protocol/codec/records.ts'
import type { Records } from '../../../protocol/codec/records.ts'
import { countAt } from '../../../protocol/codec/slots.ts'

/** Length of the time slots in which customers' trades and the fund's risk are counted. */
export const slotMs = 10_000
const minuteSlots = 6

// An inventory in a dump: these fields, the lots of each slot, the number of risks taken, then the risks.
const INVENTORY = layoutOf('lots', 'cost', 'sinceMs', 'workedAtMs', 'slot')
const TAKEN = layoutOf('atMs', 'risk')

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
  slot = 0

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
    const now = Math.floor(atMs / slotMs)
    for (let n = Math.min(minuteSlots, now - this.slot); n > 0; n--) this.volumes[(now - n + 1) % minuteSlots] = 0
    this.slot = now
  }

  dump(into: Records): void {
    const { lots, cost, sinceMs, workedAtMs, taken, volumes, slot } = this
    putRecord(into, INVENTORY, { lots, cost, sinceMs, workedAtMs, slot })
    into.all(volumes)
    put(into, taken.length)
    for (const each of taken) putRecord(into, TAKEN, each)
  }

  restore(data: Float64Array, start: number): number {
    this.lots = data[start + INVENTORY.lots] as Lots
    this.cost = data[start + INVENTORY.cost] as Units
    this.sinceMs = data[start + INVENTORY.sinceMs] as Millis
    this.workedAtMs = data[start + INVENTORY.workedAtMs] as Millis
    this.slot = data[start + INVENTORY.slot]!
    let at = start + INVENTORY.length
    for (let n = 0; n < minuteSlots; n++) this.volumes[n] = data[at++]!
    for (let left = countAt(data, at++, TAKEN.length); left > 0; left--, at += TAKEN.length) {
      this.taken.push({ atMs: data[at + TAKEN.atMs] as Millis, risk: data[at + TAKEN.risk]! })
    }
    return at
  }
}
