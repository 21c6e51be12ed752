import { langs, type Lang } from '@candor/core/protocol/locales.ts'
import { ticketRoles } from '@candor/core/protocol/wire/console/support.ts'
import {
  aboutKinds,
  supportTopics,
  ticketEvents,
  ticketStates,
  ticketSubjectMax,
  ticketTextMax,
} from '@candor/core/protocol/wire/support/tickets.ts'
import { z } from 'zod'
import { clientId, millis, queryInteger, refuse } from '../../http/schema.ts'
import { codePattern, lines, oneLine } from '../../support/text.ts'
import { reason } from '../schema.ts'

const text = z.string()
const topic = z.enum(supportTopics)
const state = z.enum(ticketStates)
const role = z.enum(ticketRoles)
const lang = z.enum(langs as readonly [Lang, ...Lang[]])

export const byCode = z.strictObject({ code: z.string().refine((typed) => codePattern.test(typed), refuse('NOT_FOUND')) })
export const byImage = z.strictObject({ id: z.uuid() })
const placeForm = /^[0-9]{1,15}:[2-9A-Z-]{14}$/
export const page = z.strictObject({
  ...{ state: state.exactOptional(), topic: topic.exactOptional(), lang: lang.exactOptional(), role: role.exactOptional() },
  hours: queryInteger(1, 720).exactOptional(),
  /** Those assigned to the member who asks. */
  mine: z.literal('1').exactOptional(),
  after: z.string().regex(placeForm).exactOptional(),
})

const row = {
  ...{ id: text, uid: text, topic, subject: text, state, lang: text, role, assignee: text.nullable() },
  ...{ openedAt: millis, changedAt: millis, waitingSince: millis.nullable(), unread: z.int() },
}
export const queue = z.strictObject({ tickets: z.array(z.strictObject(row)).readonly(), next: text.exactOptional() })
export const counts = z.strictObject({
  ...{ waiting: z.int(), unread: z.int(), oldestAt: millis.nullable(), atWork: z.array(text).readonly() },
})

const image = z.strictObject({ id: z.uuid(), width: z.int(), height: z.int() })
export const thread = z.strictObject({
  ticket: z.strictObject({
    ...row,
    about: z.strictObject({ kind: z.enum(aboutKinds), id: text, isOwn: z.boolean().nullable() }).nullable(),
    ...{ firstAnswerAt: millis.nullable(), closedAt: millis.nullable() },
    certification: z.enum(['none', 'in-progress', 'certified']),
    ...{ registeredAt: millis, isLooking: z.boolean() },
  }),
  messages: z
    .array(
      z.strictObject({
        ...{ number: z.int(), author: z.enum(['customer', 'member', 'event', 'note']), by: text.nullable(), text },
        ...{ event: z.enum(ticketEvents).nullable(), at: millis, images: z.array(image).readonly() },
      }),
    )
    .readonly(),
  readByCustomer: z.int(),
})

export const written = z.strictObject({ clientId, text: lines(ticketTextMax) })
export const assignment = z.strictObject({ isMine: z.boolean() })
export const handOver = z.strictObject({ role, reason })

export const answer = z.strictObject({ lang, title: oneLine(ticketSubjectMax), text: lines(ticketTextMax) })
export const answers = z.strictObject({
  answers: z.array(z.strictObject({ id: z.int(), lang: text, title: text, text, changedBy: text, changedAt: millis })).readonly(),
})
