import type { TicketCounts, TicketQueue, TicketRole, TicketRow } from '@candor/core/protocol/wire/console/support.ts'
import type { SupportTopic, TicketState, WireSupportDesk } from '@candor/core/protocol/wire/support/tickets.ts'
import { sql } from 'kysely'
import type { Clock } from '../ports.ts'
import type { SupportDb } from './tables.ts'

export type QueueFilter = {
  readonly state?: TicketState | undefined
  readonly topic?: SupportTopic | undefined
  readonly lang?: string | undefined
  readonly role?: TicketRole | undefined
  /** Tickets whose first unanswered message is older. */
  readonly hours?: number | undefined
  /** The member to whom they are assigned. */
  readonly assignee?: string | undefined
  /** The last row of the page before. */
  readonly after?: { readonly at: number; readonly id: string } | undefined
}

const pageSize = 50
const hourMs = 3_600_000
/** A page of the console that told of itself this long ago is open. */
const presentMs = 60_000
const measuredMs = 30 * 86_400_000
/** Anybody may ask for the usual time, which looks at all these answers: it is measured once in a while. */
const measuredForMs = 60_000
/** Fewer first answers say nothing about the next one. */
const measuredMin = 5

/** What the staff choose from, and what visitors learn of the staff: whether somebody is there, and how long answers took. */
export class Queue {
  readonly #db: SupportDb
  readonly #clock: Clock
  #usual: { readonly at: number; readonly minutes: Promise<number | null> } | undefined

  constructor(db: SupportDb, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Who waits longest comes first; then what changed last. */
  async page({ state, topic, lang, role, hours, assignee, after }: QueueFilter): Promise<TicketQueue> {
    const order = sql<number>`coalesce(t.waiting_since, 10000000000000 - t.changed_at)`
    const rows = await this.#db
      .selectFrom('support_tickets as t')
      .innerJoin('accounts as a', 'a.id', 't.account')
      .leftJoin('staff as s', 's.id', 't.assignee')
      .select(['t.code', 'a.uid', 't.topic', 't.subject', 't.state', 't.lang', 't.role', 's.email as assignee'])
      .select(['t.opened_at', 't.changed_at', 't.waiting_since'])
      .select(order.as('place'))
      .select(
        sql<number>`(select count(*) from support_messages m
          where m.ticket = t.number and m.author = 'customer' and m.number > t.staff_seen)`.as('unread'),
      )
      .$if(state !== undefined, (query) => query.where('t.state', '=', state!))
      .$if(topic !== undefined, (query) => query.where('t.topic', '=', topic!))
      .$if(lang !== undefined, (query) => query.where('t.lang', '=', lang!))
      .$if(role !== undefined, (query) => query.where('t.role', '=', role!))
      .$if(hours !== undefined, (query) => query.where('t.waiting_since', '<', this.#clock() - hours! * hourMs))
      .$if(assignee !== undefined, (query) => query.where('t.assignee', '=', assignee!))
      .$if(after !== undefined, (query) => query.where(sql<boolean>`(${order}, t.code) > (${after!.at}, ${after!.id})`))
      .orderBy(order)
      .orderBy('t.code')
      .limit(pageSize + 1)
      .execute()
    const tickets = rows.slice(0, pageSize).map(({ code: id, place: _, unread, ...row }): TicketRow => {
      const { uid, topic: about, subject, state: now, lang: language, role: of, assignee: member } = row
      return {
        ...{ id, uid, topic: about, subject, state: now, lang: language, role: of, assignee: member },
        ...{ openedAt: row.opened_at, changedAt: row.changed_at, waitingSince: row.waiting_since, unread: Number(unread) },
      }
    })
    const last = rows.length > pageSize ? rows[pageSize - 1] : undefined
    return { tickets, ...(last === undefined ? {} : { next: `${last.place}:${last.code}` }) }
  }

  async counts(): Promise<TicketCounts> {
    const { rows } = await sql<{ waiting: string; unread: string; oldest: number | null }>`
      select count(*) as waiting, min(waiting_since) as oldest,
        count(*) filter (where exists (select from support_messages m
          where m.ticket = t.number and m.author = 'customer' and m.number > t.staff_seen)) as unread
      from support_tickets t where waiting_since is not null`.execute(this.#db)
    const { waiting, unread, oldest } = rows[0]!
    const present = await this.#present()
    return { waiting: Number(waiting), unread: Number(unread), oldestAt: oldest === null ? null : Number(oldest), atWork: present }
  }

  /** A member's page of tickets is open. */
  async beat(staff: string): Promise<void> {
    const seen_at = this.#clock()
    await this.#db
      .insertInto('support_presence')
      .values({ staff, seen_at })
      .onConflict((conflict) => conflict.column('staff').doUpdateSet({ seen_at }))
      .execute()
  }

  async leave(staff: string): Promise<void> {
    await this.#db.deleteFrom('support_presence').where('staff', '=', staff).execute()
  }

  /** What everybody may know. Names of members are not among it. */
  async desk(): Promise<WireSupportDesk> {
    const now = this.#clock()
    if (this.#usual === undefined || now - this.#usual.at >= measuredForMs) this.#usual = { at: now, minutes: this.#measure(now) }
    const usual = this.#usual
    const usualMinutes = await usual.minutes.catch((cause: unknown) => {
      // A database that was away for a moment must not be remembered.
      if (this.#usual === usual) this.#usual = undefined
      throw cause
    })
    return { isAtWork: (await this.#present()).length > 0, usualMinutes }
  }

  async #measure(now: number): Promise<number | null> {
    const { rows } = await sql<{ count: string; usual: number | null }>`
      select count(*) as count, percentile_cont(0.8) within group (order by first_answer_at - opened_at) as usual
      from support_tickets where first_answer_at > ${now - measuredMs}`.execute(this.#db)
    const { count, usual } = rows[0]!
    return usual === null || Number(count) < measuredMin ? null : Math.max(1, Math.ceil(Number(usual) / 60_000))
  }

  /** Members who may answer, with the page open. */
  async #present(): Promise<readonly string[]> {
    const rows = await this.#db
      .selectFrom('support_presence as p')
      .innerJoin('staff as s', 's.id', 'p.staff')
      .select('s.email')
      .where('p.seen_at', '>', this.#clock() - presentMs)
      .where('s.state', '=', 'active')
      .where('s.role', 'in', ['support', 'administrator'])
      .orderBy('s.email')
      .execute()
    return rows.map(({ email }) => email)
  }
}
