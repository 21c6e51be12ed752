/**
 * What an hour costs those who owe. Its rate follows the mean utilization of the hour before it, millisecond by
 * millisecond, rounded up:
 *
 *   mean = ⌈Σ utilization × ms ÷ 3,600,000⌉      in 1e-9
 *
 * Utilization is between nothing and all, so money that comes or goes for a part of the hour moves the mean by no more
 * than that part, however much it is. Supply counts from the moment at which it is there, also before it earns.
 */
import { mulDivCeil } from '../../../money/mul-div.ts'
import { rateAt } from '../../../risk/margin-rate.ts'
import type { State } from '../../state/state.ts'
import type { Pool } from '../records/state.ts'

const hourMs = 3_600_000

/** The rate of the running hour in 1e-12, also when nothing has begun it yet; 0 before terms are set and in a pool's first hour. */
export function hourRate(x: State, pool: Pool): number {
  const hours = Math.floor(x.atMs / hourMs) - x.margin.hour
  if (hours <= 0) return pool.rate
  if (x.margin.terms === undefined) return 0
  // Nothing changed in an hour that nobody saw.
  const mean = hours > 1 ? pool.used : mulDivCeil(usedUntil(pool, endOf(x)), 1, hourMs)
  return rateAt(x.margin.terms, mean)
}

/** The hour is over, and `x.margin.hour` is still its number: fixes the rate of the running one. */
export function fixRate(x: State, pool: Pool): void {
  pool.rate = hourRate(x, pool)
  pool.usedMs = 0
  pool.usedSince = Math.floor(x.atMs / hourMs) * hourMs
}

/** From here on this share of the pool is lent out, in 1e-9. */
export function measure(x: State, pool: Pool, used: number): void {
  const until = Math.min(x.atMs, endOf(x))
  pool.usedMs = usedUntil(pool, until)
  pool.usedSince = until
  pool.used = used
}

/** At most 10^9 × 3,600,000. */
function usedUntil(pool: Pool, until: number): number {
  return pool.used === 0 ? pool.usedMs : pool.usedMs + pool.used * (until - pool.usedSince)
}

function endOf(x: State): number {
  return (x.margin.hour + 1) * hourMs
}
