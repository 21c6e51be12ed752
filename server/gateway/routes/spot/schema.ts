import { selfTradeModes, timesInForce } from '@candor/core/protocol/command/spot.ts'
import { closeReasons } from '@candor/core/protocol/event/index.ts'
import {
  orderStatuses,
  type WireAmend,
  type WireFill,
  type WireOcoPlaced,
  type WireOrder,
  type WirePlaced,
  type WirePlaceOco,
  type WirePlaceOrder,
  type WireTrigger,
} from '@candor/core/protocol/wire/spot.ts'
import { z } from 'zod'
import { asset, clientId, decimal, decimalOut, millis, side, symbol } from '../../http/schema.ts'

const direction = z.enum(['rises-to', 'falls-to'])

export const trigger = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('stop'), price: decimal, direction }),
  z.strictObject({ kind: z.literal('trailing'), trailPercent: decimal, activation: decimal.exactOptional(), direction }),
]) satisfies z.ZodType<WireTrigger>

export const placeOrder = z
  .strictObject({
    clientId,
    symbol,
    side,
    type: z.enum(['limit', 'market']),
    timeInForce: z.enum(timesInForce).exactOptional(),
    price: decimal.exactOptional(),
    quantity: decimal.exactOptional(),
    spend: decimal.exactOptional().meta({ description: 'Market orders by amount: quote to spend, or to receive.' }),
    postOnly: z.boolean().exactOptional(),
    display: decimal.exactOptional().meta({ description: 'Iceberg: the quantity that others see.' }),
    trigger: trigger.exactOptional(),
    selfTrade: z.enum(selfTradeModes).exactOptional(),
  })
  .meta({ id: 'PlaceOrder' }) satisfies z.ZodType<WirePlaceOrder>

export const placeOco = z
  .strictObject({
    clientId: clientId.max(30),
    symbol,
    side,
    quantity: decimal,
    limitPrice: decimal,
    stopPrice: decimal,
    stopLimit: decimal.exactOptional(),
    selfTrade: z.enum(selfTradeModes).exactOptional(),
  })
  .meta({ id: 'PlaceOco' }) satisfies z.ZodType<WirePlaceOco>

export const amend = z
  .strictObject({ clientId, symbol, quantity: decimal.exactOptional(), price: decimal.exactOptional() })
  .meta({ id: 'Amend' }) satisfies z.ZodType<WireAmend>

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
    closeReason: z.enum(closeReasons).exactOptional(),
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
    time: millis,
  })
  .meta({ id: 'Fill' }) satisfies z.ZodType<WireFill>

export const placed = z
  .strictObject({ order, fills: z.array(fill).readonly(), isRepeat: z.boolean() })
  .meta({ id: 'Placed' }) satisfies z.ZodType<WirePlaced>

export const ocoPlaced = z
  .strictObject({ listId: z.string(), orders: z.array(order).readonly(), isRepeat: z.boolean() })
  .meta({ id: 'OcoPlaced' }) satisfies z.ZodType<WireOcoPlaced>
