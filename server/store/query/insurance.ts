import type { WireInsurance } from '@candor/core/protocol/wire/perp.ts'
import type pg from 'pg'

const dayMs = 86_400_000

/** The insurance fund of an asset as it is, and what it held at the end of each day on which it changed, oldest first, at most a year. */
export async function insurance(pool: pg.Pool, asset: string): Promise<WireInsurance> {
  const { rows } = await pool.query<{ day_ms: number; balance: string }>(
    `select day_ms, trim_scale(balance) as balance from insurance_days where asset = $1
     and day_ms > (select max(day_ms) from insurance_days where asset = $1) - $2::bigint order by day_ms`,
    [asset, 366 * dayMs],
  )
  const days = rows.map(({ day_ms, balance }) => ({ day: new Date(day_ms).toISOString().slice(0, 10), balance }))
  return { asset, balance: days.at(-1)?.balance ?? '0', days }
}
