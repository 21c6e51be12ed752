/** Types and rules shared by the tickets of spot and perp markets. */
import type { Decimal } from '@candor/core/money/brand.ts'

export type OrderKind = 'limit' | 'market' | 'stop-limit' | 'stop-market' | 'trailing' | 'oco'

/** A tapped row of the book: its price, and its quantity after a long press. */
export type Take = { readonly type: 'take'; readonly price: Decimal; readonly quantity?: Decimal }

type Priced = {
  readonly kind: OrderKind
  readonly price: string
  readonly stop: string
  readonly amount: string
  readonly unit: 'base' | 'quote'
}

export function isPricedAtMarket(kind: OrderKind): boolean {
  return kind === 'market' || kind === 'stop-market' || kind === 'trailing'
}

/** Sets a tapped price in the price field of the order's kind. A market order has none. */
export function taken<Form extends Priced>(form: Form, { price, quantity }: Take): Form {
  const amount = quantity !== undefined && form.unit === 'base' ? quantity : form.amount
  if (isPricedAtMarket(form.kind)) return form.kind === 'stop-market' ? { ...form, stop: price, amount } : { ...form, amount }
  return { ...form, price, amount }
}

/** Whether a percent text is between 0.1 and 20, with at most two digits after the point. */
export function isTrail(text: string): boolean {
  return /^\d{1,2}(\.\d{1,2})?$/.test(text) && Number(text) >= 0.1 && Number(text) <= 20
}
