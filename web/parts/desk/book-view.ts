/** The rows of the order book for the screen: grouped, added up, and with the width of their bars. */
import type { Decimal } from '@candor/core/money/brand.ts'
import { formatLots, formatTicks, parseLots, parseTicks } from '@candor/core/money/price.ts'
import type { Lots, Ticks } from '@candor/core/money/brand.ts'
import type { WireLevel, WireMarket } from '@candor/core/protocol/wire/market.ts'

export type BookRow = {
  readonly price: Decimal
  readonly quantity: Decimal
  /** Quantity from the best price to this row. */
  readonly sum: Decimal
  /** Quantity from the best price to this row, relative to the deepest row shown, from 0 to 100. */
  readonly depth: number
}

export type BookRows = {
  /** Best first. */
  readonly bids: readonly BookRow[]
  readonly asks: readonly BookRow[]
  readonly spread: Decimal | undefined
  /** Share of bids in the shown quantity, 0 to 100. */
  readonly bidPercent: number
}

/** Possible ticks per row (1, 10, 100, 1,000), as far as they make sense at this price. */
export function groupings(market: WireMarket, last: Decimal | undefined): readonly number[] {
  const ticks = last === undefined ? undefined : parseTicks(last, market.tick)
  return [1, 10, 100, 1_000].filter((group) => group === 1 || (ticks !== undefined && group * 200 <= ticks))
}

/** The price step of a grouping, as text. */
export function stepOf(market: WireMarket, group: number, format: { number(value: string): string }): string {
  return format.number(formatTicks(group as Ticks, market.tick))
}

/** `group` in ticks. Bids are rounded down and asks up, so that no row looks better than the orders in it. */
export function bookRows(
  bids: readonly WireLevel[],
  asks: readonly WireLevel[],
  market: WireMarket,
  group: number,
  count: { readonly bids: number; readonly asks: number },
): BookRows {
  const bidLevels = grouped(bids, market, group, count.bids, (ticks) => Math.floor(ticks / group) * group)
  const askLevels = grouped(asks, market, group, count.asks, (ticks) => Math.ceil(ticks / group) * group)
  const bidSum = sum(bidLevels)
  const askSum = sum(askLevels)
  const deepest = Math.max(bidSum, askSum, 1)
  const best = { bid: bids[0]?.[0], ask: asks[0]?.[0] }
  return {
    bids: rows(bidLevels, market, deepest),
    asks: rows(askLevels, market, deepest),
    spread: best.bid === undefined || best.ask === undefined ? undefined : difference(best.ask, best.bid, market),
    bidPercent: bidSum + askSum === 0 ? 50 : Math.round((bidSum * 100) / (bidSum + askSum)),
  }
}

type GroupedLevel = { readonly ticks: number; readonly lots: number }

function grouped(
  levels: readonly WireLevel[],
  market: WireMarket,
  group: number,
  count: number,
  rowOf: (ticks: number) => number,
): readonly GroupedLevel[] {
  const found: { ticks: number; lots: number }[] = []
  for (const [price, quantity] of levels) {
    const ticks = parseTicks(price, market.tick)
    const lots = parseLots(quantity, market.lot)
    if (ticks === undefined || lots === undefined) continue
    const row = group === 1 ? ticks : rowOf(ticks)
    const latest = found.at(-1)
    if (latest !== undefined && latest.ticks === row) latest.lots += lots
    else if (found.length === count) break
    else found.push({ ticks: row, lots })
  }
  return found
}

function rows(levels: readonly GroupedLevel[], market: WireMarket, deepest: number): readonly BookRow[] {
  let running = 0
  return levels.map(({ ticks, lots }) => {
    running += lots
    return {
      price: formatTicks(ticks as Ticks, market.tick),
      quantity: formatLots(lots as Lots, market.lot),
      sum: formatLots(running as Lots, market.lot),
      depth: Math.round((running * 100) / deepest),
    }
  })
}

function sum(levels: readonly GroupedLevel[]): number {
  return levels.reduce((total, level) => total + level.lots, 0)
}

function difference(ask: Decimal, bid: Decimal, market: WireMarket): Decimal | undefined {
  const [high, low] = [parseTicks(ask, market.tick), parseTicks(bid, market.tick)]
  return high === undefined || low === undefined || high <= low ? undefined : formatTicks((high - low) as Ticks, market.tick)
}
