import { isLoss } from './lenders.ts'
import { score } from './score.ts'
import type { Score } from './score.ts'
import { Stage } from './stage.ts'
import type { Strategy } from './strategies.ts'

/** One seed of a strategy: the attacker's result and a fund's loss in USDT, the largest used part of a fund's cap, what went wrong. */
export type Run = {
  readonly seed: number
  readonly profit: number
  readonly fundLoss: number
  readonly capUse: number
  readonly faults: readonly string[]
}

/** Results of a strategy over all seeds, in USDT. `faults`: empty if the exchange withstood it. */
export type Row = Score & {
  readonly name: string
  readonly rule: string
  readonly fundLoss: number
  readonly capUse: number
  readonly faults: readonly string[]
}

/** The smallest unit of USDT. A smaller difference is an error of the addition. */
const unit = 1e-6

/** Plays one strategy on one seed. */
export function playSeed({ name, play }: Strategy, seed: number): Run {
  const stage = new Stage(seed)
  let profit: number
  try {
    play(stage)
    profit = stage.profit
    stage.settle()
  } catch (cause) {
    throw new Error(`${name}, seed ${seed}: the run stopped`, { cause })
  }
  const { sums, violations } = stage.desk.exchange.trialBalance()
  const wrong = [...stage.broken, ...stage.caps.faults, ...violations]
  if (sums.some((sum) => sum !== 0)) wrong.push(`sums are ${sums.join(', ')}`)
  const { lending } = stage
  if (isLoss(lending)) wrong.push(`lenders lost ${lending.uncovered.toFixed(2)} USDT while the fund had ${lending.fund.toFixed(2)}`)
  return { seed, profit, fundLoss: stage.fundLoss, capUse: stage.caps.use, faults: wrong.map((fault) => `seed ${seed}: ${fault}`) }
}

/** Adds up one strategy's runs, at least two. */
export function rowOf({ name, rule }: Strategy, runs: readonly Run[]): Row {
  const faults = runs.flatMap((run) => run.faults)
  const result = score(runs.map(({ profit }) => profit))
  if (result.low > unit) faults.push(`the strategy earns: the lower bound of its expectation is ${result.low.toFixed(6)} USDT`)
  // A rare profit is never significant, but if no seed has a loss, the expectation is above zero.
  if (result.best > unit && result.worst >= -unit)
    faults.push(`the strategy earns: up to ${result.best.toFixed(6)} USDT, and it never loses anything`)
  const largest = (part: 'fundLoss' | 'capUse'): number => Math.max(0, ...runs.map((run) => run[part]))
  return { name, rule, ...result, fundLoss: largest('fundLoss'), capUse: largest('capUse'), faults }
}

/** Plays one strategy on seeds 1 to `seeds`. */
export function playStrategy(strategy: Strategy, seeds: number): Row {
  return rowOf(
    strategy,
    Array.from({ length: seeds }, (_, n) => playSeed(strategy, n + 1)),
  )
}

export const heading = [
  'strategy',
  'expectation',
  '99 % lower bound',
  '99 % upper bound',
  'best seed',
  'largest loss of a fund',
  'stopped by',
]

/** A row of the table in Markdown. */
export function line(row: Row): string {
  const sums = [row.mean, row.low, row.high, row.best, row.fundLoss].map((sum) => (Math.abs(sum) < 0.005 ? 0 : sum).toFixed(2))
  return `| ${[row.name, ...sums, row.rule].join(' | ')} |`
}
