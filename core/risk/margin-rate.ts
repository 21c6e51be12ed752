/**
 * Arithmetic of the lending pool: the hourly cost of borrowing, and how much can still be borrowed. Rates are per hour in units
 * of 1e-12; shares of the pool are in units of 1e-9.
 */
import type { Units } from '../money/brand.ts'
import { mulDivCeil, mulDivFloor } from '../money/mul-div.ts'
import type { MarginTerms } from '../protocol/command/margin.ts'

const million = 1_000_000
/** The whole pool as a share. */
export const whole = 1_000_000_000
/** One unit of interest per unit of principal. */
export const rateUnit = 1_000_000_000_000

/**
 * Total claims of lenders on a pool and total debt of borrowers, both including interest, in units of the asset. `rateMin`: the
 * rate of the running hour in 1e-12, which all borrowers pay; 0 when missing.
 */
export type PoolSums = { readonly supplied: Units; readonly borrowed: Units; readonly rateMin?: number }

/** Share of the pool that is lent out, in 1e-9, rounded up, at most all of it: ⌈borrowed × 10^9 ÷ supplied⌉. */
export function utilization({ supplied, borrowed }: PoolSums): number {
  if (borrowed <= 0) return 0
  return borrowed >= supplied ? whole : mulDivCeil(borrowed, whole, supplied)
}

/**
 * Hourly rate at utilization u (1e-9), rounded up, on straight lines between the terms' three points (k: the kink):
 *
 *   u ≤ k:  rateZero + ⌈(rateKink − rateZero) × u ÷ k⌉
 *   u > k:  rateKink + ⌈(rateFull − rateKink) × (u − k) ÷ (1 − k)⌉
 */
export function rateAt(terms: MarginTerms, used: number): number {
  const kink = terms.kinkPpm * 1000
  if (used <= kink) return terms.rateZero + mulDivCeil(terms.rateKink - terms.rateZero, used, kink)
  return terms.rateKink + mulDivCeil(terms.rateFull - terms.rateKink, used - kink, whole - kink)
}

/**
 * Hourly rate of a loan taken now: the rate of the pool as it stands, but at least that of the running hour. Otherwise a borrower
 * could repay before the hour ends and borrow again after it, while short-lived supply lowers the rate, and pay less than all
 * others.
 */
export function hourlyRate(terms: MarginTerms, pool: PoolSums): number {
  return Math.max(pool.rateMin ?? 0, rateAt(terms, utilization(pool)))
}

/** Interest for one hour, started or full, rounded up: ⌈principal × rate ÷ 10^12⌉. */
export function hourInterest(principal: Units, rate: number): Units {
  return mulDivCeil(principal, rate, rateUnit) as Units
}

/** Lenders' part of an interest payment, rounded down; the rest goes to the insurance fund: ⌊interest × (10^6 − reservePpm) ÷ 10^6⌋. */
export function lendersPart(terms: MarginTerms, interest: Units): number {
  return mulDivFloor(interest, million - terms.reservePpm, million)
}

/** Earnings of lenders per hour and unit supplied, in 1e-12, rounded down: the rate on the lent part, less the fund's part. */
export function earnRate(terms: MarginTerms, pool: PoolSums): number {
  return mulDivFloor(mulDivFloor(hourlyRate(terms, pool), utilization(pool), whole), million - terms.reservePpm, million)
}

/** Units that the pool can still lend: ⌊supplied × borrowStopPpm ÷ 10^6⌋ − borrowed, at least 0. Interest counts as borrowed. */
export function poolRoom(terms: MarginTerms, { supplied, borrowed }: PoolSums): number {
  return Math.max(0, mulDivFloor(supplied, terms.borrowStopPpm, million) - borrowed)
}

/**
 * Units that a customer can still borrow from a pool when all the customer's accounts together owe `owed`:
 * ⌊supplied × userSharePpm ÷ 10^6⌋ − owed, at least 0.
 */
export function userRoom(terms: MarginTerms, { supplied }: PoolSums, owed: Units): number {
  return Math.max(0, mulDivFloor(supplied, terms.userSharePpm, million) - owed)
}

/** Interest charged at once when `amount` is borrowed: that of the running hour, at the rate that the pool has afterwards. */
export function firstInterest(terms: MarginTerms, pool: PoolSums, amount: Units): number {
  return hourInterest(amount, hourlyRate(terms, { ...pool, borrowed: (pool.borrowed + amount) as Units }))
}
