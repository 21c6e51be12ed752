/** Applies an action to the spot ticket. */
import type { Lots, Units } from '@candor/core/money/brand.ts'
import { formatLots } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { taken } from '../desk/form.ts'
import { inUnit, type Unit } from '../desk/unit.ts'
import { type Action, type Context, type Form, type OrderKind } from './form.ts'
import { affordable, priceOf, sizeOf } from './sizing.ts'

export function reduce(form: Form, action: Action, context: Context): Form {
  switch (action.type) {
    case 'side':
      return { ...form, side: action.side }
    case 'kind':
      return withKind(form, action.kind, context)
    case 'unit':
      return switched(form, action.unit, context)
    case 'set':
      return { ...form, [action.field]: action.text }
    case 'take':
      return taken(form, action)
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

/** Sets the kind. Only a plain limit order can be post-only, iceberg, IOC or FOK, so other kinds reset these. */
function withKind(form: Form, kind: OrderKind, context: Context): Form {
  const plain = kind === 'limit' ? {} : { isPostOnly: false, display: '', timeInForce: 'GTC' as const }
  return { ...switched(form, kind === 'oco' ? 'base' : form.unit, context), ...plain, kind }
}

/** The same amount in the other coin: whole lots rounded down, or their exact value. Empty without a price. */
function switched(form: Form, unit: Unit, context: Context): Form {
  return inUnit(form, unit, () => {
    const size = sizeOf(form, priceOf(form, context), context)
    if (size === undefined) return ''
    return unit === 'base' ? formatLots(size.lots, context.market.lot) : formatUnits(size.quote, context.quoteScale)
  })
}

/** The amount text for a slider position; empty if it is less than one step. */
function shareOf(form: Form, percent: number, context: Context): string {
  const most = affordable(form, percent, context)
  if (most === undefined || most.lots <= 0) return ''
  if (form.unit === 'base') return formatLots(most.lots as Lots, context.market.lot)
  return formatUnits(most.quote as Units, context.quoteScale)
}
