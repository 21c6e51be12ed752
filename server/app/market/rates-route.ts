import type { WireRates } from '@candor/core/protocol/wire/days/rates.ts'
import { z } from 'zod'
import { answers, decimalOut, nothing } from '../../http/schema.ts'
import type { Context } from '../../live/context.ts'
import { perDollar } from '../../rates/parse.ts'
import { lastRates } from '../../rates/stored.ts'
import type { App } from '../app.ts'

const rates = z
  .strictObject({
    ...{ source: z.literal('ecb'), date: z.string() },
    perUsd: z.array(z.strictObject({ currency: z.string(), rate: decimalOut })).readonly(),
  })
  .meta({ id: 'Rates' }) satisfies z.ZodType<WireRates>

/** Rates with which the app shows sums in other currencies. */
export function ratesRoute(app: App, context: Context): void {
  app.get(
    '/rates',
    {
      schema: {
        ...{ tags: ['market'], summary: 'Reference rates of currencies for one US dollar, with their source and date' },
        ...{ querystring: nothing, response: answers(rates) },
      },
    },
    async (): Promise<WireRates> => {
      const last = await lastRates(context.pool)
      return { source: 'ecb', date: last.date, perUsd: perDollar(last) }
    },
  )
}
