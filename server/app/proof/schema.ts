import type { WireTape, WireTapeLine } from '@candor/core/protocol/wire/option.ts'
import { z } from 'zod'
import { decimal, millis, queryInteger, queryMillis, symbol } from '../../http/schema.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const price = z
  .string()
  .regex(/^[0-9]+$/)
  .meta({ description: 'In 1e-8 of the quote.' })
const parts = (description: string) =>
  z
    .int()
    .meta({ description: `${description}, in 1/1024 of the unit of prices.` })
    .exactOptional()

export const tick = z.strictObject({
  tick: z.int(),
  at: millis,
  hash,
  format: z.literal([1, 2]),
  prices: z
    .array(
      z.strictObject({
        market: z.int(),
        price,
        sources: z.int(),
        isGood: z.boolean(),
        quotes: z
          .array(z.strictObject({ venue: z.int(), price, correction: parts('How far the venue lies above the median on average') }))
          .readonly(),
        shift: parts('What the price lies below the median of the corrected quotes'),
      }),
    )
    .readonly(),
})

export const tape = z
  .strictObject({
    venues: z.array(z.string()).readonly(),
    markets: z.array(z.strictObject({ id: z.int(), symbol })).readonly(),
    before: hash,
    ticks: z.array(tick).readonly(),
    head: z.strictObject({ tick: z.int(), hash }),
  })
  .meta({ id: 'Tape' }) satisfies z.ZodType<WireTape>

export const hour = z
  .strictObject({ hour: millis, firstTick: z.int(), lastTick: z.int(), bytes: z.int() })
  .meta({ id: 'TapeHour', description: 'A whole hour: `hour` is its first millisecond, `bytes` its compressed size.' })

const numberMax = Number.MAX_SAFE_INTEGER

/** Ticks from a number on, or by time: `at` inclusive, `until` exclusive. With neither, the newest ones. */
export const piece = (limitMax: number) =>
  z.strictObject({
    from: queryInteger(1, numberMax).exactOptional(),
    at: queryMillis.exactOptional(),
    until: queryMillis.exactOptional(),
    limit: queryInteger(1, limitMax).exactOptional(),
  })

export const line = z.strictObject({ points: z.array(z.tuple([millis, decimal, z.boolean()]).readonly()).readonly() }).meta({
  id: 'TapeLine',
  description: 'Each point has a time, a price, and whether enough venues agreed on the price.',
}) satisfies z.ZodType<WireTapeLine>

export const linePiece = (limitMax: number) => piece(limitMax).omit({ from: true }).extend({ symbol })
