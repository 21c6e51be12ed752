import type { Units } from '../money/brand.ts'

/**
 * Rank in the queue of auto-deleveraging. A position's score is its profit in percent × its effective leverage. The position with
 * the higher score is closed first, against a position that neither book nor fund takes over.
 *
 *   profit  (profit ÷ cost) × (value ÷ equity)         loss  (loss ÷ cost) ÷ (value ÷ equity)
 *
 * equity    for an isolated position its margin plus profit, for a cross position the equity of the account
 */
export type Score = {
  readonly profit: Units
  readonly cost: Units
  readonly value: Units
  readonly equity: Units
  /** The score to 15 digits. */
  readonly near: number
}

/** Scores that differ by less than this are compared exactly. The error of `near` is far smaller. */
const doubt = 1e-12

/** A cost, value or equity below 1 counts as 1. */
export function scoreOf(profit: Units, cost: Units, value: Units, equity: Units): Score {
  const paid = Math.max(1, cost) as Units
  const worth = Math.max(1, value) as Units
  const base = Math.max(1, equity) as Units
  const gain = profit / paid
  const leverage = worth / base
  return { profit, cost: paid, value: worth, equity: base, near: profit >= 0 ? gain * leverage : gain / leverage }
}

/** Positive when `b` comes before `a`. Exact. */
export function compareScores(a: Score, b: Score): number {
  const difference = b.near - a.near
  if (Math.abs(difference) > doubt * Math.max(Math.abs(a.near), Math.abs(b.near))) return difference
  if (a.profit === b.profit && a.cost === b.cost && a.value === b.value && a.equity === b.equity) return 0
  const exact = numerator(b) * denominator(a) - numerator(a) * denominator(b)
  return exact > 0n ? 1 : exact < 0n ? -1 : 0
}

function numerator({ profit, value, equity }: Score): bigint {
  return BigInt(profit) * BigInt(profit >= 0 ? value : equity)
}

function denominator({ profit, cost, value, equity }: Score): bigint {
  return BigInt(cost) * BigInt(profit >= 0 ? equity : value)
}

/** Fifth of the queue in which a position stands: 5 is closed first. `before`: how many of `count` have a higher score. */
export function rankOf(before: number, count: number): 1 | 2 | 3 | 4 | 5 {
  const fifth = count === 0 ? 4 : Math.min(4, Math.floor((before * 5) / count))
  return (5 - fifth) as 1 | 2 | 3 | 4 | 5
}
