import {
  type NoticeArea,
  type NoticeChannel,
  type NoticeKind,
  noticeChannels,
  noticeKinds,
  type NoticeTerms,
  noticeTerms,
  type WireNotice,
  type WireNoticePreferences,
  type WireNotices,
  type WireNoticeSwitch,
} from '@candor/core/protocol/wire/notices.ts'
import { sql } from 'kysely'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import type { Store } from '../store/open.ts'
import { type NoticeDb, noticeDb } from './tables.ts'

export const noticesPerPage = 50

export type NoticesAsked = { readonly before?: number; readonly limit?: number; readonly area?: NoticeArea }

/** The inbox of each customer, and on which channels each kind of notice goes out. */
export class Notices {
  readonly #db: NoticeDb
  readonly #clock: Clock

  constructor(store: Store, clock: Clock = Date.now) {
    this.#db = noticeDb(store)
    this.#clock = clock
  }

  /** Newest first, from before this notice, of one area or of all. `unread` counts all areas. */
  async list(account: string, { before, limit = noticesPerPage, area }: NoticesAsked = {}): Promise<WireNotices> {
    const [rows, unread] = await Promise.all([
      this.#db
        .selectFrom('notices')
        .select(['number', 'kind', 'data', 'created_at', 'read_at'])
        .where('account', '=', account)
        .where('in_inbox', '=', true)
        .$if(before !== undefined, (query) => query.where('number', '<', before as number))
        .$if(area !== undefined, (query) => query.where('kind', 'in', kindsOf(area as NoticeArea)))
        .orderBy('number', 'desc')
        .limit(limit + 1)
        .execute(),
      this.unread(account),
    ])
    // A kind that another version wrote has no text here.
    const notices = rows.slice(0, limit).filter(({ kind }) => Object.hasOwn(noticeTerms, kind))
    return { notices: notices.map(wireNotice), unread, ...(rows.length > limit ? { next: rows[limit - 1]!.number } : {}) }
  }

  async unread(account: string): Promise<number> {
    const { unread } = await this.#db
      .selectFrom('notices')
      .select((row) => row.fn.countAll<number>().as('unread'))
      .where('account', '=', account)
      .where('read_at', 'is', null)
      .where('in_inbox', '=', true)
      .executeTakeFirstOrThrow()
    return unread
  }

  /** throws  Refused NOT_FOUND when the account has no such notice */
  async markRead(account: string, number: number): Promise<void> {
    const found = await this.#db
      .updateTable('notices')
      .set({ read_at: sql`coalesce(read_at, ${this.#clock()})` })
      .where('account', '=', account)
      .where('number', '=', number)
      .where('in_inbox', '=', true)
      .returning('number')
      .executeTakeFirst()
    if (!found) throw new Refused('NOT_FOUND')
  }

  async markAllRead(account: string, upTo: number, from = 0): Promise<void> {
    await this.#db
      .updateTable('notices')
      .set({ read_at: this.#clock() })
      .where('account', '=', account)
      .where('number', '<=', upTo)
      .where('number', '>=', from)
      .where('read_at', 'is', null)
      .execute()
  }

  async preferences(account: string): Promise<WireNoticePreferences> {
    const [rows, excluded] = await Promise.all([
      this.#db.selectFrom('notice_preferences').select(['kind', 'channel', 'is_on']).where('account', '=', account).execute(),
      this.#db
        .selectFrom('own_rests')
        .select((row) => row.fn.max('until').as('until'))
        .where('account', '=', account)
        .where('cause', '=', 'self-exclusion')
        .where('until', '>', this.#clock())
        .executeTakeFirstOrThrow(),
    ])
    const chosen = new Map(rows.map(({ kind, channel, is_on: isOn }) => [`${kind} ${channel}`, isOn]))
    const isOn = (kind: NoticeKind, channel: NoticeChannel): boolean => {
      const terms = termsOf(kind)[channel]
      return terms !== undefined && (terms === 'always' || (chosen.get(`${kind} ${channel}`) ?? terms === 'on'))
    }
    return {
      preferences: noticeKinds.map((kind) => ({ kind, channels: noticeChannels.filter((channel) => isOn(kind, channel)) })),
      ...(excluded.until === null ? {} : { excludedUntil: excluded.until }),
    }
  }

  /**
   * Switches one channel of one kind, for events from now on.
   *
   * throws  Refused NOTICE_FIXED when this kind always goes there, or never
   */
  async choose(account: string, { kind, channel, isOn }: WireNoticeSwitch): Promise<WireNoticePreferences> {
    const terms = termsOf(kind)[channel]
    if (terms === undefined || terms === 'always') throw new Refused('NOTICE_FIXED', { field: 'channel' })
    await this.#db.transaction().execute(async (db) => {
      await db
        .insertInto('notice_preferences')
        .values({ account, kind, channel, is_on: isOn })
        .onConflict((conflict) => conflict.columns(['account', 'kind', 'channel']).doUpdateSet({ is_on: isOn }))
        .execute()
      await sql`update notice_state set version = version + 1`.execute(db)
    })
    return this.preferences(account)
  }
}

function kindsOf(area: NoticeArea): NoticeKind[] {
  return noticeKinds.filter((kind) => termsOf(kind).area === area)
}

function termsOf(kind: NoticeKind): NoticeTerms {
  return noticeTerms[kind]
}

type Row = {
  readonly number: number
  readonly kind: NoticeKind
  readonly data: Readonly<Record<string, string>>
  readonly created_at: number
  readonly read_at: number | null
}

function wireNotice({ number, kind, data, created_at: createdAt, read_at: readAt }: Row): WireNotice {
  return { number, kind, values: data, createdAt, ...(readAt === null ? {} : { readAt }) }
}
