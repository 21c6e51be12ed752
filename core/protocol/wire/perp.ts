import type { Decimal } from '../../money/brand.ts'
import type { MarginMode, PositionSide, TriggerPrice } from '../command/perp.ts'
import type { PerpSelfTradeMode, Side, TimeInForce } from '../command/order.ts'
import type { PositionEnd } from '../event/perp.ts'
import type { WireExits, WireTrigger } from './order.ts'
import type { MarketPhase } from '../market.ts'
import type { WireLeverageCeiling } from './user.ts'

export type { WireExit, WireExits, WirePerpOrder } from './order.ts'

/** Part of a market in `WireConfig`: set for perpetual contracts. */
export type WirePerpTerms = {
  /** Spot market of the index. */
  readonly indexSymbol: string
  readonly leverageMax: number
  readonly tiers: readonly { readonly valueMax: Decimal; readonly initialPpm: number; readonly maintenancePpm: number }[]
  readonly fundingHours: number
  readonly liquidationFeePpm: number
  readonly liquidationStepPpm: number
  readonly markClampPpm: number
  /** Highest value of all positions of the market at the mark, and one user's largest part of it, in ppm. */
  readonly openInterestMax: Decimal
  readonly userInterestPpm: number
}

/** GET `/perp/prices`, and stream `<symbol>@mark` with `e: "mark"`. */
export type WireMark = {
  readonly symbol: string
  readonly mark: Decimal
  readonly index: Decimal
  /** Rate of the running period so far, in percent with sign, such as "0.0100"; and the time of its payment. */
  readonly fundingRate: Decimal
  readonly fundingAt: number
  /** Whether enough index prices are present and agree. */
  readonly isIndexGood: boolean
  /** Phase of the market: see *Outages and halts* in the specification. */
  readonly phase: MarketPhase
  readonly time: number
}

export type WirePlacePerp = {
  readonly clientId: string
  readonly symbol: string
  readonly side: Side
  /** Absent: `both`. */
  readonly position?: PositionSide
  readonly type: 'limit' | 'market'
  readonly timeInForce?: TimeInForce
  readonly price?: Decimal
  /** Absent with `closing`. */
  readonly quantity?: Decimal
  readonly postOnly?: boolean
  readonly reduceOnly?: boolean
  /** Take profit or stop loss for the whole position. */
  readonly closing?: boolean
  readonly trigger?: WireTrigger
  readonly triggerBy?: TriggerPrice
  /** Take profit and stop loss of the position that the order's fills open or enlarge. */
  readonly exits?: WireExits
  readonly selfTrade?: PerpSelfTradeMode
}

/** An open position; sums in USDT. The app computes unrealised profit and ratio, which move with the mark, with `core/risk/perp`. */
export type WirePosition = {
  readonly id: string
  readonly symbol: string
  readonly side: Side
  readonly position: PositionSide
  readonly mode: MarginMode
  readonly leverage: number
  readonly quantity: Decimal
  readonly entryPrice: Decimal
  /** Cost of its quantity at entry. */
  readonly value: Decimal
  readonly margin: Decimal
  readonly liquidationPrice: Decimal | null
  readonly realised: Decimal
  readonly fees: Decimal
  readonly funding: Decimal
  /** Place in the queue of auto-deleveraging: 5 is first. */
  readonly adlRank: 1 | 2 | 3 | 4 | 5
  readonly openedAt: number
}

/** A closed position: the fields of the specification. */
export type WireClosedPosition = {
  readonly id: string
  readonly symbol: string
  readonly side: Side
  readonly mode: MarginMode
  readonly leverage: number
  readonly openPrice: Decimal
  readonly openQuantity: Decimal
  /** Initial margin of everything opened (value ÷ leverage, rounded up), and that value. */
  readonly openAmount: Decimal
  readonly totalOpenAmount: Decimal
  readonly settlePrice: Decimal
  /** Realised profit after fees and funding. */
  readonly settleProfit: Decimal
  readonly realised: Decimal
  readonly fees: Decimal
  readonly funding: Decimal
  readonly result: 'win' | 'loss' | 'even'
  readonly cause: PositionEnd
  readonly openedAt: number
  readonly completedAt: number
  readonly holdingMs: number
}

/** GET `/perp/account`: settings and free margin. */
export type WirePerpAccount = {
  readonly isHedge: boolean
  readonly available: Decimal
  readonly held: Decimal
  /** Amount that may leave by transfer. */
  readonly transferable: Decimal
  readonly settings: readonly { readonly symbol: string; readonly leverage: number; readonly mode: MarginMode }[]
  readonly positions: readonly WirePosition[]
  /** By market: the value that orders may still open under the market's cap, and under this user's part of it by direction. */
  readonly interest: readonly { readonly symbol: string; readonly left: Decimal; readonly buy: Decimal; readonly sell: Decimal }[]
  /** Null: no ceiling besides the market's own. */
  readonly ceiling: WireLeverageCeiling | null
}

export type WireFunding = {
  readonly id: string
  readonly symbol: string
  readonly rate: Decimal
  readonly quantity: Decimal
  /** Positive: received. */
  readonly amount: Decimal
  readonly time: number
}

export type WireFundingRate = { readonly symbol: string; readonly rate: Decimal; readonly mark: Decimal; readonly time: number }

/** GET `/perp/liquidations/:id`: everything that decided one liquidation, step by step. */
export type WireLiquidation = {
  readonly positionId: string
  readonly symbol: string
  readonly steps: readonly {
    readonly seq: number
    readonly time: number
    readonly mark: Decimal
    readonly index: Decimal
    /** The prices whose median is the index. */
    readonly sources: readonly { readonly venue: string; readonly price: Decimal }[]
    readonly equity: Decimal
    readonly maintenance: Decimal
    readonly maintenancePpm: number
    readonly orderId: string | null
    readonly askedQuantity: Decimal
    readonly closedQuantity: Decimal
    readonly averagePrice: Decimal | null
    readonly bankruptcyPrice: Decimal | null
    readonly fee: Decimal
    readonly insured: Decimal
    readonly deleveraged: readonly { readonly price: Decimal; readonly quantity: Decimal }[]
    /** Ledger entries that the step wrote for this user. */
    readonly entries: readonly { readonly account: string; readonly reason: string; readonly amount: Decimal; readonly balance: Decimal }[]
  }[]
}

/** GET `/perp/insurance`: the fund now, its daily history, and its inventory one hour ago. */
export type WireInsurance = {
  readonly asset: string
  readonly balance: Decimal
  readonly days: readonly { readonly day: string; readonly balance: Decimal }[]
  /** Positive quantity: long; negative: short. `cost`: its entry cost. */
  readonly inventory: readonly { readonly symbol: string; readonly quantity: Decimal; readonly cost: Decimal }[]
}

export type WireSetLeverage = { readonly symbol: string; readonly leverage: number }
export type WireSetMarginMode = { readonly symbol: string; readonly mode: MarginMode }
export type WireSetHedgeMode = { readonly hedge: boolean }
export type WireAdjustMargin = {
  readonly clientId: string
  readonly symbol: string
  readonly position?: PositionSide
  /** Signed; positive adds. */
  readonly amount: Decimal
}
export type WireReverse = { readonly clientId: string; readonly symbol: string }
