/**
 * Costs, holds and conditions of an order. The core decides with these functions and the order form previews with them, so
 * the preview equals the outcome.
 */
import type { Lots, Ppm, Ticks, Units } from '../money/brand.ts'
import { mulDivCeil, mulDivFloor } from '../money/mul-div.ts'
import type { Side } from '../protocol/command/spot.ts'
import type { FeeTier, MarketTerms } from '../protocol/market.ts'
import type { Refusal } from '../protocol/refusal.ts'

// The compiler treats a module's own constants as constants, but not exported ones.
const valueMax = 2 ** 52
const priceMax = (2 ** 31 - 1) as Ticks

/** Highest value of one order, in quote units. The supply of an asset stays below it too. */
export const notionalMax = valueMax

/** Prices fit in 31 bits. */
export const ticksMax = priceMax

const million = 1_000_000

/** price × lots × quotePerTickLot, exact up to `notionalMax`; above that, only a comparison with `notionalMax` is right. */
export function notional(price: Ticks, lots: Lots, quotePerTickLot: number): number {
  return price * lots * quotePerTickLot
}

/**
 * Fee on an amount received, rounded up, so that splitting an order never lowers its fees.
 *
 *   ⌈amount × ppm ÷ 10^6⌉
 *
 * Exact: the floating-point quotient of an integer below 2^53 and 10^6 is never rounded to an integer unless it is one.
 */
export function fee(amount: Units, ppm: Ppm): Units {
  const product = amount * ppm
  return product <= Number.MAX_SAFE_INTEGER ? (Math.ceil(product / million) as Units) : (mulDivCeil(amount, ppm, million) as Units)
}

/**
 * Fee rate of a user of a tier in a market. The market's own terms are the base rate and hold for tier 0. A higher tier pays the
 * rate of its schedule if that is lower. So a higher volume never raises fees, and a free market stays free.
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
    priceMax,
    product <= Number.MAX_SAFE_INTEGER ? Math.floor(product / million) : mulDivFloor(reference, million + bandPpm, million),
  ) as Ticks
}

/** Worst price at which a market order trades. */
export function worstPrice(side: Side | 0 | 1, reference: Ticks, slippagePpm: Ppm): Ticks {
  return side === 'buy' || side === 0 ? bandHigh(reference, slippagePpm) : bandLow(reference, slippagePpm)
}

/** Whether a number is a valid price: whole ticks from 1 to 2^31 − 1. */
export function isPrice(price: Ticks): boolean {
  return price >= 1 && price <= priceMax
}

/** Checks the quantity and value of a limit order at a good price. */
export function checkLots(terms: MarketTerms, quotePerTickLot: number, price: Ticks, lots: Lots): Refusal | undefined {
  if (lots <= 0) return 'QUANTITY_INVALID'
  if (lots < terms.lotsMin) return 'QUANTITY_TOO_SMALL'
  if (lots > terms.lotsMax) return 'QUANTITY_TOO_LARGE'
  const value = price * lots * quotePerTickLot
  if (value < terms.notionalMin) return 'NOTIONAL_TOO_SMALL'
  return value > valueMax ? 'NOTIONAL_TOO_LARGE' : undefined
}

/** Checks an amount to spend or receive. */
export function checkSpend(terms: MarketTerms, spend: Units): Refusal | undefined {
  if (spend <= 0) return 'QUANTITY_INVALID'
  if (spend < terms.notionalMin) return 'NOTIONAL_TOO_SMALL'
  return spend > valueMax ? 'NOTIONAL_TOO_LARGE' : undefined
}
