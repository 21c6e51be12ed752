import { countries } from '@candor/core/protocol/countries.ts'
import { langs } from '@candor/core/protocol/locales.ts'
import type {
  WireCodeRequest,
  WireCodeSent,
  WireInvitation,
  WireLogin,
  WireMe,
  WirePasswordChange,
  WireRegister,
  WireReset,
  WireResetCode,
  WireResetToken,
  WireResidence,
  WireSession,
} from '@candor/core/protocol/wire/user.ts'
import { z } from 'zod'
import { decimalOut, millis, refuse } from '../../http/schema.ts'

export const channel = z.enum(['email', 'phone'])
export const to = z
  .string()
  .min(1)
  .max(254)
  .meta({ description: 'An email address, or a phone number in international form.', examples: ['a@example.com', '+4915112345678'] })
export const lang = z.enum(langs)

/** A name that an owner gives, for example to a key. */
export const labelOf = (what: string, example: string) =>
  z
    .string()
    .regex(/^[^\p{Cc}\p{Cf}]{1,40}$/u)
    .refine((text) => text.trim() !== '')
    .meta({ description: `The owner’s name for the ${what}.`, examples: [example] })

/** Identity checks the length and whether the password is common; this only limits the work. */
export const password = z.string().max(4_096)

export const code = z
  .string()
  .refine((text) => /^[0-9]{6}$/.test(text), refuse('CODE_WRONG'))
  .meta({ description: 'Six digits.', examples: ['042137'] })

export const codeRequest = z
  .strictObject({ purpose: z.enum(['register', 'reset']), channel, to, lang })
  .meta({ id: 'CodeRequest' }) satisfies z.ZodType<WireCodeRequest>

export const codeSent = z
  .strictObject({ resendAfter: z.int(), expiresIn: z.int() })
  .meta({ id: 'CodeSent' }) satisfies z.ZodType<WireCodeSent>

const country = z
  .string()
  .refine((text) => countries.includes(text))
  .meta({ description: 'A country of ISO 3166-1, by its two letters.', examples: ['HK'] })

export const residence = z
  .strictObject({ country, isOfAge: z.boolean().meta({ description: 'The customer’s word to be 18 or older.' }) })
  .meta({ id: 'Residence' }) satisfies z.ZodType<WireResidence>

export const register = z
  .strictObject({
    ...residence.shape,
    channel,
    to,
    code,
    password,
    passwordAgain: password,
    invitation: z.string().max(32).exactOptional(),
    agreement: z.boolean(),
    lang,
  })
  .meta({ id: 'Register' }) satisfies z.ZodType<WireRegister>

export const login = z.strictObject({ channel, to, password, lang }).meta({ id: 'Login' }) satisfies z.ZodType<WireLogin>

export const resetCode = z.strictObject({ channel, to, code }).meta({ id: 'ResetCode' }) satisfies z.ZodType<WireResetCode>

export const resetToken = z
  .strictObject({ token: z.string(), expiresIn: z.int() })
  .meta({ id: 'ResetToken' }) satisfies z.ZodType<WireResetToken>

export const reset = z
  .strictObject({
    token: z.string().refine((text) => /^[A-Za-z0-9_-]{22}$/.test(text), refuse('TOKEN_EXPIRED')),
    password,
    passwordAgain: password,
  })
  .meta({ id: 'Reset' }) satisfies z.ZodType<WireReset>

export const passwordChange = z
  .strictObject({ current: password, password, passwordAgain: password })
  .meta({ id: 'PasswordChange' }) satisfies z.ZodType<WirePasswordChange>

export const me = z
  .strictObject({
    uid: z.string(),
    email: z.string().exactOptional(),
    phone: z.string().exactOptional(),
    lang: z.string(),
    invitationCode: z.string(),
    certification: z.enum(['none', 'in-progress', 'certified']),
    feeTier: z.int(),
    volume30d: decimalOut,
    perpFeeTier: z.int(),
    perpVolume30d: decimalOut,
    turnover: z.strictObject({ limit: decimalOut, used: decimalOut, open: decimalOut }).nullable(),
    createdAt: millis,
    residence: z.string().nullable(),
    due: z.array(z.enum(['residence', 'agreement'])).readonly(),
    agreementVersion: z.string(),
  })
  .meta({ id: 'Me' }) satisfies z.ZodType<WireMe>

export const session = z
  .strictObject({ id: z.string(), device: z.string(), ip: z.string(), createdAt: millis, lastSeenAt: millis, isCurrent: z.boolean() })
  .meta({ id: 'Session' }) satisfies z.ZodType<WireSession>

/** A malformed id is treated like an unknown one. */
export const sessionId = z.strictObject({
  id: z.string().refine((text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text), refuse('NOT_FOUND')),
})

export const invitation = z
  .strictObject({ code: z.string(), inviter: z.string() })
  .meta({ id: 'Invitation' }) satisfies z.ZodType<WireInvitation>
