/** What the thumb did to the spot ticket. */
import type { Decimal, Lots, Ticks, Units } from '@candor/core/money/brand.ts'
import { formatLots, formatTicks, parseTicks } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { type Action, type Context, type Form, isPricedAtMarket, type OrderKind } from './form.ts'
import { affordable } from './sizing.ts'

export function reduce(form: Form, action: Action, context: Context): Form {
  switch (action.type) {
    case 'side':
      return action.side === form.side ? form : { ...form, side: action.side, amount: '' }
    case 'kind':
      return withKind(form, action.kind)
    case 'unit':
      return action.unit === form.unit ? form : { ...form, unit: action.unit, amount: '' }
    case 'set':
      return { ...form, [action.field]: action.text }
    case 'step':
      return { ...form, [action.field]: stepped(form[action.field] || action.from, action.by, context.market) }
    case 'take':
      return taken(form, action.price, action.quantity)
    case 'percent':
      return { ...form, amount: shareOf(form, action.percent, context) }
    case 'timeInForce':
      return { ...form, timeInForce: action.timeInForce, ...(action.timeInForce === 'GTC' ? {} : { isPostOnly: false, display: '' }) }
    case 'postOnly':
      return { ...form, isPostOnly: action.isPostOnly, ...(action.isPostOnly ? { timeInForce: 'GTC' as const } : {}) }
    case 'sent':
      return { ...form, amount: '', display: '' }
  }
}

/** Only a plain limit order can be post-only, an iceberg or filled at once: other kinds forget these. */
function withKind(form: Form, kind: OrderKind): Form {
  const plain = kind === 'limit' ? {} : { isPostOnly: false, display: '', timeInForce: 'GTC' as const }
  const unit = kind === 'oco' ? 'base' : form.unit
  return { ...form, ...plain, kind, unit, amount: unit === form.unit ? form.amount : '' }
}

/** A tapped price goes where the kind has a price; a market order has none. */
function taken(form: Form, price: Decimal, quantity: Decimal | undefined): Form {
  const amount = quantity !== undefined && form.unit === 'base' ? quantity : form.amount
  if (isPricedAtMarket(form.kind)) return form.kind === 'stop-market' ? { ...form, stop: price, amount } : { ...form, amount }
  return { ...form, price, amount }
}

function stepped(text: string, by: number, market: WireMarket): string {
  const ticks = parseTicks(text, market.tick)
  if (ticks === undefined) return text
  return formatTicks(Math.max(1, ticks + by) as Ticks, market.tick)
}

/** The amount text for a position of the slider; empty when it is less than one step. */
function shareOf(form: Form, percent: number, context: Context): string {
  const most = affordable(form, percent, context)
  if (most === undefined || most.lots <= 0) return ''
  if (form.unit === 'base') return formatLots(most.lots as Lots, context.market.lot)
  return formatUnits(most.quote as Units, context.quoteScale)
}
