/** Futures orders in the form that programs know, in answers and in events alike. */
import { formatUnits } from '@candor/core/money/units.ts'
import type { PositionSide, PriceMatch } from '@candor/core/protocol/command/perp.ts'
import type { PerpSelfTradeMode } from '@candor/core/protocol/command/order.ts'
import { amountText, type ListedMarket, priceText, quantityText } from '../../live/listing.ts'
import type { OrderState } from '../../live/orders.ts'
import { programName } from '../../live/program-names.ts'

export type ContractType = 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'
export type ContractStatus = 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'
export type AlgoStatus = 'NEW' | 'TRIGGERED' | 'FINISHED' | 'CANCELED' | 'EXPIRED'

export const selfTradeWords: { readonly [M in PerpSelfTradeMode]: string } = {
  'expire-taker': 'EXPIRE_TAKER',
  'expire-maker': 'EXPIRE_MAKER',
  'expire-both': 'EXPIRE_BOTH',
  none: 'NONE',
}
export const positionWords: { readonly [S in PositionSide]: 'BOTH' | 'LONG' | 'SHORT' } = { both: 'BOTH', long: 'LONG', short: 'SHORT' }

export const matchWords = {
  ...{ opponent: 'OPPONENT', 'opponent-5': 'OPPONENT_5', 'opponent-10': 'OPPONENT_10', 'opponent-20': 'OPPONENT_20' },
  ...{ queue: 'QUEUE', 'queue-5': 'QUEUE_5', 'queue-10': 'QUEUE_10', 'queue-20': 'QUEUE_20' },
} as const satisfies { readonly [M in PriceMatch]: string }
export type MatchWord = 'NONE' | (typeof matchWords)[PriceMatch]

const averageDigits = 8
/** Trailing distances are sent in percent; the core has them in ppm. */
const percentDigits = 4

/** A Futures order in the form that clients know, for answers, lists and streams alike. */
export type ContractOrder = {
  readonly orderId: number
  readonly symbol: string
  readonly status: ContractStatus
  readonly clientOrderId: string
  readonly price: string
  readonly avgPrice: string
  readonly origQty: string
  readonly executedQty: string
  readonly cumQty: string
  readonly cumQuote: string
  readonly timeInForce: string
  /** Its type after it was triggered; `origType` is the type with which it was placed. */
  readonly type: ContractType
  readonly reduceOnly: boolean
  readonly closePosition: boolean
  readonly side: 'BUY' | 'SELL'
  readonly positionSide: 'BOTH' | 'LONG' | 'SHORT'
  readonly stopPrice: string
  readonly workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'
  readonly priceMatch: MatchWord
  readonly priceProtect: false
  readonly origType: ContractType
  readonly selfTradePreventionMode: string
  /** 0: it has none. */
  readonly goodTillDate: number
  readonly time: number
  readonly updateTime: number
  /** For trailing orders: the price from which they follow, and their distance in percent. */
  readonly activatePrice?: string
  readonly priceRate?: string
}

export function contractOrder(market: ListedMarket, order: OrderState): ContractOrder {
  const { trigger, perp, executedLots } = order
  const executed = quantityText(market, executedLots)
  const origType = contractType(order)
  return {
    orderId: order.order,
    symbol: programName(market),
    status: contractStatus(order),
    clientOrderId: clientIdOf(order),
    price: priceText(market, order.price),
    avgPrice: averagePrice(market, order.executedQuote, executedLots),
    origQty: quantityText(market, order.lots),
    executedQty: executed,
    cumQty: executed,
    cumQuote: amountText(market.quote, order.executedQuote),
    timeInForce: contractTimeInForce(order),
    type: isAwake(order) ? (order.orderType === 'limit' ? 'LIMIT' : 'MARKET') : origType,
    reduceOnly: perp?.isReduceOnly === true || perp?.isClosing === true,
    closePosition: perp?.isClosing ?? false,
    side: order.side === 'buy' ? 'BUY' : 'SELL',
    positionSide: positionWords[perp?.position ?? 'both'],
    stopPrice: priceText(market, trigger?.kind === 'stop' ? trigger.price : 0),
    workingType: perp?.triggerBy === 'mark' ? 'MARK_PRICE' : 'CONTRACT_PRICE',
    priceMatch: perp?.priceMatch === undefined ? 'NONE' : matchWords[perp.priceMatch],
    priceProtect: false,
    origType,
    selfTradePreventionMode: selfTradeWords[(order.selfTrade ?? 'expire-taker') as PerpSelfTradeMode],
    goodTillDate: perp?.goodTill ?? 0,
    time: order.placedAt,
    updateTime: order.updatedAt,
    ...(trigger?.kind === 'trailing'
      ? { activatePrice: priceText(market, trigger.activation ?? 0), priceRate: formatUnits(trigger.trailPpm, percentDigits) }
      : {}),
  }
}

/** The order as a conditional one, with the same number and client id. */
export type AlgoOrder = {
  readonly algoId: number
  readonly clientAlgoId: string
  readonly algoType: 'CONDITIONAL'
  readonly orderType: ContractType
  readonly symbol: string
  readonly side: 'BUY' | 'SELL'
  readonly positionSide: 'BOTH' | 'LONG' | 'SHORT'
  readonly timeInForce: string
  readonly quantity: string
  readonly algoStatus: AlgoStatus
  /** Number of the order after its trigger; empty while it waits. */
  readonly actualOrderId: string
  readonly actualPrice: string
  readonly triggerPrice: string
  readonly price: string
  readonly icebergQuantity: null
  readonly selfTradePreventionMode: string
  readonly workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'
  readonly priceMatch: MatchWord
  readonly closePosition: boolean
  readonly priceProtect: false
  readonly reduceOnly: boolean
  readonly createTime: number
  readonly updateTime: number
  /** 0 while it waits; for an order triggered long ago, the time of its last change. */
  readonly triggerTime: number
  readonly goodTillDate: number
  readonly activatePrice?: string
  readonly callbackRate?: string
}

export function algoOrder(market: ListedMarket, order: OrderState): AlgoOrder {
  const seen = contractOrder(market, order)
  const hasWoken = isAwake(order)
  return {
    algoId: seen.orderId,
    clientAlgoId: seen.clientOrderId,
    algoType: 'CONDITIONAL',
    orderType: seen.origType,
    symbol: seen.symbol,
    side: seen.side,
    positionSide: seen.positionSide,
    timeInForce: seen.timeInForce,
    quantity: seen.origQty,
    algoStatus: algoStatus(order),
    actualOrderId: hasWoken ? String(seen.orderId) : '',
    actualPrice: seen.avgPrice,
    triggerPrice: seen.stopPrice,
    price: seen.price,
    icebergQuantity: null,
    selfTradePreventionMode: seen.selfTradePreventionMode,
    workingType: seen.workingType,
    priceMatch: seen.priceMatch,
    closePosition: seen.closePosition,
    priceProtect: false,
    reduceOnly: seen.reduceOnly,
    createTime: seen.time,
    updateTime: seen.updateTime,
    triggerTime: hasWoken ? (order.triggeredAt ?? seen.updateTime) : 0,
    goodTillDate: seen.goodTillDate,
    ...(seen.priceRate === undefined ? {} : { activatePrice: seen.activatePrice as string, callbackRate: seen.priceRate }),
  }
}

/** Whether an order was placed with a trigger. */
export const isAlgo = ({ trigger }: Pick<OrderState, 'trigger'>): boolean => trigger !== undefined

/** Whether an order is or was active: it had no trigger, or was triggered. */
export const isAwake = ({ trigger, isPending }: Pick<OrderState, 'trigger' | 'isPending'>): boolean => trigger === undefined || !isPending

/** An order that waits for its trigger is NEW. */
export function contractStatus({ closeReason, executedLots }: OrderState): ContractStatus {
  if (closeReason === undefined) return executedLots > 0 ? 'PARTIALLY_FILLED' : 'NEW'
  if (closeReason === 'filled') return 'FILLED'
  if (closeReason === 'cancelled' || closeReason === 'countdown') return 'CANCELED'
  return closeReason === 'self-trade' ? 'EXPIRED_IN_MATCH' : 'EXPIRED'
}

export function algoStatus(order: OrderState): AlgoStatus {
  const { closeReason } = order
  if (closeReason === undefined) return order.isPending ? 'NEW' : 'TRIGGERED'
  if (isAwake(order)) return 'FINISHED'
  return closeReason === 'cancelled' ? 'CANCELED' : 'EXPIRED'
}

/** The type with which the order was placed. A stop is triggered on the side of a loss, a take profit on that of a gain. */
export function contractType({ orderType, side, trigger }: Pick<OrderState, 'orderType' | 'side' | 'trigger'>): ContractType {
  if (trigger === undefined) return orderType === 'limit' ? 'LIMIT' : 'MARKET'
  if (trigger.kind === 'trailing') return 'TRAILING_STOP_MARKET'
  const isStop = (trigger.direction === 'rises-to') === (side === 'buy')
  if (orderType === 'limit') return isStop ? 'STOP' : 'TAKE_PROFIT'
  return isStop ? 'STOP_MARKET' : 'TAKE_PROFIT_MARKET'
}

/** Market orders never rest; clients know them as GTC. */
export function contractTimeInForce({ orderType, timeInForce, isPostOnly, perp }: OrderState): string {
  if (orderType === 'market') return 'GTC'
  if (perp?.goodTill !== undefined) return 'GTD'
  return isPostOnly ? 'GTX' : timeInForce
}

/** Orders with which the exchange liquidates have no client id; clients recognize them by this prefix. */
export function clientIdOf({ order, clientId, perp }: Pick<OrderState, 'order' | 'clientId' | 'perp'>): string {
  return perp?.isLiquidation === true && clientId === '' ? `autoclose-${order}` : clientId
}

/** Average price of lots from their total cost, rounded to the nearest with 8 digits; "0" without lots. */
export function averagePrice({ market, base, quote }: ListedMarket, cost: number, lots: number): string {
  if (lots === 0) return '0'
  const paid = BigInt(cost) * 10n ** BigInt(base.scale + averageDigits)
  const size = BigInt(Math.abs(lots)) * BigInt(market.basePerLot) * 10n ** BigInt(quote.scale)
  return formatUnits((2n * paid + size) / (2n * size), averageDigits)
}
