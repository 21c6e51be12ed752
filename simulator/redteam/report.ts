import { isLoss } from './lenders.ts'
import { score } from './score.ts'
import type { Score } from './score.ts'
import { Stage } from './stage.ts'
import { strategies } from './strategies.ts'
import type { Strategy } from './strategies.ts'
import { funds } from './terms.ts'

/** Results of a strategy over all seeds, in USDT. `faults`: empty if the exchange withstood it. */
export type Row = Score & { readonly name: string; readonly rule: string; readonly fundLoss: number; readonly faults: readonly string[] }

/** Share of its balance that a fund may lose in one run. */
const lossMax = 0.25
/** A smaller sum comes from rounded prices and is not a profit. */
const cent = 0.01

/** Plays one strategy on seeds 1 to `seeds`. */
export function playStrategy({ name, rule, play }: Strategy, seeds: number): Row {
  const faults: string[] = []
  const profits: number[] = []
  let fundLoss = 0
  for (let seed = 1; seed <= seeds; seed++) {
    const stage = new Stage(seed)
    play(stage)
    profits.push(stage.profit)
    stage.settle()
    fundLoss = Math.max(fundLoss, stage.fundLoss)
    const { sums, violations } = stage.desk.exchange.trialBalance()
    const wrong = [...stage.broken, ...violations]
    if (sums.some((sum) => sum !== 0)) wrong.push(`sums are ${sums.join(', ')}`)
    const { lending } = stage
    if (isLoss(lending)) wrong.push(`lenders lost ${lending.uncovered.toFixed(2)} USDT while the fund had ${lending.fund.toFixed(2)}`)
    faults.push(...wrong.map((fault) => `seed ${seed}: ${fault}`))
  }
  const result = score(profits)
  if (result.low > cent) faults.push(`the strategy earns: the lower bound of its expectation is ${result.low.toFixed(2)} USDT`)
  if (fundLoss > lossMax * funds.insurance) faults.push(`a fund lost ${fundLoss.toFixed(0)} USDT`)
  return { name, rule, ...result, fundLoss, faults }
}

export function playAll(seeds: number, only?: string, told: (row: Row) => void = () => undefined): readonly Row[] {
  const wanted = strategies.filter(({ name }) => only === undefined || name === only)
  return wanted.map((strategy) => {
    const row = playStrategy(strategy, seeds)
    told(row)
    return row
  })
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
  const sums = [row.mean, row.low, row.high, row.best, row.fundLoss].map((sum) => (Math.abs(sum) < cent ? 0 : sum).toFixed(2))
  return `| ${[row.name, ...sums, row.rule].join(' | ')} |`
}
