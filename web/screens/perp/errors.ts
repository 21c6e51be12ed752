/** Reasons why an order of the perp ticket can't be sent, found with the core's own functions. */
import { parseLots, parseTicks } from '@candor/core/money/price.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import { isOutsideBand } from '../../parts/desk/band.ts'
import { isPricedAtMarket, isTrail } from '../../parts/desk/form.ts'
import { type Context, type Field, type Form, hasTrigger } from './form.ts'
import { capOf, costOf, effectOf, holdsAsleep, isAboveCeiling, lotsOf, priceOf, spendable } from './sizing.ts'

/** Names of refusals: the form shows the text that the exchange's refusal would have. */
export type FieldError =
  | 'FIELD_MISSING'
  | 'PRICE_INVALID'
  | 'QUANTITY_INVALID'
  | 'QUANTITY_TOO_SMALL'
  | 'QUANTITY_TOO_LARGE'
  | 'NOTIONAL_TOO_SMALL'
  | 'MARGIN_INSUFFICIENT'
  | 'LEVERAGE_CEILING'
  | 'LEVERAGE_TOO_HIGH'
  | 'OPEN_INTEREST_FULL'
  | 'POSITION_TOO_LARGE'
  | 'REDUCE_ONLY_REJECTED'
  | 'TRIGGER_INVALID'
  | 'TRIGGER_IMMEDIATE'
  | 'TRAIL_INVALID'
  | 'PRICE_OUTSIDE_BAND'
  | 'NO_LIQUIDITY'

export type Errors = Readonly<Partial<Record<Field, FieldError>>>

/** The first error of each field for the order of a side. An empty object means that it can be sent. */
export function errors(form: Form, side: Side, context: Context): Errors {
  const found: Partial<Record<Field, FieldError>> = {}
  const { market } = context
  const last = context.last === undefined ? undefined : parseTicks(context.last, market.tick)

  if (!isPricedAtMarket(form.kind)) {
    const price = parseTicks(form.price, market.tick)
    if (form.price === '') found.price = 'FIELD_MISSING'
    else if (price === undefined) found.price = 'PRICE_INVALID'
    else if (context.markTicks !== undefined && form.kind === 'limit' && isOutsideBand(price, context.markTicks, market.bandPpm))
      found.price = 'PRICE_OUTSIDE_BAND'
  }
  if (form.kind === 'stop-limit' || form.kind === 'stop-market') {
    const stop = parseTicks(form.stop, market.tick)
    const reference = form.triggerBy === 'mark' ? context.markTicks : last
    if (form.stop === '') found.stop = 'FIELD_MISSING'
    else if (stop === undefined) found.stop = 'TRIGGER_INVALID'
    else if (stop === reference) found.stop = 'TRIGGER_IMMEDIATE'
  }
  if (form.kind === 'trailing' && !isTrail(form.trail)) found.trail = form.trail === '' ? 'FIELD_MISSING' : 'TRAIL_INVALID'
  const amount = errorOfAmount(form, side, context)
  if (amount !== undefined) found.amount = amount
  if (form.hasExits) Object.assign(found, errorsOfExits(form, side, context))
  return found
}

function errorOfAmount(form: Form, side: Side, context: Context): FieldError | undefined {
  const { market } = context
  if (form.amount === '') return 'FIELD_MISSING'
  const ticks = priceOf(form, side, context)
  if (ticks === undefined) return form.kind === 'market' || form.kind === 'trailing' ? 'NO_LIQUIDITY' : undefined
  const isNumber = form.unit === 'base' ? parseLots(form.amount, market.lot) : parseUnits(form.amount, context.quoteScale)
  if (isNumber === undefined) return 'QUANTITY_INVALID'
  const lots = lotsOf(form, ticks, context)
  if (lots === undefined || lots < (parseLots(market.quantityMin, market.lot) ?? 1)) return 'QUANTITY_TOO_SMALL'
  if (lots > (parseLots(market.quantityMax, market.lot) ?? Number.MAX_SAFE_INTEGER)) return 'QUANTITY_TOO_LARGE'
  const { opening, reducing } = effectOf(form, side, lots, context)
  if (opening === 0 && reducing === 0) return 'REDUCE_ONLY_REJECTED'
  if (opening > 0 && lots * ticks * context.perTickLot < (parseUnits(market.notionalMin, context.quoteScale) ?? 0))
    return 'NOTIONAL_TOO_SMALL'
  if (context.available === undefined || (opening === 0 && !holdsAsleep(form, context))) return undefined
  if (isAboveCeiling(context)) return 'LEVERAGE_CEILING'
  const cost = costOf(form, side, lots, ticks, context)
  if (cost.isAboveTiers) return 'LEVERAGE_TOO_HIGH'
  const cap = capOf(side, context)
  // The caps are applied to a conditional order when it is triggered.
  if (cap !== undefined && !hasTrigger(form.kind) && cost.opens > cap.value)
    return cap.by === 'market' ? 'OPEN_INTEREST_FULL' : 'POSITION_TOO_LARGE'
  return cost.margin + cost.feeHeld > spendable(form, side, ticks, context) ? 'MARGIN_INSUFFICIENT' : undefined
}

/** Errors of the exits: a long takes profit above its entry price and stops below it, a short the reverse. One exit is enough. */
function errorsOfExits(form: Form, side: Side, context: Context): Errors {
  const found: Partial<Record<Field, FieldError>> = {}
  const entry = priceOf(form, side, context)
  if (form.takeProfit === '' && form.stopLoss === '') found.takeProfit = 'FIELD_MISSING'
  for (const [field, isAbove] of [
    ['takeProfit', side === 'buy'],
    ['stopLoss', side === 'sell'],
  ] as const) {
    if (form[field] === '') continue
    const ticks = parseTicks(form[field], context.market.tick)
    if (ticks === undefined) found[field] = 'TRIGGER_INVALID'
    else if (entry !== undefined && (isAbove ? ticks <= entry : ticks >= entry)) found[field] = 'TRIGGER_IMMEDIATE'
  }
  return found
}
