import type { WireKey } from '@candor/core/protocol/wire/keys.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
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

/** Ends keys for good. Their rows stay without the secrets, because the journal names them. Returns the keys. */
export async function endKeys(db: IdentityDb, now: number, which: RawBuilder<boolean>): Promise<readonly string[]> {
  const rows = await db
    .updateTable('api_keys')
    .set({ deleted_at: now, secret: null })
    .where(which)
    .where('deleted_at', 'is', null)
    .returning('key')
    .execute()
  return rows.map(({ key }) => key)
}
