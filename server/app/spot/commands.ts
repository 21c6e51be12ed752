import type { Lots } from '@candor/core/money/brand.ts'
import type { PlaceOco, PlaceOrder } from '@candor/core/protocol/command/spot.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WirePlaceOco, WirePlaceOrder } from '@candor/core/protocol/wire/spot.ts'
import { Refused } from '../../refused.ts'
import { type Listing, readAmount, readPrice, readQuantity } from '../../live/listing.ts'
import { readTrigger } from '../orders/fields.ts'

/** The app's order as a command for the core. throws  Refused with the field that does not fit the market */
export function placeCommand(listing: Listing, user: UserId, body: WirePlaceOrder): PlaceOrder {
  const market = listing.marketOfKind('spot', body.symbol)
  checkParts(body)
  const command: { -readonly [Name in keyof PlaceOrder]: PlaceOrder[Name] } = {
    type: 'spot.place',
    user,
    clientId: body.clientId,
    market: market.market.id,
    side: body.side,
    orderType: body.type,
    timeInForce: body.type === 'market' ? 'IOC' : (body.timeInForce ?? 'GTC'),
    isPostOnly: body.postOnly ?? false,
    selfTrade: body.selfTrade ?? 'expire-taker',
  }
  // In this order a refusal names the first field that does not fit.
  if (body.price !== undefined) command.price = readPrice(market, body.price, 'price')
  if (body.quantity !== undefined) command.lots = readQuantity(market, body.quantity, 'quantity')
  if (body.spend !== undefined) command.spend = readAmount(market.quote, body.spend, 'spend')
  if (body.display !== undefined) command.display = readQuantity(market, body.display, 'display')
  if (body.trigger !== undefined) command.trigger = readTrigger(market, body.trigger)
  if (body.margin !== undefined) command.margin = body.margin
  return command
}

/** The core decides which fields an order must have; this refuses only those that would otherwise be dropped silently. */
function checkParts(body: WirePlaceOrder): void {
  if (body.type === 'market' && body.timeInForce !== undefined && body.timeInForce !== 'IOC') {
    throw new Refused('ORDER_TYPE_INVALID', { field: 'timeInForce' })
  }
  if (body.type === 'limit') {
    if (body.price === undefined) throw new Refused('FIELD_MISSING', { field: 'price' })
    if (body.quantity === undefined) throw new Refused('FIELD_MISSING', { field: 'quantity' })
    if (body.spend !== undefined) throw new Refused('ORDER_TYPE_INVALID', { field: 'spend' })
  } else {
    if (body.price !== undefined) throw new Refused('ORDER_TYPE_INVALID', { field: 'price' })
    if (body.quantity === undefined && body.spend === undefined) throw new Refused('FIELD_MISSING', { field: 'quantity' })
    if (body.quantity !== undefined && body.spend !== undefined) throw new Refused('ORDER_TYPE_INVALID', { field: 'spend' })
  }
}

export function placeOcoCommand(listing: Listing, user: UserId, body: WirePlaceOco): PlaceOco {
  const market = listing.marketOfKind('spot', body.symbol)
  return {
    type: 'spot.placeOco',
    user,
    clientId: body.clientId,
    market: market.market.id,
    side: body.side,
    lots: readQuantity(market, body.quantity, 'quantity') as Lots,
    limitPrice: readPrice(market, body.limitPrice, 'limitPrice'),
    stopPrice: readPrice(market, body.stopPrice, 'stopPrice'),
    ...(body.stopLimit === undefined ? {} : { stopLimit: readPrice(market, body.stopLimit, 'stopLimit') }),
    selfTrade: body.selfTrade ?? 'expire-taker',
    ...(body.margin === undefined ? {} : { margin: body.margin }),
  }
}
