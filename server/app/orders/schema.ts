import { borrowModes } from '@candor/core/protocol/command/margin.ts'
import { positionSides, priceMatches, triggerPrices } from '@candor/core/protocol/command/perp.ts'
import { timesInForce } from '@candor/core/protocol/command/spot.ts'
import { closeReasons } from '@candor/core/protocol/event/index.ts'
import {
  orderStatuses,
  type WireAmend,
  type WireFill,
  type WireOrder,
  type WirePlaced,
  type WireTrigger,
} from '@candor/core/protocol/wire/spot.ts'
import type { WireExits } from '@candor/core/protocol/wire/perp.ts'
import { z } from 'zod'
import { asset, clientId, decimal, decimalOut, millis, side, symbol } from '../../http/schema.ts'

const direction = z.enum(['rises-to', 'falls-to'])

export const trigger = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('stop'), price: decimal, direction }),
  z.strictObject({ kind: z.literal('trailing'), trailPercent: decimal, activation: decimal.exactOptional(), direction }),
]) satisfies z.ZodType<WireTrigger>

export const amend = z
  .strictObject({
    clientId,
    symbol,
    quantity: decimal.exactOptional(),
    price: decimal.exactOptional(),
    triggerPrice: decimal
      .exactOptional()
      .meta({ description: 'Trigger, from now on, of a stop that sleeps. Without it, such an order is not changed.' }),
  })
  .meta({ id: 'Amend' }) satisfies z.ZodType<WireAmend>

export const marginOrder = z.strictObject({ account: z.enum(['margin-cross', 'margin-isolated']), borrow: z.enum(borrowModes) })

const exit = z.strictObject({ price: decimal, by: z.enum(triggerPrices) })

export const exits = z
  .strictObject({ takeProfit: exit.exactOptional(), stopLoss: exit.exactOptional() })
  .meta({ description: 'Take profit and stop loss that the fills of the order give their position.' }) satisfies z.ZodType<WireExits>

const perpOrder = z.strictObject({
  position: z.enum(positionSides),
  reduceOnly: z.boolean(),
  closing: z.boolean(),
  triggerBy: z.enum(triggerPrices),
  liquidation: z.boolean(),
  exits: exits.exactOptional(),
  goodTill: millis.exactOptional(),
  priceMatch: z.enum(priceMatches).exactOptional(),
})

export const order = z
  .strictObject({
    id: z.string(),
    clientId: z.string(),
    listId: z.string().exactOptional(),
    symbol,
    side,
    type: z.enum(['limit', 'market']),
    timeInForce: z.enum(timesInForce),
    status: z.enum(orderStatuses),
    price: decimalOut.exactOptional(),
    quantity: decimalOut.exactOptional(),
    spend: decimalOut.exactOptional(),
    executed: decimalOut,
    executedQuote: decimalOut,
    average: decimalOut.exactOptional(),
    postOnly: z.boolean(),
    display: decimalOut.exactOptional(),
    trigger: trigger.exactOptional(),
    margin: marginOrder.exactOptional(),
    perp: perpOrder.exactOptional(),
    closeReason: z.enum(closeReasons).exactOptional(),
    algoId: z.string().exactOptional().meta({ description: 'The TWAP or scaled order that it is a part of.' }),
    placedAt: millis,
    updatedAt: millis,
  })
  .meta({ id: 'Order' }) satisfies z.ZodType<WireOrder>

export const fill = z
  .strictObject({
    tradeId: z.string(),
    orderId: z.string(),
    symbol,
    side,
    role: z.enum(['maker', 'taker']),
    price: decimalOut,
    quantity: decimalOut,
    quote: decimalOut,
    fee: decimalOut,
    feeAsset: asset,
    isMargin: z.literal(true).exactOptional().meta({ description: 'Of an order of a Margin account; only in lists of fills.' }),
    time: millis,
  })
  .meta({ id: 'Fill' }) satisfies z.ZodType<WireFill>

export const placed = z
  .strictObject({ order, fills: z.array(fill).readonly(), isRepeat: z.boolean() })
  .meta({ id: 'Placed' }) satisfies z.ZodType<WirePlaced>
