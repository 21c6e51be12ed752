import {
  type TicketEvent,
  ticketsOpenMax,
  type WireAbout,
  type WireNewMessage,
  type WireNewTicket,
  type WireThread,
  type WireTicket,
  type WireTicketMessage,
  type WireTickets,
} from '@candor/core/protocol/wire/support/tickets.ts'
import { sql } from 'kysely'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import { append, appendEvent, hashOf, imagesOf, refuseMore, refuseMoreReopened, requireSame } from './messages.ts'
import type { SupportDb, TicketRowOf } from './tables.ts'
import { newCode } from './text.ts'

/** The login of a customer, as routes know it. */
export type Customer = { readonly account: string; readonly user: number; readonly lang: string }

export type TicketParts = {
  readonly db: SupportDb
  readonly clock: Clock
  /** Tells the customer's open pages that a ticket changed. */
  readonly changed: (customer: Pick<Customer, 'account' | 'user'>, code: string) => void
}

const listMax = 100
const pageSize = 50
/** A closed ticket is opened again within this time. */
const reopenMs = 30 * 86_400_000

/** The customer's side of tickets: nobody reaches a ticket of somebody else, or learns whether there is one. */
export class Tickets {
  readonly #parts: TicketParts

  constructor(parts: TicketParts) {
    this.#parts = parts
  }

  /** The newest change first. */
  async list(account: string): Promise<WireTickets> {
    const rows = await this.#parts.db
      .selectFrom('support_tickets')
      .selectAll()
      .select(unreadCount.as('unread'))
      .where('account', '=', account)
      .orderBy('changed_at', 'desc')
      .orderBy('number', 'desc')
      .limit(listMax)
      .execute()
    const tickets = rows.map((row) => wireTicket(row, Number(row.unread)))
    return { tickets, unread: tickets.reduce((sum, { unread }) => sum + unread, 0) }
  }

  /** The newest messages, or those before one, oldest first. throws  Refused NOT_FOUND */
  async thread(account: string, code: string, before?: number): Promise<WireThread> {
    const { db } = this.#parts
    const row = await db
      .selectFrom('support_tickets')
      .selectAll()
      .select(unreadCount.as('unread'))
      .where('code', '=', code)
      .where('account', '=', account)
      .executeTakeFirst()
    if (!row) throw new Refused('NOT_FOUND')
    const found = await db
      .selectFrom('support_messages')
      .select(['number', 'author', 'text', 'at'])
      .where('ticket', '=', row.number)
      // Notes are for the staff alone.
      .where('author', 'in', ['customer', 'member', 'event'])
      .$if(before !== undefined, (query) => query.where('number', '<', before as number))
      .orderBy('number', 'desc')
      .limit(pageSize + 1)
      .execute()
    const messages = found.slice(0, pageSize).reverse()
    const images = await imagesOf(
      db,
      messages.map(({ number }) => number),
    )
    const wire = messages.map(({ number, author, text, at }): WireTicketMessage => {
      const isEvent = author === 'event'
      return {
        ...{ number, author: author === 'member' ? 'support' : isEvent ? 'event' : 'customer', text: isEvent ? '' : text, at },
        ...{ images: images.get(number) ?? [], ...(isEvent ? { event: text as TicketEvent } : {}) },
      }
    })
    const more = found.length > pageSize ? { before: messages[0]!.number } : {}
    return { ticket: wireTicket(row, Number(row.unread)), messages: wire, readBySupport: row.staff_seen, ...more }
  }

  /** Opens a ticket with its first message. throws  Refused TICKETS_OPEN_LIMIT, RATE_LIMITED, CLIENT_ID_REUSED, FIELD_INVALID */
  async open(customer: Customer, { clientId, ...wish }: WireNewTicket): Promise<WireThread> {
    const { account, user, lang } = customer
    const asked = hashOf(wish)
    const code = await this.#locked(account, async (tx, now) => {
      const before = await tx
        .selectFrom('support_tickets')
        .select(['code', 'asked'])
        .where('account', '=', account)
        .where('client_id', '=', clientId)
        .executeTakeFirst()
      if (before !== undefined) {
        requireSame(before.asked, asked)
        return before.code
      }
      await this.#requireRoom(tx, account)
      const { topic, subject, text, about, images = [] } = wish
      const ticket = await tx
        .insertInto('support_tickets')
        .values({
          ...{ code: newCode(), account, client_id: clientId, asked, topic, subject, lang },
          ...{ about_kind: about?.kind ?? null, about_id: about?.id ?? null, about_is_own: await isOwn(tx, customer, about) },
          ...{ opened_at: now, changed_at: now, waiting_since: now },
        })
        .returning(['number', 'account', 'code'])
        .executeTakeFirstOrThrow()
      await append(tx, { ticket, author: 'customer', clientId, text, images, at: now })
      await refuseMore(tx, account, now)
      return ticket.code
    })
    this.#parts.changed({ account, user }, code)
    return this.thread(account, code)
  }

  /** throws  Refused NOT_FOUND, TICKET_CLOSED, RATE_LIMITED, CLIENT_ID_REUSED, FIELD_INVALID */
  async write(customer: Customer, code: string, { clientId, text, images = [] }: WireNewMessage): Promise<WireThread> {
    await this.#change(customer, code, async (tx, ticket, now) => {
      const asked = { ticket, author: 'customer', clientId, text, images, at: now } as const
      // A repeat of what was written before the ticket was closed gets its answer.
      const { isNew } = await append(tx, asked)
      if (!isNew) return
      if (ticket.state === 'closed') throw new Refused('TICKET_CLOSED')
      await refuseMore(tx, ticket.account, now)
      await tx
        .updateTable('support_tickets')
        .set({ state: 'open', changed_at: now, waiting_since: sql`coalesce(waiting_since, ${now})` })
        .where('number', '=', ticket.number)
        .execute()
    })
    return this.thread(customer.account, code)
  }

  /** Notes up to which message the customer has read, and that the thread is being looked at now. throws  Refused NOT_FOUND */
  async read({ account }: Pick<Customer, 'account'>, code: string, upTo: number): Promise<void> {
    const { db, clock } = this.#parts
    const found = await db
      .updateTable('support_tickets')
      .set({
        customer_looked_at: clock(),
        // Not what doesn't exist yet: its notice would never be written.
        customer_seen: sql`greatest(customer_seen, least(${upTo}, (select max(m.number) from support_messages m where m.ticket = support_tickets.number)))`,
      })
      .where('code', '=', code)
      .where('account', '=', account)
      .returning('number')
      .executeTakeFirst()
    if (!found) throw new Refused('NOT_FOUND')
  }

  /** Closing what is closed changes nothing. throws  Refused NOT_FOUND */
  async close(customer: Customer, code: string): Promise<WireThread> {
    await this.#change(customer, code, async (tx, ticket, now) => {
      if (ticket.state === 'closed') return
      await appendEvent(tx, ticket, 'closed-by-customer', now)
      await tx
        .updateTable('support_tickets')
        .set({ state: 'closed', closed_at: now, changed_at: now, waiting_since: null })
        .where('number', '=', ticket.number)
        .execute()
    })
    return this.thread(customer.account, code)
  }

  /** throws  Refused NOT_FOUND, TICKETS_OPEN_LIMIT, RATE_LIMITED, TICKET_CLOSED when it was closed long ago */
  async reopen(customer: Customer, code: string): Promise<WireThread> {
    await this.#change(customer, code, async (tx, ticket, now) => {
      if (ticket.state !== 'closed') return
      if ((ticket.closed_at ?? 0) < now - reopenMs) throw new Refused('TICKET_CLOSED')
      await this.#requireRoom(tx, ticket.account)
      await appendEvent(tx, ticket, 'reopened', now)
      await refuseMoreReopened(tx, ticket.account, now)
      await tx
        .updateTable('support_tickets')
        .set({ state: 'open', closed_at: null, changed_at: now, waiting_since: now })
        .where('number', '=', ticket.number)
        .execute()
    })
    return this.thread(customer.account, code)
  }

  async #requireRoom(tx: SupportDb, account: string): Promise<void> {
    const { count } = await tx
      .selectFrom('support_tickets')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('account', '=', account)
      .where('state', '<>', 'closed')
      .executeTakeFirstOrThrow()
    if (Number(count) >= ticketsOpenMax) throw new Refused('TICKETS_OPEN_LIMIT')
  }

  async #change(
    { account, user }: Customer,
    code: string,
    work: (tx: SupportDb, ticket: TicketRowOf, now: number) => Promise<void>,
  ): Promise<void> {
    await this.#locked(account, async (tx, now) => {
      const own = tx.selectFrom('support_tickets').selectAll().where('code', '=', code).where('account', '=', account).forUpdate()
      const ticket = await own.executeTakeFirst()
      if (!ticket) throw new Refused('NOT_FOUND')
      await work(tx, ticket, now)
    })
    this.#parts.changed({ account, user }, code)
  }

  /** Under the lock of the account, so that parallel requests keep its limits. */
  async #locked<T>(account: string, work: (tx: SupportDb, now: number) => Promise<T>): Promise<T> {
    return this.#parts.db.transaction().execute(async (tx) => {
      await tx.selectFrom('accounts').select('id').where('id', '=', account).forUpdate().executeTakeFirstOrThrow()
      return work(tx, this.#parts.clock())
    })
  }
}

/** Answers that the customer has not read. */
const unreadCount = sql<number>`(
  select count(*) from support_messages m
  where m.ticket = support_tickets.number and m.author = 'member' and m.number > support_tickets.customer_seen)`

/** Somebody may name the withdrawal of another customer and wait for what support says about it. */
async function isOwn(tx: SupportDb, { account, user }: Customer, about: WireAbout | undefined): Promise<boolean | null> {
  if (about?.kind !== 'withdrawal' && about?.kind !== 'deposit') return null
  if (!/^[1-9][0-9]{0,14}$/.test(about.id)) return false
  const id = Number(about.id)
  const found =
    about.kind === 'deposit'
      ? tx.selectFrom('deposits').select('id').where('id', '=', id).where('account', '=', account)
      : tx.selectFrom('core_withdrawals').select('id').where('id', '=', id).where('user_id', '=', user)
  return (await found.executeTakeFirst()) !== undefined
}

function wireTicket(row: TicketRowOf, unread: number): WireTicket {
  const { code: id, topic, subject, state, about_kind: kind, about_id: about } = row
  return {
    ...{ id, topic, subject, state, openedAt: row.opened_at, changedAt: row.changed_at, unread },
    ...(kind === null || about === null ? {} : { about: { kind, id: about } }),
  }
}
