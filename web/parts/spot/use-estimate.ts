import { useFormats } from '../../app/format.ts'
import { useQuotePart } from '../../app/quotes.ts'
import { depthOf, useBook } from '../../app/stream.ts'
import { useTranslation } from '../../app/translate.ts'
import { fillNote, losesRest } from '../order/fill-note.ts'
import { useOwnResting } from '../order/resting.ts'
import { type Estimate, estimateOf } from './estimate.ts'
import type { TicketState } from './use-ticket.ts'

/** What the book gives to the ticket's order now; it follows the book. */
export function useEstimate({ form, context }: TicketState): Estimate | undefined {
  const { symbol } = context.market
  const depth = useBook(symbol, depthOf)
  const own = useOwnResting(symbol, form.side === 'buy' ? 'sell' : 'buy')
  const index = useQuotePart(symbol, (quote) => quote?.index)
  return estimateOf(form, context, depth, own, index)
}

/** The note below an order that trades at once: a warning where a part of it is lost. */
export function useNote(
  { form, context }: TicketState,
  estimate: Estimate | undefined,
): { readonly text: string; readonly isLoss: boolean } | undefined {
  const { t } = useTranslation()
  const format = useFormats()
  if (estimate === undefined) return undefined
  const { part, whole, wholeAsset } = estimate
  const text = fillNote(estimate, { ...form, part, whole, asset: wholeAsset }, context.market, t, format)
  return text === undefined
    ? undefined
    : { text, isLoss: !estimate.isComplete && (losesRest(form, estimate) || form.timeInForce === 'FOK') }
}
