import { type LocaleCode, localeCodes } from '@candor/core/protocol/locales.ts'
import type * as wire from '@candor/core/protocol/wire/presale.ts'
import { presaleOutcomes, presaleStates, releaseKinds } from '@candor/core/protocol/wire/presale.ts'
import { z } from 'zod'
import { asset, clientId, decimal, decimalOut, millis, queryInteger } from '../../http/schema.ts'

const maybe = decimalOut.nullable()
const [state, outcome] = [z.enum(presaleStates), z.enum(presaleOutcomes).nullable()]
const hash = z.string().regex(/^[0-9a-f]{64}$/)

export const byNumber = z.strictObject({ number: queryInteger(1, 2 ** 31) })
export const byHash = z.strictObject({ hash })
export const inLang = z.strictObject({ lang: z.enum(localeCodes as readonly [LocaleCode, ...LocaleCode[]]) })

const ofPresale = {
  ...{ number: z.int(), title: z.string(), name: z.string(), symbol: asset, payAsset: asset, state, outcome },
  ...{ startsAt: millis, endsAt: millis, price: decimalOut, supply: decimalOut, purchaseLimit: decimalOut },
  ...{ subscriptionMin: decimalOut, subscriptionMax: decimalOut, softCap: maybe, lockDays: z.int(), subscribers: z.int() },
  ...{ subscribed: decimalOut, ratePercent: decimalOut, sold: maybe, proceeds: maybe },
}
export const presale = z.strictObject(ofPresale).meta({ id: 'Presale' }) satisfies z.ZodType<wire.WirePresale>
export const presales = z.strictObject({ presales: z.array(presale).readonly() }) satisfies z.ZodType<wire.WirePresales>

const release = z.strictObject({
  ...{ kind: z.enum(releaseKinds), atListingPercent: decimalOut, lockDays: z.int() },
  steps: z.array(z.strictObject({ day: z.int(), percent: decimalOut })).readonly(),
})

export const presaleDetail = z
  .strictObject({
    ...ofPresale,
    ...{
      lang: z.enum(localeCodes as readonly [LocaleCode, ...LocaleCode[]]),
      overview: z.string(),
      details: z.string(),
      pool: z.string(),
      useOfFunds: z.string(),
      risks: z.string(),
    },
    ...{ totalSupply: decimalOut, contract: z.strictObject({ network: z.string(), address: z.string() }).nullable() },
    ...{ paper: hash.nullable(), detailsHash: z.string(), release },
    schedule: z.array(z.strictObject({ day: z.int(), at: millis, percent: decimalOut })).readonly(),
  })
  .meta({ id: 'PresaleDetail' }) satisfies z.ZodType<wire.WirePresaleDetail>

export const subscribe = z
  .strictObject({ clientId, amount: decimal })
  .meta({ id: 'PresaleSubscribe' }) satisfies z.ZodType<wire.WireSubscribe>

const ofSubscription = {
  ...{ presale: z.int(), symbol: asset, payAsset: asset, state, outcome, amount: decimalOut, subscribedAt: millis, lastAt: millis },
  ...{ endsAt: millis, allocated: maybe, cost: maybe, refunded: maybe, decidedAt: millis.nullable(), released: maybe, locked: maybe },
  next: z.strictObject({ at: millis, amount: decimalOut }).nullable(),
}
export const subscription = z
  .strictObject(ofSubscription)
  .meta({ id: 'PresaleSubscription' }) satisfies z.ZodType<wire.WirePresaleSubscription>

export const subscriptions = z.strictObject({
  subscriptions: z.array(z.strictObject({ ...ofSubscription, title: z.string() })).readonly(),
}) satisfies z.ZodType<wire.WirePresaleSubscriptions>

export const schedule = z.strictObject({
  subscription,
  releases: z.array(z.strictObject({ day: z.int(), at: millis, amount: decimalOut, total: decimalOut, isFree: z.boolean() })).readonly(),
}) satisfies z.ZodType<wire.WirePresaleSchedule>
