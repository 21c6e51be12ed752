import { firmMemberStates, firmRoles, firmStates } from '@candor/core/protocol/wire/firm/firm.ts'
import type { ConsoleFirm, ConsoleFirms } from '@candor/core/protocol/wire/console/firms.ts'
import { z } from 'zod'
import { decimalOut, millis } from '../../http/schema.ts'

const row = z.strictObject({
  ...{ number: z.int(), name: z.string(), registration: z.string(), country: z.string(), state: z.enum(firmStates) },
  ...{ applicant: z.string(), appliedAt: millis, decidedAt: millis.nullable(), isOwn: z.boolean() },
})

export const firms = z.strictObject({ firms: z.array(row).readonly() }) satisfies z.ZodType<ConsoleFirms>

export const firm = z.strictObject({
  ...row.shape,
  ...{ why: z.string().nullable(), decidedBy: z.string().nullable(), subject: z.string().exactOptional() },
  terms: z.strictObject({ tier: z.int(), withdrawMax: decimalOut }),
  rule: z.strictObject({
    bands: z.array(z.strictObject({ upTo: decimalOut.nullable(), people: z.int() })).readonly(),
    addressPeople: z.int(),
  }),
  accounts: z
    .array(
      z.strictObject({
        ...{ uid: z.string(), kind: z.enum(['main', 'sub']), label: z.string() },
        ...{ isOpen: z.boolean(), isArchived: z.boolean(), isFrozen: z.boolean() },
      }),
    )
    .readonly(),
  members: z
    .array(z.strictObject({ uid: z.string(), label: z.string(), role: z.enum(firmRoles), state: z.enum(firmMemberStates) }))
    .readonly(),
  log: z
    .array(
      z.strictObject({
        ...{ id: z.string(), at: millis, action: z.string(), who: z.string().exactOptional(), account: z.string().exactOptional() },
      }),
    )
    .readonly(),
}) satisfies z.ZodType<ConsoleFirm>
