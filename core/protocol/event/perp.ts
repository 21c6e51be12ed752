import type { IndexPrice, Lots, Millis, Ppm, Ticks, Units } from '../../money/brand.ts'
import type { MarginMode, PositionSide } from '../command/perp.ts'
import type { Side } from '../command/order.ts'
import type { MarketId, OrderId, UserId } from '../ids.ts'
import type { MarketPhase } from '../market.ts'

/** The mark price after each index tick that moved it, with the index and basis that it was computed from. */
export type PerpMarked = {
  readonly type: 'perp.marked'
  readonly market: MarketId
  readonly mark: Ticks
  readonly index: IndexPrice
  /** Rate of the running period so far, in 1e-9, and when it is paid. */
  readonly fundingRate: number
  readonly fundingAt: Millis
}

/** A user's settings for a market (market 0: the hedge mode of the account). */
export type PerpSettings = {
  readonly type: 'perp.settings'
  readonly user: UserId
  readonly market: MarketId
  readonly leverage: number
  readonly mode: MarginMode
  readonly isHedge: boolean
}

/** A position after a change; `lots` 0: closed. Positive lots are long, negative short. */
export type PositionChanged = {
  readonly type: 'perp.position'
  /**
   * Number of the position's first order, or a new number if that order had already begun a position. It stays the same from
   * opening to closing.
   */
  readonly position: OrderId
  readonly user: UserId
  readonly market: MarketId
  readonly side: PositionSide
  readonly mode: MarginMode
  readonly leverage: number
  readonly lots: Lots
  /** Entry cost of the lots in quote units: entry price = cost ÷ (lots × quotePerTickLot). Never below zero. */
  readonly cost: Units
  readonly margin: Units
  /** Mark price at which the position is liquidated if nothing else changes; 0: never. */
  readonly liquidationPrice: Ticks | 0
  /** Since opening: profit taken, fees paid (positive: paid), funding received. */
  readonly realised: Units
  readonly fees: Units
  readonly funding: Units
  readonly openedAt: Millis
}

/** A position was closed completely. Contains everything that the specification shows of it. */
export type PositionClosed = {
  readonly type: 'perp.closed'
  readonly position: OrderId
  readonly user: UserId
  readonly market: MarketId
  readonly side: Side
  readonly mode: MarginMode
  readonly leverage: number
  /** All lots ever opened in the position and their cost in units; all lots closed and their proceeds. They may exceed 2^53. */
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

/** A funding period ended. Its rate, the mark and all positions' lots are those of this instant, even if a position is settled later. */
export type FundingDue = {
  readonly type: 'perp.fundingDue'
  readonly market: MarketId
  readonly rate: number
  readonly mark: Ticks
  readonly at: Millis
}

/**
 * All positions of a period are settled. `paid` = `received` + `rest`: `paid` includes the insurance fund's advance, and the
 * rest goes to the fund. The rest is at most one unit per receiver, but more if a payer's part came after the end of its period.
 */
export type FundingSettled = {
  readonly type: 'perp.funded'
  readonly market: MarketId
  /** In 1e-9 of the value; positive: longs pay. */
  readonly rate: number
  readonly mark: Ticks
  readonly paid: Units
  readonly received: Units
  readonly rest: Units
  readonly at: Millis
}

/** One position's payment: positive `amount` was received, negative paid. Rate 0: repayment of the fund's advance. */
export type FundingPaid = {
  readonly type: 'perp.fundingPaid'
  readonly user: UserId
  readonly market: MarketId
  readonly position: OrderId
  readonly lots: Lots
  readonly rate: number
  readonly amount: Units
}

/** One step of a liquidation with everything that decided it: equity is below maintenance at this mark. */
export type LiquidationStep = {
  readonly type: 'perp.liquidated'
  readonly user: UserId
  readonly market: MarketId
  readonly position: OrderId
  /** The order placed in the book; 0: none was possible. */
  readonly order: OrderId
  readonly mark: Ticks
  readonly index: IndexPrice
  readonly equity: Units
  readonly maintenance: Units
  readonly maintenancePpm: Ppm
  /** Lots that the step was to close and that it did close; and the bankruptcy price. */
  readonly askedLots: Lots
  readonly closedLots: Lots
  readonly bankruptcyPrice: Ticks | 0
  readonly fee: Units
  /** Amount that the insurance fund paid. */
  readonly insured: Units
}

/**
 * Auto-deleveraging: a position opposite to one that neither book nor fund took was closed at this price; the queue ranks by
 * profit % × leverage. With 0 lots the position stays open and bears, out of its profit, a loss that account and fund could not
 * pay; the entry `deleverage` has the amount.
 */
export type Deleveraged = {
  readonly type: 'perp.deleveraged'
  readonly market: MarketId
  readonly price: Ticks
  readonly lots: Lots
  /** User whose position was closed (0: the fund's, or the loss was made by fills), and the user on the other side. */
  readonly bankruptUser: UserId
  readonly user: UserId
  readonly position: OrderId
}

/** The insurance fund took over lots of a position at its bankruptcy price. */
export type TakenOver = {
  readonly type: 'perp.takenOver'
  readonly market: MarketId
  readonly price: Ticks
  readonly lots: Lots
  readonly user: UserId
  readonly position: OrderId
}

/** The insurance fund's inventory in a market after a change: a position without margin. Not published for an hour. */
export type FundInventory = { readonly type: 'perp.inventory'; readonly market: MarketId; readonly lots: Lots; readonly cost: Units }

export const watchStates = ['safe', 'watch'] as const
export type WatchState = (typeof watchStates)[number]

/**
 * A position, or a whole cross account (market and position 0), came close to liquidation or moved away from it. Emitted once per
 * crossing.
 */
export type PerpLevelChanged = {
  readonly type: 'perp.level'
  readonly user: UserId
  readonly market: MarketId
  readonly position: OrderId
  readonly state: WatchState
}

/** The phase of a market changed: its index was lost or came back, or it was halted or resumed. */
export type PerpPhaseChanged = {
  readonly type: 'perp.phase'
  readonly market: MarketId
  readonly phase: MarketPhase
}

/** The user's tier in the fee schedule of Futures changed. `tier`: index in the schedule, from 0. */
export type PerpTierChanged = { readonly type: 'perp.tierChanged'; readonly user: UserId; readonly tier: number }

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
  | PerpTierChanged
