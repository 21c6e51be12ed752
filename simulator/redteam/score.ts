/** Student's t, one-sided 99 %, in thousandths, by degrees of freedom from 1. */
const t99 = [31821, 6965, 4541, 3747, 3365, 3143, 2998, 2896, 2821, 2764, 2718, 2681, 2650, 2624, 2602, 2583, 2567, 2552, 2539]
/** The same quantile of the normal distribution. */
const z99 = 2.326348

export type Score = {
  readonly seeds: number
  readonly mean: number
  /** One-sided 99 % lower bound of the expectation: mean − t × s ÷ √n. */
  readonly low: number
  readonly high: number
  readonly worst: number
  readonly best: number
}

/** The expected result of a strategy with its bounds, from one result per seed. Needs at least two. */
export function score(profits: readonly number[]): Score {
  const n = profits.length
  const mean = profits.reduce((sum, profit) => sum + profit, 0) / n
  const variance = profits.reduce((sum, profit) => sum + (profit - mean) ** 2, 0) / (n - 1)
  const half = quantile(n - 1) * Math.sqrt(variance / n)
  return { seeds: n, mean, low: mean - half, high: mean + half, worst: Math.min(...profits), best: Math.max(...profits) }
}

/** Beyond the table, the first terms of the expansion by 1 ÷ degrees of freedom: exact to 0.001. */
function quantile(freedom: number): number {
  const known = t99[freedom - 1]
  if (known !== undefined) return known / 1000
  const z = z99
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)
}
