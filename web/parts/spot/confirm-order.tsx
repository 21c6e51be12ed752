import { useTranslation } from '../../app/translate.ts'
import { useFormats } from '../../app/format.ts'
import { cautionText } from '../desk/caution-text.ts'
import { isPricedAtMarket } from '../desk/form.ts'
import { ConfirmSheet, SummaryRow } from '../ui/sheet.tsx'
import { losesRest } from '../order/fill-note.ts'
import { FillRows } from '../order/fill-rows.tsx'
import { isFromBook, receiptOf } from './estimate.ts'
import { useEstimate, useNote } from './use-estimate.ts'
import type { TicketState } from './use-ticket.ts'

type Props = { readonly ticket: TicketState; readonly action: string }

/** Shows the order with its cost and fee before it is sent. */
export function ConfirmOrder({ ticket, action }: Props) {
  // Closed, it renders with every price, so it works out nothing.
  if (!ticket.isConfirming) return <ConfirmSheet isOpen={false} onClose={ticket.cancel} onConfirm={ticket.confirm} title="" confirm="" />
  return <Confirming ticket={ticket} action={action} />
}

function Confirming({ ticket, action }: Props) {
  const { t } = useTranslation()
  const format = useFormats()
  const { form, context, summary } = ticket
  const estimate = useEstimate(ticket)
  const filled = estimate?.average === undefined ? undefined : estimate
  const fillSays = useNote(ticket, estimate)?.text
  const { market } = context
  const isMarket = isPricedAtMarket(form.kind)
  const money = (value: string | undefined, asset: string): string => (value === undefined ? '–' : `${format.number(value, 0, 8)} ${asset}`)
  const fromBook = isFromBook(form)
  const isTaker = isMarket || (form.kind === 'limit' && form.timeInForce !== 'GTC')
  const { isSure, least, amount } = receiptOf(form, context, filled)
  const received = `${least === undefined ? '' : `${format.number(least, 0, 8)} – `}${money(amount, summary.feeAsset)}`
  // The row with the part that fills, and the note of market orders, say the same.
  const isSaidBelow = form.kind === 'market' && filled !== undefined && filled.ownAt === undefined
  const says = [
    ...(ticket.caution === undefined ? [] : [cautionText(ticket.caution, t, format)]),
    ...(fillSays === undefined || isSaidBelow ? [] : [fillSays]),
    ...(filled === undefined || form.kind === 'limit' ? [] : [t('orders.est.moves')]),
    ...(isMarket ? [t('orders.noteMarket', { percent: format.ppm(market.slippagePpm) })] : []),
    ...(form.kind === 'stop-limit' ? [t('orders.noteStop')] : []),
  ]
  const note = says.length === 0 ? undefined : says.join(' ')

  return (
    <ConfirmSheet
      isOpen
      onClose={ticket.cancel}
      onConfirm={ticket.confirm}
      title={action}
      confirm={t('trade.confirm')}
      tone={form.side === 'buy' ? 'up' : 'down'}
      isBusy={ticket.isSending}
      note={note}
      error={ticket.problem}
    >
      <SummaryRow label={t('trade.order')}>
        {t(`trade.kind.${form.kind}`)}
        {form.kind === 'limit' && ` · ${form.timeInForce}`}
        {form.isPostOnly && ` · ${t('trade.postOnly')}`}
      </SummaryRow>
      {form.stop !== '' && (form.kind === 'stop-limit' || form.kind === 'stop-market' || form.kind === 'oco') && (
        <SummaryRow label={t('trade.trigger')}>{money(form.stop, market.quote)}</SummaryRow>
      )}
      {form.kind === 'trailing' && <SummaryRow label={t('trade.trail')}>{format.percent(form.trail)}</SummaryRow>}
      <SummaryRow label={form.kind === 'oco' ? t('trade.limitPrice') : t('trade.price')}>
        {isMarket ? t('trade.atMarket') : money(form.price, market.quote)}
      </SummaryRow>
      <SummaryRow label={t('trade.quantity')}>{money(summary.quantity, market.base)}</SummaryRow>
      {estimate !== undefined && (
        <FillRows
          fill={estimate}
          part={{ part: estimate.part, whole: estimate.whole, asset: estimate.wholeAsset }}
          market={market}
          isLoss={losesRest(form, estimate) || form.timeInForce === 'FOK'}
        />
      )}
      <SummaryRow label={isMarket ? t('trade.estimated') : t('trade.value')}>
        {money(form.kind === 'market' ? filled?.value : summary.value, market.quote)}
      </SummaryRow>
      {form.display !== '' && <SummaryRow label={t('trade.shown')}>{money(form.display, market.base)}</SummaryRow>}
      <SummaryRow label={isTaker ? t('trade.fee') : t('trade.feeEither')}>
        {isTaker
          ? money(fromBook ? filled?.fee : summary.takerFee, summary.feeAsset)
          : `${summary.makerFee === undefined ? '–' : format.number(summary.makerFee, 0, 8)} / ${money(summary.takerFee, summary.feeAsset)}`}
      </SummaryRow>
      <SummaryRow label={isSure ? t('orders.receive') : t('orders.est.receive')}>{received}</SummaryRow>
    </ConfirmSheet>
  )
}
