import type { IndexPrice, Lots, Millis, Ticks, Units } from '../../money/brand.ts'
import type { AccountRef } from '../account.ts'
import type { BorrowMode } from '../command/margin.ts'
import type { OrderExits, PositionSide, TriggerPrice } from '../command/perp.ts'
import type { OrderStrategy, SelfTradeMode, Side, TimeInForce, Trigger } from '../command/spot.ts'
import type { UserClass } from '../command/user.ts'
import type { ClientId, MarketId, OrderId, TradeId, UserId } from '../ids.ts'
import type { Asset, FeeTier, Market } from '../market.ts'
import type { Refusal } from '../refusal.ts'
import type { MarginEvent } from './margin.ts'
import type { OptionEvent } from './option.ts'
import type { PerpEvent } from './perp.ts'

/** Ends the events of each command. `order` is the order placed, amended or cancelled, or a movement of money (see `movementsFrom`); `user` the one opened; 0: none. */
export type OutcomeEvent = {
  readonly type: 'outcome'
  readonly seq: number
  readonly at: Millis
  readonly user: UserId
  readonly order: OrderId
  readonly refusal: Refusal | undefined
  /** The same client id and body came before: this is the first outcome again, and nothing changed. */
  readonly isRepeat: boolean
}

export type UserOpened = { readonly type: 'user.opened'; readonly user: UserId; readonly class: UserClass; readonly referrer: UserId }
export type UserChanged = { readonly type: 'user.changed'; readonly user: UserId; readonly isFrozen: boolean }
export type UserCertified = { readonly type: 'user.certified'; readonly user: UserId; readonly isCertified: boolean }
/** Whether a user is one of the house's own. */
export type UserHoused = { readonly type: 'user.housed'; readonly user: UserId; readonly isHouse: boolean }
/** `tier` counts from 0 in the fee schedule. */
export type UserTierChanged = { readonly type: 'user.tierChanged'; readonly user: UserId; readonly tier: number }
export type AssetListed = { readonly type: 'asset.listed'; readonly asset: Asset }
export type MarketListed = { readonly type: 'market.listed'; readonly market: Market }
export type MarketChanged = { readonly type: 'market.changed'; readonly market: Market }
export type FeesChanged = { readonly type: 'fees.changed'; readonly tiers: readonly FeeTier[] }
export type IndexTicked = {
  readonly type: 'index.ticked'
  readonly market: MarketId
  readonly price: IndexPrice
  readonly sources: number
  readonly isGood: boolean
}

/** What a ledger entry was for. The order is the number on disk: append only. */
export const entryReasons = [
  'faucet',
  'transfer',
  'hold',
  'release',
  'trade',
  'fee',
  // Contracts: profit or loss taken, funding, what liquidations cost and what the fund paid.
  'realised',
  'funding',
  'liquidation-fee',
  'insurance',
  'deleverage',
  // Margin and lending.
  'borrow',
  'repay',
  'interest',
  'supply',
  'withdraw',
  // Second.
  'stake',
  'payout',
  // What a fund of the exchange begins with.
  'endowment',
] as const
export type EntryReason = (typeof entryReasons)[number]

/**
 * One per change of an account, in the order in which they happen. `available` and `held` are the balances after it; `delta`
 * and `heldDelta` what this entry added. Deltas of one asset (available and held) sum to 0 over a command.
 */
export type EntryEvent = {
  readonly type: 'entry'
  readonly account: AccountRef
  readonly reason: EntryReason
  readonly delta: Units
  readonly heldDelta: Units
  readonly available: Units
  readonly held: Units
}

/** `pending` waits for its trigger; `open` rests in the book. */
export type OrderAccepted = {
  readonly type: 'order.accepted'
  readonly order: OrderId
  readonly list: OrderId
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly side: Side
  readonly orderType: 'limit' | 'market'
  readonly timeInForce: TimeInForce
  readonly price: Ticks | 0
  readonly lots: Lots
  readonly spend: Units
  readonly isPostOnly: boolean
  readonly display: Lots
  readonly trigger?: Trigger
  /** Absent: `expire-taker`. */
  readonly selfTrade?: SelfTradeMode
  /** Absent: a spot order. */
  readonly margin?: MarginOrder
  /** Set in the markets of contracts. */
  readonly perp?: PerpOrder
  /** What its program told of it; absent for nothing. */
  readonly strategy?: OrderStrategy
}

/** An order of a margin account: `isolated` ones belong to their market's account. */
export type MarginOrder = {
  readonly account: 'margin-cross' | 'margin-isolated'
  readonly borrow: BorrowMode
  /** Set: of what was borrowed for the order, what it did not use is repaid when it ends, cancelled or not. */
  readonly repaysAtEnd?: true
}

export type PerpOrder = {
  readonly position: PositionSide
  readonly isReduceOnly: boolean
  readonly isClosing: boolean
  readonly triggerBy: TriggerPrice
  /** Sent by the exchange to liquidate. */
  readonly isLiquidation: boolean
  /** Take profit and stop loss of the position that it opens or enlarges. One placed for it has its number as `list`. */
  readonly exits?: OrderExits
}

/** A sleeping order woke up: it now acts as its limit or market order would. */
export type OrderTriggered = { readonly type: 'order.triggered'; readonly order: OrderId; readonly user: UserId; readonly market: MarketId }

export type OrderAmended = {
  readonly type: 'order.amended'
  readonly order: OrderId
  readonly user: UserId
  readonly market: MarketId
  readonly price: Ticks
  readonly lots: Lots
  readonly keepsPriority: boolean
}

/**
 * Two orders of one user would have traded, and became smaller by what they would have traded at the maker's price. An order of
 * which nothing is left closes with `self-trade`, also when another part of it was traded.
 */
export type OrderPrevented = {
  readonly type: 'order.prevented'
  readonly market: MarketId
  readonly user: UserId
  readonly price: Ticks
  readonly lots: Lots
  readonly makerOrder: OrderId
  readonly takerOrder: OrderId
}

/**
 * One meeting of two orders, at the maker's price. One of a user with themselves (`makerUser` is `takerUser`) counts for nothing: no
 * tier, last price, candle or volume. Fees are in the asset that the side receives: base for the buyer,
 * quote for the seller.
 */
export type Traded = {
  readonly type: 'traded'
  readonly market: MarketId
  readonly trade: TradeId
  readonly price: Ticks
  readonly lots: Lots
  readonly quote: Units
  readonly takerSide: Side
  readonly makerOrder: OrderId
  readonly takerOrder: OrderId
  readonly makerUser: UserId
  readonly takerUser: UserId
  readonly makerFee: Units
  readonly takerFee: Units
  /** Both users are the house's own: it makes price and candles, and counts for no tier and no site volume. Absent: not so. */
  readonly isHouse?: true
}

export const closeReasons = [
  'filled',
  'cancelled',
  'ioc',
  'fok',
  'post-only',
  'self-trade',
  'oco',
  'slippage',
  'halted',
  'balance',
  'reduce-only',
  'position-closed',
  'liquidation',
  'margin',
  // A take profit or stop loss gave way to that of a newer order.
  'replaced',
  // It could have opened a position while the market's price was not good for long.
  'no-index',
] as const
export type CloseReason = (typeof closeReasons)[number]

/** The order left the core. `filled` → FILLED, `cancelled` and `oco` → CANCELED, all others → EXPIRED. */
export type OrderClosed = {
  readonly type: 'order.closed'
  readonly order: OrderId
  readonly user: UserId
  readonly market: MarketId
  readonly reason: CloseReason
  readonly executedLots: Lots
  readonly executedQuote: Units
}

/** A price level of the book now holds this much visible quantity (0: gone). `update` counts per market, from 1, without gaps. */
export type LevelChanged = {
  readonly type: 'book.level'
  readonly market: MarketId
  readonly update: number
  readonly side: Side
  readonly price: Ticks
  readonly lots: Lots
}

export type Event =
  | OutcomeEvent
  | UserOpened
  | UserChanged
  | UserCertified
  | UserHoused
  | UserTierChanged
  | AssetListed
  | MarketListed
  | MarketChanged
  | FeesChanged
  | IndexTicked
  | EntryEvent
  | OrderAccepted
  | OrderTriggered
  | OrderAmended
  | OrderPrevented
  | Traded
  | OrderClosed
  | LevelChanged
  | MarginEvent
  | OptionEvent
  | PerpEvent
