/** Shapes that orders of all products share. */
import type { Ppm, Ticks } from '../../money/brand.ts'
import type { ClientId, OrderId } from '../ids.ts'

export type Side = 'buy' | 'sell'
export const timesInForce = ['GTC', 'IOC', 'FOK'] as const
export type TimeInForce = (typeof timesInForce)[number]

/** What a program says of its order, for itself alone: whole numbers from 0, below 2^53 − 1. At least one of them is there. */
export type OrderStrategy = { readonly id?: number; readonly type?: number }

/** Of orders of contracts: who gives way when a user's own two orders meet. `none` lets them trade. */
export const contractSelfTradeModes = ['expire-taker', 'expire-maker', 'expire-both', 'none'] as const
export type ContractSelfTradeMode = (typeof contractSelfTradeModes)[number]
/** Of orders in spot markets: `decrement` makes both smaller by what they would have traded. */
export const selfTradeModes = [...contractSelfTradeModes, 'decrement'] as const
export type SelfTradeMode = (typeof selfTradeModes)[number]

/** Which way the last trade price must come to wake an order up. */
export type TriggerDirection = 'rises-to' | 'falls-to'

/**
 * An order sleeps until its trigger: `stop` at a fixed price; `trailing` at a distance behind the best price since
 * it was placed (or since `activation` was reached). A sleeping order is `pending`, holds its money and is not in the book.
 */
export type Trigger =
  | { readonly kind: 'stop'; readonly price: Ticks; readonly direction: TriggerDirection }
  | { readonly kind: 'trailing'; readonly trailPpm: Ppm; readonly activation?: Ticks; readonly direction: TriggerDirection }

/** An order is named by its number, or (order 0) by the client id it was placed with. */
export type OrderRef = { readonly order: OrderId; readonly orderClientId: ClientId }
