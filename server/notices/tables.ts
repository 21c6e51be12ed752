import type { NoticeChannel, NoticeKind } from '@candor/core/protocol/wire/notices.ts'
import type { RestCause } from '@candor/core/protocol/wire/own-limits.ts'
import type { GeneratedAlways, Kysely } from 'kysely'
import type { Store } from '../store/open.ts'

/** Migrations 100, 101 and 112, as Kysely sees them. */
export type NoticeTables = {
  notices: {
    number: GeneratedAlways<number>
    account: string
    kind: NoticeKind
    data: Readonly<Record<string, string>>
    event_id: string
    created_at: number
    read_at: number | null
    in_inbox: boolean
  }
  notice_preferences: { account: string; kind: NoticeKind; channel: NoticeChannel; is_on: boolean }
  own_rests: { account: string; cause: RestCause; at: number; until: number }
  notice_state: { version: number; done_seq: number }
  push_subscriptions: { id: string; account: string; session: string; endpoint: Buffer; target: Buffer; created_at: number }
  notice_sends: {
    number: GeneratedAlways<number>
    notice: number
    channel: Exclude<NoticeChannel, 'inbox'>
    subscription: string | null
    tries: number
    next_at: number
    /** Of a frequent kind: sent after all others. */
    is_quiet: boolean
  }
  push_keys: { name: string; public_key: string; key: Buffer }
}

export type NoticeDb = Kysely<NoticeTables>

export function noticeDb(store: Store): NoticeDb {
  return store.db.withTables<NoticeTables>() as unknown as NoticeDb
}
