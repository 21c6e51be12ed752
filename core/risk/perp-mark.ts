/** Mark price, premium and funding rate of a contract. Rates are integers in 1e-9 of the value; index prices in 1e-8 of the quote. */
import type { IndexPrice, Lots, Millis, Ppm, Ticks, Units } from '../money/brand.ts'
import { mulDivCeil, mulDivFloor } from '../money/mul-div.ts'
import type { PerpTerms } from '../protocol/market.ts'
import { ticksMax } from './orders.ts'

const billion = 1_000_000_000
const million = 1_000_000

/** Longest time that one sample of a book stands for: without an index tick it counts no longer. */
export const sampleHoldMs = 5000

/** How long a side of the book whose depth is gone keeps its last premium. */
export const thinHoldMs = 300_000

/** No single sample of the premium counts as more: 10 %, in 1e-9. */
const premiumMax = 100_000_000

/** How far an impact price lies from the index: in 1e-9 of it, rounded down, at most ±100 %; above zero: above the index. */
export function distanceOf(impact: IndexPrice, index: IndexPrice): number {
  return mulDivFloor(Math.min(index, impact - index), billion, index)
}

/**
 * Where the middle of a book with depth on both sides lies, in 1e-9 of the index, rounded down, not beyond the clamp.
 *
 *   ⌊(bid + ask) ÷ 2⌋      distances of the impact prices as `distanceOf` gives them
 */
export function basisSample(bid: number, ask: number, clampPpm: Ppm): number {
  const clamp = clampPpm * 1000
  return Math.max(-clamp, Math.min(clamp, Math.floor((bid + ask) / 2)))
}

/**
 * Mark price in ticks: the index and the mean basis of the window, not farther from the index than the clamp (rounded
 * down), to the nearest tick, halves up; at least 1.
 *
 *   basis = ⌊index × ⌊sum ÷ window⌋ ÷ 10^9⌋
 *
 * sum        of samples as `basisSample` gives them × the milliseconds that each stood for; time without a sample counts 0
 */
export function markPrice(index: IndexPrice, indexPerTick: number, sum: number, windowMs: number, clampPpm: Ppm): Ticks {
  const basis = mulDivFloor(index, Math.floor(sum / windowMs), billion)
  const clamp = mulDivFloor(index, clampPpm, million)
  const price = index + Math.max(-clamp, Math.min(clamp, basis))
  return Math.min(ticksMax, Math.max(1, Math.floor((2 * price + indexPerTick) / (2 * indexPerTick)))) as Ticks
}

/**
 * Premium of a book: how far the prices for the impact value lie outside the index, in 1e-9 of it, at most ±10 %.
 *
 *   max(0, bid) − max(0, −ask)      distances of the impact prices as `distanceOf` gives them
 */
export function premium(bid: number, ask: number): number {
  return Math.max(-premiumMax, Math.min(premiumMax, Math.max(0, bid) - Math.max(0, -ask)))
}

/**
 * Average price of the value taken from one side of a book, in index units: for a bid rounded down, for an ask up.
 * `value` and `lots` are what was walked over: in tick × lot, and in lots.
 */
export function impactPrice(value: number, lots: Lots, indexPerTick: number, isBid: boolean): IndexPrice {
  return isBid ? (mulDivFloor(value, indexPerTick, lots) as IndexPrice) : (mulDivCeil(value, indexPerTick, lots) as IndexPrice)
}

/**
 * Funding rate of a period from the mean of its premium over time (rounded down); above zero longs pay.
 *
 *   P + clamp(interest − P, ±stretch), not beyond ±cap
 *
 * premiumSum  of premiums × the milliseconds that each stood for, `premiumMs` in all
 */
export function fundingRate(terms: PerpTerms, premiumSum: number, premiumMs: number): number {
  const mean = premiumMs === 0 ? 0 : Math.floor(premiumSum / premiumMs)
  const { fundingInterest, fundingStretch, fundingCap } = terms
  const rate = mean + Math.max(-fundingStretch, Math.min(fundingStretch, fundingInterest - mean))
  return Math.max(-fundingCap, Math.min(fundingCap, rate)) + 0
}

/**
 * Rate of a period for the part of it that was open, in 1e-9, rounded towards zero.
 *
 *   rate × (period − closed) ÷ period        closed in milliseconds, at most the period
 */
export function openRate(rate: number, closedMs: number, hours: number): number {
  const period = hours * 3_600_000
  const part = mulDivFloor(Math.abs(rate), Math.max(0, period - closedMs), period)
  return rate < 0 ? -part + 0 : part
}

/**
 * What a position receives (+) or pays (−) at a rate: value at mark × rate. The payer's sum is rounded up, the receiver's
 * down, so payments always cover what is received.
 */
export function fundingPayment(lots: Lots, value: Units, rate: number): Units {
  if (lots === 0 || rate === 0) return 0 as Units
  const isPayer = lots > 0 === rate > 0
  const size = Math.abs(rate)
  return isPayer ? ((-mulDivCeil(value, size, billion) + 0) as Units) : (mulDivFloor(value, size, billion) as Units)
}

/** When the running period ends: the next multiple of `hours` since 1970 UTC after `atMs`. */
export function nextFundingMs(atMs: Millis, hours: number): Millis {
  const period = hours * 3_600_000
  return ((Math.floor(atMs / period) + 1) * period) as Millis
}

/** An index price in ticks, the nearest, halves up; at least 1, at most 2^31 − 1: market orders and stops keep their distance from it. */
export function indexTicks(index: IndexPrice, indexPerTick: number): Ticks {
  return Math.min(ticksMax, Math.max(1, Math.floor((2 * index + indexPerTick) / (2 * indexPerTick)))) as Ticks
}
