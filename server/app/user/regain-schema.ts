import { regainStates } from '@candor/core/protocol/wire/regain.ts'
import type {
  WireRegain,
  WireRegainCode,
  WireRegainCodeSent,
  WireRegainFinish,
  WireRegainPapers,
  WireRegainStep,
} from '@candor/core/protocol/wire/regain.ts'
import { z } from 'zod'
import { millis, refuse } from '../../http/schema.ts'
import { born, country, kind, name, number, photo } from './paper-schema.ts'
import { channel, code, password } from './schema.ts'

export const codeSent = z
  .strictObject({ channel, to: z.string(), step: z.int(), steps: z.int(), resendAfter: z.int(), expiresIn: z.int() })
  .meta({ id: 'RegainCodeSent' }) satisfies z.ZodType<WireRegainCodeSent>

export const regainCode = z.strictObject({ channel, code }).meta({ id: 'RegainCode' }) satisfies z.ZodType<WireRegainCode>
export const step = z.strictObject({ isDone: z.boolean() }).meta({ id: 'RegainStep' }) satisfies z.ZodType<WireRegainStep>

export const regain = z
  .strictObject({
    state: z.enum(regainStates),
    createdAt: millis,
    photos: z.array(photo).readonly(),
    sentAt: millis.nullable(),
    dueAt: millis.nullable(),
    to: z.string(),
    waitMs: z.int(),
    linkExpiresAt: millis.nullable(),
  })
  .meta({ id: 'Regain' }) satisfies z.ZodType<WireRegain>

export const regainPapers = z
  .strictObject({ kind, country, name, born, number })
  .meta({ id: 'RegainPapers' }) satisfies z.ZodType<WireRegainPapers>

export const regainFinish = z
  .strictObject({
    token: z.string().refine((text) => /^[A-Za-z0-9_-]{22}$/.test(text), refuse('TOKEN_EXPIRED')),
    ...{ password, passwordAgain: password },
  })
  .meta({ id: 'RegainFinish' }) satisfies z.ZodType<WireRegainFinish>
