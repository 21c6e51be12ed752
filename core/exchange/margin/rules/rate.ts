/**
 * The hourly cost of a debt. The rate of an hour follows the mean utilization of the hour before it, weighted by milliseconds and
 * rounded up:
 *
 *   mean = ⌈Σ utilization × ms ÷ 3,600,000⌉      in 1e-9
 *
 * Utilization is between 0 and 1, so money that comes or goes for a part of the hour moves the mean by at most that part,
 * whatever its amount. Supply counts from the moment it arrives, even before it earns.
 */
import { mulDivCeil } from '../../../money/mul-div.ts'
import { rateAt } from '../../../risk/margin-rate.ts'
import type { State } from '../../state/state.ts'
import type { Pool } from '../records/state.ts'

const hourMs = 3_600_000

/** The rate of the running hour in 1e-12, even if the hour has not been begun yet; 0 before terms are set and in a pool's first hour. */
export function hourRate(x: State, pool: Pool): number {
  const hours = Math.floor(x.atMs / hourMs) - x.margin.hour
  if (hours <= 0) return pool.rate
  if (x.margin.terms === undefined) return 0
  // Nothing changed in hours without a command.
  const mean = hours > 1 ? pool.used : mulDivCeil(usedUntil(pool, endOf(x)), 1, hourMs)
  return rateAt(x.margin.terms, mean)
}

/** Fixes the rate of the running hour while `x.margin.hour` is still the number of the hour that ended. */
export function fixRate(x: State, pool: Pool): void {
  pool.rate = hourRate(x, pool)
  pool.usedMs = 0
  pool.usedSince = Math.floor(x.atMs / hourMs) * hourMs
}

/** Notes that from now on this share of the pool is lent out, in 1e-9. */
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
