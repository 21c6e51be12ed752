/** The perp ticket: its input, its actions, and the market and account data that it needs. */
import type { Decimal } from '@candor/core/money/brand.ts'
import type { TriggerPrice } from '@candor/core/protocol/command/perp.ts'
import type { TimeInForce } from '@candor/core/protocol/command/spot.ts'
import type { Take } from '../../parts/desk/form.ts'
import type { Origin } from '../../parts/desk/unit.ts'
import type { Risks } from '../../parts/perp/risk.ts'

export const orderKinds = ['limit', 'market', 'stop-limit', 'stop-market', 'trailing'] as const
export type OrderKind = (typeof orderKinds)[number]

/** The typed texts, with a decimal point; empty if nothing was typed. The tapped button decides the side. */
export type Form = {
  /** In hedge mode: whether the buttons open or close positions. */
  readonly intent: 'open' | 'close'
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
  readonly isReduceOnly: boolean
  readonly triggerBy: TriggerPrice
  /** Whether the order has a take profit or stop loss for the position that it opens. */
  readonly hasExits: boolean
  readonly takeProfit: string
  readonly stopLoss: string
}

export type Field = 'price' | 'stop' | 'trail' | 'amount' | 'takeProfit' | 'stopLoss'

export type Action =
  | { readonly type: 'intent'; readonly intent: 'open' | 'close' }
  | { readonly type: 'kind'; readonly kind: OrderKind }
  | { readonly type: 'unit'; readonly unit: 'base' | 'quote' }
  | { readonly type: 'set'; readonly field: Field; readonly text: string }
  | Take
  | { readonly type: 'percent'; readonly percent: number }
  | { readonly type: 'timeInForce'; readonly timeInForce: TimeInForce }
  | { readonly type: 'postOnly'; readonly isPostOnly: boolean }
  | { readonly type: 'reduceOnly'; readonly isReduceOnly: boolean }
  | { readonly type: 'exits'; readonly hasExits: boolean }
  | { readonly type: 'triggerBy'; readonly triggerBy: TriggerPrice }
  | { readonly type: 'sent' }

/** Market and account data that the form needs. */
export type Context = Risks & {
  readonly bid: Decimal | undefined
  readonly ask: Decimal | undefined
  readonly last: Decimal | undefined
}

export function emptyForm(): Form {
  return {
    intent: 'open',
    kind: 'limit',
    price: '',
    stop: '',
    trail: '1',
    amount: '',
    unit: 'base',
    timeInForce: 'GTC',
    isPostOnly: false,
    isReduceOnly: false,
    triggerBy: 'mark',
    hasExits: false,
    takeProfit: '',
    stopLoss: '',
  }
}

export function hasTrigger(kind: OrderKind): boolean {
  return kind === 'stop-limit' || kind === 'stop-market' || kind === 'trailing'
}
