import { selfTradeModes, timesInForce } from '@candor/core/protocol/command/spot.ts'
import type { WireOcoPlaced, WirePlaceOco, WirePlaceOrder } from '@candor/core/protocol/wire/spot.ts'
import { z } from 'zod'
import { clientId, decimal, side, symbol } from '../../http/schema.ts'
import { marginOrder, order, trigger } from '../orders/schema.ts'

export const placeOrder = z
  .strictObject({
    clientId,
    symbol,
    side,
    type: z.enum(['limit', 'market']),
    timeInForce: z.enum(timesInForce).exactOptional(),
    price: decimal.exactOptional(),
    quantity: decimal.exactOptional(),
    spend: decimal.exactOptional().meta({ description: 'Market orders by amount: quote asset to spend or to receive.' }),
    postOnly: z.boolean().exactOptional(),
    display: decimal.exactOptional().meta({ description: 'Iceberg: the visible quantity.' }),
    trigger: trigger.exactOptional(),
    selfTrade: z.enum(selfTradeModes).exactOptional(),
    margin: marginOrder.exactOptional().meta({ description: 'The order belongs to a Margin account.' }),
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
    margin: marginOrder.exactOptional().meta({ description: 'Both orders belong to a Margin account.' }),
  })
  .meta({ id: 'PlaceOco' }) satisfies z.ZodType<WirePlaceOco>

export const ocoPlaced = z
  .strictObject({ listId: z.string(), orders: z.array(order).readonly(), isRepeat: z.boolean() })
  .meta({ id: 'OcoPlaced' }) satisfies z.ZodType<WireOcoPlaced>
