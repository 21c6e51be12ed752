import type { TicketRole } from '@candor/core/protocol/wire/console/support.ts'
import type { AboutKind, SupportTopic, TicketState } from '@candor/core/protocol/wire/support/tickets.ts'
import type { Generated, GeneratedAlways, Kysely, Selectable } from 'kysely'
import type { PapersTables } from '../papers/tables.ts'
import type { Role } from '../staff/permissions.ts'
import type { Store } from '../store/open.ts'

/** Migrations 160 to 162, and what else this room reads, as Kysely sees it. */
export type SupportTables = {
  support_tickets: TicketTable
  support_messages: MessageTable
  support_images: SupportImageTable
  support_answers: {
    id: GeneratedAlways<number>
    lang: string
    title: string
    text: string
    changed_by: string
    changed_at: number
    removed_at: Generated<number | null>
  }
  support_presence: { staff: string; seen_at: number }
  paper_objects_gone: PapersTables['paper_objects_gone']
  accounts: PapersTables['accounts']
  staff: { id: string; email: string; role: Role; state: string }
  staff_marks: { account: string; staff: string }
  deposits: { id: number; account: string }
  core_withdrawals: { id: number; user_id: number }
}

export type TicketTable = {
  number: GeneratedAlways<number>
  code: string
  account: string
  client_id: string
  /** Hash of the request, so that a repeat with another body is told apart. */
  asked: Buffer
  topic: SupportTopic
  subject: string
  lang: string
  about_kind: AboutKind | null
  about_id: string | null
  about_is_own: boolean | null
  state: Generated<TicketState>
  role: Generated<TicketRole>
  assignee: Generated<string | null>
  opened_at: number
  changed_at: number
  waiting_since: number | null
  first_answer_at: Generated<number | null>
  closed_at: Generated<number | null>
  customer_seen: Generated<number>
  customer_looked_at: Generated<number>
  staff_seen: Generated<number>
  told: Generated<number>
}
export type TicketRowOf = Selectable<TicketTable>

export type MessageTable = {
  number: GeneratedAlways<number>
  ticket: number
  account: string
  author: 'customer' | 'member' | 'event' | 'note'
  staff: string | null
  client_id: string
  asked: Buffer
  /** Of an event: its name. */
  text: string
  at: number
}

export type SupportImageTable = {
  id: string
  account: string
  /** Null: uploaded, and not sent yet. */
  message: number | null
  object: string
  key: Buffer
  bytes: number
  width: number
  height: number
  created_at: number
}

export type SupportDb = Kysely<SupportTables>

export function supportDb(store: Pick<Store, 'db'>): SupportDb {
  return store.db.withTables<SupportTables>() as unknown as SupportDb
}
