import type {
  WireAccess,
  WireAccesses,
  WireAuthenticator,
  WireFactorAdded,
  WireFactors,
  WireLoginCode,
  WireNewPasskey,
  WirePasskey,
  WirePasskeyOptions,
  WirePasskeyResponse,
  WirePhrase,
  WireProof,
  WireProven,
  WireRecoveryCodes,
} from '@candor/core/protocol/wire/factors.ts'
import { z } from 'zod'
import { millis, queryInteger, refuse } from '../../http/schema.ts'
import { code as sixDigits, labelOf } from './schema.ts'

/** A code of an authenticator app, or a recovery code as people type it. */
const anyCode = z
  .string()
  .refine((text) => /^(?:[0-9]{6}|[A-Za-z0-9 -]{16,24})$/.test(text), refuse('CODE_WRONG'))
  .meta({ description: 'Six digits of an authenticator app, or a recovery code.', examples: ['042137', 'ABCD-EFGH-JKMN-PQRS'] })

/** Data of WebAuthn about a passkey, in JSON. The library verifies every field that it reads. */
export const webAuthn = z.record(z.string().max(64), z.unknown()).meta({ description: 'As WebAuthn defines it, in JSON.' })

const label = labelOf('passkey', 'my phone')

export const loginCode = z.strictObject({ code: anyCode }).meta({ id: 'LoginCode' }) satisfies z.ZodType<WireLoginCode>
export const authenticatorCode = z.strictObject({ code: sixDigits }).meta({ id: 'AuthenticatorCode' })
export const authenticator = z
  .strictObject({ secret: z.string(), uri: z.string() })
  .meta({ id: 'Authenticator' }) satisfies z.ZodType<WireAuthenticator>

const codes = z.array(z.string()).readonly()
export const factorAdded = z
  .strictObject({ recoveryCodes: codes.exactOptional() })
  .meta({ id: 'FactorAdded' }) satisfies z.ZodType<WireFactorAdded>
export const recoveryCodes = z.strictObject({ recoveryCodes: codes }).meta({ id: 'RecoveryCodes' }) satisfies z.ZodType<WireRecoveryCodes>

export const passkeyOptions = z.strictObject({ options: webAuthn }).meta({ id: 'PasskeyOptions' }) satisfies z.ZodType<WirePasskeyOptions>
export const passkeyResponse = z
  .strictObject({ response: webAuthn })
  .meta({ id: 'PasskeyResponse' }) satisfies z.ZodType<WirePasskeyResponse>
export const newPasskey = z.strictObject({ label, response: webAuthn }).meta({ id: 'NewPasskey' }) satisfies z.ZodType<WireNewPasskey>

const passkey = z
  .strictObject({ id: z.string(), label: z.string(), isSynced: z.boolean(), createdAt: millis, lastUsedAt: millis.nullable() })
  .meta({ id: 'Passkey' }) satisfies z.ZodType<WirePasskey>

export const factors = z
  .strictObject({
    authenticatorSince: millis.nullable(),
    passkeys: z.array(passkey).readonly(),
    recoveryCodesLeft: z.int(),
    hasPhrase: z.boolean(),
    ways: z.array(z.enum(['passkey', 'authenticator', 'recovery', 'code'])).readonly(),
    provenUntil: millis.nullable(),
  })
  .meta({ id: 'Factors' }) satisfies z.ZodType<WireFactors>

export const proof = z
  .discriminatedUnion('way', [
    z.strictObject({ way: z.literal('authenticator'), code: sixDigits }),
    z.strictObject({ way: z.literal('recovery'), code: anyCode }),
    z.strictObject({ way: z.literal('code'), code: sixDigits, password: z.string().max(4_096) }),
    z.strictObject({ way: z.literal('passkey'), response: webAuthn }),
  ])
  .meta({ id: 'Proof' }) satisfies z.ZodType<WireProof>
export const proven = z.strictObject({ provenUntil: millis }).meta({ id: 'Proven' }) satisfies z.ZodType<WireProven>

export const phrase = z
  .strictObject({
    phrase: z
      .string()
      .regex(/^[^\p{Cc}\p{Cf}]{4,32}$/u)
      .refine((text) => text.trim().length >= 4)
      .meta({ description: 'Words with which every mail to the user begins.', examples: ['seven green bottles'] }),
  })
  .meta({ id: 'Phrase' }) satisfies z.ZodType<WirePhrase>

const access = z
  .strictObject({ id: z.int(), action: z.string(), at: millis, device: z.string(), ip: z.string() })
  .meta({ id: 'Access' }) satisfies z.ZodType<WireAccess>
export const accesses = z
  .strictObject({ entries: z.array(access).readonly(), next: z.int().exactOptional() })
  .meta({ id: 'Accesses' }) satisfies z.ZodType<WireAccesses>
export const accessPage = z.strictObject({ before: queryInteger(1, Number.MAX_SAFE_INTEGER).exactOptional() })
