import type { UserId } from '@candor/core/protocol/ids.ts'
import { type NoticeChannel, noticeChannels, type NoticeKind, type NoticeTerms, noticeTerms } from '@candor/core/protocol/wire/notices.ts'
import type pg from 'pg'
import { quietKinds } from '../notices.ts'
import type { NoticeUsers } from '../projection/notices.ts'

/** The users without frequent notices, and the version of that list. */
export type NoticeList = { readonly version: number; readonly users: NoticeUsers }

type Row = { readonly user: UserId; readonly isRetail: boolean; readonly chosen: Readonly<Partial<Record<string, boolean>>> }

/** Returns undefined while `version` is still the newest. */
export async function readNoticeUsers(pool: pg.Pool, version: number): Promise<NoticeList | undefined> {
  const { rows } = await pool.query<{ version: number }>('select version from notice_state')
  const newest = rows[0]?.version ?? 0
  if (newest === version) return undefined
  // Read after the version, so that the list may be newer than it but never older.
  const found = await pool.query<Row>(
    `select user_id as "user", core_users.class = 'retail' as "isRetail", jsonb_object_agg(kind || ' ' || channel, is_on) as chosen
     from notice_preferences join accounts on accounts.id = account join core_users on user_id = core_user
     where kind = any($1) group by user_id, core_users.class`,
    [quietKinds],
  )
  const users = found.rows.map((row) => [row.user, new Set(quietKinds.filter((kind) => !isWanted(row, kind)))] as const)
  return { version: newest, users: new Map(users) }
}

/** Market makers get these notices only on the channels that they switched on. */
function isWanted({ isRetail, chosen }: Row, kind: NoticeKind): boolean {
  const terms: NoticeTerms = noticeTerms[kind]
  const isOn = (channel: NoticeChannel): boolean => chosen[`${kind} ${channel}`] ?? (isRetail && terms[channel] === 'on')
  return noticeChannels.some((channel) => terms[channel] !== undefined && isOn(channel))
}
