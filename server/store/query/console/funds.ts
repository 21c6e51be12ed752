import type { TablesAt } from '@candor/core/protocol/wire/console/tables.ts'
import type { CollateralRow, FundDay, FundRow } from '@candor/core/protocol/wire/console/risk.ts'
import type pg from 'pg'

const dayMs = 86_400_000
const daysShown = 90

export async function tablesAt(pool: pg.Pool): Promise<TablesAt> {
  const { rows } = await pool.query<TablesAt>('select seq, at_ms as at from projection')
  return rows[0] ?? { seq: 0, at: 0 }
}

/** Balances of the insurance funds and the house fund of Second. */
export async function fundBalances(pool: pg.Pool): Promise<readonly FundRow[]> {
  const { rows } = await pool.query<FundRow>(
    `select kind as fund, asset, trim_scale(available + held)::text as balance from balances
     where user_id = 0 and kind in ('insurance', 'insurance-margin', 'option-house') order by kind, asset`,
  )
  return rows
}

/** The insurance fund of Futures at the end of each of the last 90 UTC days on which it changed, oldest first. */
export async function insuranceHistory(pool: pg.Pool, now: number): Promise<readonly FundDay[]> {
  const { rows } = await pool.query<{ day_ms: number; asset: string; balance: string }>(
    `select day_ms, asset, trim_scale(balance)::text as balance from insurance_days where day_ms > $1 order by day_ms, asset`,
    [now - daysShown * dayMs],
  )
  return rows.map(({ day_ms, ...rest }) => ({ day: new Date(day_ms).toISOString().slice(0, 10), ...rest }))
}

/** Sums of all Futures and margin accounts, and their debts. */
export async function collateral(pool: pg.Pool): Promise<readonly CollateralRow[]> {
  const { rows } = await pool.query<CollateralRow>(
    `select symbol as asset, trim_scale(coalesce(perp, 0))::text as perp, trim_scale(coalesce("cross", 0))::text as "cross",
       trim_scale(coalesce(isolated, 0))::text as isolated, trim_scale(coalesce(-loans, 0))::text as owed
     from assets join (
       select asset, sum(available + held) filter (where user_id > 0 and kind = 'perp') as perp,
         sum(available + held) filter (where user_id > 0 and kind = 'margin-cross') as "cross",
         sum(available + held) filter (where user_id > 0 and kind = 'margin-isolated') as isolated,
         sum(available + held) filter (where user_id = 0 and kind = 'outside:loans') as loans
       from balances group by asset
     ) sums on sums.asset = symbol
     where perp <> 0 or "cross" <> 0 or isolated <> 0 or loans <> 0 order by id`,
  )
  return rows
}

/**
 * Open orders of Second of one market, both directions together: their stakes, and the sum that they would be paid if all of them
 * won, which can't happen. Directions are not read.
 */
export type TimedRow = { readonly symbol: string; readonly orders: number; readonly stakes: string; readonly payouts: string }

export async function timedExposure(pool: pg.Pool): Promise<readonly TimedRow[]> {
  const { rows } = await pool.query<TimedRow>(
    `select market as symbol, count(*)::int as orders, trim_scale(sum(stake))::text as stakes, trim_scale(sum(stake + profit))::text as payouts
     from options where result is null group by market order by sum(stake) desc, market`,
  )
  return rows
}
