import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { PositionSide } from '@candor/core/protocol/command/perp.ts'
import type { SelfTradeMode } from '@candor/core/protocol/command/spot.ts'
import type { CloseReason } from '@candor/core/protocol/event/index.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { ListedMarket } from '../../market/listing.ts'
import { programName } from '../names.ts'

export type ContractType = 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'
export type ContractStatus = 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'
export type AlgoStatus = 'NEW' | 'TRIGGERED' | 'FINISHED' | 'CANCELED' | 'EXPIRED'

const selfTradeWords: { readonly [M in SelfTradeMode]: string } = {
  'expire-taker': 'EXPIRE_TAKER',
  'expire-maker': 'EXPIRE_MAKER',
  'expire-both': 'EXPIRE_BOTH',
  none: 'NONE',
}
const positionWords: { readonly [S in PositionSide]: 'BOTH' | 'LONG' | 'SHORT' } = { both: 'BOTH', long: 'LONG', short: 'SHORT' }

/** Ends that only an order comes to that acted. */
const afterActing: ReadonlySet<CloseReason> = new Set(['filled', 'ioc', 'fok', 'post-only', 'self-trade', 'slippage'])
const averageDigits = 8

/** `selfTrade` is absent for what is usual, that the taker gives way. */
type Order = WireOrder & { readonly selfTrade?: SelfTradeMode | undefined }

/** An order of a contract in the words that clients know; for answers, lists and streams alike. */
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
  /** What it acts as once it woke; `origType` is what it was placed as. */
  readonly type: ContractType
  readonly reduceOnly: boolean
  readonly closePosition: boolean
  readonly side: 'BUY' | 'SELL'
  readonly positionSide: 'BOTH' | 'LONG' | 'SHORT'
  readonly stopPrice: string
  readonly workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'
  readonly priceMatch: 'NONE'
  readonly priceProtect: false
  readonly origType: ContractType
  readonly selfTradePreventionMode: string
  readonly goodTillDate: 0
  readonly time: number
  readonly updateTime: number
  /** Of trailing orders: where they begin to follow, and by how many percent. */
  readonly activatePrice?: string
  readonly priceRate?: string
}

export function contractOrder(market: ListedMarket, order: Order): ContractOrder {
  const { trigger, perp } = order
  return {
    orderId: Number(order.id),
    symbol: programName(market),
    status: contractStatus(order),
    clientOrderId: clientIdOf(order),
    price: order.price ?? '0',
    avgPrice: averagePrice(market, order),
    origQty: order.quantity ?? '0',
    executedQty: order.executed,
    cumQty: order.executed,
    cumQuote: order.executedQuote,
    timeInForce: contractTimeInForce(order),
    type: hasActed(order) ? (order.type === 'limit' ? 'LIMIT' : 'MARKET') : contractType(order),
    reduceOnly: perp?.reduceOnly === true || perp?.closing === true,
    closePosition: perp?.closing ?? false,
    side: order.side === 'buy' ? 'BUY' : 'SELL',
    positionSide: positionWords[perp?.position ?? 'both'],
    stopPrice: trigger?.kind === 'stop' ? trigger.price : '0',
    workingType: perp?.triggerBy === 'mark' ? 'MARK_PRICE' : 'CONTRACT_PRICE',
    priceMatch: 'NONE',
    priceProtect: false,
    origType: contractType(order),
    selfTradePreventionMode: selfTradeWords[order.selfTrade ?? 'expire-taker'],
    goodTillDate: 0,
    time: order.placedAt,
    updateTime: order.updatedAt,
    ...(trigger?.kind === 'trailing' ? { activatePrice: trigger.activation ?? '0', priceRate: trigger.trailPercent } : {}),
  }
}

/** The same order as a conditional one: its number and client id serve for both. */
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
  /** Number of the order that it acts as, empty while it waits. */
  readonly actualOrderId: string
  readonly actualPrice: string
  readonly triggerPrice: string
  readonly price: string
  readonly icebergQuantity: null
  readonly selfTradePreventionMode: string
  readonly workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'
  readonly priceMatch: 'NONE'
  readonly closePosition: boolean
  readonly priceProtect: false
  readonly reduceOnly: boolean
  readonly createTime: number
  readonly updateTime: number
  /** Time of its last change once it woke; 0 before. */
  readonly triggerTime: number
  readonly goodTillDate: 0
  readonly activatePrice?: string
  readonly callbackRate?: string
}

export function algoOrder(market: ListedMarket, order: Order): AlgoOrder {
  const seen = contractOrder(market, order)
  const isAwake = hasActed(order)
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
    actualOrderId: isAwake ? String(seen.orderId) : '',
    actualPrice: seen.avgPrice,
    triggerPrice: seen.stopPrice,
    price: seen.price,
    icebergQuantity: null,
    selfTradePreventionMode: seen.selfTradePreventionMode,
    workingType: seen.workingType,
    priceMatch: 'NONE',
    closePosition: seen.closePosition,
    priceProtect: false,
    reduceOnly: seen.reduceOnly,
    createTime: seen.time,
    updateTime: seen.updateTime,
    triggerTime: isAwake ? seen.updateTime : 0,
    goodTillDate: 0,
    ...(order.trigger?.kind === 'trailing'
      ? { activatePrice: order.trigger.activation ?? '0', callbackRate: order.trigger.trailPercent }
      : {}),
  }
}

/** Whether an order was placed to wait for a price. */
export const isAlgo = ({ trigger }: WireOrder): boolean => trigger !== undefined

/** Whether an order is or was more than a sleeping one: it waited for nothing, or it woke. */
export function hasActed({ trigger, status, executed, closeReason }: WireOrder): boolean {
  if (trigger === undefined) return true
  if (status === 'pending') return false
  return closeReason === undefined || Number(executed) > 0 || afterActing.has(closeReason)
}

/** A sleeping order is NEW. */
export function contractStatus({ status, closeReason }: WireOrder): ContractStatus {
  if (status === 'filled') return 'FILLED'
  if (status === 'cancelled') return 'CANCELED'
  if (status === 'expired') return closeReason === 'self-trade' ? 'EXPIRED_IN_MATCH' : 'EXPIRED'
  return status === 'partially-filled' ? 'PARTIALLY_FILLED' : 'NEW'
}

export function algoStatus(order: WireOrder): AlgoStatus {
  if (order.status === 'pending') return 'NEW'
  if (order.status === 'open' || order.status === 'partially-filled') return 'TRIGGERED'
  if (hasActed(order)) return 'FINISHED'
  return order.status === 'cancelled' ? 'CANCELED' : 'EXPIRED'
}

/** What the order was placed as. A stop wakes on the side of a loss, a take profit on that of a gain. */
export function contractType({ type, side, trigger }: WireOrder): ContractType {
  if (trigger === undefined) return type === 'limit' ? 'LIMIT' : 'MARKET'
  if (trigger.kind === 'trailing') return 'TRAILING_STOP_MARKET'
  const isStop = (trigger.direction === 'rises-to') === (side === 'buy')
  if (type === 'limit') return isStop ? 'STOP' : 'TAKE_PROFIT'
  return isStop ? 'STOP_MARKET' : 'TAKE_PROFIT_MARKET'
}

/** Market orders never rest, and are GTC to clients all the same. */
export function contractTimeInForce({ type, timeInForce, postOnly }: WireOrder): string {
  if (type === 'market') return 'GTC'
  return postOnly ? 'GTX' : timeInForce
}

/** Orders that the exchange sends to liquidate have no client id; clients know them by this beginning. */
export function clientIdOf({ id, clientId, perp }: WireOrder): string {
  return perp?.liquidation === true && clientId === '' ? `autoclose-${id}` : clientId
}

/** Of all fills, the nearest with 8 digits; "0" of none. */
export function averagePrice(
  { market, quote }: ListedMarket,
  { executed, executedQuote }: Pick<WireOrder, 'executed' | 'executedQuote'>,
): string {
  const digits = market.lot.includes('.') ? market.lot.length - market.lot.indexOf('.') - 1 : 0
  const size = parseUnits(executed, digits) ?? 0
  if (size === 0) return '0'
  const paid = BigInt(parseUnits(executedQuote, quote.scale) ?? 0) * 10n ** BigInt(averageDigits + digits)
  const divisor = BigInt(size) * 10n ** BigInt(quote.scale)
  return formatUnits((2n * paid + divisor) / (2n * divisor), averageDigits)
}
