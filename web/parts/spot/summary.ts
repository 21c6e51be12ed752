/** Cost and proceeds of the spot ticket's order, computed with the core's own functions so that the preview matches the result. */
import type { Decimal, Ppm, Ticks, Units } from '@candor/core/money/brand.ts'
import { formatTicks, parseTicks } from '@candor/core/money/price.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import { fee } from '@candor/core/risk/spot.ts'
import type { Context, Form } from './form.ts'
import { priceOf, sizeOf } from './sizing.ts'

export type Summary = {
  /** The price used for the numbers below: the typed one, or the best price of the other side. */
  readonly price: Decimal | undefined
  readonly quantity: Decimal | undefined
  readonly value: Decimal | undefined
  /** The cost in the paid coin. */
  readonly cost: Decimal | undefined
  readonly costAsset: string
  /** The sum held for the order; for a market buy by quantity, at the worst price. */
  readonly hold: Decimal | undefined
  readonly makerFee: Decimal | undefined
  readonly takerFee: Decimal | undefined
  readonly feeAsset: string
  /** The amount to receive at the price above, after the taker fee. For a limit order it is the least. */
  readonly receive: Decimal | undefined
  /** Whether a limit order trades at once, at least in part, and so pays the taker fee. */
  readonly takes: boolean
  /** Share of the available balance, 0 to 100. */
  readonly percent: number
}

export function summary(form: Form, context: Context): Summary {
  const { market } = context
  const isBuy = form.side === 'buy'
  const [costAsset, feeAsset] = isBuy ? [market.quote, market.base] : [market.base, market.quote]
  const ticks = priceOf(form, context)
  const size = sizeOf(form, ticks, context)
  const price = ticks === undefined ? undefined : formatTicks(ticks, market.tick)
  if (size === undefined) return { ...emptySummary, price, costAsset, feeAsset }

  const [cost, costScale] = isBuy ? [size.quote, context.quoteScale] : [size.base, context.baseScale]
  const [gross, scale] = isBuy ? [size.base, context.baseScale] : [size.quote, context.quoteScale]
  const takerFee = fee(gross, context.takerPpm as Ppm)
  const available = parseUnits((isBuy ? context.availableQuote : context.availableBase) ?? '0', costScale) ?? 0
  return {
    price,
    quantity: formatUnits(size.base, context.baseScale),
    value: formatUnits(size.quote, context.quoteScale),
    cost: formatUnits(cost, costScale),
    costAsset,
    hold: formatUnits(size.hold as Units, costScale),
    makerFee: formatUnits(fee(gross, context.makerPpm as Ppm), scale),
    takerFee: formatUnits(takerFee, scale),
    feeAsset,
    receive: formatUnits((gross - takerFee) as Units, scale),
    takes: takesNow(form, ticks, context),
    percent: available > 0 ? Math.min(100, Math.round((cost * 100) / available)) : 0,
  }
}

const emptySummary = {
  quantity: undefined,
  value: undefined,
  cost: undefined,
  hold: undefined,
  makerFee: undefined,
  takerFee: undefined,
  receive: undefined,
  takes: false,
  percent: 0,
}

function takesNow({ kind, side, timeInForce }: Form, ticks: Ticks | undefined, { bid, ask, market }: Context): boolean {
  if (kind !== 'limit' || ticks === undefined) return false
  const best = parseTicks((side === 'buy' ? ask : bid) ?? '', market.tick)
  return timeInForce !== 'GTC' || (best !== undefined && (side === 'buy' ? ticks >= best : ticks <= best))
}
