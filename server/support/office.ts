import type { TicketMessage, TicketRole, TicketThread } from '@candor/core/protocol/wire/console/support.ts'
import type { TicketEvent } from '@candor/core/protocol/wire/support/tickets.ts'
import { sql } from 'kysely'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import { may } from '../staff/permissions.ts'
import type { StaffAction, StaffLog } from '../staff/log.ts'
import type { Decider } from '../staff/proposals.ts'
import { addNotice } from '../store/notices.ts'
import { append, appendEvent, imagesOf } from './messages.ts'
import type { Pictures } from './pictures.ts'
import { asksForSecret } from './secrets.ts'
import type { SupportDb, SupportTables, TicketRowOf } from './tables.ts'
import type { TicketParts } from './tickets.ts'

export type OfficeParts = {
  readonly db: SupportDb
  readonly clock: Clock
  readonly log: Pick<StaffLog, 'write'>
  readonly pictures: Pictures
  readonly changed: TicketParts['changed']
}

/** One entry of the log stands for all looks of a member at a ticket in this time. */
const lookMs = 15 * 60_000
/** A customer whose page told so this long ago is looking at the thread. */
export const lookingMs = 45_000
/** After this time an answer that was shown and not read gets its notice. */
const unreadMs = 60_000
const remindedMs = 86_400_000
const shownMax = 400

type Written = { readonly clientId: string; readonly text: string }

/** The staff's side of tickets. Each look at one is in the log before anything is shown; so is each view of a picture. */
export class Office {
  readonly #parts: OfficeParts

  constructor(parts: OfficeParts) {
    this.#parts = parts
  }

  /** throws  Refused NOT_FOUND, FORBIDDEN, UNAUTHENTICATED */
  async thread(code: string, who: Decider): Promise<TicketThread> {
    const { db, clock } = this.#parts
    const row = await db
      .selectFrom('support_tickets as t')
      .innerJoin('accounts as a', 'a.id', 't.account')
      .leftJoin('staff as s', 's.id', 't.assignee')
      .selectAll('t')
      .select(['a.uid', 'a.certification', 'a.created_at as registeredAt', 's.email as assignee_email'])
      .where('t.code', '=', code)
      .executeTakeFirst()
    if (!row) throw new Refused('NOT_FOUND')
    // The notes of the others may be about the member.
    await requireOther(db, row.account, who)
    await this.#look(code, who)
    const found = await db
      .selectFrom('support_messages as m')
      .leftJoin('staff as s', 's.id', 'm.staff')
      .select(['m.number', 'm.author', 's.email as by', 'm.text', 'm.at'])
      .where('m.ticket', '=', row.number)
      .orderBy('m.number', 'desc')
      .limit(shownMax)
      .execute()
    const images = await imagesOf(
      db,
      found.map(({ number }) => number),
    )
    const messages = found.reverse().map(({ number, author, by, text, at }): TicketMessage => {
      const event = author === 'event' ? (text as TicketEvent) : null
      return { number, author, by, text: event === null ? text : '', event, at, images: images.get(number) ?? [] }
    })
    const unread = messages.filter(({ author, number }) => author === 'customer' && number > row.staff_seen).length
    if (unread > 0 && may(who.session.role, 'support.answer')) await this.#seen(row, messages.at(-1)!.number, row.account)
    const { about_kind: kind, about_id: id, about_is_own: isOwn } = row
    return {
      ticket: {
        ...{ id: row.code, uid: row.uid, topic: row.topic, subject: row.subject, state: row.state, lang: row.lang, role: row.role },
        ...{ assignee: row.assignee_email, openedAt: row.opened_at, changedAt: row.changed_at, waitingSince: row.waiting_since },
        ...{ unread, about: kind === null || id === null ? null : { kind, id, isOwn }, firstAnswerAt: row.first_answer_at },
        ...{ closedAt: row.closed_at, certification: row.certification, registeredAt: row.registeredAt },
        isLooking: row.customer_looked_at > clock() - lookingMs,
      },
      messages,
      readByCustomer: row.customer_seen,
    }
  }

  /**
   * Answers the customer, who gets a notice unless the thread is being looked at.
   *
   * throws  Refused NOT_FOUND, FORBIDDEN, TICKET_CLOSED, ASKS_FOR_SECRET, CLIENT_ID_REUSED
   */
  async answer(code: string, { clientId, text }: Written, who: Decider): Promise<void> {
    if (asksForSecret(text)) throw new Refused('ASKS_FOR_SECRET', { field: 'text' })
    await this.#change(code, who, async (tx, ticket, now) => {
      const { number, isNew } = await append(tx, { ticket, author: 'member', staff: who.session.staff, clientId, text, at: now })
      if (!isNew) return
      if (ticket.state === 'closed') throw new Refused('TICKET_CLOSED')
      await this.#note(tx, who, 'ticket-answered', code, { message: number })
      const isLooking = ticket.customer_looked_at > now - lookingMs
      await tx
        .updateTable('support_tickets')
        .set({
          ...{ state: 'waiting', changed_at: now, waiting_since: null, staff_seen: sql`greatest(staff_seen, ${number})` },
          ...{ first_answer_at: ticket.first_answer_at ?? now, assignee: ticket.assignee ?? who.session.staff },
        })
        .where('number', '=', ticket.number)
        .execute()
      if (!isLooking) await tellOnce(tx, ticket, number, now)
    })
  }

  /** A note for the staff alone. throws  Refused NOT_FOUND, FORBIDDEN, CLIENT_ID_REUSED */
  async note(code: string, { clientId, text }: Written, who: Decider): Promise<void> {
    await this.#change(code, who, async (tx, ticket, now) => {
      const { number, isNew } = await append(tx, { ticket, author: 'note', staff: who.session.staff, clientId, text, at: now })
      if (isNew) await this.#note(tx, who, 'ticket-noted', code, { message: number })
    })
  }

  /** Takes the ticket, or gives it back. throws  Refused NOT_FOUND, FORBIDDEN */
  async assign(code: string, isMine: boolean, who: Decider): Promise<void> {
    await this.#change(code, who, async (tx, ticket) => {
      const assignee = isMine ? who.session.staff : null
      if (ticket.assignee === assignee) return
      await this.#note(tx, who, 'ticket-assigned', code, { isMine })
      await tx.updateTable('support_tickets').set({ assignee }).where('number', '=', ticket.number).execute()
    })
  }

  /** Moves the ticket into the queue of another role, with nobody assigned. throws  Refused NOT_FOUND, FORBIDDEN */
  async handOver(code: string, role: TicketRole, why: string, who: Decider): Promise<void> {
    await this.#change(code, who, async (tx, ticket) => {
      if (ticket.role === role) return
      const actor = { staff: who.session.staff, session: who.session.id, visitor: who.visitor }
      const entry = { action: 'ticket-handed-over', subject: code, why, before: { role: ticket.role }, after: { role } } as const
      await this.#parts.log.write<SupportTables>(tx, actor, entry)
      await tx.updateTable('support_tickets').set({ role, assignee: null }).where('number', '=', ticket.number).execute()
    })
  }

  /** Closing what is closed changes nothing. throws  Refused NOT_FOUND, FORBIDDEN */
  async close(code: string, who: Decider): Promise<void> {
    await this.#change(code, who, async (tx, ticket, now) => {
      if (ticket.state === 'closed') return
      await this.#note(tx, who, 'ticket-closed', code)
      await appendEvent(tx, ticket, 'closed-by-support', now, who.session.staff)
      await tx
        .updateTable('support_tickets')
        .set({ state: 'closed', closed_at: now, changed_at: now, waiting_since: null })
        .where('number', '=', ticket.number)
        .execute()
    })
  }

  /** A picture that a customer sent. The view is in the log first. throws  Refused NOT_FOUND, UNAUTHENTICATED */
  async picture(id: string, who: Decider): Promise<Buffer> {
    const { db, pictures } = this.#parts
    const row = await db
      .selectFrom('support_images as i')
      .innerJoin('support_messages as m', 'm.number', 'i.message')
      .innerJoin('support_tickets as t', 't.number', 'm.ticket')
      .select(['i.object', 'i.key', 't.code'])
      .where('i.id', '=', id)
      .executeTakeFirst()
    if (!row) throw new Refused('NOT_FOUND')
    await db.transaction().execute((tx) => this.#note(tx, who, 'ticket-picture-seen', row.code, { picture: id }))
    return pictures.open(row)
  }

  /** Writes the notices of answers that were shown to a customer who looked away. Returns how many. */
  async remind(): Promise<number> {
    const { db, clock } = this.#parts
    const now = clock()
    const rows = await db
      .selectFrom('support_tickets as t')
      .innerJoin('support_messages as m', 'm.ticket', 't.number')
      .select(['t.code', (row) => row.fn.max('m.number').as('last')])
      .where('m.author', '=', 'member')
      .where('m.at', '<', now - unreadMs)
      .where('m.at', '>', now - remindedMs)
      .whereRef('m.number', '>', 't.customer_seen')
      .whereRef('t.told', '<=', 't.customer_seen')
      .groupBy('t.code')
      .execute()
    for (const { code, last } of rows)
      await db.transaction().execute(async (tx) => {
        const ticket = await lockedTicket(tx, code)
        if (ticket !== undefined && Number(last) > ticket.customer_seen) await tellOnce(tx, ticket, Number(last), now)
      })
    return rows.length
  }

  /** The log is written before anything is shown, once in a while for each member and ticket. */
  async #look(code: string, who: Decider): Promise<void> {
    const { db, clock } = this.#parts
    const { rows } = await sql`
      select from staff_log where subject = ${code} and action = 'ticket-opened' and staff = ${who.session.staff}
        and at > ${clock() - lookMs} limit 1`.execute(db)
    if (rows.length === 0) await db.transaction().execute((tx) => this.#note(tx, who, 'ticket-opened', code))
  }

  async #seen({ number, code }: Pick<TicketRowOf, 'number' | 'code'>, upTo: number, account: string): Promise<void> {
    const { db } = this.#parts
    await db
      .updateTable('support_tickets')
      .set({ staff_seen: sql`greatest(staff_seen, ${upTo})` })
      .where('number', '=', number)
      .execute()
    await this.#tell(account, code)
  }

  async #change(code: string, who: Decider, work: (tx: SupportDb, ticket: TicketRowOf, now: number) => Promise<void>): Promise<void> {
    const { db, clock } = this.#parts
    const account = await db.transaction().execute(async (tx) => {
      const ticket = await lockedTicket(tx, code)
      if (!ticket) throw new Refused('NOT_FOUND')
      await requireOther(tx, ticket.account, who)
      await work(tx, ticket, clock())
      return ticket.account
    })
    await this.#tell(account, code)
  }

  async #tell(account: string, code: string): Promise<void> {
    const { db, changed } = this.#parts
    const { core_user: user } = await db.selectFrom('accounts').select('core_user').where('id', '=', account).executeTakeFirstOrThrow()
    if (user !== null) changed({ account, user: Number(user) }, code)
  }

  #note(tx: SupportDb, { session, visitor }: Decider, action: StaffAction, code: string, after?: object): Promise<void> {
    const actor = { staff: session.staff, session: session.id, visitor }
    const more = after === undefined ? {} : { after: after as Readonly<Record<string, unknown>> }
    return this.#parts.log.write<SupportTables>(tx, actor, { action, subject: code, ...more })
  }
}

/** A notice of answers of which none is told and unread yet: many answers in a row make one. */
async function tellOnce(tx: SupportDb, ticket: TicketRowOf, number: number, at: number): Promise<void> {
  if (ticket.told > ticket.customer_seen) return
  await addNotice(tx as unknown as Parameters<typeof addNotice>[0], {
    ...{ account: ticket.account, kind: 'support-answered', event: `support:${number}`, at },
    values: { ticket: ticket.code },
  })
  await tx.updateTable('support_tickets').set({ told: number }).where('number', '=', ticket.number).execute()
}

async function lockedTicket(tx: SupportDb, code: string): Promise<TicketRowOf | undefined> {
  return tx.selectFrom('support_tickets').selectAll().where('code', '=', code).forUpdate().executeTakeFirst()
}

/** Members have accounts too, and neither answer themselves nor read what others note about them. throws  Refused FORBIDDEN */
async function requireOther(tx: SupportDb, account: string, { session }: Decider): Promise<void> {
  const own = tx.selectFrom('staff_marks').select('account').where('account', '=', account).where('staff', '=', session.staff)
  if (await own.executeTakeFirst()) throw new Refused('FORBIDDEN')
}
