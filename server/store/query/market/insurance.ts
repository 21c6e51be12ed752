import type { WireInsurance } from '@candor/core/protocol/wire/perp.ts'
import type pg from 'pg'

const dayMs = 86_400_000
/** The fund's positions are published with this delay: traders who saw a current inventory could squeeze it. */
const hiddenMs = 3_600_000

/**
 * The insurance fund of an asset: its current balance, its balance at the end of each day on which it changed, oldest first, at
 * most a year, and its positions one hour before `nowMs`.
 */
export async function insurance(pool: pg.Pool, asset: string, nowMs = Date.now()): Promise<WireInsurance> {
  const { rows } = await pool.query<{ day_ms: number; balance: string }>(
    `select day_ms, trim_scale(balance) as balance from insurance_days where asset = $1
     and day_ms > (select max(day_ms) from insurance_days where asset = $1) - $2::bigint order by day_ms`,
    [asset, 366 * dayMs],
  )
  const { rows: carried } = await pool.query<{ symbol: string; quantity: string; cost: string }>(
    `select market as symbol, trim_scale(quantity) as quantity, trim_scale(cost) as cost from (
       select distinct on (market) * from fund_inventory where at_ms <= $1 order by market, at_ms desc
     ) latest where quantity <> 0 order by market`,
    [nowMs - hiddenMs],
  )
  const days = rows.map(({ day_ms, balance }) => ({ day: new Date(day_ms).toISOString().slice(0, 10), balance }))
  return { asset, balance: days.at(-1)?.balance ?? '0', days, inventory: carried }
}
