import type { Lots, Ppm, Ticks, Units } from '@candor/core/money/brand.ts'
import { parseLots, parseTicks } from '@candor/core/money/price.ts'
import { fractionDigits, parseUnits } from '@candor/core/money/units.ts'
import type { PlaceOrder, SelfTradeMode, Trigger } from '@candor/core/protocol/command/spot.ts'
import type { MarginOrder } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { ListedMarket } from '../../live/listing.ts'
import { badCombination, invalid, missing, tooPrecise } from '../errors.ts'
import { madeId } from './desk.ts'
import { type OrderType, selfTradeWords, trailUnitPpm } from './order-view.ts'
import { checkParts, notRequired, oneOf, type OrderValues, type StrategyValues } from './params.ts'
import { filterFailure } from './refusals.ts'

/** Which parameters make up an order of each type. A MARKET order may have `quoteOrderQty` instead of `quantity`. */
export const orderParts: Readonly<Record<OrderType, { readonly needed: readonly string[]; readonly refused: readonly string[] }>> = {
  LIMIT: { needed: ['timeInForce', 'quantity', 'price'], refused: ['quoteOrderQty', 'stopPrice', 'trailingDelta'] },
  LIMIT_MAKER: { needed: ['quantity', 'price'], refused: ['timeInForce', 'quoteOrderQty', 'stopPrice', 'trailingDelta'] },
  MARKET: { needed: [], refused: ['timeInForce', 'price', 'stopPrice', 'trailingDelta', 'icebergQty'] },
  STOP_LOSS: { needed: ['quantity'], refused: ['timeInForce', 'price', 'quoteOrderQty', 'icebergQty'] },
  TAKE_PROFIT: { needed: ['quantity'], refused: ['timeInForce', 'price', 'quoteOrderQty', 'icebergQty'] },
  STOP_LOSS_LIMIT: { needed: ['timeInForce', 'quantity', 'price'], refused: ['quoteOrderQty'] },
  TAKE_PROFIT_LIMIT: { needed: ['timeInForce', 'quantity', 'price'], refused: ['quoteOrderQty'] },
}

const selfTradeModes = Object.fromEntries(Object.entries(selfTradeWords).map(([mode, word]) => [word, mode])) as Record<
  (typeof selfTradeWords)[SelfTradeMode],
  SelfTradeMode
>
export const selfTradeOf = (word: keyof typeof selfTradeModes | undefined): SelfTradeMode =>
  word === undefined ? 'expire-taker' : selfTradeModes[word]

/**
 * A program's order as a command for the core.
 *
 * throws  ApiError -1102, -1106, -1111, -1013, -1128, -1130
 */
export function orderCommand(market: ListedMarket, user: UserId, values: OrderValues & StrategyValues, margin?: MarginOrder): PlaceOrder {
  const { type } = values
  checkParts(values, orderParts[type].needed, orderParts[type].refused)
  const isMarket = type === 'MARKET' || type === 'STOP_LOSS' || type === 'TAKE_PROFIT'
  const command: { -readonly [Name in keyof PlaceOrder]: PlaceOrder[Name] } = {
    type: 'spot.place',
    user,
    clientId: values.newClientOrderId ?? madeId(),
    market: market.market.id,
    side: values.side === 'BUY' ? 'buy' : 'sell',
    orderType: isMarket ? 'market' : 'limit',
    timeInForce: isMarket ? 'IOC' : (values.timeInForce ?? 'GTC'),
    isPostOnly: type === 'LIMIT_MAKER',
    selfTrade: selfTradeOf(values.selfTradePreventionMode),
  }
  if (values.price !== undefined) command.price = ticksOf(market, values.price, 'price')
  if (values.quantity !== undefined) command.lots = lotsOf(market, values.quantity, 'quantity')
  if (type === 'MARKET') addAmount(command, market, values)
  if (values.icebergQty !== undefined) addDisplay(command, market, values.icebergQty)
  if (type !== 'LIMIT' && type !== 'LIMIT_MAKER' && type !== 'MARKET') command.trigger = triggerOf(market, values)
  if (type === 'MARKET' || (type === 'LIMIT' && values.timeInForce === 'FOK')) command.expires = true
  if (margin !== undefined) command.margin = margin
  const { strategyId: id, strategyType } = values
  if (id !== undefined || strategyType !== undefined) {
    command.strategy = { ...(id === undefined ? {} : { id }), ...(strategyType === undefined ? {} : { type: strategyType }) }
  }
  return command
}

type Draft = { -readonly [Name in keyof PlaceOrder]: PlaceOrder[Name] }

function addAmount(command: Draft, { quote }: ListedMarket, { quantity, quoteOrderQty }: OrderValues): void {
  if (quoteOrderQty === undefined) {
    if (quantity === undefined) throw oneOf('quantity', 'quoteOrderQty')
    return
  }
  if (quantity !== undefined) throw badCombination()
  if (fractionDigits(trimmed(quoteOrderQty)) > quote.scale) throw tooPrecise('quoteOrderQty')
  const units = parseUnits(trimmed(quoteOrderQty), quote.scale)
  if (!units) throw filterFailure('NOTIONAL')
  command.spend = units as Units
}

/** A displayed quantity of zero means an ordinary order. */
function addDisplay(command: Draft, market: ListedMarket, text: string): void {
  const display = parseLots(text, market.market.lot) ?? lotsOf(market, text, 'icebergQty')
  if (display === 0) return
  if (command.timeInForce !== 'GTC') throw invalid('icebergQty')
  command.display = display
}

/** The direction of the trigger follows from type and side. A trailing order trails opposite to its side. */
function triggerOf(market: ListedMarket, { type, side, stopPrice, trailingDelta }: OrderValues): Trigger {
  const isLoss = type === 'STOP_LOSS' || type === 'STOP_LOSS_LIMIT'
  if (trailingDelta === undefined) {
    if (stopPrice === undefined) throw missing('stopPrice')
    const direction = isLoss === (side === 'BUY') ? 'rises-to' : 'falls-to'
    return { kind: 'stop', price: ticksOf(market, stopPrice, 'stopPrice'), direction }
  }
  // A trailing stop loss starts at the present price: an activation price would be on the side of a profit.
  if (isLoss && stopPrice !== undefined) throw notRequired('stopPrice')
  return {
    kind: 'trailing',
    trailPpm: (trailingDelta * trailUnitPpm) as Ppm,
    direction: side === 'BUY' ? 'rises-to' : 'falls-to',
    ...(stopPrice === undefined ? {} : { activation: ticksOf(market, stopPrice, 'stopPrice') }),
  }
}

/** throws  ApiError -1111 for more digits than the quote asset has, -1013 for an invalid price of the market */
export function ticksOf({ market, quote }: ListedMarket, text: string, name: string): Ticks {
  const ticks = parseTicks(text, market.tick)
  if (ticks !== undefined) return ticks
  if (fractionDigits(trimmed(text)) > Math.max(quote.scale, fractionDigits(market.tick))) throw tooPrecise(name)
  throw filterFailure('PRICE_FILTER')
}

/** throws  ApiError -1111 for more digits than the base asset has, -1013 for an invalid quantity of the market */
export function lotsOf({ market, base }: ListedMarket, text: string, name: string): Lots {
  const lots = parseLots(text, market.lot)
  if (lots) return lots
  if (fractionDigits(trimmed(text)) > base.scale) throw tooPrecise(name)
  throw filterFailure('LOT_SIZE')
}

/** Without trailing zeros, which have no meaning. */
function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
