import type {
  WireAddress,
  WireAddressRequest,
  WireAllowList,
  WireAllowListSwitch,
  WireFreezeLink,
  WirePaymentPassword,
  WireSafety,
} from '@candor/core/protocol/wire/safety.ts'
import { z } from 'zod'
import { millis, refuse } from '../../http/schema.ts'
import { channel, code, to } from './schema.ts'

export const allowListState = z.strictObject({ isOn: z.boolean(), endsAt: millis.nullable() })
export const allowList = allowListState.meta({ id: 'AllowList' }) satisfies z.ZodType<WireAllowList>
export const allowListSwitch = z
  .strictObject({ isOn: z.boolean() })
  .meta({ id: 'AllowListSwitch' }) satisfies z.ZodType<WireAllowListSwitch>

export const safety = z
  .strictObject({
    email: z.string().nullable(),
    phone: z.string().nullable(),
    hasPaymentPassword: z.boolean(),
    paymentLockedUntil: millis.nullable(),
    withdrawalsClosedUntil: millis.nullable(),
    allowList: allowListState,
    regain: z.strictObject({ createdAt: millis, dueAt: millis.nullable() }).nullable(),
  })
  .meta({ id: 'Safety' }) satisfies z.ZodType<WireSafety>

export const addressRequest = z.strictObject({ channel, to }).meta({ id: 'AddressRequest' }) satisfies z.ZodType<WireAddressRequest>
export const address = z.strictObject({ channel, to, code }).meta({ id: 'Address' }) satisfies z.ZodType<WireAddress>
export const byChannel = z.strictObject({ channel })

const sixDigits = z
  .string()
  .regex(/^[0-9]{6}$/)
  .meta({ description: 'Six digits.', examples: ['042137'] })
export const paymentPassword = z
  .strictObject({ digits: sixDigits, current: sixDigits.exactOptional() })
  .meta({ id: 'PaymentPassword' }) satisfies z.ZodType<WirePaymentPassword>

export const freezeLink = z
  .strictObject({ token: z.string().refine((text) => /^[A-Za-z0-9_-]{22}$/.test(text), refuse('TOKEN_EXPIRED')) })
  .meta({ id: 'FreezeLink' }) satisfies z.ZodType<WireFreezeLink>
