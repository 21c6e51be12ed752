/** Explanations of liquidations, command by command, as the core decided them. Of others they have only what is public. */
import type { Decimal } from '../../../money/brand.ts'
import type { Side } from '../../command/order.ts'
import type { MarginMode } from '../../command/perp.ts'

/** The liquidation of a Futures position, or of the cross account it belongs to, up to the step at this place in the journal. */
export type LiquidationSubject = { readonly kind: 'liquidation'; readonly positionId: string; readonly seq: number }

/** The liquidation of a Margin account up to the step at this place in the journal. Without a symbol: the cross account. */
export type MarginLiquidationSubject = { readonly kind: 'marginLiquidation'; readonly symbol?: string; readonly seq: number }

/** A quantity at a price. */
export type Part = { readonly price: Decimal; readonly quantity: Decimal }

/** Sums in USDT. */
export type LiquidationExplanation = {
  readonly symbol: string
  readonly positionId: string
  readonly mode: MarginMode
  /** Oldest first, one per command. */
  readonly stages: readonly LiquidationStage[]
  /** Commands in the middle of a very long liquidation that are left out. */
  readonly omitted: number
  /** After the last command. */
  readonly end: LiquidationState
}

export type LiquidationStage = {
  /** Place of the command in the journal, and its time. */
  readonly seq: number
  readonly at: number
  /** Numbers of the customer's orders that it cancelled for the liquidation. */
  readonly cancelled: readonly string[]
  /** Absent when it only cancelled orders. */
  readonly trigger?: LiquidationTrigger
  /** Immediately before its first step. Absent when it only cancelled orders. */
  readonly before?: LiquidationState
  readonly steps: readonly LiquidationStepExplanation[]
}

/** The prices that decided the first step of a command, in the market of its position. */
export type LiquidationTrigger = {
  readonly symbol: string
  /** Mark price before the command and at the step. The first is absent when there was none. */
  readonly markBefore?: Decimal
  readonly mark: Decimal
  readonly index: Decimal
  /** Mark price at which the position was due, as it was before the command; absent when no price would have liquidated it. */
  readonly due?: Decimal
  /** The venues' prices, by number of the venue, if the command brought them. */
  readonly sources: readonly { readonly venue: string; readonly price: Decimal }[]
}

/** What stood behind a position: in cross mode the whole account, in isolated mode its own margin. */
export type LiquidationState = {
  /** Free balance of the Futures account. It counts in cross mode only. */
  readonly balance: Decimal
  /** The positions that counted: in isolated mode at most one. */
  readonly positions: readonly LiquidationPosition[]
  /** Cross: balance, margins and profits. Isolated: margin and profit. */
  readonly equity: Decimal
  /** The sum of the positions. A liquidation goes on while the equity is not above it. */
  readonly maintenance: Decimal
}

export type LiquidationPosition = {
  readonly symbol: string
  readonly positionId: string
  readonly side: 'long' | 'short'
  readonly quantity: Decimal
  readonly entry: Decimal
  readonly mark: Decimal
  readonly profit: Decimal
  readonly margin: Decimal
  readonly maintenance: Decimal
  readonly maintenancePpm: number
}

export type LiquidationStepExplanation = {
  readonly symbol: string
  readonly positionId: string
  readonly mark: Decimal
  readonly equity: Decimal
  readonly maintenance: Decimal
  /** Price at which the loss uses up everything behind the position; absent when no price does. */
  readonly bankruptcyPrice?: Decimal
  /** The order placed in the book; absent when the position was handed over. */
  readonly orderId?: string
  readonly asked: Decimal
  readonly closed: Decimal
  /** What the order took from the book, by price. */
  readonly fills: readonly Part[]
  /** What the insurance fund took over. */
  readonly takenOver: readonly Part[]
  /** What was closed against positions of the other side. */
  readonly deleveraged: readonly Part[]
  /** Profit (+) or loss (−) that the step realised. */
  readonly realised: Decimal
  /** The insurance fund's fee. */
  readonly fee: Decimal
  /** What the fund paid of losses that the account could not pay. */
  readonly insured: Decimal
  /** What was left of the position. */
  readonly left: Decimal
  readonly equityAfter: Decimal
  readonly maintenanceAfter: Decimal
}

/** Values in USDT, levels as assets ÷ debt. */
export type MarginLiquidationExplanation = {
  /** Absent for the cross account. */
  readonly symbol?: string
  /** Oldest first, one per command. */
  readonly stages: readonly MarginLiquidationStage[]
  readonly omitted: number
  readonly end: MarginWorth
}

export type MarginLiquidationStage = {
  readonly seq: number
  readonly at: number
  /** Present where the level fell to the limit: the account then, and the level at which it is liquidated. */
  readonly trigger?: { readonly liquidationLevel: Decimal; readonly worth: MarginWorth }
  readonly cancelled: readonly string[]
  /** Debts repaid with what the account had of the same coin, before or between the steps. */
  readonly repaid: readonly MarginSum[]
  readonly steps: readonly MarginStepExplanation[]
}

export type MarginWorth = {
  readonly coins: readonly MarginCoin[]
  /** What the account's orders could lose, which counts against it. */
  readonly ordersLoss: Decimal
  readonly assets: Decimal
  readonly debt: Decimal
  /** Absent without debt. */
  readonly level?: Decimal
}

export type MarginCoin = {
  readonly asset: string
  /** Index price in USDT. */
  readonly price: Decimal
  readonly quantity: Decimal
  readonly value: Decimal
  readonly owed: Decimal
  readonly owedValue: Decimal
}

export type MarginSum = { readonly asset: string; readonly amount: Decimal }

export type MarginStepExplanation = {
  /** `order`: the account's coins were exchanged in the book. `takeOver`: the insurance fund took the account over. `fund`: it repaid debts. */
  readonly by: 'order' | 'takeOver' | 'fund'
  readonly orders: readonly MarginOrderStep[]
  /** Immediately before the step. */
  readonly before: Pick<MarginWorth, 'assets' | 'debt' | 'level'>
  readonly liquidationLevel: Decimal
  /** Debts repaid by the step. */
  readonly repaid: readonly MarginSum[]
  /** Paid to the insurance fund, and by it, at index prices. */
  readonly fee: Decimal
  readonly insured: Decimal
  readonly after: Pick<MarginWorth, 'assets' | 'debt' | 'level'>
}

export type MarginOrderStep = {
  readonly symbol: string
  readonly orderId: string
  readonly side: Side
  readonly fills: readonly Part[]
  /** The trading fee, in the coin that the order brought in. */
  readonly fee: Decimal
  readonly feeAsset: string
}
