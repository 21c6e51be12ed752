import {
  aboutIdPattern,
  aboutKinds,
  supportTopics,
  ticketEvents,
  ticketImagesMax,
  ticketStates,
  ticketSubjectMax,
  ticketTextMax,
  type WireNewMessage,
  type WireNewTicket,
  type WireSupportDesk,
  type WireSupportImage,
  type WireThread,
  type WireTicket,
  type WireTicketMessage,
  type WireTicketRead,
  type WireTickets,
} from '@candor/core/protocol/wire/support/tickets.ts'
import { z } from 'zod'
import { clientId, millis, queryInteger, refuse } from '../../http/schema.ts'
import { codePattern, lines, oneLine } from '../../support/text.ts'

const code = z.string().meta({ title: 'ticket', description: 'Number of a ticket.', examples: ['7KQ2-9MXB-4TDN'] })
/** One that no ticket can have is answered as one that doesn't exist. */
export const byCode = z.strictObject({ id: z.string().refine((text) => codePattern.test(text), refuse('NOT_FOUND')) })
export const byImage = z.strictObject({ id: z.string().refine((text) => z.uuid().safeParse(text).success, refuse('NOT_FOUND')) })
export const page = z.strictObject({ before: queryInteger(1, Number.MAX_SAFE_INTEGER).exactOptional() })

const about = z.strictObject({ kind: z.enum(aboutKinds), id: z.string().regex(aboutIdPattern) })
const topic = z.enum(supportTopics)

export const image = z
  .strictObject({ id: z.uuid(), width: z.int(), height: z.int() })
  .meta({ id: 'SupportImage' }) satisfies z.ZodType<WireSupportImage>

const ticket = z
  .strictObject({
    ...{ id: code, topic, subject: z.string(), state: z.enum(ticketStates), about: about.exactOptional() },
    ...{ openedAt: millis, changedAt: millis, unread: z.int() },
  })
  .meta({ id: 'Ticket' }) satisfies z.ZodType<WireTicket>

export const tickets = z
  .strictObject({ tickets: z.array(ticket).readonly(), unread: z.int() })
  .meta({ id: 'Tickets' }) satisfies z.ZodType<WireTickets>

const message = z
  .strictObject({
    number: z.int(),
    author: z.enum(['customer', 'support', 'event']),
    text: z.string().meta({ description: 'Plain text, with line feeds. Empty for an event.' }),
    event: z.enum(ticketEvents).exactOptional(),
    at: millis,
    images: z.array(image).readonly(),
  })
  .meta({ id: 'TicketMessage' }) satisfies z.ZodType<WireTicketMessage>

export const thread = z
  .strictObject({
    ticket,
    messages: z.array(message).readonly().meta({ description: 'The oldest first.' }),
    readBySupport: z.int(),
    before: z.int().exactOptional().meta({ description: 'Of the page with earlier messages.' }),
  })
  .meta({ id: 'TicketThread' }) satisfies z.ZodType<WireThread>

const text = lines(ticketTextMax).meta({ description: `At most ${ticketTextMax} characters; signs that turn its direction are removed.` })
const images = z
  .array(z.uuid())
  .max(ticketImagesMax)
  .refine((ids) => new Set(ids).size === ids.length)
  .readonly()

export const newMessage = z
  .strictObject({ clientId, text, images: images.exactOptional() })
  .meta({ id: 'NewTicketMessage' }) satisfies z.ZodType<WireNewMessage>

export const newTicket = z
  .strictObject({
    ...{ clientId, topic, subject: oneLine(ticketSubjectMax), text, about: about.exactOptional(), images: images.exactOptional() },
  })
  .meta({ id: 'NewTicket' }) satisfies z.ZodType<WireNewTicket>

export const read = z.strictObject({ upTo: z.int().nonnegative() }).meta({ id: 'TicketRead' }) satisfies z.ZodType<WireTicketRead>

export const desk = z
  .strictObject({
    isAtWork: z.boolean().meta({ description: 'Whether a member of the staff has the page of tickets open now.' }),
    usualMinutes: z
      .int()
      .nullable()
      .meta({ description: 'Within which four of five first answers came in the last 30 days. Null: too few to tell.' }),
  })
  .meta({ id: 'SupportDesk' }) satisfies z.ZodType<WireSupportDesk>

export const jpeg = z.string().meta({ description: 'The picture, as image/jpeg.' })
