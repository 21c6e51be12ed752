import type { Decimal } from '@candor/core/money/brand.ts'
import type pg from 'pg'

/** `rate` in percent of the value. */
export type SettledRate = { readonly market: string; readonly at: number; readonly rate: Decimal; readonly mark: Decimal }

export type RateRange = {
  readonly symbol: string | undefined
  readonly start: number | undefined
  readonly end: number | undefined
  readonly limit: number
}

/** Settled funding rates of one market or of all, oldest first: with `start` the oldest from there on, without it the newest. */
export async function settledRates(pool: pg.Pool, { symbol, start, end, limit }: RateRange): Promise<readonly SettledRate[]> {
  const order = start === undefined ? 'desc' : 'asc'
  const { rows } = await pool.query<SettledRate>(
    `select found.* from markets
     cross join lateral (
       select market, at_ms as at, rate, mark from funding_rates
       where market = symbol and at_ms between $2 and $3 order by at_ms ${order} limit $4
     ) found
     where definition ? 'perp' and ($1::text is null or symbol = $1)
     order by at ${order}, market limit $4`,
    [symbol ?? null, start ?? 0, end ?? Number.MAX_SAFE_INTEGER, limit],
  )
  return start === undefined ? rows.toReversed() : rows
}

/**
 * Open interest in coins: the longs, which equal the shorts once the insurance fund's inventory is counted. The fund is on one side
 * only, so the larger sum of the users' sides is complete, and a take-over changes nothing that others could see.
 */
export async function openInterest(pool: pg.Pool | pg.PoolClient, symbol: string): Promise<Decimal> {
  const { rows } = await pool.query<{ held: Decimal }>(
    `select greatest(0, sum(quantity) filter (where quantity > 0), -sum(quantity) filter (where quantity < 0)) as held
     from positions where market = $1`,
    [symbol],
  )
  return (rows[0] as { held: Decimal }).held
}
