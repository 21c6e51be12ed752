/** Applies an action to the perp ticket. */
import { formatLots } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { taken } from '../../parts/desk/form.ts'
import { inUnit, type Unit } from '../../parts/desk/unit.ts'
import { type Action, type Context, type Form, type OrderKind } from './form.ts'
import { lotsOf, priceOf, sliderMax } from './sizing.ts'

export function reduce(form: Form, action: Action, context: Context): Form {
  switch (action.type) {
    case 'intent':
      return action.intent === form.intent ? form : { ...form, intent: action.intent, hasExits: false }
    case 'kind':
      return withKind(form, action.kind)
    case 'unit':
      return inUnit(form, action.unit, () => converted(form, action.unit, context))
    case 'set':
      return { ...form, [action.field]: action.text }
    case 'take':
      return taken(form, action)
    case 'percent':
      return { ...form, amount: shareOf(form, action.percent, context) }
    case 'timeInForce':
      return { ...form, timeInForce: action.timeInForce, ...(action.timeInForce === 'GTC' ? {} : { isPostOnly: false }) }
    case 'postOnly':
      return { ...form, isPostOnly: action.isPostOnly, ...(action.isPostOnly ? { timeInForce: 'GTC' as const } : {}) }
    case 'reduceOnly':
      return { ...form, isReduceOnly: action.isReduceOnly, ...(action.isReduceOnly ? { hasExits: false } : {}) }
    case 'exits':
      return { ...form, hasExits: action.hasExits, ...(action.hasExits ? { isReduceOnly: false } : {}) }
    case 'triggerBy':
      return { ...form, triggerBy: action.triggerBy }
    case 'sent':
      return { ...form, amount: '', takeProfit: '', stopLoss: '', hasExits: false }
  }
}

/** Sets the kind. Only a plain limit order can be post-only, IOC or FOK. */
function withKind(form: Form, kind: OrderKind): Form {
  const plain = kind === 'limit' ? {} : { isPostOnly: false, timeInForce: 'GTC' as const }
  return { ...form, ...plain, kind }
}

/** The same size in the other unit, rounded down to whole lots. Empty if it can't be converted. */
function converted(form: Form, unit: Unit, context: Context): string {
  const ticks = priceOf(form, 'buy', context)
  const lots = lotsOf(form, ticks, context)
  if (ticks === undefined || lots === undefined || lots <= 0) return ''
  if (unit === 'base') return formatLots(lots, context.market.lot)
  return formatUnits(lots * ticks * context.perTickLot, context.quoteScale)
}

/** The amount text for a slider position: a share of the size that both buttons allow. Empty below one lot. */
function shareOf(form: Form, percent: number, context: Context): string {
  const most = sliderMax(form, context)
  const lots = Math.floor((most * percent) / 100)
  if (lots <= 0) return ''
  if (form.unit === 'base') return formatLots(lots, context.market.lot)
  const ticks = priceOf(form, 'buy', context)
  return ticks === undefined ? '' : formatUnits(lots * ticks * context.perTickLot, context.quoteScale)
}
