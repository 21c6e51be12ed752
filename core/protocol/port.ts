import type { IndexPrice, Lots, Millis, Ppm, Ticks, Units } from '../money/brand.ts'
import type { AccountRef } from './account.ts'
import type { Command } from './command/index.ts'
import type { Mode } from './command/mode.ts'
import type { OrderStrategy, SelfTradeMode, Side, TimeInForce, Trigger } from './command/spot.ts'
import type { MarginTerms } from './command/margin.ts'
import type { MarginMode, PositionSide } from './command/perp.ts'
import type { OptionTerms } from './command/option.ts'
import type { Event, MarginOrder, PerpOrder } from './event/index.ts'
import type { MarginState } from './event/margin.ts'
import type { OptionOpened, OptionStruck } from './event/option.ts'
import type { PositionChanged } from './event/perp.ts'
import type { AssetId, ClientId, MarketId, OrderId, UserId } from './ids.ts'
import type { Asset, FeeTier, Level, Market, MarketPhase } from './market.ts'
import type { Refusal } from './refusal.ts'

/** What became of a command, given only after it is durable. `events` are all that it caused, its outcome last. */
export type Outcome = {
  readonly seq: number
  readonly at: Millis
  readonly user: UserId
  readonly order: OrderId
  readonly refusal: Refusal | undefined
  readonly isRepeat: boolean
  readonly events: readonly Event[]
}

/**
 * The only way to change the exchange. Resolves when the command's batch is durable. Rejects with a fault when it is
 * not known (`STATUS_UNKNOWN`: the caller asks again with the same client id) or was not taken (`UNAVAILABLE`).
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
  readonly price: Ticks | 0
  readonly lots: Lots
  readonly spend: Units
  readonly executedLots: Lots
  readonly executedQuote: Units
  /** Of `lots`, what left it to prevent a trade with its owner's other orders; absent for none. */
  readonly preventedLots?: Lots
  readonly isPostOnly: boolean
  readonly display: Lots
  readonly trigger?: Trigger
  /** Absent: `expire-taker`. */
  readonly selfTrade?: SelfTradeMode
  readonly margin?: MarginOrder
  readonly perp?: PerpOrder
  readonly strategy?: OrderStrategy
  /** Set for a spot order by the market that was triggered and is not filled: it is tried again at each index tick. */
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
 * `transferable`: what could be borrowed, or leave, now; `orderLoan`: what an order that gives all of the asset in the
 * account's market (cross: in the market that is asked about) could borrow of it.
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
 * A margin account: cross (market 0), or that of a market. `assets` and `debt` in USDT units at index prices, `levelPpm`
 * null without debt. `liquidationPrice`: index price of the pair at which an isolated account is liquidated, 0 for none.
 * `isIndexGood`: risk may be taken at the prices of all that is there.
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
  /** Null: none beside the terms'. */
  readonly ceiling: LeverageCeiling | null
}

/** The lending pool of an asset. Rates an hour in 1e-12: `rate` is what a loan pays that is taken now, `earnRate` what lenders get of it. `room`: what can still be borrowed. */
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

/** A lender's claim, interest earned so far included; of it `pending` is not yet in an entry. `liquid`: what a withdrawal pays at once. `fresh`: what earns nothing before `freshUntil`, the next turn of an hour. */
export type ClaimView = {
  readonly asset: AssetId
  readonly claim: Units
  readonly pending: Units
  readonly queued: Units
  readonly liquid: Units
  readonly fresh: Units
  readonly freshUntil: Millis | null
}

/** Second as it is offered now. `fund`: of the house, in USDT units. `tape`: its last tick. */
export type OptionView = {
  readonly terms: OptionTerms | null
  readonly isOpen: boolean
  readonly fund: Units
  readonly markets: readonly { readonly market: MarketId; readonly isPaused: boolean }[]
  readonly tape: { readonly tick: number; readonly at: Millis }
}

/** `loss`: net loss of the UTC day, below zero a gain. `lossMax` 0: none. `nextAt` 0: no other limit waits. `coolOffUntil` 0: none runs. */
export type OptionStanding = {
  readonly isAdmitted: boolean
  readonly openStakes: Units
  readonly loss: Units
  readonly lossMax: Units
  readonly nextLossMax: Units
  readonly nextAt: Millis
  readonly coolOffUntil: Millis
  /** The own guard voided, or may yet void, as many orders of the UTC day as it may: orders are taken without one only. */
  readonly isGuardSpent: boolean
  /** Second takes orders from the customer's region. */
  readonly isOpenInRegion: boolean
  /** Largest stake that the cap of each direction leaves, of every market of the product. */
  readonly left: readonly { readonly market: MarketId; readonly up: Units; readonly down: Units }[]
}

/** An order of Second that is not settled. */
export type RunningOption = Omit<OptionOpened, 'type'> & { readonly struck?: Pick<OptionStruck, 'strike' | 'tick' | 'at'> }

/** An open position as the core sees it now. `adlRank`: fifth of the queue of auto-deleveraging, 5 is first. */
export type PerpPosition = Omit<PositionChanged, 'type'> & { readonly adlRank: 1 | 2 | 3 | 4 | 5 }

/** What the resting orders beside a position hold, and the value at their prices of the buys and sells among them that may open. */
export type PerpOrdersMargin = {
  readonly market: MarketId
  readonly side: PositionSide
  readonly margin: Units
  readonly buys: Units
  readonly sells: Units
}

/** Highest leverage that a customer may open or enlarge anything with. `until`: of a new one, when it ends. */
export type LeverageCeiling = { readonly leverage: number; readonly reason: 'new' | 'region'; readonly until: Millis | null }

/** What is opened to customers of a region; `*`: of all regions without a row of their own. */
export type RegionRow = { readonly region: string; readonly isLeverageOpen: boolean; readonly isSecondOpen: boolean }

/** What caps leave for orders that open: of the market, and of this user's part of it by direction. Values in USDT units, none below 0. */
export type PerpInterest = { readonly market: MarketId; readonly left: Units; readonly buy: Units; readonly sell: Units }

/** A contract account. `transferable`: what may leave; new orders may use at least as much. `settings`: of every contract. `orders`: where any may open. */
export type PerpAccountView = {
  readonly isHedge: boolean
  readonly available: Units
  readonly held: Units
  readonly transferable: Units
  readonly settings: readonly { readonly market: MarketId; readonly leverage: number; readonly mode: MarginMode }[]
  readonly positions: readonly PerpPosition[]
  readonly orders: readonly PerpOrdersMargin[]
  /** Of every contract. */
  readonly interest: readonly PerpInterest[]
  /** Null: none beside the market's own. */
  readonly ceiling: LeverageCeiling | null
}

/** Prices of a contract. `mark` 0: none yet. `fundingRate` of the running period so far, in 1e-9. `isGood`: liquidations go on. */
export type MarkView = {
  readonly market: MarketId
  readonly mark: Ticks | 0
  readonly index: IndexPrice
  readonly fundingRate: number
  readonly fundingAt: Millis
  readonly isGood: boolean
  readonly phase: MarketPhase
}

/** What the core knows now and what is durable: answers wait for the batch that was being decided. */
export type Ask = {
  listing(): Promise<{ readonly assets: readonly Asset[]; readonly markets: readonly Market[]; readonly fees: readonly FeeTier[] }>
  /** What the data is for; null until its first start has said so. */
  mode(): Promise<Mode | null>
  balances(user: UserId): Promise<readonly Balance[]>
  openOrders(user: UserId, market?: MarketId): Promise<readonly OpenOrder[]>
  /** All of the user's, as they were after the command at journal position `seq`: for who goes on with the events after it. */
  ordersAt(user: UserId): Promise<{ readonly seq: number; readonly orders: readonly OpenOrder[] }>
  book(market: MarketId): Promise<BookView>
  /** Thirty-day volume in USDT units, and the fee tier that it gives. */
  tier(user: UserId): Promise<{ readonly volume: Units; readonly tier: number }>
  /** Settings, positions and what is free in contracts. */
  perpAccount(user: UserId): Promise<PerpAccountView>
  /** By market number. */
  marks(): Promise<readonly MarkView[]>
  marginTerms(): Promise<MarginTerms | null>
  /** The cross account, then isolated ones that hold or owe anything, and that of `market` when it is named. */
  marginAccounts(user: UserId, market?: MarketId): Promise<readonly MarginAccount[]>
  pools(): Promise<readonly PoolView[]>
  claims(user: UserId): Promise<readonly ClaimView[]>
  optionTerms(): Promise<OptionView>
  optionMe(user: UserId): Promise<OptionStanding>
  openOptions(user: UserId): Promise<readonly RunningOption[]>
  /**
   * After the command at journal position `seq`: of the user's last requests with a client id, `ring` are certain to be remembered;
   * `left` more may come before the first of them goes. `next` counts them in 32 bits, from anywhere at each start of the engine.
   * `isCrowded`: from now on, for good, rings are small.
   */
  requestRoom(
    user: UserId,
  ): Promise<{ readonly seq: number; readonly ring: number; readonly left: number; readonly isCrowded: boolean; readonly next: number }>
  /** What operators opened where, in production: by code, `*` last. */
  regions(): Promise<readonly RegionRow[]>
  /** Position of the last command in the journal. */
  seq(): Promise<number>
  /** Head of the journal, and the hash of the state there: costs a walk over the whole state. */
  head(): Promise<{ readonly seq: number; readonly hash: string }>
}

/** Events of one durable batch, in order, to whoever follows: the gateway's market data, a standby. */
export type Released = { readonly firstSeq: number; readonly lastSeq: number; readonly events: readonly Event[] }
