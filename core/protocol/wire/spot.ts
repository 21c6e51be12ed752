import type { Decimal } from '../../money/brand.ts'
import type { SelfTradeMode, Side, TimeInForce } from '../command/spot.ts'
import type { CloseReason } from '../event/index.ts'
import type { WireMarginOrder, WirePerpOrder, WireTrigger } from './order.ts'

export type { WireAmend, WireTrigger } from './order.ts'

export type WirePlaceOrder = {
  /** 1 to 36 of A-Z a-z 0-9 . : / _ -. The same id with the same body gives the same order again. */
  readonly clientId: string
  readonly symbol: string
  readonly side: Side
  readonly type: 'limit' | 'market'
  readonly timeInForce?: TimeInForce
  readonly price?: Decimal
  readonly quantity?: Decimal
  /** For market orders by amount: quote to spend (buy) or receive (sell). */
  readonly spend?: Decimal
  readonly postOnly?: boolean
  readonly display?: Decimal
  readonly trigger?: WireTrigger
  readonly selfTrade?: SelfTradeMode
  /** Set: the order belongs to a margin account. */
  readonly margin?: WireMarginOrder
}

export type WirePlaceOco = {
  readonly clientId: string
  readonly symbol: string
  readonly side: Side
  readonly quantity: Decimal
  readonly limitPrice: Decimal
  readonly stopPrice: Decimal
  readonly stopLimit?: Decimal
  readonly selfTrade?: SelfTradeMode
  /** Set: both orders belong to a margin account. */
  readonly margin?: WireMarginOrder
}

export const orderStatuses = ['pending', 'open', 'partially-filled', 'filled', 'cancelled', 'expired'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export type WireOrder = {
  readonly id: string
  readonly clientId: string
  /** Same for both legs of an OCO. */
  readonly listId?: string
  readonly symbol: string
  readonly side: Side
  readonly type: 'limit' | 'market'
  readonly timeInForce: TimeInForce
  readonly status: OrderStatus
  readonly price?: Decimal
  readonly quantity?: Decimal
  readonly spend?: Decimal
  readonly executed: Decimal
  readonly executedQuote: Decimal
  /** Average price of its fills. */
  readonly average?: Decimal
  readonly postOnly: boolean
  readonly display?: Decimal
  readonly trigger?: WireTrigger
  readonly margin?: WireMarginOrder
  readonly perp?: WirePerpOrder
  readonly closeReason?: CloseReason
  /** The TWAP or scaled order that it is a part of. */
  readonly algoId?: string
  readonly placedAt: number
  readonly updatedAt: number
}

/** `isMargin`: of an order of a Margin account; only in lists of fills. */
export type WireFill = {
  readonly tradeId: string
  readonly orderId: string
  readonly symbol: string
  readonly side: Side
  readonly role: 'maker' | 'taker'
  readonly price: Decimal
  readonly quantity: Decimal
  readonly quote: Decimal
  readonly fee: Decimal
  readonly feeAsset: string
  readonly isMargin?: true
  readonly time: number
}

/** Answer to placing an order: the order as it stands, and its immediate fills. */
export type WirePlaced = { readonly order: WireOrder; readonly fills: readonly WireFill[]; readonly isRepeat: boolean }
export type WireOcoPlaced = { readonly listId: string; readonly orders: readonly WireOrder[]; readonly isRepeat: boolean }
