import type { Decimal } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireRatePoint } from '@candor/core/protocol/wire/margin.ts'
import type pg from 'pg'
import { pageLimit } from './page.ts'

const hourMs = 3_600_000
const pointsDefault = 168
const pointsMax = 1000

/**
 * A pool's rate and utilization at the end of each hour, oldest first, the hour of `now` last. An hour without changes has the
 * values of the hour before; hours before the pool's first supply are left out.
 */
export async function ratePoints(pool: pg.Pool, asset: string, now: number, limit?: number): Promise<readonly WireRatePoint[]> {
  const last = now - (now % hourMs)
  const first = last - (pageLimit(limit, pointsMax, pointsDefault) - 1) * hourMs
  const { rows } = await pool.query<{ hour: number; rate: Decimal; utilization: Decimal }>(
    `select hour, rate, utilization from generate_series($2::bigint, $3::bigint, ${hourMs}) hour
     cross join lateral (
       select rate, utilization from lend_rates where asset = $1 and hour_ms <= hour order by hour_ms desc limit 1
     ) latest
     order by hour`,
    [asset, first, last],
  )
  return rows.map(({ hour, rate, utilization }) => ({ time: hour, hourlyRate: rate, utilization }))
}

/** Total of a claim's entries, and the interest in it. */
export type ClaimTotals = { readonly claim: Decimal; readonly earned: Decimal }

/** Totals of a user's claims, by asset. */
export async function claimTotals(pool: pg.Pool, user: UserId): Promise<ReadonlyMap<string, ClaimTotals>> {
  const { rows } = await pool.query<ClaimTotals & { asset: string }>(
    'select asset, trim_scale(claim)::text as claim, trim_scale(earned)::text as earned from lend_claims where user_id = $1',
    [user],
  )
  return new Map(rows.map(({ asset, claim, earned }) => [asset, { claim, earned }]))
}
