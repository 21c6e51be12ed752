/** A thing of the user at a price: an order, an exit, a position, an alert. */
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { ReactNode } from 'react'

/** The colour of a line: the own position, a side, the liquidation, or anything else. */
export type Tone = 'brand' | 'up' | 'down' | 'warn' | 'plain'

export type OwnLine = {
  readonly id: string
  readonly price: Decimal
  readonly tone: Tone
  readonly isDashed: boolean
  readonly name: string
  readonly quantity?: string
  /** The coin of the quantity, which a narrow chart leaves out. */
  readonly unit?: string
  /** Profit or loss, or the distance. */
  readonly result?: ReactNode
  readonly move?: LineMove
  readonly remove?: { readonly label: string; readonly run: () => void }
}

/** How a line is moved to another price. */
export type LineMove = {
  /** Changes whenever the thing itself does: a move that began before is given up. */
  readonly version: string
  /** The outcome at a price, for the tip. */
  readonly outcomeAt: (price: Decimal) => ReactNode
  /** Why the move to a price is confirmed even by those who don't want to be asked; undefined without a reason. */
  readonly warningAt: (price: Decimal) => string | undefined
  /** Why the exchange would refuse a price, as far as that is known here. The move to such a price is not sent. */
  readonly faultAt?: (price: Decimal) => string | undefined
  /** Whether a move without a warning is confirmed. */
  readonly asks: boolean
  /** Whether the market must be trading and its prices new. */
  readonly needsMarket: boolean
  readonly send: (clientId: string, price: Decimal) => Promise<unknown>
  /** Said once it is moved. */
  readonly done: string
}

export type LineProps = { readonly market: WireMarket; readonly config: WireConfig }
