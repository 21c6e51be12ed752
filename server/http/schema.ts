import { accountKinds } from '@candor/core/protocol/account.ts'
import { clientIdPattern } from '@candor/core/protocol/ids.ts'
import { intervals } from '@candor/core/protocol/market.ts'
import { refusals } from '@candor/core/protocol/refusal.ts'
import type { WireError } from '@candor/core/protocol/wire/market.ts'
import { z } from 'zod'

/** Makes the error handler turn this schema's issue into the refusal. */
export const refuse = (refusal: keyof typeof refusals) => ({ params: { refusal } })

/** Digits, at most one point, no sign, exponent or leading zero. The market decides how many digits are allowed. */
export const decimal = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$/)
  .meta({ title: 'decimal', description: 'Decimal text: digits with at most one point.', examples: ['67412.5'] })

/** A decimal with an optional sign, for values with a direction. */
export const signedDecimal = z
  .string()
  .regex(/^-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$/)
  .meta({ title: 'signed decimal', description: 'Decimal text, with a leading minus below zero.', examples: ['-12.5'] })

/** Decimal text in answers; may be negative. */
export const decimalOut = z
  .string()
  .regex(/^-?[0-9]+(\.[0-9]+)?$/)
  .meta({ title: 'signed decimal', description: 'Decimal text, with a leading minus below zero.' })

export const symbol = z
  .string()
  .regex(/^[A-Z0-9]{2,20}$/)
  .meta({ title: 'symbol', description: 'A market, in upper case.', examples: ['BTCUSDT'] })

export const asset = z
  .string()
  .regex(/^[A-Z0-9]{2,10}$/)
  .meta({ title: 'asset', description: 'An asset, in upper case.', examples: ['USDT'] })

export const clientId = z.string().regex(clientIdPattern).meta({
  title: 'client id',
  description: 'The client’s own id of the request. A repeat with the same id and body gets the first outcome and has no second effect.',
})

/** Ids of orders and trades are sent as text; below 2^53. */
export const orderId = z
  .string()
  .regex(/^[1-9][0-9]{0,14}$/)
  .meta({ title: 'order id', description: 'Number of an order, as text.' })

export const accountKind = z.enum(accountKinds)
export const interval = z.enum(intervals)
export const side = z.enum(['buy', 'sell'])
export const leverageCeiling = z
  .strictObject({ leverage: z.int(), reason: z.enum(['new', 'region']), until: z.int().nullable() })
  .meta({ id: 'LeverageCeiling' })
export const millis = z.int().nonnegative().meta({ title: 'time', description: 'Milliseconds since 1970.' })

/** A whole number in a query, where everything is text. */
export const queryInteger = (min: number, max: number) =>
  z
    .string()
    .regex(/^(0|[1-9][0-9]{0,15})$/)
    .transform(Number)
    .refine((value) => Number.isSafeInteger(value) && value >= min && value <= max)
    .meta({ title: `${min} to ${max}`, description: `A whole number from ${min} to ${max}.` })

export const queryMillis = queryInteger(0, 8_640_000_000_000_000).meta({ title: 'time', description: 'Milliseconds since 1970.' })

/** Position where a page continues: the `next` of the previous page. */
export const cursor = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,64}$/)
  .meta({ title: 'cursor', description: 'The `next` of the previous page.' })

export const nothing = z.strictObject({})

export const wireError = z
  .strictObject({
    code: z.enum(Object.keys(refusals) as [keyof typeof refusals, ...(keyof typeof refusals)[]]),
    message: z.string(),
    field: z.string().exactOptional(),
    retryAfter: z.int().exactOptional(),
    requestId: z.string(),
  })
  .meta({ id: 'Error', description: 'Every answer that is not a success.' }) satisfies z.ZodType<WireError>

const errorTexts: Readonly<Record<number, string>> = {
  400: 'The request is refused; nothing was changed.',
  401: 'Not logged in.',
  403: 'Not allowed.',
  404: 'Not found.',
  405: 'This path does not support that method.',
  409: 'Refused by the state of the exchange; nothing was changed.',
  413: 'The request is too large.',
  415: 'The body is not application/json.',
  429: 'Too many requests; Retry-After says when to try again.',
  503: 'Not available now, or the outcome is unknown: send the request again with the same client id.',
}

const errors = Object.fromEntries(Object.entries(errorTexts).map(([code, description]) => [code, wireError.describe(description)]))

/** The answers of a route: its success, and the errors that every route can give. */
export function answers<T extends z.ZodType>(success: T, status = 200): Record<number, z.ZodType> {
  return { [status]: success, ...errors }
}

export const noContent = z.undefined().meta({ description: 'Done.' })
