import { firmRoles, rightsOf } from '@candor/core/protocol/wire/firm/firm.ts'
import type { WireKey } from '@candor/core/protocol/wire/keys.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { Refused } from '../../refused.ts'
import type { KeyTerms } from '../key-terms.ts'
import type { ApiKeyTable, IdentityDb } from '../tables.ts'

export type KeyRow = Selectable<ApiKeyTable>

export function termsOf(row: KeyRow): KeyTerms {
  return { scopes: row.scopes, ips: row.ips, expiresAt: row.expires_at }
}

/** `madeBy`: label of the firm's member who made it. */
export function wireKey(row: KeyRow, madeBy?: string | null): WireKey {
  return {
    id: row.id,
    key: row.key,
    label: row.label,
    kind: row.kind,
    scopes: row.scopes,
    ips: row.ips,
    createdAt: row.created_at,
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
    ...(row.last_ip === null ? {} : { lastIp: row.last_ip }),
    ...(madeBy == null ? {} : { madeBy }),
  }
}

/** Keys of an account, and those that its owner made as a member of a firm. */
export const keysOfPerson = (account: string): RawBuilder<boolean> =>
  sql<boolean>`(account = ${account} or member in (select id from firm_members where firm_members.account = ${account}))`

/** Roles whose members make keys. */
const managing = sql`array[${sql.join(firmRoles.filter((role) => rightsOf[role].includes('manage')))}]`

/**
 * Whether a key works as one of a firm: its account is not archived, and the member who made it is not frozen and may still make keys for
 * the account. True for keys of persons.
 */
export const isKept: RawBuilder<boolean> = sql<boolean>`(api_keys.member is null or exists (
  select from firm_members m join accounts p on p.id = m.account join firm_accounts f on f.account = api_keys.account
  where m.id = api_keys.member and m.state = 'active' and m.role = any(${managing}) and p.frozen_at is null
    and f.archived_at is null and (m.accounts is null or api_keys.account = any(m.accounts))))`

/** When the last pause of the member who made the key ends; null without one, and for keys of persons. */
export const restOfMaker: RawBuilder<number | null> = sql<number | null>`(
  select max(until) from own_rests r join firm_members m on m.account = r.account where m.id = api_keys.member)`

/**
 * Keeps the member who makes or changes a key of a firm's account, and the account, as they are until the end of the transaction. The
 * request was admitted a while ago: the password takes its time. Comes before every other lock, as in changes of firms.
 *
 * throws  Refused FIRM_NOT_MEMBER when the member may no longer do so
 */
export async function requireMaker(db: IdentityDb, account: string, member: string | undefined): Promise<void> {
  if (member === undefined) return
  const { rows } = await sql`
    select from firm_members m join firm_accounts f on f.firm = m.firm
    where m.id = ${member} and f.account = ${account} and m.state = 'active' and m.role = any(${managing})
      and f.archived_at is null and (m.accounts is null or f.account = any(m.accounts))
    for share`.execute(db)
  if (rows.length === 0) throw new Refused('FIRM_NOT_MEMBER')
}

/** Ends keys for good. Their rows stay without the secrets, because the journal names them. Returns the keys. */
export async function endKeys(db: IdentityDb, now: number, which: RawBuilder<boolean>): Promise<readonly string[]> {
  const rows = await db
    .updateTable('api_keys')
    .set({ deleted_at: now, secret: null })
    .where(which)
    .where('deleted_at', 'is', null)
    .returning(['key', 'number'])
    .execute()
  await forgetSignals(
    db,
    rows.map(({ number }) => number),
  )
  return rows.map(({ key }) => key)
}

/** Signal addresses end with their keys, and their logs too: nothing can come to them again. */
export async function forgetSignals(db: IdentityDb, keys: readonly number[]): Promise<void> {
  if (keys.length > 0) await db.deleteFrom('key_signals').where('key', 'in', keys).execute()
}
