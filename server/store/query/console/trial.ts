import type pg from 'pg'

/** Sum of all accounts of a kind in an asset. `isHouse`: one of the exchange's own accounts, which `kind` names. */
export type TrialRow = { readonly asset: string; readonly isHouse: boolean; readonly kind: string; readonly total: string }

/** `seq`: the command after which the sums are. `readFrom`: the position whose stored sums they were reached from. */
export type Trial = { readonly seq: number; readonly at: number | null; readonly readFrom: number; readonly rows: readonly TrialRow[] }

/** New sums are stored after this number of commands. */
const betweenSums = 100_000

const ordered = `select asset, is_house as "isHouse", kind, trim_scale(total)::text as total from sums where total <> 0 order by asset, is_house, kind`

/** Sums of all accounts as the query tables are now. */
export async function trialNow(pool: pg.Pool): Promise<Trial> {
  const { rows } = await pool.query<{ seq: number; at_ms: number; sums: readonly TrialRow[] | null }>(
    `with sums as (select asset, user_id = 0 as is_house, kind, sum(available + held) as total from balances group by 1, 2, 3)
     select seq, at_ms, (select jsonb_agg(to_jsonb(found)) from (${ordered}) found) as sums from projection`,
  )
  const { seq = 0, at_ms: at = 0, sums = null } = rows[0] ?? {}
  return { seq, at, readFrom: seq, rows: sums ?? [] }
}

/**
 * Sums right after an earlier command. They start at the nearest stored sums, or at the present ones, and add or undo the lines in
 * between: at most half of the distance of two stored sums.
 */
export async function trialAt(pool: pg.Pool, seq: number): Promise<Trial> {
  const { rows: places } = await pool.query<{ below: number | null; above: number | null; now: number; at: number | null }>(
    `select (select max(seq) from ledger_sums where seq <= $1) as below, (select min(seq) from ledger_sums where seq >= $1) as above,
       (select seq from projection) as now, (select at_ms from ledger_entries where seq <= $1 order by seq desc limit 1) as at`,
    [seq],
  )
  const { below, above, now, at } = places[0]!
  if (seq >= now) return trialNow(pool)
  const low = below ?? 0
  const high = above ?? now
  const readFrom = seq - low <= high - seq ? low : high
  const isNow = readFrom === high && above === null
  if (isNow) return undone(pool, seq, at)
  const { rows } = await pool.query<TrialRow>(
    `with moved as (
       select asset, user_id = 0 as is_house, kind, sum(delta + held_delta) * $3::int as total from ledger_entries
       where seq > least($1::bigint, $2::bigint) and seq <= greatest($1::bigint, $2::bigint) group by 1, 2, 3
     ), sums as (
       select asset, is_house, kind, sum(total) as total from (
         select asset, is_house, kind, total from ledger_sums where seq = $2 union all select * from moved
       ) both_parts group by 1, 2, 3
     ) ${ordered}`,
    [seq, readFrom, readFrom <= seq ? 1 : -1],
  )
  return { seq, at, readFrom, rows }
}

/** From the present sums, read with their position in one statement, back to `seq`. */
async function undone(pool: pg.Pool, seq: number, at: number | null): Promise<Trial> {
  const { rows } = await pool.query<{ now: number; sums: readonly TrialRow[] | null }>(
    `with sums as (
       select asset, is_house, kind, sum(total) as total from (
         select asset, user_id = 0 as is_house, kind, available + held as total from balances
         union all select asset, user_id = 0, kind, -(delta + held_delta) from ledger_entries where seq > $1
       ) both_parts group by 1, 2, 3
     ) select seq as now, (select jsonb_agg(to_jsonb(found)) from (${ordered}) found) as sums from projection`,
    [seq],
  )
  return { seq, at, readFrom: rows[0]?.now ?? seq, rows: rows[0]?.sums ?? [] }
}

/** Stores the present sums, unless the last stored ones are recent. One statement, so the sums belong to their position. */
export async function storeSums(pool: pg.Pool, between = betweenSums): Promise<void> {
  await pool.query(
    `insert into ledger_sums
     select projection.seq, user_id = 0, kind, asset, sum(available + held) from balances, projection
     where projection.seq >= coalesce((select max(seq) from ledger_sums), 0) + $1
     group by projection.seq, user_id = 0, kind, asset on conflict do nothing`,
    [between],
  )
}
