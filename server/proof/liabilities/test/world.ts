/** Customers with balances of every kind, written into the tables as the projector does. */
import type { Store } from '../../../store/open.ts'

export type Row = {
  readonly user: number
  readonly asset: string
  readonly available: string
  readonly held?: string
  readonly kind?: string
  readonly market?: string
}

export const uidOf = (user: number): string => String(100_000_000 + user)

/** Assets, markets and this number of customers, at position `seq`. */
export async function fill({ pool }: Store, users: number, seq = 40): Promise<void> {
  await pool.query("insert into assets (id, symbol, scale) values (1, 'USDT', 6), (2, 'BTC', 8), (3, 'DOGE', 4)")
  await pool.query(`insert into markets (id, symbol, base, quote, definition) values (7, 'BTCUSDT-PERP', 'BTC', 'USDT', '{"perp":{}}')`)
  await pool.query(
    `insert into core_users (user_id, class, referrer, is_frozen, tier)
     select n, 'retail', 0, false, 0 from generate_series(1, $1) n`,
    [users],
  )
  await pool.query(
    `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
     select gen_random_uuid(), (100000000 + n)::text, n, n || '@x.test', '', 0, 'en', n::text, 'retail', 0 from generate_series(1, $1) n`,
    [users],
  )
  await pool.query('update projection set seq = $1, at_ms = 0', [seq])
}

export async function give({ pool }: Store, rows: readonly Row[]): Promise<void> {
  for (const { user, asset, available, held = '0', kind = 'spot', market = '' } of rows)
    await pool.query(
      `insert into balances (user_id, kind, market, asset, available, held, seq) values ($1, $2, $3, $4, $5, $6, 1)
       on conflict (user_id, kind, market, asset) do update set available = excluded.available, held = excluded.held`,
      [user, kind, market, asset, available, held],
    )
}
