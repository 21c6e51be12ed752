import { termKinds } from '@candor/core/protocol/wire/changes.ts'
import { z } from 'zod'
import { decimal, millis, queryInteger } from '../../http/schema.ts'
import { areas } from '../../operations/tables.ts'
import { termsSchema } from '../../operations/terms.ts'

/** As the core keeps it in the journal. */
const reason = z
  .string()
  .max(120)
  .regex(/^[\x20-\x7e]*[\x21-\x7e][\x20-\x7e]*$/)
  .transform((text) => text.trim())
const region = z.string().regex(/^([A-Z]{2}|\*)$/)
const symbol = z.string().regex(/^[A-Z0-9]{4,20}$/)
const payment = z.strictObject({ uid: z.string().regex(/^[1-9][0-9]{8}$/), amount: decimal })
/** An asset and the label of its network. */
const place = z.string().regex(/^[A-Z0-9]{2,10}:[A-Z0-9]{2,12}$/)
const sale = z.string().regex(/^[1-9][0-9]{0,8}:[A-Z0-9]{2,10}$/)
const none = z.literal('')

export const wishes = {
  markets: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('spot'), subject: symbol, terms: termsSchema.spot, reason }),
    z.strictObject({ kind: z.literal('futures'), subject: symbol, terms: termsSchema.futures, reason }),
    z.strictObject({ kind: z.literal('listing'), subject: symbol, terms: termsSchema.listing, reason }),
    z.strictObject({ kind: z.literal('futures-listing'), subject: symbol, terms: termsSchema['futures-listing'], reason }),
    z.strictObject({ kind: z.literal('margin'), subject: none, terms: termsSchema.margin, reason }),
    z.strictObject({ kind: z.literal('conversion'), subject: none, terms: termsSchema.conversion, reason }),
  ]),
  fees: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('fees'), subject: none, terms: termsSchema.fees, reason }),
    z.strictObject({ kind: z.literal('referral'), subject: none, terms: termsSchema.referral, reason }),
  ]),
  countries: z.strictObject({ kind: z.literal('country'), subject: region, terms: termsSchema.country, reason }),
  house: z.strictObject({ kind: z.literal('second'), subject: none, terms: termsSchema.second, payment: payment.exactOptional(), reason }),
  postings: z.strictObject({ kind: z.literal('posting'), subject: none, terms: termsSchema.posting, reason }),
  networks: z.strictObject({ kind: z.literal('withdrawal'), subject: place, terms: termsSchema.withdrawal, reason }),
  presales: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('presale'), subject: sale, terms: termsSchema.presale, reason }),
    z.strictObject({ kind: z.literal('presale-cancel'), subject: sale, terms: termsSchema['presale-cancel'], reason }),
  ]),
  firms: z.strictObject({ kind: z.literal('firm'), subject: z.string().regex(/^[0-9]{9}$/), terms: termsSchema.firm, reason }),
} as const

export const closings = {
  markets: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.enum(['spot', 'futures']), subject: symbol, reason }),
    z.strictObject({ kind: z.enum(['margin', 'conversion']), subject: none, reason }),
  ]),
  fees: z.strictObject({ kind: z.literal('referral'), subject: none, reason }),
  countries: z.strictObject({ kind: z.literal('country'), subject: region, terms: termsSchema.country, reason }),
  house: z.strictObject({ kind: z.literal('second'), subject: none, reason }),
  networks: z.strictObject({ kind: z.literal('withdrawal'), subject: place, reason }),
} as const

export const approval = z.strictObject({ amount: decimal.exactOptional() })
export const done = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('done'), seq: z.int().nullable() }),
  z.strictObject({ state: z.literal('waits') }),
])

const value = z.union([z.string(), z.number(), z.boolean()])
const row = z.record(z.string(), value)
const terms = z.record(z.string(), z.union([value, z.array(row).readonly()]))
const difference = z.strictObject({
  name: z.string(),
  before: z.union([value, z.array(row).readonly()]).nullable(),
  after: z.union([value, z.array(row).readonly()]),
})
/** `assets`: symbols of base and quote asset, in which quantities and values of the market are. */
const subject = { subject: z.string(), assets: z.array(z.string()).readonly(), terms }

export const markets = z.strictObject({
  markets: z.array(z.strictObject({ kind: z.enum(['spot', 'futures']), ...subject, tick: z.string(), lot: z.string() })).readonly(),
  margin: terms.nullable(),
  conversion: terms.nullable(),
  coins: z.array(z.strictObject({ symbol: z.string(), scale: z.int() })).readonly(),
})
export const fees = z.strictObject({ terms, referral: terms.nullable() })
export const countries = z.strictObject({ countries: z.array(z.strictObject({ subject: z.string(), terms })).readonly() })
export const networks = z.strictObject({
  networks: z.array(z.strictObject({ ...subject, terms: terms.nullable() })).readonly(),
})
export const postingCap = z.strictObject({ cap: z.string(), used: z.string(), left: z.string() })
export const house = z.strictObject({
  ...{ terms: terms.nullable(), isOpen: z.boolean(), fund: z.string() },
  markets: z.array(z.strictObject({ symbol: z.string(), isPaused: z.boolean(), orders: z.int(), stakes: z.string() })).readonly(),
})

export const operation = z.strictObject({
  ...{ id: z.int(), area: z.enum(areas), kind: z.enum(termKinds), subject: z.string(), assets: z.array(z.string()).readonly() },
  ...{ differences: z.array(difference).readonly(), payment: payment.nullable(), reason: z.string(), isClosing: z.boolean() },
  ...{ proposedBy: z.string(), proposedAt: millis, expiresAt: millis },
  state: z.enum(['open', 'approved', 'declined', 'expired', 'failed']),
  ...{ decidedBy: z.string().nullable(), decidedAt: millis.nullable(), why: z.string().nullable() },
  ...{ doneAt: millis.nullable(), seq: z.int().nullable(), refusal: z.string().nullable(), isStale: z.boolean() },
})
export const operations = z.strictObject({ operations: z.array(operation).readonly(), next: z.int().exactOptional() })
const state = z.enum(['open', 'past'])
const filter = { area: z.enum(areas).exactOptional(), state: state.exactOptional() }
export const page = z.strictObject({ ...filter, before: queryInteger(1, Number.MAX_SAFE_INTEGER).exactOptional() })
export const file = z.strictObject(filter)
export const csv = z.custom<string>()
