import type { Lots, Ppm, Ticks } from '@candor/core/money/brand.ts'
import { fractionDigits, parseUnits } from '@candor/core/money/units.ts'
import type { Trigger } from '@candor/core/protocol/command/spot.ts'
import type { ClientId, MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { WireAmend, WireTrigger } from '@candor/core/protocol/wire/spot.ts'
import { Refused } from '../../refused.ts'
import { type ListedMarket, readPrice, readQuantity } from '../../live/listing.ts'

/** throws  Refused with the field that does not fit the market */
export function readTrigger(market: ListedMarket, trigger: WireTrigger): Trigger {
  if (trigger.kind === 'stop') {
    return { kind: 'stop', price: readPrice(market, trigger.price, 'trigger.price'), direction: trigger.direction }
  }
  return {
    kind: 'trailing',
    trailPpm: readPercent(trigger.trailPercent, 'trigger.trailPercent'),
    ...(trigger.activation === undefined ? {} : { activation: readPrice(market, trigger.activation, 'trigger.activation') }),
    direction: trigger.direction,
  }
}

/** "1.5" → 15,000 ppm: at most four digits after the point. */
function readPercent(text: string, field: string): Ppm {
  if (fractionDigits(text) > 4) throw new Refused('TOO_MANY_DIGITS', { field })
  const ppm = parseUnits(text, 4)
  if (ppm === undefined || ppm <= 0 || ppm >= 1_000_000) throw new Refused('TRAIL_INVALID', { field })
  return ppm as number as Ppm
}

/** An amendment of any product: the command without its type. */
export type Amendment = {
  readonly user: UserId
  readonly order: OrderId
  readonly orderClientId: ClientId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly lots?: Lots
  readonly price?: Ticks
  readonly triggerPrice?: Ticks
}

/** throws  Refused with the field that is missing or does not fit the market */
export function readAmendment(market: ListedMarket, user: UserId, order: OrderId, body: WireAmend): Amendment {
  if (body.quantity === undefined && body.price === undefined && body.triggerPrice === undefined)
    throw new Refused('FIELD_MISSING', { field: 'quantity' })
  return {
    user,
    order,
    orderClientId: '',
    clientId: body.clientId,
    market: market.market.id,
    ...(body.quantity === undefined ? {} : { lots: readQuantity(market, body.quantity, 'quantity') }),
    ...(body.price === undefined ? {} : { price: readPrice(market, body.price, 'price') }),
    ...(body.triggerPrice === undefined ? {} : { triggerPrice: readPrice(market, body.triggerPrice, 'triggerPrice') }),
  }
}
