/** Builds the request of a ticket without errors. */
import { formatLots, parseTicks } from '@candor/core/money/price.ts'
import type { PositionSide } from '@candor/core/protocol/command/perp.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { WireExit, WireExits, WirePlacePerp } from '@candor/core/protocol/wire/perp.ts'
import type { WireTrigger } from '@candor/core/protocol/wire/spot.ts'
import { type Context, type Form, hasTrigger } from './form.ts'
import { lotsOf, priceOf } from './sizing.ts'

export function requestOf(form: Form, side: Side, context: Context, clientId: string): WirePlacePerp {
  const { market } = context
  const isLimit = form.kind === 'limit' || form.kind === 'stop-limit'
  const lots = lotsOf(form, priceOf(form, side, context), context)
  const trigger = triggerOf(form, side, context)
  const exits = exitsOf(form)
  return {
    clientId,
    symbol: market.symbol,
    side,
    ...(context.isHedge ? { position: slotOf(form, side) } : {}),
    type: isLimit ? 'limit' : 'market',
    ...(lots === undefined ? {} : { quantity: formatLots(lots, market.lot) }),
    ...(isLimit ? { price: form.price, timeInForce: form.timeInForce } : {}),
    ...(form.isPostOnly ? { postOnly: true } : {}),
    ...(form.isReduceOnly && !context.isHedge ? { reduceOnly: true } : {}),
    ...(trigger === undefined ? {} : { trigger, triggerBy: form.triggerBy }),
    ...(exits === undefined ? {} : { exits }),
  }
}

/** The position of an order: in hedge mode a buy opens the long or closes the short one. */
function slotOf(form: Form, side: Side): PositionSide {
  return (side === 'buy') === (form.intent === 'open') ? 'long' : 'short'
}

/** Take profit and stop loss for the position that the order opens. */
function exitsOf(form: Form): WireExits | undefined {
  if (!form.hasExits) return undefined
  const exit = (price: string): WireExit => ({ price, by: form.triggerBy })
  return {
    ...(form.takeProfit === '' ? {} : { takeProfit: exit(form.takeProfit) }),
    ...(form.stopLoss === '' ? {} : { stopLoss: exit(form.stopLoss) }),
  }
}

/** The trigger: a stop above its reference price waits for a rise, one below for a fall; a trailing stop depends on the order's side. */
function triggerOf(form: Form, side: Side, context: Context): WireTrigger | undefined {
  if (!hasTrigger(form.kind)) return undefined
  if (form.kind === 'trailing') return { kind: 'trailing', trailPercent: form.trail, direction: side === 'buy' ? 'rises-to' : 'falls-to' }
  const { market } = context
  const stop = parseTicks(form.stop, market.tick)
  const last = context.last === undefined ? undefined : parseTicks(context.last, market.tick)
  const reference = form.triggerBy === 'mark' ? context.markTicks : last
  return {
    kind: 'stop',
    price: form.stop,
    direction: stop !== undefined && reference !== undefined && stop > reference ? 'rises-to' : 'falls-to',
  }
}
