/** Mark price, premium and funding rate of a contract. Rates are integers in 1e-9 of the value; index prices in 1e-8 of the quote. */
import { mulDivCeil, mulDivFloor } from '../money/mul-div.ts'
import type { PerpTerms } from '../protocol/market.ts'
import { ticksMax } from './orders.ts'

const billion = 1_000_000_000
const million = 1_000_000

/** Time between two samples of the premium. */
export const premiumStepMs = 5000

/**
 * Twice the distance of the middle of the book from the index, in index units, exact; beyond ±2 × index it is cut there.
 *
 *   (bid + ask) × indexPerTick − 2 × index
 */
export function basisSample(bid: number, ask: number, indexPerTick: number, index: number): number {
  const twice = (bid + ask) * indexPerTick - 2 * index
  return Math.max(-2 * index, Math.min(2 * index, twice))
}

/**
 * Mark price in ticks: the index and the mean basis, not farther from the index than the clamp (rounded down), to the
 * nearest tick, halves up; at least 1.
 *
 *   basis = ⌊(sum + count) ÷ (2 × count)⌋      of `count` samples as `basisSample` gives them
 */
export function markPrice(index: number, indexPerTick: number, sum: number, count: number, clampPpm: number): number {
  const basis = count === 0 ? 0 : Math.floor((sum + count) / (2 * count))
  const clamp = mulDivFloor(index, clampPpm, million)
  const price = index + Math.max(-clamp, Math.min(clamp, basis))
  return Math.min(ticksMax, Math.max(1, Math.floor((2 * price + indexPerTick) / (2 * indexPerTick))))
}

/**
 * Premium of one sample: how far the prices for the impact value lie outside the index, in 1e-9 of it, rounded down.
 *
 *   (max(0, impact bid − index) − max(0, index − impact ask)) ÷ index        impact prices in index units
 */
export function premium(impactBid: number, impactAsk: number, index: number): number {
  const above = Math.max(0, impactBid - index)
  const below = Math.max(0, index - impactAsk)
  return mulDivFloor(above - below, billion, index)
}

/**
 * Average price of the value taken from one side of a book, in index units: for a bid rounded down, for an ask up.
 * `value` and `lots` are what was walked over: in tick × lot, and in lots.
 */
export function impactPrice(value: number, lots: number, indexPerTick: number, isBid: boolean): number {
  return isBid ? mulDivFloor(value, indexPerTick, lots) : mulDivCeil(value, indexPerTick, lots)
}

/**
 * Funding rate of a period from the mean of its premiums (rounded down); above zero longs pay.
 *
 *   P + clamp(interest − P, ±stretch), not beyond ±cap
 */
export function fundingRate(terms: PerpTerms, premiumSum: number, count: number): number {
  const mean = count === 0 ? 0 : Math.floor(premiumSum / count)
  const { fundingInterest, fundingStretch, fundingCap } = terms
  const rate = mean + Math.max(-fundingStretch, Math.min(fundingStretch, fundingInterest - mean))
  return Math.max(-fundingCap, Math.min(fundingCap, rate)) + 0
}

/**
 * What a position receives (+) or pays (−) at a rate: value at mark × rate. The payer's sum is rounded up, the receiver's
 * down, so payments always cover what is received.
 */
export function fundingPayment(lots: number, value: number, rate: number): number {
  if (lots === 0 || rate === 0) return 0
  const isPayer = lots > 0 === rate > 0
  const size = Math.abs(rate)
  return isPayer ? -mulDivCeil(value, size, billion) + 0 : mulDivFloor(value, size, billion)
}

/** When the running period ends: the next multiple of `hours` since 1970 UTC after `atMs`. */
export function nextFundingMs(atMs: number, hours: number): number {
  const period = hours * 3_600_000
  return (Math.floor(atMs / period) + 1) * period
}
