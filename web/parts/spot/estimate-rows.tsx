import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { averageText, slippageText } from '../order/fill-note.ts'
import { ticketRows } from '../desk/ticket-rows.ts'
import { isFromBook } from './estimate.ts'
import { useEstimate, useNote } from './use-estimate.ts'
import type { TicketState } from './use-ticket.ts'

/** The average price of a market order, in the place of its price. Empty while it is unknown. */
export function EstimatedPrice({ ticket }: { readonly ticket: TicketState }) {
  const { t } = useTranslation()
  const format = useFormats()
  const estimate = useEstimate(ticket)
  if (estimate?.average === undefined) return null
  return (
    <span className="tn text-fg">
      <span className="sr-only">{t('orders.est.average')} </span>≈ {averageText(estimate, ticket.context.market, format)}
    </span>
  )
}

/** Figures of an order that never waits, from the book instead of from its best price, and the note of an order that trades at once. */
export function EstimateRows({ ticket }: { readonly ticket: TicketState }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { form, context, summary } = ticket
  const { market } = context
  const estimate = useEstimate(ticket)
  const note = useNote(ticket, estimate)
  const money = (text: string | undefined, asset: string): string => (text === undefined ? '–' : `${format.exact(text)} ${asset}`)
  const filled = estimate?.average === undefined ? undefined : estimate
  const rows = [
    ...(form.kind === 'market'
      ? [
          { label: t('orders.est.slippage'), value: filled === undefined ? '–' : slippageText(filled, format) },
          { label: t('trade.estimated'), value: money(filled?.value, market.quote) },
        ]
      : []),
    { label: t('trade.fee'), value: money(filled?.fee, summary.feeAsset) },
    { label: t('orders.est.receive'), value: money(filled?.receive, summary.feeAsset) },
  ]
  return (
    <>
      {isFromBook(form) && (
        <dl className={ticketRows}>
          {rows.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="tn">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {note !== undefined && (
        <p role="note" className={`text-11 ${note.isLoss ? 'text-warn' : 'text-fg3'}`}>
          {note.text}
        </p>
      )}
    </>
  )
}
