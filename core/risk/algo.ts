/** Sizes of the parts into which an order over time is cut. The core decides with these functions, and the order form previews with them. */
import type { Lots, Millis, Ticks } from '../money/brand.ts'
import { mulDivFloor } from '../money/mul-div.ts'
import type { ScaledShape } from '../protocol/command/algo.ts'
import type { Parts } from '../protocol/ids.ts'
import type { Market } from '../protocol/market.ts'

/** Bounds of an order over time. */
export const algoBounds = {
  /** Running orders of one user. */
  running: 10,
  durationMin: 300_000 as Millis,
  durationMax: 86_400_000 as Millis,
  everyMin: 10_000 as Millis,
  twapPartsMin: 2,
  twapPartsMax: 500,
  scaledPartsMin: 2,
  scaledPartsMax: 30,
  /** No part is larger than this many even shares, whatever earlier parts missed. */
  shares: 3,
} as const

/** Most running orders over time of all users together. */
export const algosMax = 2 ** 16

/**
 * How many running orders over time a user may have, while all users together have `running`: fewer once places get scarce, so that no crowd of
 * accounts keeps others out. The second half of the places is for verified users, and its second half for users who have none yet.
 */
export function algosAllowed({ running, isCertified }: { readonly running: number; readonly isCertified: boolean }): number {
  if (running < algosMax / 2) return algoBounds.running
  if (!isCertified || running >= algosMax) return 0
  return running < (algosMax * 3) / 4 ? 3 : 1
}

/** Time between two parts of a TWAP order, rounded down; the last part is placed one interval before the end. */
export function twapEvery(durationMs: Millis, parts: Parts): Millis {
  return Math.floor(durationMs / parts) as Millis
}

/** Whether a duration and a number of parts are within the bounds. */
export function isTwapSchedule(durationMs: Millis, parts: Parts): boolean {
  const { durationMin, durationMax, twapPartsMin, twapPartsMax, everyMin } = algoBounds
  const isWithin = durationMs >= durationMin && durationMs <= durationMax && parts >= twapPartsMin && parts <= twapPartsMax
  return isWithin && twapEvery(durationMs, parts) >= everyMin
}

/** Whether a scaled order has a valid number of parts, and a price of its own for each of them. */
export function isScaledSchedule(from: Ticks, to: Ticks, parts: Parts): boolean {
  const { scaledPartsMin, scaledPartsMax } = algoBounds
  return parts >= scaledPartsMin && parts <= scaledPartsMax && Math.abs(to - from) >= parts - 1
}

/** The smallest order that a market takes at a price, in lots. */
export function smallestLots({ terms, quotePerTickLot }: Pick<Market, 'terms' | 'quotePerTickLot'>, price: Ticks): Lots {
  const { lotsMin, notionalMin } = terms
  return Math.max(lotsMin, Math.ceil(notionalMin / (price * quotePerTickLot))) as Lots
}

/** A TWAP order between two of its parts. */
export type TwapState = {
  readonly lots: Lots
  readonly parts: Parts
  readonly left: Lots
  readonly partsLeft: Parts
}

/**
 * Lots of the next part of a TWAP order.
 *
 *   min(⌈left ÷ partsLeft⌉, 3 × ⌈lots ÷ parts⌉, lotsMax), at least `smallest`
 *
 * The rest goes along when no order could be placed for it. 0: the market takes no order for so little.
 */
export function twapPart({ lots, parts, left, partsLeft }: TwapState, smallest: Lots, lotsMax: Lots): Lots {
  if (left < smallest) return 0 as Lots
  const most = Math.min(algoBounds.shares * Math.ceil(lots / parts), lotsMax)
  const share = Math.max(smallest, Math.min(Math.ceil(left / partsLeft), most))
  return (left - share < smallest ? Math.min(left, lotsMax) : share) as Lots
}

/** One limit order of a scaled one. */
export type ScaledPart = { readonly price: Ticks; readonly lots: Lots }

/**
 * The limit orders of a scaled order, from its first price to its last. Prices are rounded down to ticks. Quantities are in the ratio
 * 1 : 1 : …, 1 : 2 : … or … : 2 : 1; each sum from the first order on is rounded down, so that they add up to `lots` exactly.
 */
export function scaledParts(lots: Lots, parts: Parts, from: Ticks, to: Ticks, shape: ScaledShape): readonly ScaledPart[] {
  const whole = sumOfShares(parts, parts, shape)
  const made: ScaledPart[] = []
  let before = 0
  for (let n = 1; n <= parts; n++) {
    const upTo = mulDivFloor(lots, sumOfShares(n as Parts, parts, shape), whole)
    const price = from + Math.floor(((to - from) * (n - 1)) / (parts - 1))
    made.push({ price: price as Ticks, lots: (upTo - before) as Lots })
    before = upTo
  }
  return made
}

/** Shares of the first `n` of `parts` orders. */
function sumOfShares(n: Parts, parts: Parts, shape: ScaledShape): number {
  if (shape === 'flat') return n
  return shape === 'rising' ? triangle(n) : triangle(parts) - triangle((parts - n) as Parts)
}

/** 1 + 2 + … + n */
function triangle(n: Parts): number {
  return (n * (n + 1)) / 2
}
