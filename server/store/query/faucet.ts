import type { Units } from '@candor/core/money/brand.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'

/** Of a customer and an asset, on one UTC day. */
export type FaucetDay = { readonly user: UserId; readonly asset: AssetId; readonly day: number }

/** Whether the day has begun: what was taken before is counted. */
export async function hasFaucetDay(pool: pg.Pool, { user, asset, day }: FaucetDay): Promise<boolean> {
  const found = await pool.query('select from faucet_days where user_id = $1 and asset = $2 and day_ms = $3', [user, asset, day])
  return found.rowCount === 1
}

/** Begins the day with what was taken before; does nothing when another gateway was first. */
export async function beginFaucetDay(pool: pg.Pool, { user, asset, day }: FaucetDay, units: Units): Promise<void> {
  await pool.query(
    `insert into faucet_days as f (user_id, asset, day_ms, units) values ($1, $2, $3, $4)
     on conflict (user_id, asset) do update set day_ms = $3, units = $4 where f.day_ms < $3`,
    [user, asset, day, units],
  )
}

/** Adds an amount, or takes it away when it is negative, in one statement. Returns false when the sum would be above `max`. */
export async function addToFaucetDay(pool: pg.Pool, { user, asset, day }: FaucetDay, amount: number, max: number): Promise<boolean> {
  const added = await pool.query(
    'update faucet_days set units = units + $4 where user_id = $1 and asset = $2 and day_ms = $3 and units + $4 <= $5',
    [user, asset, day, amount, max],
  )
  return added.rowCount === 1
}
