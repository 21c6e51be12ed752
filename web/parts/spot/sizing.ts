/** Converts the ticket's input to whole lots and units. */
import type { Lots, Ppm, Ticks, Units } from '@candor/core/money/brand.ts'
import { mulDivFloor } from '@candor/core/money/mul-div.ts'
import { basePerLot, parseLots, parseTicks, quotePerTickLot } from '@candor/core/money/price.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import { worstPrice } from '@candor/core/risk/spot.ts'
import { isPricedAtMarket } from '../desk/form.ts'
import type { Context, Form } from './form.ts'

export type Size = {
  readonly ticks: Ticks
  readonly lots: Lots
  /** Base units of the lots. */
  readonly base: Units
  /** Quote units: price × quantity, exact. */
  readonly quote: Units
  /** The sum that the exchange holds, in the paid asset. For a market buy by quantity it is computed at the worst price. */
  readonly hold: number
}

/** Base units per lot, and quote units of one lot at one tick. Both are whole for a listed market. */
function scalesOf(context: Context): { readonly perLot: number; readonly perTickLot: number } {
  const { market, baseScale, quoteScale } = context
  return { perLot: basePerLot(market.lot, baseScale) ?? 1, perTickLot: quotePerTickLot(market.tick, market.lot, quoteScale) ?? 1 }
}

/**
 * The price used for the order's numbers: the limit price, the trigger of a stop-market order, or the best price of the other side.
 * Undefined while there is none.
 */
export function priceOf(form: Form, context: Context): Ticks | undefined {
  if (!isPricedAtMarket(form.kind)) return parseTicks(form.price, context.market.tick)
  if (form.kind === 'stop-market') return parseTicks(form.stop, context.market.tick)
  const best = (form.side === 'buy' ? context.ask : context.bid) ?? context.last
  return best === undefined ? undefined : parseTicks(best, context.market.tick)
}

/** Size of the order; undefined while price or amount is missing or off the step. A quote amount becomes lots, except in market orders. */
export function sizeOf(form: Form, ticks: Ticks | undefined, context: Context): Size | undefined {
  if (ticks === undefined) return undefined
  const { perLot, perTickLot } = scalesOf(context)
  const quotePerLot = ticks * perTickLot
  const lots = form.unit === 'base' ? parseLots(form.amount, context.market.lot) : lotsFor(form.amount, quotePerLot, context.quoteScale)
  if (lots === undefined || lots <= 0 || lots * quotePerLot > Number.MAX_SAFE_INTEGER) return undefined
  const spend = form.unit === 'quote' && isPricedAtMarket(form.kind) ? parseUnits(form.amount, context.quoteScale) : undefined
  const quote = spend ?? lots * quotePerLot
  const base = lots * perLot
  const hold = form.side === 'sell' ? base : (spend ?? lots * payable(form, ticks, context) * perTickLot)
  return { ticks, lots, base: base as Units, quote: quote as Units, hold }
}

function lotsFor(amount: string, quotePerLot: number, quoteScale: number): Lots | undefined {
  const quote = parseUnits(amount, quoteScale)
  return quote === undefined ? undefined : (mulDivFloor(quote, 1, quotePerLot) as Lots)
}

/**
 * The largest number of lots (or, by amount, quote units) that `percent` of the available balance pays for. A market buy by quantity
 * keeps a reserve for the market's slippage.
 */
export function affordable(form: Form, percent: number, context: Context): { lots: number; quote: number } | undefined {
  const ticks = priceOf(form, context)
  if (ticks === undefined) return undefined
  const { perLot, perTickLot } = scalesOf(context)
  const scale = form.side === 'buy' ? context.quoteScale : context.baseScale
  const available = parseUnits((form.side === 'buy' ? context.availableQuote : context.availableBase) ?? '0', scale) ?? 0
  const share = mulDivFloor(available, percent, 100)
  if (form.side === 'sell') {
    const lots = mulDivFloor(share, 1, perLot)
    return { lots, quote: lots * ticks * perTickLot }
  }
  return { lots: mulDivFloor(share, 1, payable(form, ticks, context) * perTickLot), quote: share }
}

/** The worst price, which a buyer must be able to pay. */
function payable(form: Form, ticks: Ticks, { market }: Context): number {
  return isPricedAtMarket(form.kind) ? worstPrice('buy', ticks, market.slippagePpm as Ppm) : ticks
}
