import type { Decimal } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { FirmAccountKind, FirmRole } from '@candor/core/protocol/wire/firm/firm.ts'
import type pg from 'pg'
import { endOfTime } from '../page.ts'
import { offsetOf, type Paged, pagedOf, pageOf, type Span } from './transfers.ts'

/** An account of a firm. `user`: in the core; null until the core knows it. */
export type FirmAccountOfKey = {
  readonly account: string
  readonly uid: string
  readonly kind: FirmAccountKind
  readonly label: string
  readonly made_at: number
  readonly user: UserId | null
  readonly is_frozen: boolean
  readonly is_archived: boolean
}

/** What a key of a firm's account stands for. `own`: the key's account; `accounts`: those that the member who made the key sees, oldest first. */
export type FirmOfKey = {
  readonly firm: string
  readonly member: string
  readonly role: FirmRole
  readonly own: FirmAccountOfKey
  readonly accounts: readonly FirmAccountOfKey[]
}

/**
 * The firm behind a key, decided anew for each request, so that a lost right ends at once.
 *
 * returns    undefined for a key of a person, in a firm that is not active, or whose maker is no member any more, is frozen, or lost the account
 */
export async function firmOfKey(pool: pg.Pool, key: number): Promise<FirmOfKey | undefined> {
  type Row = FirmAccountOfKey & Pick<FirmOfKey, 'firm' | 'member' | 'role'> & { readonly own: string }
  const { rows } = await pool.query<Row>(
    `select f.id as firm, m.id as member, m.role, own.account as own,
            s.account, a.uid, s.kind, s.label, s.made_at::float8 as made_at, a.core_user as user,
            a.frozen_at is not null as is_frozen, s.archived_at is not null as is_archived
     from api_keys k
     join firm_accounts own on own.account = k.account and own.is_open
     join firms f on f.id = own.firm and f.state = 'active'
     join firm_members m on m.id = k.member and m.firm = f.id and m.state = 'active'
       and (m.accounts is null or own.account = any(m.accounts))
     join accounts p on p.id = m.account and p.frozen_at is null
     join firm_accounts s on s.firm = f.id and s.is_open and (m.accounts is null or s.account = any(m.accounts))
     join accounts a on a.id = s.account
     where k.number = $1 and k.deleted_at is null
     order by s.made_at, a.uid`,
    [key],
  )
  const [first] = rows
  const own = rows.find(({ account }) => account === first?.own)
  return first === undefined || own === undefined ? undefined : { ...first, own, accounts: rows }
}

/** A move between two accounts of a firm, seen from one of them. `seq` is its number; `uid` and `kind` are the other account's. */
export type FirmMoveRow = {
  readonly seq: number
  readonly at: number
  readonly asset: string
  readonly amount: Decimal
  readonly is_out: boolean
  readonly uid: string
  readonly kind: FirmAccountKind
}

export type FirmMoveFilter = Span & { readonly isOut?: boolean | undefined; readonly asset?: string | undefined }

/** Moves of coins between an account and the others of its firm, newest first. Both entries of a move have the `seq` of its command. */
export async function firmMovesOf(pool: pg.Pool, user: UserId, filter: FirmMoveFilter): Promise<Paged<FirmMoveRow>> {
  const { rows } = await pool.query<FirmMoveRow & { total: number }>(
    `with moved as (
       select own.seq, own.at_ms as at, own.asset, trim_scale(abs(own.delta)) as amount, own.delta < 0 as is_out, a.uid, s.kind
       from (select distinct asset as held_asset from balances where user_id = $1) owned
       cross join lateral (
         select seq, at_ms, asset, delta from ledger_entries
         where user_id = $1 and user_id > 0 and asset = held_asset and reason = 'firm-move' and reason not in ('hold', 'release')
           and at_ms between $2 and $3 and ($4::boolean is null or (delta < 0) = $4)
       ) own
       cross join lateral (
         select user_id from ledger_entries other
         where other.seq = own.seq and other.user_id <> $1 and other.asset = own.asset and other.reason = 'firm-move'
       ) come
       join accounts a on a.core_user = come.user_id
       join firm_accounts s on s.account = a.id
       where $5::text is null or held_asset = $5
     )
     ${pageOf('moved', '$6', '$7')}`,
    [user, filter.startTime ?? 0, filter.endTime ?? endOfTime, filter.isOut ?? null, filter.asset ?? null, ...offsetOf(filter)],
  )
  return pagedOf(rows)
}
