/** Tickets of customers as the staff see them. */
import type { AboutKind, SupportTopic, TicketEvent, TicketState, WireSupportImage } from '../support/tickets.ts'

/** Roles to which a ticket can be handed over. */
export const ticketRoles = ['support', 'compliance', 'administrator'] as const
export type TicketRole = (typeof ticketRoles)[number]

/** `isOwn` null: nobody can tell whether the record is this customer's. */
export type TicketAbout = { readonly kind: AboutKind; readonly id: string; readonly isOwn: boolean | null }

/** `waitingSince`: of the first message that nobody has answered. `unread`: messages of the customer that no member has seen. */
export type TicketRow = {
  readonly id: string
  readonly uid: string
  readonly topic: SupportTopic
  readonly subject: string
  readonly state: TicketState
  readonly lang: string
  readonly role: TicketRole
  readonly assignee: string | null
  readonly openedAt: number
  readonly changedAt: number
  readonly waitingSince: number | null
  readonly unread: number
}

export type TicketMessage = {
  readonly number: number
  readonly author: 'customer' | 'member' | 'event' | 'note'
  readonly by: string | null
  readonly text: string
  readonly event: TicketEvent | null
  readonly at: number
  readonly images: readonly WireSupportImage[]
}

/** `readByCustomer`: the number of the last message that the customer has seen. */
export type TicketThread = {
  readonly ticket: TicketRow & {
    readonly about: TicketAbout | null
    readonly firstAnswerAt: number | null
    readonly closedAt: number | null
    readonly certification: 'none' | 'in-progress' | 'certified'
    readonly registeredAt: number
    readonly isLooking: boolean
  }
  readonly messages: readonly TicketMessage[]
  readonly readByCustomer: number
}

export type TicketQueue = { readonly tickets: readonly TicketRow[]; readonly next?: string }
/** `unread`: tickets with messages that no member has seen. */
export type TicketCounts = {
  readonly waiting: number
  readonly unread: number
  readonly oldestAt: number | null
  readonly atWork: readonly string[]
}

/** A text that members insert and edit before they send it. */
export type CannedAnswer = {
  readonly id: number
  readonly lang: string
  readonly title: string
  readonly text: string
  readonly changedBy: string
  readonly changedAt: number
}
