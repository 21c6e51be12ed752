/** Shapes shared by the orders of all products. */
import type { Ppm, Ticks } from '../../money/brand.ts'
import type { ClientId, OrderId } from '../ids.ts'

export type Side = 'buy' | 'sell'
export const timesInForce = ['GTC', 'IOC', 'FOK'] as const
export type TimeInForce = (typeof timesInForce)[number]

/**
 * Strategy numbers that a program attaches to an order for its own use: whole numbers from 0, below 2^53 − 1. At least one is
 * present.
 */
export type OrderStrategy = { readonly id?: number; readonly type?: number }

/** For Futures orders: which order gives way when two orders of one user would trade. `none` lets them trade. */
export const perpSelfTradeModes = ['expire-taker', 'expire-maker', 'expire-both', 'none'] as const
export type PerpSelfTradeMode = (typeof perpSelfTradeModes)[number]
/** For spot orders: `decrement` reduces both orders by the lots that they would have traded. */
export const selfTradeModes = [...perpSelfTradeModes, 'decrement'] as const
export type SelfTradeMode = (typeof selfTradeModes)[number]

/** Direction in which the last trade price must reach the trigger. */
export type TriggerDirection = 'rises-to' | 'falls-to'

/**
 * Wakes a sleeping order: `stop` at a fixed price; `trailing` at a distance behind the best price since it was placed (or since
 * `activation` was reached). A sleeping order is `pending`, holds its money and is not in the book.
 */
export type Trigger =
  | { readonly kind: 'stop'; readonly price: Ticks; readonly direction: TriggerDirection }
  | { readonly kind: 'trailing'; readonly trailPpm: Ppm; readonly activation?: Ticks; readonly direction: TriggerDirection }

/** Names an order by its number or, with order 0, by the client id it was placed with. */
export type OrderRef = { readonly order: OrderId; readonly orderClientId: ClientId }
