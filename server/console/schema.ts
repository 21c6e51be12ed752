import { paperKinds, type PaperField, paperReasons, type PaperReason, photoSides } from '@candor/core/protocol/wire/papers.ts'
import { z } from 'zod'
import { millis, queryInteger } from '../http/schema.ts'
import { roles } from '../staff/permissions.ts'
import { nameMax, plainText, reasonMax } from '../staff/text.ts'

export const role = z.enum(roles)
const id = z.uuid()
/** An address as somebody typed it; its form is checked where it is stored. */
const email = z.string().max(254)
const plain = (max: number) =>
  z
    .string()
    .max(max)
    .regex(plainText)
    .transform((text) => text.trim())
export const name = plain(nameMax)
export const reason = plain(reasonMax)
/** Data of WebAuthn in JSON. The library verifies every field that it reads. */
const webAuthn = z.record(z.string().max(64), z.unknown())
const token = z.string().regex(/^[A-Za-z0-9_-]{22}$/)
const sixDigits = z.string().regex(/^[0-9]{6}$/)

export const options = z.strictObject({ options: webAuthn })
export const passkey = z.strictObject({ response: webAuthn })
export const login = z.strictObject({ email, password: z.string().max(4_096), code: sixDigits })
export const enrolmentToken = z.strictObject({ token })
export const enrolmentBegun = z.strictObject({ email: z.string(), name: z.string(), role, options: webAuthn })
export const enrolment = z.strictObject({ token, password: z.string().max(4_096), label: plain(40), response: webAuthn })
export const password = z.strictObject({ password: z.string().max(4_096) })
export const ownPasskey = z.strictObject({ label: plain(40), response: webAuthn })
export const authenticator = z.strictObject({ secret: z.string(), uri: z.string() })
export const authenticatorCode = z.strictObject({ code: sixDigits })

export const me = z.strictObject({
  id,
  email: z.string(),
  name: z.string(),
  role,
  loggedInAt: millis,
  mayDo: z.array(z.string()).readonly(),
})
export const factors = z.strictObject({
  authenticatorSince: millis.nullable(),
  passkeys: z
    .array(
      z.strictObject({
        ...{ id, label: z.string(), createdAt: millis, lastUsedAt: millis.nullable() },
        key: z.strictObject({ id: z.string(), publicKey: z.string() }).nullable(),
      }),
    )
    .readonly(),
})
const session = z.strictObject({
  ...{ id, device: z.string(), ip: z.string(), createdAt: millis, lastSeenAt: millis, isCurrent: z.boolean() },
})
export const sessions = z.strictObject({ sessions: z.array(session).readonly() })
export const byId = z.strictObject({ id })

const member = z.strictObject({
  ...{ id, email: z.string(), name: z.string(), role, state: z.enum(['invited', 'active', 'deactivated']) },
  ...{ createdAt: millis, lastSeenAt: millis.nullable() },
})
export const members = z.strictObject({ members: z.array(member).readonly() })
export const wish = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('invitation'), email, name, role, reason }),
  z.strictObject({ kind: z.literal('role'), staff: id, role, reason }),
  z.strictObject({ kind: z.literal('address'), staff: id, email, reason }),
  z.strictObject({ kind: z.literal('enrolment'), staff: id, reason }),
  z.strictObject({ kind: z.literal('deactivation'), staff: id, reason }),
])
export const proposed = z.strictObject({ id: z.int() })
const proposal = z.strictObject({
  ...{ id: z.int(), kind: z.enum(['invitation', 'enrolment', 'role', 'address', 'deactivation']), subject: id, email: z.string() },
  ...{ name: z.string(), role, reason: z.string(), proposedBy: z.string().nullable(), proposedAt: millis, expiresAt: millis },
})
export const proposals = z.strictObject({ proposals: z.array(proposal).readonly() })
export const byNumber = z.strictObject({ id: queryInteger(1, Number.MAX_SAFE_INTEGER) })
export const approved = z.strictObject({ state: z.enum(['approved', 'waits']) })
export const why = z.strictObject({ reason })

const fault = z.strictObject({
  field: z.enum(Object.keys(paperReasons) as [PaperField, ...PaperField[]]),
  reason: z.enum([...new Set(Object.values(paperReasons).flat())] as [PaperReason, ...PaperReason[]]),
})
export const faults = z.strictObject({ faults: z.array(fault).min(1).max(7) })
export const photo = z.strictObject({ id, side: z.enum(photoSides) })
export const queuePage = z.strictObject({
  after: z
    .string()
    .regex(/^[0-9]{1,15}:[0-9a-f-]{36}$/)
    .exactOptional(),
})
/** `kind` and `country` are null when the server key does not open what was sent. */
const waiting = z.strictObject({
  ...{
    id,
    uid: z.string(),
    kind: z.enum(paperKinds).nullable(),
    country: z.string().nullable(),
    sentAt: millis,
    claimedBy: z.string().nullable(),
  },
  earlier: z.int(),
})
export const queue = z.strictObject({
  ...{ waiting: z.array(waiting).readonly(), next: z.string().exactOptional(), count: z.int(), oldestAt: millis.nullable() },
})
const state = z.enum(['waiting', 'rejected', 'certified', 'revoked'])
export const review = z.strictObject({
  ...{ id, uid: z.string(), state, sentAt: millis, claimedBy: z.string().nullable(), lang: z.string(), registeredAt: millis },
  fields: z.strictObject({
    ...{ kind: z.string().exactOptional(), country: z.string().exactOptional(), name: z.string().exactOptional() },
    ...{ born: z.string().exactOptional(), number: z.string().exactOptional() },
  }),
  photos: z.array(z.strictObject({ side: z.enum(photoSides), width: z.int(), height: z.int(), at: millis })).readonly(),
  before: z.array(z.strictObject({ id, state: z.string(), decidedAt: millis.nullable(), faults: z.array(fault).readonly() })).readonly(),
  sameDocument: z.array(z.strictObject({ uid: z.string(), state: z.string() })).readonly(),
})
/** A photo; typed as text, because an answer's schema is for JSON. */
export const jpeg = z.custom<Buffer>()

const revocation = z.strictObject({
  ...{ id: z.int(), papers: id, uid: z.string(), reason: z.string(), proposedBy: z.string(), proposedAt: millis, expiresAt: millis },
})
export const revocations = z.strictObject({ revocations: z.array(revocation).readonly() })

const lift = z.strictObject({ id: z.int(), reason: z.string(), proposedBy: z.string(), proposedAt: millis, expiresAt: millis })
const freeze = z.strictObject({
  ...{ id: z.int(), uid: z.string(), frozenAt: millis, by: z.enum(['owner', 'link', 'staff']), officer: z.string().nullable() },
  ...{ reason: z.string().nullable(), lift: lift.nullable() },
})
export const freezes = z.strictObject({ freezes: z.array(freeze).readonly() })
export const freezePage = z.strictObject({ before: queryInteger(1, Number.MAX_SAFE_INTEGER).exactOptional() })
export const newFreeze = z.strictObject({ uid: z.string().regex(/^[1-9][0-9]{8}$/), reason })

const filter = {
  staff: id.exactOptional(),
  action: z
    .string()
    .regex(/^[a-z-]{1,40}$/)
    .exactOptional(),
}
export const logPage = z.strictObject({ ...filter, before: queryInteger(1, Number.MAX_SAFE_INTEGER).exactOptional() })
export const logFile = z.strictObject(filter)
const entry = z.strictObject({
  ...{ id: z.int(), at: millis, staff: id.nullable(), email: z.string().nullable(), session: id.nullable(), ip: z.string() },
  ...{ device: z.string(), action: z.string(), subject: z.string().nullable(), why: z.string().nullable() },
  ...{ before: z.record(z.string(), z.unknown()).nullable(), after: z.record(z.string(), z.unknown()).nullable() },
})
export const log = z.strictObject({ entries: z.array(entry).readonly(), next: z.int().exactOptional() })
export const csv = z.custom<string>()
