/** Explanations: what the exchange's own functions say about one of the customer's results, from the journal executed again. */
import type { Decimal } from '../../../money/brand.ts'
import type { Side } from '../../command/order.ts'
import type { LiquidationExplanation, LiquidationSubject, MarginLiquidationExplanation, MarginLiquidationSubject } from './liquidation.ts'

/** What a customer can ask about. */
export type WireExplanationSubject = FillSubject | ConversionSubject | LiquidationSubject | MarginLiquidationSubject
export type FillSubject = { readonly kind: 'fill'; readonly symbol: string; readonly tradeId: string; readonly role: 'maker' | 'taker' }
export type ConversionSubject = { readonly kind: 'conversion'; readonly id: string }

/**
 * Why there is no explanation. `version`: another version of the core decided it. `gone`: the journal or the states before it are no
 * longer kept. `far`: the nearest state that is kept is too far away. `failed`: executed again, it did not give what was recorded.
 */
export const explanationFaults = ['version', 'gone', 'far', 'failed'] as const
export type ExplanationFault = (typeof explanationFaults)[number]

export type WireExplanation = {
  readonly id: string
  readonly state: 'waiting' | 'ready' | 'refused'
  /** While it waits: how far the commands before it have been executed again, in percent. */
  readonly percent?: number
  readonly fault?: ExplanationFault
  readonly fill?: FillExplanation
  readonly conversion?: ConversionExplanation
  readonly liquidation?: LiquidationExplanation
  readonly marginLiquidation?: MarginLiquidationExplanation
}

/** A price level as the book showed it. */
export type ShownLevel = { readonly price: Decimal; readonly quantity: Decimal }

/** What the book showed on one side: in all at better prices than the order's, and at its price. */
export type ShownQueue = { readonly betterQuantity: Decimal; readonly betterLevels: number; readonly quantity: Decimal }

export type FillExplanation = {
  readonly symbol: string
  readonly tradeId: string
  readonly orderId: string
  /** Place of the fill's command in the journal, and its time. */
  readonly seq: number
  readonly at: number
  readonly role: 'maker' | 'taker'
  readonly side: Side
  readonly price: Decimal
  readonly quantity: Decimal
  readonly value: Decimal
  /** Limit price of the customer's order; absent for a market order. */
  readonly limit?: Decimal
  /** Quantity of the order; absent for an order by amount. */
  readonly orderQuantity?: Decimal
  /** What the order had filled before. */
  readonly filledBefore: Decimal
  /** Present for a taker. */
  readonly taker?: TakerExplanation
  /** Present for a maker. */
  readonly maker?: MakerExplanation
  readonly fee: FeeExplanation
}

export type TakerExplanation = {
  /** The other side of the book when the order came, best first: at most twenty levels, none beyond the price of the fill. */
  readonly levels: readonly ShownLevel[]
  readonly queue: ShownQueue
  /** What the order took before this fill in the same command: at better prices, and at the same price. */
  readonly takenBetter: Decimal
  readonly takenBefore: Decimal
}

export type MakerExplanation = {
  /** The own side of the book when the order took its last place in the queue; absent when that can't be said. */
  readonly rest?: ShownQueue & { readonly seq: number; readonly at: number; readonly rested: Decimal }
  /**
   * Why `rest` is absent. `gone`: that moment can't be executed again. `part`: this is a later part of an iceberg, and each part queues
   * anew. `list`: the order is a leg of a pair, which may leave the book and come back.
   */
  readonly noRest?: 'gone' | 'part' | 'list'
  /** What the incoming order took before this fill: at better prices, and before the own order at the same price. */
  readonly takenBetter: Decimal
  readonly takenBefore: Decimal
}

export type FeeExplanation = {
  readonly asset: string
  readonly amount: Decimal
  /** What the rate is applied to: what was received, or in Futures the value of the trade. */
  readonly base: Decimal
  readonly ratePpm: number
  /** `market`: the rate of the market. `tier`: of the tier by volume. `terms`: of the tier by a firm's own terms. `none`: a liquidation pays none. */
  readonly source: 'market' | 'tier' | 'terms' | 'none'
  readonly marketPpm: number
  readonly tier: number
  /** Rate of the tier; absent for tier 0, which has none of its own. */
  readonly tierPpm?: number
  /** Thirty-day volume in USDT before the command. */
  readonly volume: Decimal
  /** The product of base and rate before it was rounded up. */
  readonly exact: Decimal
  /** The fee that was due, if the account could not pay all of it. */
  readonly due?: Decimal
}

/** Prices in USDT of a whole unit. */
export type ConversionExplanation = {
  readonly id: string
  readonly seq: number
  readonly at: number
  readonly from: string
  readonly to: string
  readonly give: Decimal
  readonly get: Decimal
  /** Which of both sums the customer named. The other follows from it. */
  readonly named: 'give' | 'get'
  readonly fromIndex: Decimal
  readonly toIndex: Decimal
  /** The prices that counted: the index, or what the own book gave for so much, whichever is worse for the customer. */
  readonly fromPrice: Decimal
  readonly toPrice: Decimal
  readonly spreadPpm: number
  /** The sum that follows, to four digits more than the coin has, cut off: what was rounded. */
  readonly exact: Decimal
  /** How the rate may move before the index decides. */
  readonly driftPpm: number
  /** The index that decided; absent while it is undecided, and when the conversion ended without one. */
  readonly decision?: { readonly seq: number; readonly at: number; readonly fromIndex: Decimal; readonly toIndex: Decimal }
}
