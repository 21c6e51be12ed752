import type { IndexPrice, Lots, Millis, Ppm, Ticks, Units } from '../../money/brand.ts'
import type { MarginMode, PositionSide } from '../command/perp.ts'
import type { Side } from '../command/order.ts'
import type { MarketId, OrderId, UserId } from '../ids.ts'
import type { MarketPhase } from '../market.ts'

/** After each index tick that moved it: the mark price, and the index and basis that it is made of. */
export type PerpMarked = {
  readonly type: 'perp.marked'
  readonly market: MarketId
  readonly mark: Ticks
  readonly index: IndexPrice
  /** Rate of the running period so far, in 1e-9; and when it is due. */
  readonly fundingRate: number
  readonly fundingAt: Millis
}

/** What a user chose for a market (market 0: the hedge mode of the account). */
export type PerpSettings = {
  readonly type: 'perp.settings'
  readonly user: UserId
  readonly market: MarketId
  readonly leverage: number
  readonly mode: MarginMode
  readonly isHedge: boolean
}

/** A position after a change; `lots` 0: gone. Longs have lots above zero, shorts below. */
export type PositionChanged = {
  readonly type: 'perp.position'
  /** Number of its first order, or one of its own where that order had begun a position before; kept from opening to closing. */
  readonly position: OrderId
  readonly user: UserId
  readonly market: MarketId
  readonly side: PositionSide
  readonly mode: MarginMode
  readonly leverage: number
  readonly lots: Lots
  /** What its lots cost, in quote units: entry price = cost ÷ (lots × quotePerTickLot). Never below zero. */
  readonly cost: Units
  readonly margin: Units
  /** Mark at which it is liquidated if nothing else changes; 0: never. */
  readonly liquidationPrice: Ticks | 0
  /** Since opening: profit taken, fees paid (above zero: paid), funding received. */
  readonly realised: Units
  readonly fees: Units
  readonly funding: Units
  readonly openedAt: Millis
}

/** A position was closed whole: everything that the specification shows of it. */
export type PositionClosed = {
  readonly type: 'perp.closed'
  readonly position: OrderId
  readonly user: UserId
  readonly market: MarketId
  readonly side: Side
  readonly mode: MarginMode
  readonly leverage: number
  /** All lots that were ever opened in it, and their cost in units; all that were closed, and what that brought. They may pass 2^53. */
  readonly openedLots: bigint
  readonly openedValue: bigint
  readonly closedLots: bigint
  readonly closedValue: bigint
  readonly realised: Units
  readonly fees: Units
  readonly funding: Units
  readonly cause: PositionEnd
  readonly openedAt: Millis
  readonly closedAt: Millis
}
export const positionEnds = ['order', 'liquidation', 'deleverage'] as const
export type PositionEnd = (typeof positionEnds)[number]

/** A period ended: its rate, the mark and the lots of all positions are those of this instant, whenever each is settled. */
export type FundingDue = {
  readonly type: 'perp.fundingDue'
  readonly market: MarketId
  readonly rate: number
  readonly mark: Ticks
  readonly at: Millis
}

/**
 * All positions of a period are settled. `paid` = `received` + `rest`: what payers paid and the insurance fund advanced.
 * The rest goes to the fund: a unit per receiver at most, and more where a payer's part came later than its period.
 */
export type FundingSettled = {
  readonly type: 'perp.funded'
  readonly market: MarketId
  /** In 1e-9 of the value; above zero: longs pay. */
  readonly rate: number
  readonly mark: Ticks
  readonly paid: Units
  readonly received: Units
  readonly rest: Units
  readonly at: Millis
}

/** One position's part: `amount` above zero was received, below zero paid. Rate 0: what the fund had advanced is paid back. */
export type FundingPaid = {
  readonly type: 'perp.fundingPaid'
  readonly user: UserId
  readonly market: MarketId
  readonly position: OrderId
  readonly lots: Lots
  readonly rate: number
  readonly amount: Units
}

/** One step of a liquidation, with everything that decided it: equity is below maintenance at this mark. */
export type LiquidationStep = {
  readonly type: 'perp.liquidated'
  readonly user: UserId
  readonly market: MarketId
  readonly position: OrderId
  /** The order that went into the book; 0: none could. */
  readonly order: OrderId
  readonly mark: Ticks
  readonly index: IndexPrice
  readonly equity: Units
  readonly maintenance: Units
  readonly maintenancePpm: Ppm
  /** Lots that the step was to close, and those that it did; the price at which nothing is left. */
  readonly askedLots: Lots
  readonly closedLots: Lots
  readonly bankruptcyPrice: Ticks | 0
  readonly fee: Units
  /** What the insurance fund paid. */
  readonly insured: Units
}

/**
 * A position on the other side of one that nobody took was closed at this price, ranked by profit % × leverage. With 0
 * lots it stays open and bears, out of its profit, a loss that nobody could pay: the entry `deleverage` says how much.
 */
export type Deleveraged = {
  readonly type: 'perp.deleveraged'
  readonly market: MarketId
  readonly price: Ticks
  readonly lots: Lots
  /** Whose position was closed (0: the fund's, or of a loss that fills made), and against whom. */
  readonly bankruptUser: UserId
  readonly user: UserId
  readonly position: OrderId
}

/** The insurance fund took lots of a position over at its bankruptcy price. */
export type TakenOver = {
  readonly type: 'perp.takenOver'
  readonly market: MarketId
  readonly price: Ticks
  readonly lots: Lots
  readonly user: UserId
  readonly position: OrderId
}

/** What the insurance fund carries in a contract after a change: a position without margin. Shown to nobody for an hour. */
export type FundInventory = { readonly type: 'perp.inventory'; readonly market: MarketId; readonly lots: Lots; readonly cost: Units }

export const watchStates = ['safe', 'watch'] as const
export type WatchState = (typeof watchStates)[number]

/**
 * A position, or a whole cross account (market and position 0), came close to its liquidation, or left that again. Told
 * once each time.
 */
export type PerpLevelChanged = {
  readonly type: 'perp.level'
  readonly user: UserId
  readonly market: MarketId
  readonly position: OrderId
  readonly state: WatchState
}

/** A contract may do more or less than before: its index was lost or came back, it was halted or goes on. */
export type PerpPhaseChanged = {
  readonly type: 'perp.phase'
  readonly market: MarketId
  readonly phase: MarketPhase
}

export type PerpEvent =
  | PerpMarked
  | PerpSettings
  | PositionChanged
  | PositionClosed
  | FundingDue
  | FundingSettled
  | FundingPaid
  | LiquidationStep
  | Deleveraged
  | TakenOver
  | FundInventory
  | PerpLevelChanged
  | PerpPhaseChanged
