import { type Lang, langs } from '@candor/core/protocol/locales.ts'
import { announcementTextMax, announcementTitleMax } from '@candor/core/protocol/wire/news/announcements.ts'
import { z } from 'zod'
import { millis } from '../../http/schema.ts'
import { plainText } from '../../staff/text.ts'

/** Lines of text that read in one direction. */
const body = z
  .string()
  .max(announcementTextMax)
  .regex(/^(?:[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\n)*$/u)
  .refine((text) => text.trim() !== '')
  .transform((text) => text.trim())
const title = z
  .string()
  .max(announcementTitleMax)
  .regex(plainText)
  .transform((text) => text.trim())
const text = z.strictObject({ title, text: body })
/** Each language is required. */
const texts = z.strictObject(Object.fromEntries(langs.map((lang) => [lang, text])) as { readonly [L in Lang]: typeof text })

export const announcement = z.strictObject({ texts, from: millis, until: millis })
const published = z.strictObject({
  ...{ id: z.int(), texts, from: millis, until: millis, publishedBy: z.string(), publishedAt: millis },
  ...{ withdrawnBy: z.string().nullable(), withdrawnAt: millis.nullable() },
})
export const announcements = z.strictObject({ announcements: z.array(published).readonly() })
