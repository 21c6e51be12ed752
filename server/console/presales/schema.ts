import { type LocaleCode, localeCodes } from '@candor/core/protocol/locales.ts'
import type { PresaleDetails, PresaleDetailsDraft, PresaleText } from '@candor/core/protocol/wire/console/presale.ts'
import { paperBytesMax, presaleTextMax, presaleTitleMax } from '@candor/core/protocol/wire/console/presale.ts'
import { presaleOutcomes, presaleStates } from '@candor/core/protocol/wire/presale.ts'
import { z } from 'zod'
import { asset, decimal, millis } from '../../http/schema.ts'
import { plainText } from '../../staff/text.ts'

/** Lines of text that read in one direction. */
const body = z
  .string()
  .max(presaleTextMax)
  .regex(/^(?:[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\n)*$/u)
  .refine((text) => text.trim() !== '')
  .transform((text) => text.trim())
const title = z
  .string()
  .max(presaleTitleMax)
  .regex(plainText)
  .transform((text) => text.trim())
const text = z.strictObject({
  title,
  overview: body,
  details: body,
  pool: body,
  useOfFunds: body,
  risks: body,
}) satisfies z.ZodType<PresaleText>
const others = localeCodes.filter((lang) => lang !== 'en').map((lang) => [lang, text.exactOptional()] as const)
const texts = z.strictObject({
  en: text,
  ...(Object.fromEntries(others) as { readonly [L in Exclude<LocaleCode, 'en'>]: z.ZodExactOptional<typeof text> }),
})
const line = z.string().min(1).max(100).regex(plainText)

export const details = z.strictObject({
  ...{ token: asset, name: line, totalSupply: decimal, texts },
  contract: z.strictObject({ network: line, address: line }).nullable(),
}) satisfies z.ZodType<PresaleDetails>

export const draft = z.strictObject({
  number: z.int().min(1).max(999_999_999).exactOptional(),
  details,
}) satisfies z.ZodType<PresaleDetailsDraft>
export const drafted = z.strictObject({ number: z.int(), hash: z.string() })

/** Most characters of a whitepaper in base64; the route takes no longer body. */
export const paperTextMax = Math.ceil(paperBytesMax / 3) * 4
export const byHash = z.strictObject({ hash: z.string().regex(/^[0-9a-f]{64}$/) })
export const pdf = z.custom<Buffer>()
export const upload = z.strictObject({ pdf: z.base64() })
export const uploaded = z.strictObject({ hash: z.string() })

const value = z.union([z.string(), z.number(), z.boolean()])
const terms = z.record(z.string(), z.union([value, z.array(z.record(z.string(), value)).readonly()]))
export const presales = z.strictObject({
  presales: z
    .array(
      z.strictObject({
        ...{ subject: z.string(), title: z.string(), state: z.enum(['draft', ...presaleStates]) },
        ...{ outcome: z.enum(presaleOutcomes).nullable(), hash: z.string(), preparedBy: z.string().nullable(), preparedAt: millis },
        ...{ startsAt: millis.nullable(), endsAt: millis.nullable(), subscribers: z.int(), subscribed: z.string() },
        ...{ sold: z.string().nullable(), assets: z.array(z.string()).readonly(), terms: terms.nullable() },
      }),
    )
    .readonly(),
})
