import type { BalanceRow, Posting } from '@candor/core/protocol/wire/console/ledger.ts'
import { entryReasons } from '@candor/core/protocol/event/index.ts'
import type pg from 'pg'
import { decodeCursor, toPage } from '../page.ts'

const pageSize = 100
/** Reasons of lines that change what an account has. */
const moving = entryReasons.filter((reason) => reason !== 'hold' && reason !== 'release')

const columns = `seq, line, at_ms as at, case when user_id > 0 then coalesce(uid, 'core ' || user_id) end as owner, kind, market, asset, reason,
  trim_scale(delta)::text as available, trim_scale(held_delta)::text as held, trim_scale(available)::text as "availableAfter",
  trim_scale(held)::text as "heldAfter", symbol, order_id::text as "order"`

/** All lines of the command at a journal position, in order: per asset they sum to zero. */
export async function postingsOf(pool: pg.Pool, seq: number): Promise<readonly Posting[]> {
  const { rows } = await pool.query<Posting>(
    `select ${columns} from ledger_entries left join accounts on core_user = user_id and user_id > 0 where seq = $1 order by line`,
    [seq],
  )
  return rows
}

/** The core's number of a customer; undefined for an unknown uid. */
export async function customerOf(pool: pg.Pool, uid: string): Promise<number | undefined> {
  const { rows } = await pool.query<{ core_user: number }>('select core_user from accounts where uid = $1 and core_user is not null', [uid])
  return rows[0]?.core_user
}

/** All accounts of a customer, or the exchange's account of that name in each asset. `user` 0: the exchange. */
export async function balancesOf(pool: pg.Pool, user: number, house: string | null): Promise<readonly BalanceRow[]> {
  const { rows } = await pool.query<BalanceRow>(
    `select kind, market, asset, trim_scale(available)::text as available, trim_scale(held)::text as held, seq from balances
     where user_id = $1 and ($2::text is null or kind = $2) order by kind, market, asset`,
    [user, house],
  )
  return rows
}

export type PostingFilter = { readonly asset?: string | undefined; readonly before?: string | undefined }

/**
 * Lines of all accounts of a customer, newest first. Holds and releases, which move money only within an account, are left out; the
 * lines of their command have them.
 */
export async function customerPostings(pool: pg.Pool, user: number, { asset, before }: PostingFilter) {
  const [seq = 0, line = 0] = decodeCursor(before, 2)
  const { rows } = await pool.query<Posting>(
    `with found as (
       select one.* from (select distinct asset as owned from balances where user_id = $1) accounts
       cross join unnest($6::text[]) shown(word)
       cross join lateral (
         select * from ledger_entries where user_id = $1 and user_id > 0 and asset = owned and reason = shown.word
           and reason not in ('hold', 'release') and (seq, line) < ($3::bigint, $4::bigint)
           and at_ms <= coalesce((select max(at_ms) from ledger_entries where seq = $3::bigint), 9007199254740991)
         order by at_ms desc, seq desc, line desc limit $5
       ) one where $2::text is null or owned = $2
     )
     select ${columns} from found left join accounts on core_user = user_id order by seq desc, line desc limit $5`,
    [user, asset ?? null, seq, line, pageSize + 1, moving],
  )
  return toPage(
    rows,
    pageSize,
    (row) => row,
    (row) => [row.seq, row.line],
  )
}

/** Lines of one of the exchange's own accounts, newest first. */
export async function housePostings(pool: pg.Pool, house: string, { asset, before }: PostingFilter) {
  const [seq = 0, line = 0] = decodeCursor(before, 2)
  const { rows } = await pool.query<Posting>(
    `with found as (
       select one.* from (select asset as owned from balances where user_id = 0 and kind = $1) accounts
       cross join lateral (
         select * from ledger_entries where user_id = 0 and kind = $1 and asset = owned and (seq, line) < ($3::bigint, $4::bigint)
         order by seq desc, line desc limit $5
       ) one where $2::text is null or owned = $2
     )
     select ${columns.replace("coalesce(uid, 'core ' || user_id)", "''")} from found order by seq desc, line desc limit $5`,
    [house, asset ?? null, seq, line, pageSize + 1],
  )
  return toPage(
    rows,
    pageSize,
    (row) => row,
    (row) => [row.seq, row.line],
  )
}
