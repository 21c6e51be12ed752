import type { Announcement, AnnouncementText, AnnouncementTexts } from '@candor/core/protocol/wire/console/announcements.ts'
import { type Lang, langs } from '@candor/core/protocol/locales.ts'
import type { WireAnnouncement, WireAnnouncements } from '@candor/core/protocol/wire/news/announcements.ts'
import { type Generated, type GeneratedAlways, type Kysely, sql } from 'kysely'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import type { StaffLog } from '../staff/log.ts'
import type { Decider } from '../staff/proposals.ts'
import type { Store } from '../store/open.ts'

/** `from`, `until`: when home shows it. */
export type NewAnnouncement = { readonly texts: AnnouncementTexts; readonly from: number; readonly until: number }

/** Migration 106, as Kysely sees it. */
type Tables = {
  announcements: {
    id: GeneratedAlways<number>
    texts: AnnouncementTexts
    shown_from: number
    shown_until: number
    published_by: string
    published_at: number
    withdrawn_by: Generated<string | null>
    withdrawn_at: Generated<number | null>
  }
  staff: { id: string; email: string; state: string; role: string }
}

const pageMax = 50
const dayMs = 86_400_000
/** Announcements that one member publishes in a day: one session must not bury what others said. */
const perDay = 10
/** Home shows an announcement no longer than this, and none begins later. */
const aheadMax = 366 * dayMs

/** Announcements: published by one member of the staff in all languages, shown from a time on, withdrawn at any time. */
export class Announcements {
  readonly #db: Kysely<Tables>
  readonly #clock: Clock
  readonly #log: Pick<StaffLog, 'write'>

  constructor(store: Pick<Store, 'db'>, clock: Clock, log: Pick<StaffLog, 'write'>) {
    this.#db = store.db.withTables<Tables>() as unknown as Kysely<Tables>
    this.#clock = clock
    this.#log = log
  }

  /** Those that have begun, in one language, newest first. */
  async shown(lang: Lang, { before, limit = pageMax }: { readonly before?: number | undefined; readonly limit?: number | undefined }) {
    const rows = await this.#db
      .selectFrom('announcements')
      .select(['id', 'shown_from', 'shown_until', sql<AnnouncementText>`texts -> ${lang}`.as('own')])
      .where('withdrawn_at', 'is', null)
      .where('shown_from', '<=', this.#clock())
      .$if(before !== undefined, (query) => query.where('id', '<', before!))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    const announcements = rows.map(
      ({ id, own, shown_from: at, shown_until: until }): WireAnnouncement => ({ number: id, title: own.title, text: own.text, at, until }),
    )
    const last = rows.at(-1)
    return { announcements, ...(rows.length < limit || last === undefined ? {} : { next: last.id }) } satisfies WireAnnouncements
  }

  /** All of them in all languages, for the staff, newest first. */
  async all(): Promise<readonly Announcement[]> {
    const rows = await this.#db
      .selectFrom('announcements as a')
      .innerJoin('staff as p', 'p.id', 'a.published_by')
      .leftJoin('staff as w', 'w.id', 'a.withdrawn_by')
      .select(['a.id', 'a.texts', 'a.shown_from', 'a.shown_until', 'a.published_at', 'a.withdrawn_at'])
      .select(['p.email as publishedBy', 'w.email as withdrawnBy'])
      .orderBy('a.id', 'desc')
      .limit(pageMax)
      .execute()
    return rows.map(({ id, texts, shown_from: from, shown_until: until, published_at, withdrawn_at, publishedBy, withdrawnBy }) => ({
      ...{ id, texts, from, until, publishedBy, publishedAt: published_at, withdrawnBy, withdrawnAt: withdrawn_at },
    }))
  }

  /** Returns its number. throws  Refused FIELD_INVALID, FORBIDDEN, RATE_LIMITED */
  async publish({ texts, from, until }: NewAnnouncement, who: Decider): Promise<number> {
    const now = this.#clock()
    if (until <= from || until <= now || until > now + 2 * aheadMax || until - from > aheadMax)
      throw new Refused('FIELD_INVALID', { field: 'until' })
    return this.#db.transaction().execute(async (tx) => {
      await this.#requireMember(tx, who)
      await this.#refuseMore(tx, who, now)
      const { id } = await tx
        .insertInto('announcements')
        .values({
          ...{ texts: JSON.stringify(texts) as unknown as AnnouncementTexts, shown_from: from, shown_until: until },
          ...{ published_by: who.session.staff, published_at: now },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await this.#note(tx, who, 'announcement-published', id, { title: texts[langs[0]!].title, from, until })
      return id
    })
  }

  /** It is shown nowhere any more. throws  Refused NOT_FOUND, FORBIDDEN */
  async withdraw(id: number, who: Decider): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await this.#requireMember(tx, who)
      const row = await tx
        .updateTable('announcements')
        .set({ withdrawn_by: who.session.staff, withdrawn_at: this.#clock() })
        .where('id', '=', id)
        .where('withdrawn_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      if (!row) throw new Refused('NOT_FOUND')
      await this.#note(tx, who, 'announcement-withdrawn', id, {})
    })
  }

  /** Parallel ones of a member wait for each other. */
  async #refuseMore(tx: Kysely<Tables>, { session: { staff } }: Decider, now: number): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtext('announcements'), hashtext(${staff}))`.execute(tx)
    const { count, first } = await tx
      .selectFrom('announcements')
      .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min('published_at').as('first')])
      .where('published_by', '=', staff)
      .where('published_at', '>', now - dayMs)
      .executeTakeFirstOrThrow()
    if (Number(count) >= perDay) throw new Refused('RATE_LIMITED', { retryAfter: Math.ceil(((first ?? now) + dayMs - now) / 1_000) })
  }

  async #requireMember(tx: Kysely<Tables>, { session }: Decider): Promise<void> {
    const found = await tx
      .selectFrom('staff')
      .select('id')
      .where('id', '=', session.staff)
      .where('state', '=', 'active')
      .where('role', 'in', ['support', 'administrator'])
      .forShare()
      .executeTakeFirst()
    if (!found) throw new Refused('FORBIDDEN')
  }

  #note(
    tx: Kysely<Tables>,
    { session, visitor }: Decider,
    action: 'announcement-published' | 'announcement-withdrawn',
    id: number,
    after: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const actor = { staff: session.staff, session: session.id, visitor }
    return this.#log.write(tx, actor, { action, subject: String(id), after })
  }
}
