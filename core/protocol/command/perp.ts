import type { Decimal, Lots, Millis, Ticks, Units } from '../../money/brand.ts'
import type { AssetId, ClientId, MarketId, UserId } from '../ids.ts'
import type { MarketTerms, PerpTerms } from '../market.ts'
import type { PerpSelfTradeMode, OrderRef, Side, TimeInForce, Trigger } from './order.ts'

/** One-way mode: every order changes the net position (`both`). Hedge mode: a long and a short position side by side. */
export const positionSides = ['both', 'long', 'short'] as const
export type PositionSide = (typeof positionSides)[number]

/** `cross` shares the whole Futures account; `isolated` risks only the position's margin. */
export const marginModes = ['cross', 'isolated'] as const
export type MarginMode = (typeof marginModes)[number]

/** Price that wakes a conditional order. */
export const triggerPrices = ['last', 'mark'] as const
export type TriggerPrice = (typeof triggerPrices)[number]

/** Price at which a position is closed by a market order, and which price must reach it. */
export type Exit = { readonly price: Ticks; readonly by: TriggerPrice }

/** Exits for the position that the order's fills open or enlarge. At least one is present. */
export type OrderExits = { readonly takeProfit?: Exit; readonly stopLoss?: Exit }

/**
 * Where an order takes its price from: the best price of the other side of the book (`opponent`) or of its own side (`queue`), or
 * that of the fifth, tenth or twentieth level.
 */
export const priceMatches = ['opponent', 'opponent-5', 'opponent-10', 'opponent-20', 'queue', 'queue-5', 'queue-10', 'queue-20'] as const
export type PriceMatch = (typeof priceMatches)[number]

/** An order with a date is good for more than ten minutes, and until before the last second of the year 9999. */
export const goodForMinMs = 600_000
export const goodTillMax = 253_402_300_799_000

/** The longest countdown, a week. */
export const countdownMax = 604_800_000

/** Lists a perpetual contract on `base`, settled in `quote`; its index is that of the spot market `perp.index`. */
export type ListPerp = {
  readonly type: 'perp.list'
  readonly symbol: string
  readonly base: AssetId
  readonly quote: AssetId
  readonly tick: Decimal
  readonly lot: Decimal
  readonly terms: MarketTerms
  readonly perp: PerpTerms
}

export type SetPerp = { readonly type: 'perp.set'; readonly market: MarketId; readonly terms: MarketTerms; readonly perp: PerpTerms }

/**
 * A Futures order. Its fields by kind:
 *
 * limit    `price` and `lots`; `isPostOnly` only with GTC
 * market   `lots`; always IOC
 * closing  `isClosing` (take profit, stop loss): with a trigger and without lots; acts on the whole position that exists
 *          when it wakes, and is removed with the position
 *
 * An order with `isReduceOnly` never enlarges or reverses a position. In hedge mode `position` is `long` or `short`, otherwise
 * `both`. Only orders that may open have `exits`: exit orders are placed when a fill opens or enlarges the position.
 *
 * A GTC limit order with `goodTill` expires at that time. A limit order with `priceMatch` has no `price`: it takes the price that the
 * book shows when it is matched, or when it wakes.
 */
export type PlacePerp = {
  readonly type: 'perp.place'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly side: Side
  readonly position: PositionSide
  readonly orderType: 'limit' | 'market'
  readonly timeInForce: TimeInForce
  readonly price?: Ticks
  readonly lots?: Lots
  readonly isPostOnly: boolean
  readonly isReduceOnly: boolean
  readonly isClosing: boolean
  readonly trigger?: Trigger
  readonly triggerBy: TriggerPrice
  readonly exits?: OrderExits
  readonly goodTill?: Millis
  readonly priceMatch?: PriceMatch
  readonly selfTrade: PerpSelfTradeMode
}

/**
 * `priceMatch` instead of `price`: the price that the book shows when the order is amended. `triggerPrice`: the order is a stop that
 * still sleeps, and this is its trigger from now on, the old one or another. Without it, an order that sleeps is not amended.
 */
export type AmendPerp = OrderRef & {
  readonly type: 'perp.amend'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly lots?: Lots
  readonly price?: Ticks
  readonly priceMatch?: PriceMatch
  readonly triggerPrice?: Ticks
}

export type CancelPerp = OrderRef & {
  readonly type: 'perp.cancel'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
}

/**
 * Closes the position and opens one of the same size on the other side in one command: a market order of twice the size. One-way
 * mode only.
 */
export type ReversePerp = {
  readonly type: 'perp.reverse'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
}

/**
 * A dead man's switch: after `duration` ms all of the user's orders in the market's book are cancelled, unless the command is sent
 * again, which starts a new countdown. 0 stops it.
 */
export type SetCountdown = { readonly type: 'perp.countdown'; readonly user: UserId; readonly market: MarketId; readonly duration: Millis }

/** Applies to positions and orders of this market. Higher leverage frees margin, lower leverage needs more. */
export type SetLeverage = { readonly type: 'perp.setLeverage'; readonly user: UserId; readonly market: MarketId; readonly leverage: number }

/** Refused while the user has a position or order in the market. */
export type SetMarginMode = {
  readonly type: 'perp.setMarginMode'
  readonly user: UserId
  readonly market: MarketId
  readonly mode: MarginMode
}

/** Refused while the user has any position or order in any Futures market. */
export type SetHedgeMode = { readonly type: 'perp.setHedgeMode'; readonly user: UserId; readonly isHedge: boolean }

/** Positive `amount`: into an isolated position's margin. Negative: out of it, as far as its initial margin allows. */
export type AdjustMargin = {
  readonly type: 'perp.adjustMargin'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly position: PositionSide
  readonly amount: Units
}

export type PerpCommand =
  | ListPerp
  | SetPerp
  | PlacePerp
  | AmendPerp
  | CancelPerp
  | ReversePerp
  | SetLeverage
  | SetMarginMode
  | SetHedgeMode
  | AdjustMargin
  | SetCountdown
