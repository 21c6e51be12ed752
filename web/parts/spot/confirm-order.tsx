import { useTranslation } from '../../app/translate.ts'
import { useFormats } from '../../app/format.ts'
import { cautionText } from '../desk/caution-text.ts'
import { isPricedAtMarket } from '../desk/form.ts'
import { ConfirmSheet, SummaryRow } from '../ui/sheet.tsx'
import type { TicketState } from './use-ticket.ts'

/** Shows the order with its cost and fee before it is sent. */
export function ConfirmOrder({ ticket, action }: { readonly ticket: TicketState; readonly action: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { form, context, summary } = ticket
  // Closed, it renders with every price, so it works out nothing.
  if (!ticket.isConfirming) return <ConfirmSheet isOpen={false} onClose={ticket.cancel} onConfirm={ticket.confirm} title="" confirm="" />
  const { market } = context
  const isMarket = isPricedAtMarket(form.kind)
  const money = (value: string | undefined, asset: string): string => (value === undefined ? '–' : `${format.number(value, 0, 8)} ${asset}`)
  const says = [
    ...(ticket.caution === undefined ? [] : [cautionText(ticket.caution, t, format)]),
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
      <SummaryRow label={isMarket ? t('trade.estimated') : t('trade.value')}>{money(summary.value, market.quote)}</SummaryRow>
      {form.display !== '' && <SummaryRow label={t('trade.shown')}>{money(form.display, market.base)}</SummaryRow>}
      <SummaryRow label={isMarket ? t('trade.fee') : t('trade.feeEither')}>
        {isMarket
          ? money(summary.takerFee, summary.feeAsset)
          : `${summary.makerFee === undefined ? '–' : format.number(summary.makerFee, 0, 8)} / ${money(summary.takerFee, summary.feeAsset)}`}
      </SummaryRow>
      <SummaryRow label={t('orders.receive')}>{money(summary.receive, summary.feeAsset)}</SummaryRow>
    </ConfirmSheet>
  )
}
