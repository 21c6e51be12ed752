import type { AdjustMargin, OrderExits, PlacePerp } from '@candor/core/protocol/command/perp.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireAdjustMargin, WireExit, WireExits, WirePlacePerp } from '@candor/core/protocol/wire/perp.ts'
import { Refused } from '../../refused.ts'
import { type ListedMarket, type Listing, readAmount, readPrice, readQuantity } from '../../live/listing.ts'
import { readTrigger } from '../orders/fields.ts'

/** The app's order as a command for the core. throws  Refused with the field that does not fit the market */
export function placeCommand(listing: Listing, user: UserId, body: WirePlacePerp): PlacePerp {
  const market = listing.marketOfKind('perp', body.symbol)
  checkParts(body)
  const command: { -readonly [Name in keyof PlacePerp]: PlacePerp[Name] } = {
    type: 'perp.place',
    user,
    clientId: body.clientId,
    market: market.market.id,
    side: body.side,
    position: body.position ?? 'both',
    orderType: body.type,
    timeInForce: body.type === 'market' ? 'IOC' : (body.timeInForce ?? 'GTC'),
    isPostOnly: body.postOnly ?? false,
    isReduceOnly: body.reduceOnly ?? false,
    isClosing: body.closing ?? false,
    triggerBy: body.triggerBy ?? 'last',
    selfTrade: body.selfTrade ?? 'expire-taker',
  }
  // In this order a refusal names the first field that does not fit.
  if (body.price !== undefined) command.price = readPrice(market, body.price, 'price')
  if (body.quantity !== undefined) command.lots = readQuantity(market, body.quantity, 'quantity')
  if (body.trigger !== undefined) command.trigger = readTrigger(market, body.trigger)
  if (body.exits !== undefined) command.exits = readExits(market, body.exits)
  return command
}

function readExits(market: ListedMarket, { takeProfit, stopLoss }: WireExits): OrderExits {
  if (takeProfit === undefined && stopLoss === undefined) throw new Refused('FIELD_MISSING', { field: 'exits.takeProfit' })
  const read = (exit: WireExit, field: string) => ({ price: readPrice(market, exit.price, field), by: exit.by })
  return {
    ...(takeProfit === undefined ? {} : { takeProfit: read(takeProfit, 'exits.takeProfit.price') }),
    ...(stopLoss === undefined ? {} : { stopLoss: read(stopLoss, 'exits.stopLoss.price') }),
  }
}

/** The core decides which fields an order must have; this refuses only those that would otherwise be dropped silently. */
function checkParts(body: WirePlacePerp): void {
  if (body.type === 'market') {
    if (body.timeInForce !== undefined && body.timeInForce !== 'IOC') throw new Refused('ORDER_TYPE_INVALID', { field: 'timeInForce' })
    if (body.price !== undefined) throw new Refused('ORDER_TYPE_INVALID', { field: 'price' })
  } else if (body.price === undefined) throw new Refused('FIELD_MISSING', { field: 'price' })
  if (body.closing === true) {
    if (body.quantity !== undefined) throw new Refused('ORDER_TYPE_INVALID', { field: 'quantity' })
    if (body.trigger === undefined) throw new Refused('FIELD_MISSING', { field: 'trigger' })
  } else if (body.quantity === undefined) throw new Refused('FIELD_MISSING', { field: 'quantity' })
  if (body.triggerBy !== undefined && body.trigger === undefined) throw new Refused('ORDER_TYPE_INVALID', { field: 'triggerBy' })
}

/** throws  Refused with the field that does not fit */
export function adjustCommand(listing: Listing, user: UserId, body: WireAdjustMargin): AdjustMargin {
  const { market, quote } = listing.marketOfKind('perp', body.symbol)
  const isOut = body.amount.startsWith('-')
  const amount = readAmount(quote, isOut ? body.amount.slice(1) : body.amount, 'amount')
  return {
    type: 'perp.adjustMargin',
    user,
    clientId: body.clientId,
    market: market.id,
    position: body.position ?? 'both',
    amount: (isOut ? -amount : amount) as typeof amount,
  }
}
