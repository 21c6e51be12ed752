import type { IndexPrice, Lots, Millis, Ppm, Ticks, Units } from '../money/brand.ts'
import type { AccountRef } from './account.ts'
import type { ReferralTerms } from './command/referral.ts'
import type { WithdrawTerms } from './command/chain.ts'
import type { ConvertShelf, ConvertTerms } from './command/convert.ts'
import type { PresaleTerms } from './command/presale.ts'
import type { Command } from './command/index.ts'
import type { Mode } from './command/mode.ts'
import type { OrderStrategy, SelfTradeMode, Side, TimeInForce, Trigger } from './command/spot.ts'
import type { MarginTerms } from './command/margin.ts'
import type { MarginMode, PositionSide } from './command/perp.ts'
import type { OptionTerms } from './command/option.ts'
import type { Event, MarginOrder, PerpOrder } from './event/index.ts'
import type { WithdrawalFacts } from './event/chain.ts'
import type { ConversionFacts } from './event/convert.ts'
import type { MarginState } from './event/margin.ts'
import type { OptionOpened, OptionStruck } from './event/option.ts'
import type { PositionChanged } from './event/perp.ts'
import type { AssetId, ClientId, MarketId, NetworkNumber, OrderId, PresaleNumber, PreventedMatchId, TierNumber, UserId } from './ids.ts'
import type { Level, ListingView, MarketPhase, UserTiers } from './market.ts'
import type { Refusal } from './refusal.ts'

/** The result of a command, given only after it is durable. `events`: all that it caused, its outcome last. `isResent`: see `Requests`. */
export type Outcome = {
  readonly seq: number
  readonly at: Millis
  readonly user: UserId
  readonly order: OrderId
  readonly refusal: Refusal | undefined
  readonly isRepeat: boolean
  readonly isResent?: boolean
  readonly events: readonly Event[]
}

/**
 * The only way to change the exchange. Resolves when the command's batch is durable. Rejects with a fault when the result is
 * unknown (`STATUS_UNKNOWN`: the caller asks again with the same client id) or when the command was not accepted (`UNAVAILABLE`).
 */
export type Submit = (command: Command, keyId?: number) => Promise<Outcome>

export type Balance = { readonly account: AccountRef; readonly available: Units; readonly held: Units }

/** An order that is still in the core. */
export type OpenOrder = {
  readonly order: OrderId
  readonly list: OrderId
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly side: Side
  readonly orderType: 'limit' | 'market'
  readonly timeInForce: TimeInForce
  readonly status: 'open' | 'pending'
  /** Set for a pending order of a list that waits until the list's working order is filled. */
  readonly isWaiting?: true
  readonly price: Ticks | 0
  readonly lots: Lots
  readonly spend: Units
  readonly executedLots: Lots
  readonly executedQuote: Units
  /** The part of `lots` removed by self-trade prevention; absent for none. */
  readonly preventedLots?: Lots
  /** The last prevented match in which the order lost lots; absent for none. */
  readonly preventedMatch?: PreventedMatchId
  readonly isPostOnly: boolean
  readonly display: Lots
  readonly trigger?: Trigger
  /** Absent: `expire-taker`. */
  readonly selfTrade?: SelfTradeMode
  readonly margin?: MarginOrder
  readonly perp?: PerpOrder
  readonly strategy?: OrderStrategy
  /** The TWAP or scaled order that it is a part of; absent for none. */
  readonly algo?: OrderId
  /** Set for a triggered spot market order that is not yet filled: it is tried again at each index tick. */
  readonly triggeredAt?: Millis
  readonly placedAt: Millis
  readonly updatedAt: Millis
}

export type BookView = {
  readonly market: MarketId
  /** The last `book.level` update that this view contains. */
  readonly update: number
  /** Best first. */
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
}

/**
 * One asset of a margin account. `price`: the last good index price, 0 when there never was one. `borrowable` and
 * `transferable`: the amounts that could be borrowed, or leave, now. `orderLoan`: the amount that an order in the account's market
 * (cross: in the given market) could borrow when it gives all of the asset.
 */
export type MarginBalance = {
  readonly asset: AssetId
  readonly price: IndexPrice
  readonly available: Units
  readonly held: Units
  readonly principal: Units
  readonly interest: Units
  readonly borrowable: Units
  readonly orderLoan: Units
  readonly transferable: Units
}

/**
 * A margin account: cross (market 0) or the isolated account of a market. `assets` and `debt` are USDT units at index prices;
 * `levelPpm` is null without debt. `liquidationPrice`: index price of the pair at which an isolated account is liquidated, 0 for
 * none. `isIndexGood`: all prices of the account's assets are good enough to take on risk.
 */
export type MarginAccount = {
  readonly user: UserId
  readonly market: MarketId
  readonly balances: readonly MarginBalance[]
  readonly assets: Units
  readonly debt: Units
  readonly levelPpm: Ppm | null
  readonly state: MarginState
  readonly callPpm: Ppm
  readonly liquidationPpm: Ppm
  readonly liquidationPrice: IndexPrice
  readonly isIndexGood: boolean
  /** Null: no ceiling besides the terms. */
  readonly ceiling: LeverageCeiling | null
}

/**
 * The lending pool of an asset. Rates are per hour in 1e-12: `rate` is that of a loan taken now, `earnRate` that of lenders.
 * `room`: the amount that can still be borrowed.
 */
export type PoolView = {
  readonly asset: AssetId
  readonly supplied: Units
  readonly borrowed: Units
  readonly queued: Units
  readonly rate: number
  readonly earnRate: number
  readonly liquidity: Units
  readonly room: Units
}

/**
 * A lender's claim, including interest earned so far. `pending`: the part of it that no entry contains yet. `liquid`: the amount
 * that a withdrawal would pay at once. `fresh`: the part that earns nothing before `freshUntil`, the start of the next hour.
 */
export type ClaimView = {
  readonly asset: AssetId
  readonly claim: Units
  readonly pending: Units
  readonly queued: Units
  readonly liquid: Units
  readonly fresh: Units
  readonly freshUntil: Millis | null
}

/** Second as offered now. `fund`: the house fund in USDT units. `tape`: number of the tape's last tick. */
export type OptionView = {
  readonly terms: OptionTerms | null
  readonly isOpen: boolean
  readonly fund: Units
  readonly markets: readonly { readonly market: MarketId; readonly isPaused: boolean }[]
  readonly tape: { readonly tick: number; readonly at: Millis }
}

/**
 * `loss`: net loss of the UTC day, negative for a gain. `lossMax` 0: no limit. `nextAt` 0: no other limit waits. `coolOffUntil`
 * 0: no cool-off.
 */
export type OptionStanding = {
  readonly isAdmitted: boolean
  readonly openStakes: Units
  readonly loss: Units
  readonly lossMax: Units
  readonly nextLossMax: Units
  readonly nextAt: Millis
  readonly coolOffUntil: Millis
  /**
   * The customer's own guard has voided, or may still void, as many orders of the UTC day as allowed: only orders without a guard
   * are accepted.
   */
  readonly isGuardSpent: boolean
  /** Whether Second accepts orders from the customer's region. */
  readonly isOpenInRegion: boolean
  /** Largest stake that the caps still allow in each direction, for every market of the product. */
  readonly left: readonly { readonly market: MarketId; readonly up: Units; readonly down: Units }[]
}

/** An unsettled order of Second. */
export type RunningOption = Omit<OptionOpened, 'type'> & { readonly struck?: Pick<OptionStruck, 'strike' | 'tick' | 'at'> }

/** An open position as of now. `adlRank`: fifth of the auto-deleveraging queue, 5 is closed first. */
export type PerpPosition = Omit<PositionChanged, 'type'> & { readonly adlRank: 1 | 2 | 3 | 4 | 5 }

/** Margin held by the resting orders beside a position, and the value of the buys and sells among them that may open. */
export type PerpOrdersMargin = {
  readonly market: MarketId
  readonly side: PositionSide
  readonly margin: Units
  readonly buys: Units
  readonly sells: Units
}

/** Highest leverage at which a customer may open or enlarge anything. `until`: for a new customer, when the ceiling ends. */
export type LeverageCeiling = { readonly leverage: number; readonly reason: 'new' | 'region'; readonly until: Millis | null }

/** Limits of a user. `restUntil`: end of the own pause, maybe past; 0: none ever. `runningAlgos`: TWAP and scaled orders. */
export type UserStanding = {
  readonly isFrozen: boolean
  readonly isCertified: boolean
  readonly isStaff: boolean
  readonly isHouse: boolean
  readonly restUntil: Millis
  readonly runningAlgos: number
  /** Limit and use of today's spot turnover (UTC day), in USDT units; `open`: what open orders could still execute. Null: no limit. */
  readonly turnover: { readonly limit: Units; readonly used: Units; readonly open: Units } | null
}

/** Products that are opened to customers of a region. `*`: all regions without a row of their own. */
export type RegionRow = { readonly region: string; readonly isLeverageOpen: boolean; readonly isSecondOpen: boolean }

export type AssetSum = { readonly asset: AssetId; readonly amount: Units }

/** A withdrawal that has not ended. `people`: how many have to approve it. `destination`: number of its address. */
export type WithdrawalView = WithdrawalFacts & {
  readonly destination: number
  readonly people: 0 | 1 | 2
  readonly isApproved: boolean
}

/**
 * Deposits and withdrawals of a user. `unfinal`: deposits that their networks may still drop. `debts`: what the user owes for dropped
 * ones. `today`: limit and use of the requests of the UTC day, in USDT units as of the last command.
 */
export type ChainStanding = {
  readonly unfinal: readonly AssetSum[]
  readonly debts: readonly AssetSum[]
  /** Oldest first. */
  readonly withdrawals: readonly WithdrawalView[]
  readonly today: { readonly limit: Units; readonly used: Units }
}

/**
 * Conversions of a user. `quote`: the open one, null for none or an expired one. `accepted`: not decided yet, oldest first. `today`: limit
 * and use of the UTC day, in USDT units. As of the last command.
 */
export type ConvertStanding = {
  readonly quote: (ConversionFacts & { readonly expiresAt: Millis }) | null
  readonly accepted: readonly (ConversionFacts & { readonly decidesFrom: Millis })[]
  readonly today: { readonly limit: Units; readonly used: Units }
}

/**
 * An asset in the inventory of conversions. `held`: for accepted quotes. `expected`: available, and what accepted quotes will
 * bring. `price`: the index in USDT, null while it is not good.
 */
export type InventoryRow = ConvertShelf & {
  readonly available: Units
  readonly held: Units
  readonly expected: Units
  readonly price: IndexPrice | null
}

/** `main`: 0 for a person. `tier`: by its terms, 0 without one. `withdrawMax`: value of withdrawals on one UTC day, in USDT units. */
export type FirmStanding = { readonly main: UserId; readonly tier: TierNumber; readonly withdrawMax: Units }

/**
 * A user as an inviter. `volume`: of the invitees in 30 days, in USDT units. `tier`: index in the terms, from 0. `today`: limit and
 * use of the UTC day, in USDT units. `mayTakePart`: false while the user neither earns nor pays commission. `inviter` 0: none, or the
 * bond was ended. As of the last command.
 */
export type ReferralStanding = {
  readonly volume: Units
  readonly tier: number
  readonly today: { readonly limit: Units; readonly used: Units }
  readonly mayTakePart: boolean
  readonly inviter: UserId
}

/** A presale until its last token is free. `subscribed`, `subscribers`: until its end, which `isEnded` tells. */
export type PresaleView = {
  readonly presale: PresaleNumber
  readonly terms: PresaleTerms
  readonly subscribed: Units
  readonly subscribers: number
  readonly isEnded: boolean
}

export type WithdrawTermsRow = { readonly asset: AssetId; readonly network: NetworkNumber; readonly terms: WithdrawTerms }

/**
 * `flow`: what deposits brought into the exchange on a network, less what was dropped and paid out. Postings by hand belong to no
 * network. `unfinal`: the part of it that the network may still drop.
 */
export type ChainFlow = { readonly network: NetworkNumber; readonly asset: AssetId; readonly flow: Units; readonly unfinal: Units }

/** Value that orders may still open under the caps of the market and, by direction, of this user. In USDT units, at least 0. */
export type PerpInterest = { readonly market: MarketId; readonly left: Units; readonly buy: Units; readonly sell: Units }

/**
 * A Futures account. `transferable`: the amount that may leave; new orders may use at least as much. `settings`: of every contract.
 * `orders`: of contracts with orders that may open.
 */
export type PerpAccountView = {
  readonly isHedge: boolean
  readonly available: Units
  readonly held: Units
  readonly transferable: Units
  readonly settings: readonly { readonly market: MarketId; readonly leverage: number; readonly mode: MarginMode }[]
  readonly positions: readonly PerpPosition[]
  readonly orders: readonly PerpOrdersMargin[]
  /** For every contract. */
  readonly interest: readonly PerpInterest[]
  /** Null: no ceiling besides the market's own. */
  readonly ceiling: LeverageCeiling | null
}

/**
 * Prices of a perpetual contract. `mark` 0: none yet. `fundingRate`: of the running period so far, in 1e-9. `isGood`: the index is
 * good enough for liquidations.
 */
export type MarkView = {
  readonly market: MarketId
  readonly mark: Ticks | 0
  readonly index: IndexPrice
  readonly fundingRate: number
  readonly fundingAt: Millis
  readonly isGood: boolean
  readonly phase: MarketPhase
}

/** Queries of the core's present state. Answers contain only durable state: they wait for the batch being decided. */
export type Ask = {
  listing(): Promise<ListingView>
  /** Mode that the data belongs to; null until the first start has set it. */
  mode(): Promise<Mode | null>
  balances(user: UserId): Promise<readonly Balance[]>
  openOrders(user: UserId, market?: MarketId): Promise<readonly OpenOrder[]>
  /** All of the user's orders as of the command at journal position `seq`, for callers that continue with the events after it. */
  ordersAt(user: UserId): Promise<{ readonly seq: number; readonly orders: readonly OpenOrder[] }>
  book(market: MarketId): Promise<BookView>
  /** Thirty-day volumes in USDT units, and the resulting fee tiers. */
  tier(user: UserId): Promise<UserTiers>
  /** A user's settings, positions and free margin in Futures. */
  perpAccount(user: UserId): Promise<PerpAccountView>
  /** By market number. */
  marks(): Promise<readonly MarkView[]>
  marginTerms(): Promise<MarginTerms | null>
  /**
   * The cross account, then the isolated accounts that hold or owe anything. The isolated account of `market` is always included
   * if given.
   */
  marginAccounts(user: UserId, market?: MarketId): Promise<readonly MarginAccount[]>
  pools(): Promise<readonly PoolView[]>
  claims(user: UserId): Promise<readonly ClaimView[]>
  optionTerms(): Promise<OptionView>
  optionMe(user: UserId): Promise<OptionStanding>
  openOptions(user: UserId): Promise<readonly RunningOption[]>
  /**
   * State of the core's memory of the user's requests with a client id, as of the command at journal position `seq`. The last `ring`
   * requests are certainly remembered, and `left` more can come before the first of them is forgotten. `next` counts the requests in
   * 32 bits, from an arbitrary number at each engine start. `isCrowded`: from now on rings stay small.
   */
  requestRoom(
    user: UserId,
  ): Promise<{ readonly seq: number; readonly ring: number; readonly left: number; readonly isCrowded: boolean; readonly next: number }>
  standing(user: UserId): Promise<UserStanding>
  chainStanding(user: UserId): Promise<ChainStanding>
  /** All open withdrawals, oldest first. */
  withdrawals(): Promise<readonly WithdrawalView[]>
  withdrawTerms(): Promise<readonly WithdrawTermsRow[]>
  /** By network, then asset. */
  chainFlows(): Promise<readonly ChainFlow[]>
  /** Null until conversions are opened for the first time. */
  convertTerms(): Promise<ConvertTerms | null>
  convertStanding(user: UserId): Promise<ConvertStanding>
  /** By asset. */
  convertInventory(): Promise<readonly InventoryRow[]>
  /** Null until referral is opened for the first time. */
  referralTerms(): Promise<ReferralTerms | null>
  referralStanding(user: UserId): Promise<ReferralStanding>
  /** The firm of the user's account. */
  firmStanding(user: UserId): Promise<FirmStanding>
  /** Presales that are not over. */
  presales(): Promise<readonly PresaleView[]>
  /** How many open presales hold a sum of the user. */
  presaleSubscriptions(user: UserId): Promise<number>
  /** Tokens that no presale promises. */
  presaleTokens(token: AssetId): Promise<Units>
  /** Products that operators have opened, in production, by region code; `*` is last. */
  regions(): Promise<readonly RegionRow[]>
  /** Position of the last command in the journal. */
  seq(): Promise<number>
  /** The journal's last position and the hash of the state there. Expensive: it walks the whole state. */
  head(): Promise<{ readonly seq: number; readonly hash: string }>
}
