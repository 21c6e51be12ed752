import type { Millis, Ticks } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { OrderExits } from '@candor/core/protocol/command/perp.ts'
import type { PerpOrder, Traded } from '@candor/core/protocol/event/index.ts'
import type { OpenOrder } from '@candor/core/protocol/port.ts'
import type { WireExits, WirePerpOrder } from '@candor/core/protocol/wire/perp.ts'
import type { OrderStatus, WireFill, WireOrder, WireTrigger } from '@candor/core/protocol/wire/spot.ts'
import { amountText, type ListedMarket, type Listing, priceText, quantityText } from './listing.ts'
import { type OrderState, stateOf } from './orders.ts'

const averageDigits = 8

export function wireOpenOrder(listing: Listing, order: OpenOrder): WireOrder {
  return wireOrder(listing, stateOf(order))
}

export function wireOrder(listing: Listing, state: OrderState): WireOrder {
  const market = listing.market(state.market)
  const average = averageText(market, state)
  const wire: { -readonly [Name in keyof WireOrder]: WireOrder[Name] } = {
    id: String(state.order),
    clientId: state.clientId,
    symbol: market.market.symbol,
    side: state.side,
    type: state.orderType,
    timeInForce: state.timeInForce,
    status: statusOf(state),
    executed: quantityText(market, state.executedLots),
    executedQuote: amountText(market.quote, state.executedQuote),
    postOnly: state.isPostOnly,
    placedAt: state.placedAt,
    updatedAt: state.updatedAt,
  }
  if (state.list) wire.listId = String(state.list)
  if (state.price) wire.price = priceText(market, state.price)
  if (state.lots) wire.quantity = quantityText(market, state.lots)
  if (state.spend) wire.spend = amountText(market.quote, state.spend)
  if (average !== undefined) wire.average = average
  if (state.display) wire.display = quantityText(market, state.display)
  if (state.trigger) wire.trigger = wireTrigger(listing, state)
  if (state.margin) wire.margin = { account: state.margin.account, borrow: state.margin.borrow }
  if (state.perp) wire.perp = wirePerpOrder(market, state.perp)
  if (state.closeReason) wire.closeReason = state.closeReason
  if (state.algo !== undefined) wire.algoId = String(state.algo)
  return wire
}

function wirePerpOrder(market: ListedMarket, order: PerpOrder): WirePerpOrder {
  const { position, isReduceOnly, isClosing, triggerBy, isLiquidation, exits, goodTill, priceMatch } = order
  const wire = {
    ...{ position, reduceOnly: isReduceOnly, closing: isClosing, triggerBy, liquidation: isLiquidation },
    ...(goodTill === undefined ? {} : { goodTill }),
    ...(priceMatch === undefined ? {} : { priceMatch }),
  }
  return exits === undefined ? wire : { ...wire, exits: wireExits(exits, (ticks) => priceText(market, ticks)) }
}

/** `text` formats a price of the market. */
function wireExits({ takeProfit, stopLoss }: OrderExits, text: (ticks: Ticks) => string): WireExits {
  return {
    ...(takeProfit === undefined ? {} : { takeProfit: { price: text(takeProfit.price), by: takeProfit.by } }),
    ...(stopLoss === undefined ? {} : { stopLoss: { price: text(stopLoss.price), by: stopLoss.by } }),
  }
}

/** Average price of all fills, rounded to 8 digits, for display. The exact amount paid is `executedQuote`. */
function averageText({ market, base, quote }: ListedMarket, state: OrderState): string | undefined {
  if (state.executedLots === 0) return undefined
  const paid = BigInt(state.executedQuote) * 10n ** BigInt(base.scale + averageDigits)
  const bought = BigInt(state.executedLots) * BigInt(market.basePerLot) * 10n ** BigInt(quote.scale)
  return formatUnits((2n * paid + bought) / (2n * bought), averageDigits)
}

function statusOf(state: OrderState): OrderStatus {
  if (state.closeReason === 'filled') return 'filled'
  if (state.closeReason === 'cancelled' || state.closeReason === 'oco' || state.closeReason === 'countdown') return 'cancelled'
  if (state.closeReason) return 'expired'
  if (state.isPending) return 'pending'
  return state.executedLots > 0 ? 'partially-filled' : 'open'
}

function wireTrigger(listing: Listing, state: OrderState): WireTrigger {
  const market = listing.market(state.market)
  const trigger = state.trigger!
  if (trigger.kind === 'stop') return { kind: 'stop', price: priceText(market, trigger.price), direction: trigger.direction }
  return {
    kind: 'trailing',
    trailPercent: formatUnits(trigger.trailPpm, 4),
    ...(trigger.activation ? { activation: priceText(market, trigger.activation) } : {}),
    direction: trigger.direction,
  }
}

/** One side of a trade as its owner sees it. Fees of Futures are in the quote asset on both sides. */
export function wireFill(listing: Listing, trade: Traded, role: 'maker' | 'taker', at: Millis): WireFill {
  const market = listing.market(trade.market)
  const side = role === 'taker' ? trade.takerSide : trade.takerSide === 'buy' ? 'sell' : 'buy'
  const received = side === 'buy' && market.market.perp === undefined ? market.base : market.quote
  return {
    tradeId: String(trade.trade),
    orderId: String(role === 'taker' ? trade.takerOrder : trade.makerOrder),
    symbol: market.market.symbol,
    side,
    role,
    price: priceText(market, trade.price),
    quantity: quantityText(market, trade.lots),
    quote: amountText(market.quote, trade.quote),
    fee: amountText(received, role === 'taker' ? trade.takerFee : trade.makerFee),
    feeAsset: received.symbol,
    time: at,
  }
}
