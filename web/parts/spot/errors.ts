/** Reasons why an order of the spot ticket can't be sent, found with the core's own functions. */
import { parseLots, parseTicks } from '@candor/core/money/price.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { isOutsideBand } from '../desk/band.ts'
import { isPricedAtMarket, isTrail } from '../desk/form.ts'
import type { Context, Field, Form } from './form.ts'
import { priceOf, sizeOf } from './sizing.ts'

/** Names of refusals: the form shows the text that the exchange's refusal would have. */
export type FieldError =
  | 'FIELD_MISSING'
  | 'PRICE_INVALID'
  | 'QUANTITY_INVALID'
  | 'QUANTITY_TOO_SMALL'
  | 'QUANTITY_TOO_LARGE'
  | 'NOTIONAL_TOO_SMALL'
  | 'INSUFFICIENT_BALANCE'
  | 'TRIGGER_INVALID'
  | 'TRIGGER_IMMEDIATE'
  | 'TRAIL_INVALID'
  | 'OCO_PRICES_INVALID'
  | 'DISPLAY_INVALID'
  | 'PRICE_OUTSIDE_BAND'
  | 'NO_LIQUIDITY'

/** The first error of each field. An empty object means that the order can be sent. */
export function errors(form: Form, context: Context): Readonly<Partial<Record<Field, FieldError>>> {
  const found: Partial<Record<Field, FieldError>> = {}
  const { market } = context
  const last = context.last === undefined ? undefined : parseTicks(context.last, market.tick)

  if (!isPricedAtMarket(form.kind)) {
    const price = parseTicks(form.price, market.tick)
    if (form.price === '') found.price = 'FIELD_MISSING'
    else if (price === undefined || price <= 0) found.price = 'PRICE_INVALID'
    else if (last !== undefined && form.kind !== 'stop-limit' && isOutsideBand(price, last, market.bandPpm))
      found.price = 'PRICE_OUTSIDE_BAND'
  }
  if (form.kind === 'stop-limit' || form.kind === 'stop-market' || form.kind === 'oco') {
    const stop = parseTicks(form.stop, market.tick)
    if (form.stop === '') found.stop = 'FIELD_MISSING'
    else if (stop === undefined || stop <= 0) found.stop = 'TRIGGER_INVALID'
    else if (stop === last) found.stop = 'TRIGGER_IMMEDIATE'
    else if (form.kind === 'oco' && !isAround(form, stop, last, market)) found.stop = 'OCO_PRICES_INVALID'
  }
  if (form.kind === 'trailing' && !isTrail(form.trail)) found.trail = form.trail === '' ? 'FIELD_MISSING' : 'TRAIL_INVALID'

  const amountError = errorOfAmount(form, context)
  if (amountError !== undefined) found.amount = amountError
  if (form.display !== '') {
    const [display, lots] = [parseLots(form.display, market.lot), parseLots(form.amount, market.lot)]
    if (display === undefined || display <= 0 || lots === undefined || display >= lots) found.display = 'DISPLAY_INVALID'
  }
  return found
}

function errorOfAmount(form: Form, context: Context): FieldError | undefined {
  const { market } = context
  if (form.amount === '') return 'FIELD_MISSING'
  const ticks = priceOf(form, context)
  if (ticks === undefined) return isPricedAtMarket(form.kind) && form.kind !== 'stop-market' ? 'NO_LIQUIDITY' : undefined
  const isNumber = form.unit === 'base' ? parseLots(form.amount, market.lot) : parseUnits(form.amount, context.quoteScale)
  if (isNumber === undefined) return 'QUANTITY_INVALID'
  const size = sizeOf(form, ticks, context)
  if (size === undefined) return 'QUANTITY_TOO_SMALL'
  if (size.lots < (parseLots(market.quantityMin, market.lot) ?? 0)) return 'QUANTITY_TOO_SMALL'
  if (size.lots > (parseLots(market.quantityMax, market.lot) ?? Number.MAX_SAFE_INTEGER)) return 'QUANTITY_TOO_LARGE'
  if (size.quote < (parseUnits(market.notionalMin, context.quoteScale) ?? 0)) return 'NOTIONAL_TOO_SMALL'
  const isBuy = form.side === 'buy'
  const available = isBuy ? context.availableQuote : context.availableBase
  if (available === undefined) return undefined
  const scale = isBuy ? context.quoteScale : context.baseScale
  return size.hold > (parseUnits(available, scale) ?? 0) ? 'INSUFFICIENT_BALANCE' : undefined
}

/** A selling OCO takes profit above and stops below the last price; a buying one the other way round. */
function isAround(form: Form, stop: number, last: number | undefined, market: WireMarket): boolean {
  const limit = parseTicks(form.price, market.tick)
  if (limit === undefined || last === undefined) return true
  return form.side === 'sell' ? limit > last && stop < last : limit < last && stop > last
}
