/**
 * What an order costs, holds and must satisfy: the core decides with these, the order form previews with them, so the
 * preview is the outcome.
 */
import type { Lots, Ppm, Ticks, Units } from '../money/brand.ts'
import { mulDivCeil, mulDivFloor } from '../money/mul-div.ts'
import type { Side } from '../protocol/command/spot.ts'
import type { FeeTier, MarketTerms } from '../protocol/market.ts'
import type { Refusal } from '../protocol/refusal.ts'

/** Value of one order at most, in quote units; sums of an asset stay below it too. */
export const notionalMax = 2 ** 52

/** Prices fit in 31 bits. */
export const ticksMax = (2 ** 31 - 1) as Ticks

const million = 1_000_000

/** price × lots × quotePerTickLot, exact up to `notionalMax`; above it only the comparison is right. */
export function notional(price: Ticks, lots: Lots, quotePerTickLot: number): number {
  return price * lots * quotePerTickLot
}

/**
 * Fee on an amount received, rounded up: nobody splits an order to pay less.
 *
 *   ⌈amount × ppm ÷ 10^6⌉
 *
 * The quotient of two integers below 2^53 by 10^6 never rounds to an integer that it is not, so ⌈⌉ is exact there.
 */
export function fee(amount: Units, ppm: Ppm): Units {
  const product = amount * ppm
  return product <= Number.MAX_SAFE_INTEGER ? (Math.ceil(product / million) as Units) : (mulDivCeil(amount, ppm, million) as Units)
}

/**
 * Rate that a user of a tier pays in a market. The market's own terms are the base rate and hold for tier 0; a higher
 * tier pays its schedule's rate where that is lower. So volume never makes trading dearer, and a free market is free.
 */
export function feePpm(termsPpm: Ppm, tier: number, tierPpm: Ppm): Ppm {
  return tier > 0 && tierPpm < termsPpm ? tierPpm : termsPpm
}

/** Number of the tier that a 30-day volume (USDT units) gives. */
export function tierOf(tiers: readonly FeeTier[], volume: number): number {
  let tier = 0
  while (tier + 1 < tiers.length && tiers[tier + 1]!.volumeMin <= volume) tier++
  return tier
}

/** Lowest price that a limit order may have, given the reference price. At least 1. ⌈⌉ is exact as in `fee`. */
export function bandLow(reference: Ticks, bandPpm: Ppm): Ticks {
  const product = reference * Math.max(0, million - bandPpm)
  return Math.max(1, Math.ceil(product / million)) as Ticks
}

/** Highest price that a limit order may have. ⌊⌋ is exact as in `fee`. */
export function bandHigh(reference: Ticks, bandPpm: Ppm): Ticks {
  const product = reference * (million + bandPpm)
  return Math.min(
    ticksMax,
    product <= Number.MAX_SAFE_INTEGER ? Math.floor(product / million) : mulDivFloor(reference, million + bandPpm, million),
  ) as Ticks
}

/** Worst price at which a market order trades. */
export function worstPrice(side: Side | 0 | 1, reference: Ticks, slippagePpm: Ppm): Ticks {
  return side === 'buy' || side === 0 ? bandHigh(reference, slippagePpm) : bandLow(reference, slippagePpm)
}

/** Whether a price is one: a whole number of ticks from 1 to 2^31 − 1. */
export function isPrice(price: Ticks): boolean {
  return price >= 1 && price <= ticksMax
}

/** Checks the quantity and value of a limit order at a good price. */
export function checkLots(terms: MarketTerms, quotePerTickLot: number, price: Ticks, lots: Lots): Refusal | undefined {
  if (lots <= 0) return 'QUANTITY_INVALID'
  if (lots < terms.lotsMin) return 'QUANTITY_TOO_SMALL'
  if (lots > terms.lotsMax) return 'QUANTITY_TOO_LARGE'
  const value = price * lots * quotePerTickLot
  if (value < terms.notionalMin) return 'NOTIONAL_TOO_SMALL'
  return value > notionalMax ? 'NOTIONAL_TOO_LARGE' : undefined
}

/** Checks an amount to spend or to receive. */
export function checkSpend(terms: MarketTerms, spend: Units): Refusal | undefined {
  if (spend <= 0) return 'QUANTITY_INVALID'
  if (spend < terms.notionalMin) return 'NOTIONAL_TOO_SMALL'
  return spend > notionalMax ? 'NOTIONAL_TOO_LARGE' : undefined
}
