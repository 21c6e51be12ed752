/** Work of margin accounts and lending pools at index ticks and clock ticks. */
import type { State } from '../state/state.ts'
import { chargeSome, interestDueAtMs } from './loans/interest.ts'
import { liquidity, payOut, tellPools } from './loans/pool.ts'
import { liquidateSome } from './liquidation/liquidate.ts'
import { takePrices } from './rules/prices.ts'
import { reviewAll, reviewSome } from './loans/review.ts'
import type { Pool } from './records/state.ts'

/** Reviews and liquidates accounts at the prices of an index tick. Call it after those prices are set. */
export function marginOnIndex(x: State): void {
  x.margin.moved += takePrices(x)
  if (x.margin.indebted.size === 0) return
  reviewAll(x)
  liquidateSome(x)
}

/** Continues due and unfinished work on a clock tick. */
export function marginTick(x: State): void {
  chargeSome(x)
  reviewSome(x)
  if (x.margin.steps.size > 0) liquidateSome(x)
  for (const pool of x.margin.pools) if (pool !== undefined && isPayable(x, pool)) payOut(x, pool)
  tellPools(x)
}

/** Time from which a clock tick has something to do for margin; Infinity if never. */
export function marginDueAtMs(x: State): number {
  if (x.margin.steps.size > 0 || x.margin.reviewFrom >= 0) return x.atMs
  if (x.margin.pools.some((pool) => pool !== undefined && isPayable(x, pool))) return x.atMs
  return interestDueAtMs(x)
}

function isPayable(x: State, pool: Pool): boolean {
  return (pool.queue.length > 0 || pool.reserve > 0) && liquidity(x, pool) > 0
}
