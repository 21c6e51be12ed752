import { countries } from '@candor/core/protocol/countries.ts'
import {
  type PaperField,
  paperKinds,
  paperReasons,
  photoSides,
  type WirePaperFault,
  type WirePapers,
  type WirePapersDraft,
} from '@candor/core/protocol/wire/papers.ts'
import { z } from 'zod'
import { millis } from '../../http/schema.ts'

export const side = z.enum(photoSides)
export const kind = z.enum(paperKinds)
export const country = z
  .string()
  .refine((text) => countries.includes(text))
  .meta({ description: 'A country of ISO 3166-1, by its two letters.', examples: ['HK'] })

/** Letters of any script, with what stands between the parts of a name. */
export const name = z
  .string()
  .regex(/^(?=\p{L})(?=.*\p{L}.*\p{L})[\p{L}\p{M}\p{N} .,'’()/·-]{2,100}$/u)
  .refine((text) => text === text.trim())
  .meta({ description: 'The name as the document shows it.', examples: ['CHAN TAI MAN'] })

export const born = z
  .string()
  .regex(/^(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/)
  .refine(isDay)
  .meta({ description: 'Date of birth: YYYY-MM-DD.', examples: ['1990-02-28'] })

/** Whether the month has this day. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

export const number = z
  .string()
  .regex(/^(?=(?:[^A-Za-z0-9]*[A-Za-z0-9]){4})(?=.*[0-9])[A-Za-z0-9 ./()-]{4,40}$/)
  .meta({ description: 'The number of the document; what stands between its characters does not count.', examples: ['A123456(7)'] })

export const papersDraft = z
  .strictObject({
    ...{ kind: kind.exactOptional(), country: country.exactOptional(), name: name.exactOptional() },
    ...{ born: born.exactOptional(), number: number.exactOptional() },
  })
  .meta({ id: 'PapersDraft' }) satisfies z.ZodType<WirePapersDraft>

const fields = Object.keys(paperReasons) as [PaperField, ...PaperField[]]
const reasons = [...new Set(Object.values(paperReasons).flat())] as [WirePaperFault['reason'], ...WirePaperFault['reason'][]]
export const paperFault = z.strictObject({ field: z.enum(fields), reason: z.enum(reasons) }) satisfies z.ZodType<WirePaperFault>

export const photo = z.strictObject({ side, id: z.string(), width: z.int(), height: z.int(), at: millis })

export const papers = z
  .strictObject({
    state: z.enum(['none', 'draft', 'waiting', 'rejected', 'certified']),
    kind: kind.nullable(),
    country: z.string().nullable(),
    name: z.string().nullable(),
    born: z.string().nullable(),
    number: z.string().nullable(),
    photos: z.array(photo).readonly(),
    faults: z.array(paperFault).readonly(),
    sentAt: millis.nullable(),
    decidedAt: millis.nullable(),
    usualHours: z.int().nullable(),
  })
  .meta({ id: 'Papers' }) satisfies z.ZodType<WirePapers>

export const jpeg = z.string().meta({ description: 'The photo, as image/jpeg.' })
