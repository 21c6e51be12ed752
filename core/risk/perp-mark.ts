/** Mark price, premium and funding rate of a perpetual contract. Rates are in 1e-9 of the value, index prices in 1e-8 of the quote. */
import type { IndexPrice, Lots, Millis, Ppm, Ticks, Units } from '../money/brand.ts'
import { mulDivCeil, mulDivFloor } from '../money/mul-div.ts'
import type { PerpTerms } from '../protocol/market.ts'
import { ticksMax } from './orders.ts'

const billion = 1_000_000_000
const million = 1_000_000

/** Longest time for which one sample of a book counts when no index tick follows it. */
export const sampleHoldMs = 5000

/** Time for which a side of the book without enough depth keeps its last premium. */
export const thinHoldMs = 300_000

/** Limit of a single sample of the premium: 10 %, in 1e-9. */
const premiumMax = 100_000_000

/** Distance of an impact price from the index, in 1e-9 of the index, rounded down, at most ±100 %. Positive: above the index. */
export function distanceOf(impact: IndexPrice, index: IndexPrice): number {
  return mulDivFloor(Math.min(index, impact - index), billion, index)
}

/**
 * Distance of the book's middle from the index, for a book with depth on both sides, in 1e-9 of the index, rounded down and
 * limited to the clamp.
 *
 *   ⌊(bid + ask) ÷ 2⌋      bid, ask: distances of the impact prices from `distanceOf`
 */
export function basisSample(bid: number, ask: number, clampPpm: Ppm): number {
  const clamp = clampPpm * 1000
  return Math.max(-clamp, Math.min(clamp, Math.floor((bid + ask) / 2)))
}

/**
 * Mark price in ticks: the index plus the mean basis of the window, limited to the clamp's distance from the index (rounded
 * down), in ticks as `indexTicks` rounds it.
 *
 *   basis = ⌊index × ⌊sum ÷ window⌋ ÷ 10^9⌋
 *
 * sum        of samples from `basisSample` × the milliseconds that each counted for; time without a sample counts as 0
 */
export function markPrice(index: IndexPrice, indexPerTick: number, sum: number, windowMs: number, clampPpm: Ppm): Ticks {
  const basis = mulDivFloor(index, Math.floor(sum / windowMs), billion)
  const clamp = mulDivFloor(index, clampPpm, million)
  const price = index + Math.max(-clamp, Math.min(clamp, basis))
  return indexTicks(price as IndexPrice, indexPerTick)
}

/**
 * Premium of a book: how far the prices for the impact value lie outside the index, in 1e-9 of it, at most ±10 %.
 *
 *   max(0, bid) − max(0, −ask)      bid, ask: distances of the impact prices from `distanceOf`
 */
export function premium(bid: number, ask: number): number {
  return Math.max(-premiumMax, Math.min(premiumMax, Math.max(0, bid) - Math.max(0, -ask)))
}

/**
 * Average price of what was taken from one side of a book, in index units: for a bid rounded down, for an ask up.
 *
 * value, lots   taken; the value in tick × lot
 */
export function impactPrice(value: number, lots: Lots, indexPerTick: number, isBid: boolean): IndexPrice {
  return isBid ? (mulDivFloor(value, indexPerTick, lots) as IndexPrice) : (mulDivCeil(value, indexPerTick, lots) as IndexPrice)
}

/**
 * Funding rate of a period from the time-weighted mean P of its premium (rounded down). Positive: longs pay.
 *
 *   P + clamp(interest − P, ±stretch), limited to ±cap
 *
 * premiumSum  sum of each premium × its milliseconds; `premiumMs` is the total time
 */
export function fundingRate(
  terms: Pick<PerpTerms, 'fundingInterest' | 'fundingStretch' | 'fundingCap'>,
  premiumSum: number,
  premiumMs: number,
): number {
  const mean = premiumMs === 0 ? 0 : Math.floor(premiumSum / premiumMs)
  const { fundingInterest, fundingStretch, fundingCap } = terms
  const rate = mean + Math.max(-fundingStretch, Math.min(fundingStretch, fundingInterest - mean))
  return Math.max(-fundingCap, Math.min(fundingCap, rate)) + 0
}

/**
 * Rate for the part of a period in which the market was open, in 1e-9, rounded towards zero.
 *
 *   rate × (period − closed) ÷ period        closed in milliseconds, at most the period
 */
export function openRate(rate: number, closedMs: number, hours: number): number {
  const period = hours * 3_600_000
  const part = mulDivFloor(Math.abs(rate), Math.max(0, period - closedMs), period)
  return rate < 0 ? -part + 0 : part
}

/**
 * Funding that a position receives (+) or pays (−) at a rate: value at mark × rate. The payer's sum is rounded up and the receiver's
 * down, so payments always cover receipts.
 */
export function fundingPayment(lots: Lots, value: Units, rate: number): Units {
  if (lots === 0 || rate === 0) return 0 as Units
  const isPayer = lots > 0 === rate > 0
  const size = Math.abs(rate)
  return isPayer ? ((-mulDivCeil(value, size, billion) + 0) as Units) : (mulDivFloor(value, size, billion) as Units)
}

/** End of the running period: the next multiple of `hours` since 1970 UTC after `atMs`. */
export function nextFundingMs(atMs: Millis, hours: number): Millis {
  const period = hours * 3_600_000
  return ((Math.floor(atMs / period) + 1) * period) as Millis
}

/**
 * An index price in ticks, rounded to the nearest, halves up; from 1 to 2^31 − 1, so that market orders and stops keep their
 * distance from it.
 */
export function indexTicks(index: IndexPrice, indexPerTick: number): Ticks {
  return Math.min(ticksMax, Math.max(1, Math.floor((2 * index + indexPerTick) / (2 * indexPerTick)))) as Ticks
}
