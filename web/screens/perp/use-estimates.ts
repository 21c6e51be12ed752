import type { Side } from '@candor/core/protocol/command/spot.ts'
import { useFormats } from '../../app/format.ts'
import { depthOf, useBook } from '../../app/stream.ts'
import { useTranslation } from '../../app/translate.ts'
import { fillNote } from '../../parts/order/fill-note.ts'
import { restingPrices } from '../../parts/order/resting.ts'
import { usePerpOrders } from '../../parts/perp/account.ts'
import { type Estimate, estimateOf } from './estimate.ts'
import type { TicketState } from './use-ticket.ts'

/** What the book gives to the orders of both buttons now; it follows the book. */
export function useEstimates({ form, context }: TicketState): Readonly<Record<Side, Estimate | undefined>> {
  const { symbol } = context.market
  const depth = useBook(symbol, depthOf)
  const orders = usePerpOrders().data
  const of = (side: Side): Estimate | undefined =>
    estimateOf(form, side, context, depth, restingPrices(orders, symbol, side === 'buy' ? 'sell' : 'buy'))
  return { buy: of('buy'), sell: of('sell') }
}

/** The note of an order that trades at once. */
export function useNote({ form, context }: TicketState, estimate: Estimate | undefined): string | undefined {
  const { t } = useTranslation()
  const format = useFormats()
  if (estimate === undefined) return undefined
  const { market } = context
  return fillNote(estimate, { ...form, part: estimate.quantity, whole: estimate.whole, asset: market.base }, market, t, format)
}
