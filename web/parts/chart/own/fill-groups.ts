import { openTimeOf } from '@candor/core/market-data/calendar.ts'
import type { Decimal, Millis } from '@candor/core/money/brand.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireFill } from '@candor/core/protocol/wire/spot.ts'

/** The fills of one side in one bar, which share a mark at the price of the newest. */
export type Group = {
  readonly id: string
  readonly side: Side
  readonly time: number
  readonly price: Decimal
  /** Newest first. */
  readonly fills: readonly WireFill[]
}

/** Groups fills, given newest first, by bar and side. */
export function groupsOf(fills: readonly WireFill[], interval: Interval): readonly Group[] {
  const groups = new Map<string, WireFill[]>()
  for (const fill of fills) {
    const key = `${openTimeOf(interval, fill.time as Millis)} ${fill.side}`
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [fill])
    else known.push(fill)
  }
  return [...groups].flatMap(([key, own]) => {
    const newest = own[0]
    if (newest === undefined) return []
    return [
      { id: `${interval} ${key} ${newest.tradeId} ${newest.price}`, side: newest.side, time: newest.time, price: newest.price, fills: own },
    ]
  })
}
