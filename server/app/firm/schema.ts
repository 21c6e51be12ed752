import {
  firmMemberStates,
  firmNameMax,
  firmRights,
  firmRoles,
  firmStates,
  type FirmRole,
  type WireFirm,
  type WireFirmAccount,
  type WireFirmAccountChange,
  type WireFirmBalances,
  type WireFirmLogEntry,
  type WireFirmMember,
  type WireFirmMemberChange,
  type WireFirmMove,
  type WireFirmRule,
  type WireFirms,
  type WireFirmTerms,
  type WireNewFirm,
  type WireNewFirmAccount,
  type WireNewFirmMember,
} from '@candor/core/protocol/wire/firm/firm.ts'
import { z } from 'zod'
import { asset, clientId, cursor, decimal, decimalOut, millis, queryInteger, refuse } from '../../http/schema.ts'
import { oneLine } from '../../support/text.ts'
import { accounts } from '../funds/schema.ts'

/** One that nothing can have is answered as one that doesn't exist. */
const id = z.string().refine((text) => z.uuid().safeParse(text).success, refuse('NOT_FOUND'))
const named = oneLine(firmNameMax).meta({ description: `At most ${firmNameMax} characters.`, examples: ['Trading desk'] })
const atLeastTwo = named.refine((text) => [...text].length >= 2)
const ownName = named.meta({
  description: 'The applicant’s own name in the firm; without it, their masked contact.',
  examples: ['Olivia Owner'],
})
const country = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .meta({ description: 'A country of ISO 3166-1, by its two letters.', examples: ['HK'] })
const role = z.enum(firmRoles)
const givenRole = z.enum(firmRoles.filter((one): one is Exclude<FirmRole, 'owner'> => one !== 'owner'))
const accountIds = z
  .array(z.uuid())
  .max(50)
  .readonly()
  .nullable()
  .meta({ description: 'Ids of the accounts that the member sees and uses; null for all.' })

export const byFirm = z.strictObject({ id })
export const byAccount = z.strictObject({ id, account: id })
export const byMember = z.strictObject({ id, member: id })
export const page = z.strictObject({ before: cursor.exactOptional(), limit: queryInteger(1, 200).exactOptional() })

const account = z
  .strictObject({
    ...{ id: z.string(), uid: z.string(), kind: z.enum(['main', 'sub']), label: z.string(), madeAt: millis, isArchived: z.boolean() },
  })
  .meta({ id: 'FirmAccount' }) satisfies z.ZodType<WireFirmAccount>

const member = z
  .strictObject({
    ...{ id: z.string(), uid: z.string(), label: z.string(), role, state: z.enum(firmMemberStates) },
    contact: z.string().meta({ description: 'Masked; empty until the person has joined.' }),
    accounts: z.array(z.string()).readonly().nullable(),
    invitedAt: millis,
    joinedAt: millis.exactOptional(),
  })
  .meta({ id: 'FirmMember' }) satisfies z.ZodType<WireFirmMember>

export const rule = z
  .strictObject({
    bands: z.array(z.strictObject({ upTo: decimalOut.nullable(), people: z.int() })).readonly(),
    addressPeople: z.int(),
  })
  .meta({ id: 'FirmRule' }) satisfies z.ZodType<WireFirmRule>

const terms = z.strictObject({ tier: z.int(), withdrawMax: decimalOut }).meta({ id: 'FirmTerms' }) satisfies z.ZodType<WireFirmTerms>

export const firm = z
  .strictObject({
    ...{ id: z.string(), name: z.string(), registration: z.string(), country: z.string(), state: z.enum(firmStates) },
    why: z.string().exactOptional().meta({ description: 'Why the application was refused.' }),
    appliedAt: millis,
    me: z.strictObject({ member: z.string(), role, rights: z.array(z.enum(firmRights)).readonly() }),
    ...{ accounts: z.array(account).readonly(), members: z.array(member).readonly() },
    ...{ approvers: z.int(), rule, terms, openRequests: z.int() },
  })
  .meta({ id: 'Firm' }) satisfies z.ZodType<WireFirm>

export const firms = z
  .strictObject({
    firms: z
      .array(
        z.strictObject({
          ...{ id: z.string(), name: z.string(), state: z.enum(firmStates), role, memberState: z.enum(['invited', 'active']) },
          accounts: z.array(account).readonly(),
        }),
      )
      .readonly(),
  })
  .meta({ id: 'Firms' }) satisfies z.ZodType<WireFirms>

export const newFirm = z
  .strictObject({ name: atLeastTwo, registration: atLeastTwo, country, label: ownName.exactOptional() })
  .meta({ id: 'NewFirm' }) satisfies z.ZodType<WireNewFirm>

export const newAccount = z.strictObject({ label: named }).meta({ id: 'NewFirmAccount' }) satisfies z.ZodType<WireNewFirmAccount>

export const accountChange = z
  .strictObject({ label: named.exactOptional(), isArchived: z.boolean().exactOptional() })
  .meta({ id: 'FirmAccountChange' }) satisfies z.ZodType<WireFirmAccountChange>

export const move = z
  .strictObject({ clientId, from: z.uuid(), to: z.uuid(), asset, amount: decimal })
  .meta({ id: 'FirmMove' }) satisfies z.ZodType<WireFirmMove>

const uid = z
  .string()
  .regex(/^[0-9]{9}$/)
  .meta({ description: 'UID of the customer who is invited.', examples: ['123456789'] })

export const newMember = z
  .strictObject({ uid, label: named, role: givenRole, accounts: accountIds })
  .meta({ id: 'NewFirmMember' }) satisfies z.ZodType<WireNewFirmMember>

export const memberChange = z
  .strictObject({ label: named.exactOptional(), role: givenRole.exactOptional(), accounts: accountIds.exactOptional() })
  .meta({ id: 'FirmMemberChange' }) satisfies z.ZodType<WireFirmMemberChange>

export const balances = z
  .strictObject({
    accounts: z.array(z.strictObject({ id: z.string(), totalUsdt: decimalOut, accounts })).readonly(),
    totalUsdt: decimalOut,
  })
  .meta({ id: 'FirmBalances' }) satisfies z.ZodType<WireFirmBalances>

const logEntry = z
  .strictObject({
    ...{ id: z.string(), at: millis, action: z.string() },
    who: z.string().exactOptional().meta({ description: 'The member; absent when the exchange did it.' }),
    account: z.string().exactOptional(),
    detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    ...{ ip: z.string().exactOptional(), device: z.string().exactOptional() },
  })
  .meta({ id: 'FirmLogEntry' }) satisfies z.ZodType<WireFirmLogEntry>

export const log = z.strictObject({ items: z.array(logEntry).readonly(), next: cursor.exactOptional() }).meta({ id: 'FirmLog' })
export const csv = z.string().meta({ description: 'The file, as text/csv.' })
