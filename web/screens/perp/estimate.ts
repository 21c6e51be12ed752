/** What the book gives to an order of the perp ticket now. */
import type { Decimal, Lots, Ticks } from '@candor/core/money/brand.ts'
import { formatLots } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { WireLevel } from '@candor/core/protocol/wire/market.ts'
import { fee } from '@candor/core/risk/spot.ts'
import { type Fill, fillOf, shortened } from '../../parts/order/fill.ts'
import type { Context, Form } from './form.ts'
import { limitOf, lotsOf, priceOf } from './sizing.ts'

export type Estimate = Fill & {
  /** Value of the filled part: a buyer's rounded up to two digits, a seller's down. */
  readonly value: Decimal
  /** Taker fee of the filled part, rounded up. */
  readonly fee: Decimal
  readonly whole: Decimal
}

type Depth = { readonly bids: readonly WireLevel[]; readonly asks: readonly WireLevel[] }

/** Undefined for orders that wait for a trigger or may not take, and while price, size or book is missing. */
export function estimateOf(
  form: Form,
  side: Side,
  context: Context,
  depth: Depth | undefined,
  own: ReadonlySet<string>,
): Estimate | undefined {
  const { market, perTickLot, quoteScale } = context
  if ((form.kind !== 'market' && form.kind !== 'limit') || form.isPostOnly) return undefined
  const ticks = priceOf(form, side, context)
  const lots = lotsOf(form, ticks, context)
  if (ticks === undefined || lots === undefined || lots <= 0) return undefined
  const order = { side, limit: limitOf(form, side, ticks, context) as Ticks, lots: lots as Lots, spend: undefined }
  const fill = fillOf(side === 'buy' ? depth?.asks : depth?.bids, order, { market, perTickLot, own })
  if (fill === undefined) return undefined
  return {
    ...fill,
    value: shortened(fill.quote, quoteScale, 2, side === 'buy' ? 'up' : 'down'),
    fee: formatUnits(fee(fill.quote, context.takerPpm), quoteScale),
    whole: formatLots(lots, market.lot),
  }
}
