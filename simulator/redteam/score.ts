/** Student's t, one-sided 99 %, in thousandths, by degrees of freedom from 1. Beyond the table, its last value is on the safe side. */
const t99 = [31821, 6965, 4541, 3747, 3365, 3143, 2998, 2896, 2821, 2764, 2718, 2681, 2650, 2624, 2602, 2583, 2567, 2552, 2539]

export type Score = {
  readonly seeds: number
  readonly mean: number
  /** One-sided 99 % lower bound of the expectation: mean − t × s ÷ √n. */
  readonly low: number
  readonly high: number
  readonly best: number
}

/** The expected result of a strategy with its bounds, from one result per seed. Needs at least two. */
export function score(profits: readonly number[]): Score {
  const n = profits.length
  const mean = profits.reduce((sum, profit) => sum + profit, 0) / n
  const variance = profits.reduce((sum, profit) => sum + (profit - mean) ** 2, 0) / (n - 1)
  const half = ((t99[n - 2] ?? t99.at(-1)!) / 1000) * Math.sqrt(variance / n)
  return { seeds: n, mean, low: mean - half, high: mean + half, best: Math.max(...profits) }
}
