import { photoSides } from '@candor/core/protocol/wire/papers.ts'
import { regainStates } from '@candor/core/protocol/wire/regain.ts'
import { z } from 'zod'
import { millis } from '../../http/schema.ts'

const id = z.uuid()
const row = {
  ...{ id, uid: z.string(), state: z.enum(regainStates), sentAt: millis, dueAt: millis.nullable(), isFrozen: z.boolean() },
  proposal: z.strictObject({ by: z.string(), at: millis, reason: z.string() }).nullable(),
}
export const recoveries = z.strictObject({ recoveries: z.array(z.strictObject(row)).readonly() })

const text = z.string().exactOptional()
const document = {
  fields: z.strictObject({ kind: text, country: text, name: text, born: text, number: text }),
  photos: z.array(z.strictObject({ side: z.enum(photoSides), width: z.int(), height: z.int(), at: millis })).readonly(),
}
export const recovery = z.strictObject({
  ...row,
  ...{ createdAt: millis, device: z.string(), ip: z.string(), lang: z.string(), registeredAt: millis, earlier: z.int() },
  now: z.strictObject(document),
  original: z.strictObject({ ...document, certifiedAt: millis }).nullable(),
  matches: z.strictObject({ document: z.boolean(), name: z.boolean(), born: z.boolean() }),
})
export const photo = z.strictObject({ id, which: z.enum(['now', 'original']), side: z.enum(photoSides) })
