/** Orders in spot markets in the form that programs know: of the spot account and of Margin accounts, in answers and in events alike. */
import type { Lots, Millis } from '@candor/core/money/brand.ts'
import type { SelfTradeMode } from '@candor/core/protocol/command/spot.ts'
import type { Event, Traded } from '@candor/core/protocol/event/index.ts'
import { startsWaiting } from '@candor/core/protocol/command/order-list.ts'
import type { OrderId } from '@candor/core/protocol/ids.ts'
import { amountText, type ListedMarket, type Listing, priceText, quantityText } from '../../live/listing.ts'
import type { OrderState } from '../../live/orders.ts'

export const orderTypes = ['LIMIT', 'MARKET', 'LIMIT_MAKER', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'] as const
export type OrderType = (typeof orderTypes)[number]
export type Status = 'PENDING_NEW' | 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'

export const selfTradeWords = {
  'expire-taker': 'EXPIRE_TAKER',
  'expire-maker': 'EXPIRE_MAKER',
  'expire-both': 'EXPIRE_BOTH',
  none: 'NONE',
  decrement: 'DECREMENT',
} as const satisfies Record<SelfTradeMode, string>

/** Clients know 64-bit numbers; −1 stands for none. */
export const noList = -1
/** Unit of a trailing distance: one hundredth of a percent, in ppm. */
export const trailUnitPpm = 100

export const sideWord = ({ side }: Pick<OrderState, 'side'>): 'BUY' | 'SELL' => (side === 'buy' ? 'BUY' : 'SELL')

/**
 * A stop on the losing side is STOP_LOSS, one on the winning side TAKE_PROFIT. A trailing order is TAKE_PROFIT when it has an
 * activation price; without one both types are the same order, which is reported as STOP_LOSS.
 */
export function typeWord({ orderType, isPostOnly, trigger, side }: OrderState): OrderType {
  if (trigger === undefined) return orderType === 'market' ? 'MARKET' : isPostOnly ? 'LIMIT_MAKER' : 'LIMIT'
  const isLoss = trigger.kind === 'stop' ? (trigger.direction === 'rises-to') === (side === 'buy') : trigger.activation === undefined
  if (orderType === 'market') return isLoss ? 'STOP_LOSS' : 'TAKE_PROFIT'
  return isLoss ? 'STOP_LOSS_LIMIT' : 'TAKE_PROFIT_LIMIT'
}

/**
 * sibling  the other leg of an OCO: a leg ends as EXPIRED when the other began to trade or was triggered, as CANCELED when
 *          its owner cancelled the list. An order that still waited for the working order of its list has expired with it
 */
export function statusWord(order: OrderState, sibling?: OrderState): Status {
  switch (order.closeReason) {
    case undefined:
      if (order.isWaiting) return 'PENDING_NEW'
      return order.executedLots > 0 ? 'PARTIALLY_FILLED' : 'NEW'
    case 'filled':
      return 'FILLED'
    case 'cancelled':
      return 'CANCELED'
    case 'self-trade':
      return 'EXPIRED_IN_MATCH'
    case 'oco':
      return order.isWaiting || sibling === undefined || hasBegun(sibling) ? 'EXPIRED' : 'CANCELED'
    default:
      return 'EXPIRED'
  }
}

function hasBegun({ executedLots, trigger, isPending }: OrderState): boolean {
  return executedLots > 0 || (trigger !== undefined && !isPending)
}

/**
 * −1 only while a stop waits for its trigger, or an order for the working order of its list, or for one that ended before that. A stop
 * that ended before its trigger has the time of its end.
 */
export function workingTime(order: OrderState): number {
  const { trigger, isPending, isWaiting, closeReason, placedAt, enteredAt, triggeredAt, updatedAt } = order
  if (isWaiting) return -1
  if (trigger === undefined) return startsWaiting(order) ? (enteredAt ?? updatedAt) : placedAt
  if (!isPending) return triggeredAt ?? updatedAt
  return closeReason === undefined ? -1 : updatedAt
}

/** For an order by amount, the lots that it traded, because it was placed without a quantity. */
export const askedLots = ({ lots, executedLots }: OrderState): Lots => (lots === 0 ? executedLots : lots)

/** Quote amount that a market order was placed with; 0 when it was placed with a quantity. */
export const askedQuoteText = (market: ListedMarket, { spend }: OrderState): string => amountText(market.quote, spend)

/** `stopPrice`, or the price from which a trailing order follows; 0 for none. */
export function stopPriceText(market: ListedMarket, { trigger }: OrderState): string {
  const price = trigger === undefined ? 0 : trigger.kind === 'stop' ? trigger.price : (trigger.activation ?? 0)
  return priceText(market, price)
}

/** `trailingDelta`; undefined for orders that do not trail. */
export function trailingDelta({ trigger }: OrderState): number | undefined {
  return trigger?.kind === 'trailing' ? trigger.trailPpm / trailUnitPpm : undefined
}

/** Lots removed by self-trade prevention; for an order by amount, as far as known. */
export function preventedLots({ lots, executedLots, closeReason, preventedLots: part = 0 as Lots }: OrderState): Lots {
  return closeReason === 'self-trade' && lots > 0 ? ((lots - executedLots) as Lots) : part
}

export const selfTradeWord = ({ selfTrade }: OrderState): string => selfTradeWords[selfTrade ?? 'expire-taker']
export const listId = ({ list }: Pick<OrderState, 'list'>): number => list || noList

/** Fields common to all answers about an order, in the sequence in which clients are used to them. */
export function orderReport(listing: Listing, order: OrderState, sibling?: OrderState): Record<string, unknown> {
  const market = listing.market(order.market)
  return {
    symbol: market.market.symbol,
    orderId: order.order,
    orderListId: listId(order),
    clientOrderId: order.clientId,
    price: priceText(market, order.price),
    origQty: quantityText(market, askedLots(order)),
    executedQty: quantityText(market, order.executedLots),
    origQuoteOrderQty: askedQuoteText(market, order),
    cummulativeQuoteQty: amountText(market.quote, order.executedQuote),
    status: statusWord(order, sibling),
    timeInForce: order.timeInForce,
    type: typeWord(order),
    side: sideWord(order),
  }
}

/** Fields that only some orders have. */
function addUsed(listing: Listing, report: Record<string, unknown>, order: OrderState): void {
  const delta = trailingDelta(order)
  if (delta !== undefined) report['trailingDelta'] = delta
  if (order.preventedMatch !== undefined) report['preventedMatchId'] = order.preventedMatch
  const prevented = preventedLots(order)
  if (prevented > 0) report['preventedQuantity'] = quantityText(listing.market(order.market), prevented)
  if (order.strategy?.id !== undefined) report['strategyId'] = order.strategy.id
  if (order.strategy?.type !== undefined) report['strategyType'] = order.strategy.type
  if (order.margin) report['isIsolated'] = order.margin.account === 'margin-isolated'
}

/** Answer about an order in its current state, for `GET order` and the lists. */
export function queriedOrder(listing: Listing, order: OrderState, sibling?: OrderState): Record<string, unknown> {
  const market = listing.market(order.market)
  const report = orderReport(listing, order, sibling)
  report['stopPrice'] = stopPriceText(market, order)
  report['icebergQty'] = quantityText(market, order.display)
  report['time'] = order.placedAt
  report['updateTime'] = order.updatedAt
  report['isWorking'] = order.closeReason === undefined && !order.isPending
  report['workingTime'] = workingTime(order)
  report['selfTradePreventionMode'] = selfTradeWord(order)
  addUsed(listing, report, order)
  return report
}

/**
 * Answer about an order that was just placed or cancelled at `at`: the `RESULT` of a new one, and the first part of `FULL` and of
 * a cancel.
 */
export function doneOrder(listing: Listing, order: OrderState, at: Millis, sibling?: OrderState): Record<string, unknown> {
  const market = listing.market(order.market)
  const report = orderReport(listing, order, sibling)
  report['transactTime'] = at
  report['workingTime'] = workingTime(order)
  report['selfTradePreventionMode'] = selfTradeWord(order)
  if (order.trigger !== undefined) report['stopPrice'] = stopPriceText(market, order)
  if (order.display > 0) report['icebergQty'] = quantityText(market, order.display)
  addUsed(listing, report, order)
  return report
}

export type Fill = {
  readonly price: string
  readonly qty: string
  readonly commission: string
  readonly commissionAsset: string
  readonly tradeId: number
}

/** Trades that a new order made at once, from the events of its command. */
export function fillsOf(listing: Listing, events: readonly Event[], order: OrderId): readonly Fill[] {
  const fills: Fill[] = []
  for (const event of events) {
    if (event.type === 'traded' && event.takerOrder === order) fills.push(takerFill(listing, event))
  }
  return fills
}

function takerFill(listing: Listing, trade: Traded): Fill {
  const market = listing.market(trade.market)
  const received = trade.takerSide === 'buy' ? market.base : market.quote
  return {
    price: priceText(market, trade.price),
    qty: quantityText(market, trade.lots),
    commission: amountText(received, trade.takerFee),
    commissionAsset: received.symbol,
    tradeId: trade.trade,
  }
}
