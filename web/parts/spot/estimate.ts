/** What the book gives to the spot ticket's order now, with the fee in it. */
import type { Decimal, Lots, Ppm, Units } from '@candor/core/money/brand.ts'
import { mulDivFloor } from '@candor/core/money/mul-div.ts'
import { basePerLot, formatLots, parseLots, parseTicks, quotePerTickLot } from '@candor/core/money/price.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WireLevel } from '@candor/core/protocol/wire/market.ts'
import { fee, worstPrice } from '@candor/core/risk/spot.ts'
import { type Fill, fillOf, type Order, shortened } from '../order/fill.ts'
import { isPricedAtMarket } from '../desk/form.ts'
import type { Context, Form } from './form.ts'
import { priceOf, sizeOf } from './sizing.ts'
import { summary } from './summary.ts'

export type Estimate = Fill & {
  /** Sum that the filled part moves, in the quote coin: a buyer's rounded up to two digits, a seller's down. */
  readonly value: Decimal
  /** Taker fee of the filled part, in the coin that is received; rounded up. */
  readonly fee: Decimal
  /** What remains of the filled part after the fee, rounded down; of the quote coin to two digits. */
  readonly receive: Decimal
  /** The whole of the order: its quantity, or the amount of one by amount. */
  readonly whole: Decimal
  /** The part of it that fills, in the same coin. */
  readonly part: Decimal
  readonly wholeAsset: string
}

export type Depth = { readonly bids: readonly WireLevel[]; readonly asks: readonly WireLevel[] }

/**
 * Undefined for orders that wait for a trigger or may not take, and while price, amount or book is missing. `index`: the price from
 * which the worst price of a market order is counted.
 */
export function estimateOf(
  form: Form,
  context: Context,
  depth: Depth | undefined,
  own: ReadonlySet<string>,
  index: Decimal | undefined,
): Estimate | undefined {
  const { market, baseScale, quoteScale } = context
  const perTickLot = quotePerTickLot(market.tick, market.lot, quoteScale) ?? 1
  const order = orderOf(form, context, perTickLot, index)
  const fill = order && fillOf(form.side === 'buy' ? depth?.asks : depth?.bids, order, { market, perTickLot, own })
  if (order === undefined || fill === undefined) return undefined
  const isBuy = form.side === 'buy'
  const base = (fill.lots * (basePerLot(market.lot, baseScale) ?? 1)) as Units
  const [gross, scale] = isBuy ? [base, baseScale] : [fill.quote, quoteScale]
  const taker = fee(gross, context.takerPpm as Ppm)
  const sizes =
    order.spend === undefined
      ? { whole: formatLots(order.lots, market.lot), part: fill.quantity, wholeAsset: market.base }
      : { whole: formatUnits(order.spend, quoteScale), part: formatUnits(fill.quote, quoteScale), wholeAsset: market.quote }
  const net = (gross - taker) as Units
  return {
    ...fill,
    ...sizes,
    value: shortened(fill.quote, quoteScale, 2, isBuy ? 'up' : 'down'),
    fee: formatUnits(taker, scale),
    receive: isBuy ? formatUnits(net, scale) : shortened(net, scale, 2, 'down'),
  }
}

/** Whether the rest of an order is lost, so that only the part that the book fills can be told, and that not for sure. */
export function isFromBook({ kind, timeInForce }: Form): boolean {
  return kind === 'market' || (kind === 'limit' && timeInForce === 'IOC')
}

/** `isSure`: the limit price guarantees the amount, once the order is filled. `least`: of an order with two possible prices, the worse. */
export type Receipt = { readonly isSure: boolean; readonly least?: Decimal | undefined; readonly amount: Decimal | undefined }

export function receiptOf(form: Form, context: Context, filled: Pick<Estimate, 'receive'> | undefined): Receipt {
  if (isFromBook(form)) return { isSure: false, amount: filled?.receive }
  const { receive: amount } = summary(form, context)
  if (form.kind !== 'oco' || form.side === 'buy') return { isSure: !isPricedAtMarket(form.kind), amount }
  return { isSure: false, least: summary({ ...form, kind: 'stop-market' }, context).receive, amount }
}

function orderOf(form: Form, context: Context, perTickLot: number, index: Decimal | undefined): Order | undefined {
  const { market } = context
  if ((form.kind !== 'market' && form.kind !== 'limit') || form.isPostOnly) return undefined
  const ticks = priceOf(form, context)
  const size = sizeOf(form, ticks, context)
  if (ticks === undefined || size === undefined) return undefined
  const { side } = form
  if (form.kind === 'limit') return { side, limit: ticks, lots: size.lots, spend: undefined }
  const from = parseTicks(index ?? context.last ?? '', market.tick) ?? ticks
  const limit = worstPrice(side, from, market.slippagePpm as Ppm)
  if (form.unit === 'base') return { side, limit, lots: size.lots, spend: undefined }
  const spend = parseUnits(form.amount, context.quoteScale)
  const most = parseLots(market.quantityMax, market.lot) ?? size.lots
  if (spend === undefined) return undefined
  // A seller offers no more lots than the amount needs at the worst price.
  const lots = side === 'buy' ? most : Math.min(most, mulDivFloor(spend, 1, limit * perTickLot))
  return lots > 0 ? { side, limit, lots: lots as Lots, spend } : undefined
}
