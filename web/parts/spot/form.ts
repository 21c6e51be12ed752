/** The spot ticket: its input, its actions, and the market and account data that it needs. */
import type { Decimal } from '@candor/core/money/brand.ts'
import type { Side, TimeInForce } from '@candor/core/protocol/command/spot.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { Take } from '../desk/form.ts'
import type { Origin } from '../desk/unit.ts'

export const orderKinds = ['limit', 'market', 'stop-limit', 'stop-market', 'trailing', 'oco'] as const
export type OrderKind = (typeof orderKinds)[number]

/** The typed texts, with a decimal point; empty if nothing was typed. */
export type Form = {
  readonly side: Side
  readonly kind: OrderKind
  readonly price: string
  readonly stop: string
  readonly trail: string
  /** Amount in the base coin, or with unit `quote` in the quote coin. */
  readonly amount: string
  readonly unit: 'base' | 'quote'
  readonly origin?: Origin | undefined
  readonly timeInForce: TimeInForce
  readonly isPostOnly: boolean
  /** Visible part of an iceberg order; empty for all of it. */
  readonly display: string
}

export type Field = 'price' | 'stop' | 'trail' | 'amount' | 'display'

export type Action =
  | { readonly type: 'side'; readonly side: Side }
  | { readonly type: 'kind'; readonly kind: OrderKind }
  | { readonly type: 'unit'; readonly unit: 'base' | 'quote' }
  | { readonly type: 'set'; readonly field: Field; readonly text: string }
  | Take
  | { readonly type: 'percent'; readonly percent: number }
  | { readonly type: 'timeInForce'; readonly timeInForce: TimeInForce }
  | { readonly type: 'postOnly'; readonly isPostOnly: boolean }
  | { readonly type: 'sent' }

/** Market and account data that the form needs. */
export type Context = {
  readonly market: WireMarket
  readonly baseScale: number
  readonly quoteScale: number
  readonly bid: Decimal | undefined
  readonly ask: Decimal | undefined
  readonly last: Decimal | undefined
  /** Undefined for a visitor. */
  readonly availableBase: Decimal | undefined
  readonly availableQuote: Decimal | undefined
  readonly makerPpm: number
  readonly takerPpm: number
}

export function emptyForm(side: Side = 'buy'): Form {
  return {
    side,
    kind: 'limit',
    price: '',
    stop: '',
    trail: '1',
    amount: '',
    unit: 'base',
    timeInForce: 'GTC',
    isPostOnly: false,
    display: '',
  }
}
