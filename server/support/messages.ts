import { createHash } from 'node:crypto'
import type { TicketEvent, WireSupportImage } from '@candor/core/protocol/wire/support/tickets.ts'
import { sql } from 'kysely'
import { Refused } from '../refused.ts'
import type { MessageTable, SupportDb, TicketRowOf } from './tables.ts'

/** Messages that one customer writes in an hour, in all tickets. */
const perHour = 40
/** Closed tickets that one customer opens again in an hour. */
const reopenedPerHour = 10
const hourMs = 3_600_000

export type NewMessage = {
  readonly ticket: Pick<TicketRowOf, 'number' | 'account'>
  readonly author: MessageTable['author']
  readonly staff?: string
  readonly clientId: string
  readonly text: string
  readonly images?: readonly string[]
  readonly at: number
}

/** The hash of a request, by which a repeat is told from another request with the same id. */
export function hashOf(request: object): Buffer {
  return createHash('sha256').update(JSON.stringify(request)).digest()
}

/** throws  Refused CLIENT_ID_REUSED when this was another request */
export function requireSame(asked: Buffer, again: Buffer): void {
  if (!asked.equals(again)) throw new Refused('CLIENT_ID_REUSED', { field: 'clientId' })
}

/**
 * Appends a message, under the lock of its ticket. Returns its number, and whether it is new: a repeat gets the first one's.
 *
 * throws  Refused CLIENT_ID_REUSED, and FIELD_INVALID when an image is none of the customer's, or was sent before
 */
export async function append(tx: SupportDb, message: NewMessage): Promise<{ readonly number: number; readonly isNew: boolean }> {
  const { ticket, author, staff = null, clientId, text, images = [], at } = message
  const asked = hashOf({ text, images, staff })
  const before = await find(tx, ticket.number, author, clientId)
  if (before !== undefined) {
    requireSame(before.asked, asked)
    return { number: before.number, isNew: false }
  }
  const { number } = await tx
    .insertInto('support_messages')
    .values({ ticket: ticket.number, account: ticket.account, author, staff, client_id: clientId, asked, text, at })
    .returning('number')
    .executeTakeFirstOrThrow()
  if (images.length > 0) {
    const taken = await tx
      .updateTable('support_images')
      .set({ message: number })
      .where('id', 'in', images)
      .where('account', '=', ticket.account)
      .where('message', 'is', null)
      .returning('id')
      .execute()
    if (taken.length !== new Set(images).size) throw new Refused('FIELD_INVALID', { field: 'images' })
  }
  return { number, isNew: true }
}

async function find(tx: SupportDb, ticket: number, author: MessageTable['author'], clientId: string) {
  return tx
    .selectFrom('support_messages')
    .select(['number', 'asked'])
    .where('ticket', '=', ticket)
    .where('author', '=', author)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
}

/** Notes in the thread what became of the ticket. Returns its number. */
export async function appendEvent(
  tx: SupportDb,
  ticket: NewMessage['ticket'],
  event: TicketEvent,
  at: number,
  staff?: string,
): Promise<number> {
  const { number } = await tx
    .insertInto('support_messages')
    .values({
      ...{ ticket: ticket.number, account: ticket.account, author: 'event', staff: staff ?? null },
      ...{ client_id: crypto.randomUUID(), asked: Buffer.alloc(0), text: event, at },
    })
    .returning('number')
    .executeTakeFirstOrThrow()
  return number
}

/** After a message was appended. throws  Refused RATE_LIMITED when it is one too many within an hour */
export async function refuseMore(tx: SupportDb, account: string, now: number): Promise<void> {
  const own = tx.selectFrom('support_messages').where('account', '=', account).where('author', '=', 'customer')
  refuseAbove(
    perHour,
    await own
      .where('at', '>', now - hourMs)
      .select(counted)
      .executeTakeFirstOrThrow(),
    now,
  )
}

/** After a ticket was opened again. throws  Refused RATE_LIMITED when it is one too many within an hour */
export async function refuseMoreReopened(tx: SupportDb, account: string, now: number): Promise<void> {
  const own = tx.selectFrom('support_messages').where('account', '=', account).where('author', '=', 'event').where('text', '=', 'reopened')
  refuseAbove(
    reopenedPerHour,
    await own
      .where('at', '>', now - hourMs)
      .select(counted)
      .executeTakeFirstOrThrow(),
    now,
  )
}

type Counted = { readonly count: number; readonly first: number | null }
const counted = [sql<number>`count(*)`.as('count'), sql<number | null>`min(at)`.as('first')] as const

function refuseAbove(most: number, { count, first }: Counted, now: number): void {
  if (Number(count) <= most) return
  throw new Refused('RATE_LIMITED', { retryAfter: Math.ceil((Number(first ?? now) + hourMs - now) / 1_000) })
}

/** The images of messages, by message. */
export async function imagesOf(db: SupportDb, messages: readonly number[]): Promise<ReadonlyMap<number, readonly WireSupportImage[]>> {
  const found = new Map<number, WireSupportImage[]>()
  if (messages.length === 0) return found
  const rows = await db
    .selectFrom('support_images')
    .select(['id', 'message', 'width', 'height'])
    .where('message', 'in', messages)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  for (const { id, message, width, height } of rows) {
    const list = found.get(message as number) ?? []
    list.push({ id, width, height })
    found.set(message as number, list)
  }
  return found
}
