import type {
  WireConversion,
  WireConvertStanding,
  WireConvertTerms,
  WireHedge,
  WireQuote,
  WireQuoteRequest,
  WireShelf,
} from '@candor/core/protocol/wire/convert.ts'
import { conversionStates, hedgeDirections } from '@candor/core/protocol/wire/convert.ts'
import { z } from 'zod'
import { asset, clientId, cursor, decimal, decimalOut, millis, orderId, queryInteger } from '../../http/schema.ts'

export const quoteId = orderId.meta({ title: 'quote id', description: 'Number of a quote, as text.' })

export const convertTerms = z
  .strictObject({
    ...{ isOpen: z.boolean(), spreadPercent: decimalOut, driftPercent: decimalOut, validMs: z.int(), delayMs: z.int() },
    ...{ min: decimalOut, max: decimalOut },
    assets: z.array(z.strictObject({ asset, price: decimalOut.nullable() })).readonly(),
  })
  .meta({ id: 'ConvertTerms' }) satisfies z.ZodType<WireConvertTerms>

const sums = { from: asset, to: asset, give: decimalOut, get: decimalOut, rate: decimalOut, inverse: decimalOut, value: decimalOut }

export const quote = z
  .strictObject({ id: quoteId, ...sums, spread: decimalOut, expiresAt: millis })
  .meta({ id: 'Quote' }) satisfies z.ZodType<WireQuote>

export const quoteRequest = z
  .strictObject({ clientId, from: asset, to: asset, give: decimal.exactOptional(), get: decimal.exactOptional() })
  .meta({ id: 'QuoteRequest', description: 'Either `give` or `get`.' }) satisfies z.ZodType<WireQuoteRequest>

export const conversion = z
  .strictObject({
    ...{ id: quoteId, ...sums, state: z.enum(conversionStates) },
    ...{ acceptedAt: millis, decidesFrom: millis, endedAt: millis.nullable() },
  })
  .meta({ id: 'Conversion' }) satisfies z.ZodType<WireConversion>

export const conversions = z.strictObject({ items: z.array(conversion).readonly(), next: cursor.exactOptional() })
export const conversionPage = z.strictObject({ before: cursor.exactOptional(), limit: queryInteger(1, 500).exactOptional() })

export const convertStanding = z
  .strictObject({ limit: decimalOut, used: decimalOut, open: quote.nullable() })
  .meta({ id: 'ConvertStanding' }) satisfies z.ZodType<WireConvertStanding>

const shelf = z
  .strictObject({ asset, target: decimalOut, available: decimalOut, expected: decimalOut })
  .meta({ id: 'Shelf' }) satisfies z.ZodType<WireShelf>
export const shelves = z.strictObject({ shelves: z.array(shelf).readonly() })

export const hedge = z
  .strictObject({ clientId, asset, amount: decimal, direction: z.enum(hedgeDirections) })
  .meta({ id: 'Hedge' }) satisfies z.ZodType<WireHedge>
