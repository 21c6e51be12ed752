import { addressOwners } from '@candor/core/protocol/wire/addresses.ts'
import {
  firmBandsMax,
  firmMembersMax,
  firmNameMax,
  firmRoles,
  type FirmRole,
  type WireFirmRule,
} from '@candor/core/protocol/wire/firm/firm.ts'
import {
  firmRequestKinds,
  firmRequestStates,
  type WireFirmAddress,
  type WireFirmMemberWish,
  type WireFirmWithdrawal,
} from '@candor/core/protocol/wire/firm/requests.ts'
import { z } from 'zod'
import { asset, clientId, cursor, decimal, decimalOut, millis, queryInteger, refuse } from '../../http/schema.ts'
import { oneLine } from '../../support/text.ts'
import { networkName } from '../chains/schema.ts'
import { labelOf } from '../user/schema.ts'

/** One that nothing can have is answered as one that doesn't exist. */
const id = z.string().refine((text) => z.uuid().safeParse(text).success, refuse('NOT_FOUND'))
export const byFirm = z.strictObject({ id })
export const byRequest = z.strictObject({ id, request: id })
export const page = z.strictObject({
  state: z.enum(firmRequestStates).exactOptional(),
  ...{ before: cursor.exactOptional(), limit: queryInteger(1, 100).exactOptional() },
})

const people = z.int().min(1).max(firmMembersMax)
export const rule = z
  .strictObject({
    bands: z
      .array(z.strictObject({ upTo: decimal.nullable(), people }))
      .min(1)
      .max(firmBandsMax)
      .readonly()
      .meta({ description: 'By rising value in USDT; the last one is for any value. Larger values never need fewer people.' }),
    addressPeople: people,
  })
  .meta({ id: 'FirmRuleWish' }) satisfies z.ZodType<WireFirmRule>

export const ruleNow = z
  .strictObject({ bands: z.array(z.strictObject({ upTo: decimalOut.nullable(), people: z.int() })).readonly(), addressPeople: z.int() })
  .meta({ id: 'FirmRuleNow' }) satisfies z.ZodType<WireFirmRule>

const withdrawal = z
  .strictObject({
    ...{ network: networkName, asset },
    address: z.uuid().meta({ description: 'The id of an address on the list of the main account.' }),
    ...{ amount: decimal, fee: decimal },
  })
  .meta({ id: 'FirmWithdrawal' }) satisfies z.ZodType<WireFirmWithdrawal>

const address = z
  .strictObject({
    network: networkName,
    address: z
      .string()
      .max(128)
      .meta({ examples: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'] }),
    ...{ label: labelOf('address', 'our wallet'), owner: z.enum(addressOwners) },
    exchange: labelOf('other exchange', 'Example Exchange').exactOptional(),
    beneficiary: z
      .string()
      .regex(/^[^\p{Cc}\p{Cf}]{2,100}$/u)
      .refine((text) => text.trim().length >= 2)
      .exactOptional()
      .meta({ description: 'Full name of the person or firm whose account it is there.', examples: ['Example Ltd'] }),
    middle: z.string().max(32).exactOptional(),
  })
  .meta({ id: 'FirmAddress' }) satisfies z.ZodType<WireFirmAddress>

const member = z
  .strictObject({
    member: z.uuid().exactOptional(),
    uid: z
      .string()
      .regex(/^[0-9]{9}$/)
      .exactOptional(),
    label: oneLine(firmNameMax).exactOptional(),
    role: z.enum(firmRoles.filter((one): one is Exclude<FirmRole, 'owner'> => one !== 'owner')).nullable(),
    accounts: z.array(z.uuid()).max(50).readonly().nullable().exactOptional(),
  })
  .meta({
    id: 'FirmMemberWish',
    description: 'Either `member`, or `uid` and `label` of somebody new. `role` null ends the member.',
  }) satisfies z.ZodType<WireFirmMemberWish>

const wish = {
  kind: z.enum(firmRequestKinds),
  withdrawal: withdrawal.exactOptional(),
  address: address.exactOptional(),
  rule: rule.exactOptional(),
  member: member.exactOptional(),
} as const

export const newRequest = z
  .strictObject({ clientId, ...wish })
  .meta({ id: 'NewFirmRequest', description: 'With the one field that `kind` names.' })

const verdict = z.strictObject({ member: z.string(), label: z.string(), isApproved: z.boolean(), at: millis })

export const request = z
  .strictObject({
    ...{ id: z.string(), ...wish },
    shown: z.record(z.string(), z.string()).meta({ description: 'What it is about, in words that do not change with the lists.' }),
    state: z.enum(firmRequestStates),
    reason: z.string().exactOptional().meta({ description: 'The refusal by which it failed.' }),
    ...{ askedBy: z.string(), askedAt: millis, expiresAt: millis },
    people: z.int().meta({ description: 'How many have to approve.' }),
    verdicts: z.array(verdict).readonly(),
    ...{ canApprove: z.boolean(), canRefuse: z.boolean(), canCancel: z.boolean() },
    withdrawalId: z.string().exactOptional().meta({ description: 'Of the withdrawal, once the core has taken it.' }),
  })
  .meta({ id: 'FirmRequest' })

export const requests = z.strictObject({ items: z.array(request).readonly(), next: cursor.exactOptional() }).meta({ id: 'FirmRequests' })
