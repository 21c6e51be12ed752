import type { IndexPrice, Lots, Millis, Ticks, Units } from '../../money/brand.ts'
import type { AccountRef } from '../account.ts'
import type { BorrowMode } from '../command/margin.ts'
import type { OrderExits, PositionSide, PriceMatch, TriggerPrice } from '../command/perp.ts'
import type { OrderStrategy, SelfTradeMode, Side, TimeInForce, Trigger } from '../command/spot.ts'
import type { UserClass } from '../command/user.ts'
import type { ClientId, MarketId, OrderId, PreventedMatchId, Seq, TradeId, UserId } from '../ids.ts'
import type { Asset, FeeTier, Market } from '../market.ts'
import type { Refusal } from '../refusal.ts'
import type { AlgoEvent } from './algo.ts'
import type { ChainEvent } from './chain.ts'
import type { ConvertEvent } from './convert.ts'
import type { FirmEvent } from './firm.ts'
import type { MarginEvent } from './margin.ts'
import type { OptionEvent } from './option.ts'
import type { PerpEvent } from './perp.ts'
import type { ReferralEvent } from './referral.ts'
import type { PresaleEvent } from './presale.ts'

/**
 * Ends the events of each command. `order`: the order placed, amended or cancelled, or a transfer or loan (see `movementsFrom`).
 * `user`: the user opened. 0: none.
 */
export type OutcomeEvent = {
  readonly type: 'outcome'
  readonly seq: Seq
  readonly at: Millis
  readonly user: UserId
  readonly order: OrderId
  readonly refusal: Refusal | undefined
  /** A request with the same client id and body came before: this is the first outcome again, and nothing changed. */
  readonly isRepeat: boolean
}

export type UserOpened = { readonly type: 'user.opened'; readonly user: UserId; readonly class: UserClass; readonly referrer: UserId }
export type UserChanged = { readonly type: 'user.changed'; readonly user: UserId; readonly isFrozen: boolean }
export type UserCertified = { readonly type: 'user.certified'; readonly user: UserId; readonly isCertified: boolean }
/** Whether a user is one of the house's own. */
export type UserHoused = { readonly type: 'user.housed'; readonly user: UserId; readonly isHouse: boolean }
/** The user's pause was set or moved later. */
export type UserRested = { readonly type: 'user.rested'; readonly user: UserId; readonly until: Millis }
/** Whether the user is the own account of a member of the staff. */
export type UserStaffed = { readonly type: 'user.staffed'; readonly user: UserId; readonly isStaff: boolean }
/** `tier`: index in the fee schedule, from 0. */
export type UserTierChanged = { readonly type: 'user.tierChanged'; readonly user: UserId; readonly tier: number }
export type AssetListed = { readonly type: 'asset.listed'; readonly asset: Asset }
export type MarketListed = { readonly type: 'market.listed'; readonly market: Market }
export type MarketChanged = { readonly type: 'market.changed'; readonly market: Market }
export type FeesChanged = { readonly type: 'fees.changed'; readonly tiers: readonly FeeTier[]; readonly perpTiers: readonly FeeTier[] }
export type IndexTicked = {
  readonly type: 'index.ticked'
  readonly market: MarketId
  readonly price: IndexPrice
  readonly sources: number
  readonly isGood: boolean
}

/** Reasons of ledger entries. The position in the list is the number on disk: append only. */
export const entryReasons = [
  'faucet',
  'transfer',
  'hold',
  'release',
  'trade',
  'fee',
  // Futures: realised profit or loss, funding, costs of liquidations and payments of the fund.
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
  // Initial money of a fund of the exchange.
  'endowment',
  // By hand, decided by two people of the staff.
  'posting',
  // Deposits and withdrawals: a deposit, one that vanished from its chain, what is owed for such a one, a payment, its fee.
  'deposit',
  'deposit-reversed',
  'deposit-debt',
  'withdrawal',
  'withdrawal-fee',
  // A conversion at a quote, and what its hedger moves.
  'convert',
  'hedge',
  // Part of an invitee's trading fee, to the inviter.
  'referral',
  // A presale: a subscription, what came back of it, tokens with their cost, and locked tokens that became free.
  'presale-subscribe',
  'presale-refund',
  'presale-allocate',
  'presale-release',
  // Between accounts of one firm.
  'firm-move',
] as const
export type EntryReason = (typeof entryReasons)[number]

/**
 * One per change of an account, in order. `available` and `held` are the balances afterwards; `delta` and `heldDelta` are what
 * this entry added. Over a command, the deltas of an asset (available and held) sum to 0.
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

/** `pending`: waits for its trigger. `open`: rests in the book. */
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
  /** Absent for an order of the spot account. */
  readonly margin?: MarginOrder
  /** Present for Futures orders. */
  readonly perp?: PerpOrder
  /** The program's strategy numbers; absent for none. */
  readonly strategy?: OrderStrategy
}

/** An order of a margin account: `isolated` ones belong to their market's account. */
export type MarginOrder = {
  readonly account: 'margin-cross' | 'margin-isolated'
  readonly borrow: BorrowMode
  /** True: when the order ends, filled or cancelled, the unused part of its loan is repaid. */
  readonly repaysAtEnd?: true
}

export type PerpOrder = {
  readonly position: PositionSide
  readonly isReduceOnly: boolean
  readonly isClosing: boolean
  readonly triggerBy: TriggerPrice
  /** Placed by the exchange to liquidate. */
  readonly isLiquidation: boolean
  /** Take profit and stop loss of the position that the order opens or enlarges. An exit order placed for it has its number as `list`. */
  readonly exits?: OrderExits
  /** Time at which the order expires. */
  readonly goodTill?: Millis
  /** The order was placed without a price: it takes it from the book. */
  readonly priceMatch?: PriceMatch
}

/** A sleeping order was triggered: it now acts as a limit or market order. */
export type OrderTriggered = { readonly type: 'order.triggered'; readonly order: OrderId; readonly user: UserId; readonly market: MarketId }

/** A waiting order of a list entered, because the working order is filled. It sleeps until its trigger, or acts at once. */
export type OrderEntered = { readonly type: 'order.entered'; readonly order: OrderId; readonly user: UserId; readonly market: MarketId }

export type OrderAmended = {
  readonly type: 'order.amended'
  readonly order: OrderId
  readonly user: UserId
  readonly market: MarketId
  readonly price: Ticks
  readonly lots: Lots
  readonly keepsPriority: boolean
  /** Trigger of a stop that sleeps. Absent: as before. */
  readonly triggerPrice?: Ticks
}

/**
 * Two orders of one user would have traded. Both are reduced by what they would have traded at the maker's price. An order with
 * nothing left closes with `self-trade`, even if another part of it traded.
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
 * Two orders of one user met in a spot market at the maker's price and did not trade; comes before what follows from it.
 * `makerLots` and `takerLots` are what each of them lost: all that was left of it or, with `decrement`, what both would have traded;
 * 0 for one that lost nothing. An order by amount loses the lots that the rest of its amount would have paid for at this price.
 */
export type MatchPrevented = {
  readonly type: 'match.prevented'
  readonly market: MarketId
  readonly match: PreventedMatchId
  /** The taker's. */
  readonly mode: SelfTradeMode
  readonly user: UserId
  readonly price: Ticks
  readonly makerOrder: OrderId
  readonly takerOrder: OrderId
  readonly makerLots: Lots
  readonly takerLots: Lots
}

/**
 * A match of two orders, at the maker's price. If both belong to one user (`makerUser` is `takerUser`), the trade counts for no
 * tier, last price, candle or volume. Fees are in the asset that the side receives: base for the buyer, quote for the seller.
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
  /** Both users belong to the house: the trade counts for price and candles, but for no tier and no site volume. Absent: false. */
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
  // A take profit or stop loss was replaced by that of a newer order.
  'replaced',
  // It could have opened a position, but the market's price had not been good for long.
  'no-index',
  // The customer's own pause.
  'resting',
  // A customer without a certificate may not trade that much on one day.
  'turnover',
  // The order's own date came; the user's countdown ended; the book had no level to take the price from.
  'expired',
  'countdown',
  'no-level',
] as const
export type CloseReason = (typeof closeReasons)[number]

/** The order left the core. API statuses: `filled` → FILLED, `cancelled`, `oco` and `countdown` → CANCELED, all others → EXPIRED. */
export type OrderClosed = {
  readonly type: 'order.closed'
  readonly order: OrderId
  readonly user: UserId
  readonly market: MarketId
  readonly reason: CloseReason
  readonly executedLots: Lots
  readonly executedQuote: Units
}

/** New visible quantity of a price level of the book (0: the level is gone). `update` counts per market, from 1, without gaps. */
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
  | UserRested
  | UserStaffed
  | UserTierChanged
  | AssetListed
  | MarketListed
  | MarketChanged
  | FeesChanged
  | IndexTicked
  | EntryEvent
  | OrderAccepted
  | OrderTriggered
  | OrderEntered
  | OrderAmended
  | OrderPrevented
  | MatchPrevented
  | Traded
  | OrderClosed
  | LevelChanged
  | ChainEvent
  | ConvertEvent
  | MarginEvent
  | OptionEvent
  | PerpEvent
  | ReferralEvent
  | PresaleEvent
  | FirmEvent
  | AlgoEvent
