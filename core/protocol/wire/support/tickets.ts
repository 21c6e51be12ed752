/** Questions of customers to the people who run the exchange: tickets, each with a thread of messages, which is also the chat. */
export const supportTopics = ['deposit', 'withdrawal', 'trading', 'account', 'identity', 'security', 'other'] as const
export type SupportTopic = (typeof supportTopics)[number]

/** `open`: the staff's turn. `waiting`: the customer's. */
export const ticketStates = ['open', 'waiting', 'closed'] as const
export type TicketState = (typeof ticketStates)[number]

/** What a ticket may be about. `code`: the support code of an error. */
export const aboutKinds = ['withdrawal', 'deposit', 'record', 'order', 'conversion', 'code'] as const
export type AboutKind = (typeof aboutKinds)[number]
export type WireAbout = { readonly kind: AboutKind; readonly id: string }
/** An id as the exchange shows it. */
export const aboutIdPattern = /^[A-Za-z0-9._:-]{1,64}$/

export const ticketSubjectMax = 120
export const ticketTextMax = 4_000
export const ticketImagesMax = 4
/** Tickets of one customer that are not closed. */
export const ticketsOpenMax = 5

/** What became of a ticket, in its thread. */
export const ticketEvents = ['closed-by-customer', 'closed-by-support', 'reopened'] as const
export type TicketEvent = (typeof ticketEvents)[number]

export type WireSupportImage = { readonly id: string; readonly width: number; readonly height: number }

/** `text` of an event is empty. No message names the member who wrote it. */
export type WireTicketMessage = {
  readonly number: number
  readonly author: 'customer' | 'support' | 'event'
  readonly text: string
  readonly event?: TicketEvent
  readonly at: number
  readonly images: readonly WireSupportImage[]
}

/** `id`: drawn at random, and the number that people say to each other. `unread`: answers that the customer has not read. */
export type WireTicket = {
  readonly id: string
  readonly topic: SupportTopic
  readonly subject: string
  readonly state: TicketState
  readonly about?: WireAbout
  readonly openedAt: number
  readonly changedAt: number
  readonly unread: number
}

/** Newest change first. `unread`: unread answers of all tickets. */
export type WireTickets = { readonly tickets: readonly WireTicket[]; readonly unread: number }

/** `readBySupport`: the number of the last message that the staff has seen. `before`: of the page with earlier messages. */
export type WireThread = {
  readonly ticket: WireTicket
  readonly messages: readonly WireTicketMessage[]
  readonly readBySupport: number
  readonly before?: number
}

/** `images`: ids of uploaded ones. */
export type WireNewTicket = {
  readonly clientId: string
  readonly topic: SupportTopic
  readonly subject: string
  readonly text: string
  readonly about?: WireAbout
  readonly images?: readonly string[]
}
export type WireNewMessage = { readonly clientId: string; readonly text: string; readonly images?: readonly string[] }
export type WireTicketRead = { readonly upTo: number }

/**
 * `isAtWork`: whether a member of the staff has the page of tickets open now. `usualMinutes`: within which four of five first answers
 * came, lately. Null: there were too few to tell.
 */
export type WireSupportDesk = { readonly isAtWork: boolean; readonly usualMinutes: number | null }
