import { algoKinds, scaledShapes } from '@candor/core/protocol/command/algo.ts'
import { positionSides } from '@candor/core/protocol/command/perp.ts'
import { algoEnds } from '@candor/core/protocol/event/algo.ts'
import { type Refusal, refusals } from '@candor/core/protocol/refusal.ts'
import type { WireAlgo, WirePlaceAlgo } from '@candor/core/protocol/wire/algo/algo.ts'
import { z } from 'zod'
import { clientId, cursor, decimal, decimalOut, millis, orderId, queryInteger, side, symbol } from '../../http/schema.ts'

const shape = z.enum(scaledShapes).meta({ description: 'How the quantities change from the first price to the last.' })
const position = z.enum(positionSides)

const plan = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('twap'),
    seconds: z.int().min(1).max(1_000_000).meta({ description: 'The whole duration: 300 to 86400.' }),
    worst: decimal
      .exactOptional()
      .meta({ description: 'No part trades at a worse price. Absent: parts trade within a fifth of the market’s slippage.' }),
  }),
  z.strictObject({ kind: z.literal('scaled'), from: decimal, to: decimal, shape }),
])

export const placeAlgo = z
  .strictObject({
    clientId,
    symbol,
    side,
    position: position.exactOptional().meta({ description: 'For Futures: in hedge mode long or short; otherwise both, or absent.' }),
    reduceOnly: z.boolean().exactOptional(),
    quantity: decimal,
    parts: z.int().min(1).max(1_000).meta({ description: 'Of a TWAP order 2 to 500, of a scaled order 2 to 30.' }),
    plan,
  })
  .meta({ id: 'PlaceAlgo' }) satisfies z.ZodType<WirePlaceAlgo>

export const algo = z
  .strictObject({
    id: orderId,
    clientId: z.string(),
    symbol,
    kind: z.enum(algoKinds),
    side,
    position: position.exactOptional(),
    reduceOnly: z.boolean(),
    quantity: decimalOut,
    parts: z.int(),
    every: z.number().exactOptional().meta({ description: 'Seconds between two parts.' }),
    worst: decimalOut.exactOptional(),
    from: decimalOut.exactOptional(),
    to: decimalOut.exactOptional(),
    shape: shape.exactOptional(),
    executed: decimalOut,
    executedQuote: decimalOut,
    average: decimalOut.exactOptional(),
    partsLeft: z.int(),
    missed: z.int().meta({ description: 'Parts that were refused.' }),
    lastRefusal: z.enum(Object.keys(refusals) as [Refusal, ...Refusal[]]).exactOptional(),
    nextAt: millis.exactOptional(),
    placedAt: millis,
    endedAt: millis.exactOptional(),
    end: z.enum(algoEnds).exactOptional().meta({ description: 'Why it ended; absent while it runs.' }),
  })
  .meta({ id: 'Algo', description: 'An order that the exchange carries out in parts.' }) satisfies z.ZodType<WireAlgo>

export const running = z.strictObject({ orders: z.array(algo).readonly() })
export const ended = z.strictObject({ items: z.array(algo).readonly(), next: cursor.exactOptional() })
export const page = z.strictObject({ before: cursor.exactOptional(), limit: queryInteger(1, 200).exactOptional() })
export const byId = z.strictObject({ id: orderId })
