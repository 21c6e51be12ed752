import type {
  WireReferral,
  WireReferralEarnings,
  WireReferralLanding,
  WireReferralTerms,
} from '@candor/core/protocol/wire/referral/referral.ts'
import { z } from 'zod'
import { asset, decimalOut, millis, queryInteger } from '../../http/schema.ts'

export const referralTerms = z
  .strictObject({
    isOpen: z.boolean(),
    tiers: z.array(z.strictObject({ volumeMin: decimalOut, sharePercent: decimalOut })).readonly(),
    ...{ secondPercent: decimalOut, days: z.int(), inviteeDayMax: decimalOut, inviterDayMax: decimalOut },
  })
  .meta({ id: 'ReferralTerms' }) satisfies z.ZodType<WireReferralTerms>

export const landing = z
  .strictObject({ isValid: z.boolean(), inviter: z.string().nullable() })
  .meta({ id: 'ReferralLanding' }) satisfies z.ZodType<WireReferralLanding>

export const referral = z
  .strictObject({
    ...{ code: z.string(), mayTakePart: z.boolean(), invitedBy: z.string().nullable(), volume: decimalOut, tier: z.int() },
    today: z.strictObject({ limit: decimalOut, used: decimalOut }),
    ...{ invited: z.int(), verified: z.int(), trading: z.int() },
  })
  .meta({ id: 'Referral' }) satisfies z.ZodType<WireReferral>

export const earningDays = z.strictObject({ days: queryInteger(1, 90).exactOptional() })

export const earnings = z
  .strictObject({
    days: z.array(z.strictObject({ day: millis, first: decimalOut, second: decimalOut })).readonly(),
    assets: z.array(z.strictObject({ asset, amount: decimalOut, value: decimalOut })).readonly(),
    total: decimalOut,
  })
  .meta({ id: 'ReferralEarnings' }) satisfies z.ZodType<WireReferralEarnings>
