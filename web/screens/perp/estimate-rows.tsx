import type { Side } from '@candor/core/protocol/command/spot.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Term } from '../../parts/help/term.tsx'
import { averageText, losesRest, slippageText } from '../../parts/order/fill-note.ts'
import type { Estimate } from './estimate.ts'
import { useEstimates, useNote } from './use-estimates.ts'
import type { TicketState } from './use-ticket.ts'

/** The average prices of a market order of each button, in the place of its price. Empty while they are unknown. */
export function EstimatedPrice({ ticket }: { readonly ticket: TicketState }) {
  const { t } = useTranslation()
  const format = useFormats()
  const estimates = useEstimates(ticket)
  if (estimates.buy?.average === undefined && estimates.sell?.average === undefined) return null
  return (
    <span className="tn text-fg">
      <span className="sr-only">{t('orders.est.average')} </span>≈{' '}
      <BothTexts estimates={estimates} text={(estimate) => averageText(estimate, ticket.context.market, format)} />
    </span>
  )
}

type BothProps = {
  readonly estimates: Readonly<Record<Side, Estimate | undefined>>
  readonly text: (estimate: Estimate) => string
}

/** What a buyer and a seller would read, each in the colour of its button. */
function BothTexts({ estimates, text }: BothProps) {
  const of = (side: Side): string => (estimates[side]?.average === undefined ? '–' : text(estimates[side]))
  return (
    <>
      <span className="text-up">{of('buy')}</span> / <span className="text-down">{of('sell')}</span>
    </>
  )
}

function Both(props: BothProps) {
  return (
    <dd className="tn">
      <BothTexts {...props} />
    </dd>
  )
}

/** Figures of a market order from the book, for both buttons, and the note of a limit order that trades at once. */
export function EstimateRows({ ticket, className }: { readonly ticket: TicketState; readonly className: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { form } = ticket
  const estimates = useEstimates(ticket)
  const [buyNote, sellNote] = [useNote(ticket, estimates.buy), useNote(ticket, estimates.sell)]
  if (form.kind === 'limit') {
    // A price takes from one side of the book at most.
    const [note, estimate] = buyNote === undefined ? [sellNote, estimates.sell] : [buyNote, estimates.buy]
    if (note === undefined || estimate === undefined) return null
    const isLoss = !estimate.isComplete && (losesRest(form, estimate) || form.timeInForce === 'FOK')
    return (
      <p role="note" className={`text-11 ${isLoss ? 'text-warn' : 'text-fg3'}`}>
        {note}
      </p>
    )
  }
  const isShort = estimates.buy?.isComplete === false || estimates.sell?.isComplete === false
  return (
    <dl className={className}>
      <div>
        <dt>
          <Term id="slippage">{t('orders.est.slippage')}</Term>
        </dt>
        <Both estimates={estimates} text={(estimate) => slippageText(estimate, format)} />
      </div>
      <div>
        <dt>{t('trade.fee')}</dt>
        <Both estimates={estimates} text={({ fee }) => format.sum(fee, ticket.context.market.quote)} />
      </div>
      {isShort && (
        <div>
          <dt className="text-warn!">{t('orders.est.fills')}</dt>
          <Both estimates={estimates} text={({ quantity }) => format.exact(quantity)} />
        </div>
      )}
    </dl>
  )
}
