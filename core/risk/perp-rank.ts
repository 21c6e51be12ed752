/**
 * The queue of auto-deleveraging. A position's score is its profit in percent × its effective leverage; the higher, the
 * sooner it is closed against one that nobody else takes.
 *
 *   profit  (profit ÷ cost) × (value ÷ equity)         loss  (loss ÷ cost) ÷ (value ÷ equity)
 *
 * equity    margin and profit of an isolated position; of a cross one, the equity of its account
 */
export type Score = { readonly numerator: bigint; readonly denominator: bigint }

/** Exact. An equity below 1 counts as 1. */
export function scoreOf(profit: number, cost: number, value: number, equity: number): Score {
  const base = BigInt(Math.max(1, equity))
  const worth = BigInt(Math.max(1, value))
  const paid = BigInt(Math.max(1, cost))
  if (profit >= 0) return { numerator: BigInt(profit) * worth, denominator: paid * base }
  return { numerator: BigInt(profit) * base, denominator: paid * worth }
}

/** Above zero when `b` stands before `a`. */
export function compareScores(a: Score, b: Score): number {
  const difference = b.numerator * a.denominator - a.numerator * b.denominator
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

/** Fifth of the queue that a position stands in: 5 is first. `before`: how many of `count` have a higher score. */
export function rankOf(before: number, count: number): 1 | 2 | 3 | 4 | 5 {
  const fifth = count === 0 ? 4 : Math.min(4, Math.floor((before * 5) / count))
  return (5 - fifth) as 1 | 2 | 3 | 4 | 5
}
