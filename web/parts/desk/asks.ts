/**
 * Whether an order is confirmed before it is sent. Its owner may switch that off for each kind of order, but an order whose cost or risk
 * is easily underestimated is confirmed all the same.
 */
import type { Lots } from '@candor/core/money/brand.ts'
import { mulDivCeil } from '@candor/core/money/mul-div.ts'
import { parseLots, parseTicks } from '@candor/core/money/price.ts'
import type { WireLevel, WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { AskedAction, Layout } from '@candor/core/protocol/wire/own/preferences.ts'

/** Orders that open a position at a higher leverage are confirmed. */
export const unaskedLeverageMax = 5
/** Market orders whose last part fills further from the best price are confirmed. In millionths: 0.5 %. */
export const unaskedReachPpmMax = 5_000

/** Why an order is confirmed although its owner does not want to be asked. */
export type Caution = 'leverage' | 'loan' | 'reach'

type Risk = {
  /** Of the position that the order opens. Undefined if it opens none. */
  readonly leverage?: number | undefined
  readonly takesLoan?: boolean
  /** Of a market order. Undefined: the book is not deep enough to say. */
  readonly market?: { readonly reachPpm: number | undefined } | undefined
}

/** The first caution that applies to an order, if any. */
export function cautionOf({ leverage = 1, takesLoan = false, market }: Risk): Caution | undefined {
  if (leverage > unaskedLeverageMax) return 'leverage'
  if (takesLoan) return 'loan'
  return market !== undefined && (market.reachPpm ?? Infinity) > unaskedReachPpmMax ? 'reach' : undefined
}

export function asksBefore({ unasked }: Pick<Layout, 'unasked'>, action: AskedAction, caution: Caution | undefined): boolean {
  return caution !== undefined || !unasked.includes(action)
}

/**
 * How far from the best price the last part of a market order fills, in millionths of the best price.
 *
 *   |last − best| × 1,000,000 ÷ best, rounded up
 *
 * levels     the other side of the book, best first
 * returns    undefined if the book holds less than the order
 */
export function reachPpm(levels: readonly WireLevel[], lots: Lots, market: Pick<WireMarket, 'tick' | 'lot'>): number | undefined {
  const best = levels[0] === undefined ? undefined : parseTicks(levels[0][0], market.tick)
  if (best === undefined) return undefined
  let left: number = lots
  for (const [price, quantity] of levels) {
    left -= parseLots(quantity, market.lot) ?? 0
    if (left <= 0) return mulDivCeil(Math.abs((parseTicks(price, market.tick) ?? 0) - best), 1_000_000, best)
  }
  return undefined
}
