import type { UserId } from '@candor/core/protocol/ids.ts'
import type { NoticeKind } from '@candor/core/protocol/wire/notices.ts'
import type pg from 'pg'
import { quietKinds } from '../notices.ts'
import type { NoticeUsers } from '../projection/notices.ts'

/** The users who asked for frequent notices, and the version of that list. */
export type NoticeList = { readonly version: number; readonly users: NoticeUsers }

/** Returns undefined while `version` is still the newest. */
export async function readNoticeUsers(pool: pg.Pool, version: number): Promise<NoticeList | undefined> {
  const { rows } = await pool.query<{ version: number }>('select version from notice_state')
  const newest = rows[0]?.version ?? 0
  if (newest === version) return undefined
  // Read after the version, so that the list may be newer than it but never older.
  const found = await pool.query<{ user: UserId; kinds: readonly NoticeKind[] }>(
    `select core_user as "user", array_agg(distinct kind) as kinds from notice_preferences join accounts on accounts.id = account
     where is_on and kind = any($1) and core_user is not null group by core_user`,
    [quietKinds],
  )
  return { version: newest, users: new Map(found.rows.map(({ user, kinds }) => [user, new Set(kinds)])) }
}
