import { useTranslation } from '../../app/translate.ts'
import { useFormats } from '../../app/format.ts'
import { cautionText } from '../desk/caution-text.ts'
import { isPricedAtMarket } from '../desk/form.ts'
import { useTicketKeys } from '../shortcuts/use-ticket-keys.ts'
import { ConfirmSheet, SummaryRow } from '../ui/sheet.tsx'
import { losesRest } from '../order/fill-note.ts'
import { FillRows } from '../order/fill-rows.tsx'
import { isFromBook, receiptOf } from './estimate.ts'
import { useEstimate, useNote } from './use-estimate.ts'
import type { TicketState } from './use-ticket.ts'

type Props = { readonly ticket: TicketState; readonly action: string }

/** Shows the order with its cost and fee before it is sent. */
export function ConfirmOrder({ ticket, action }: Props) {
  useTicketKeys({
    isOpen: !ticket.isVisitor && !ticket.isEmpty && ticket.context.market.isTrading,
    side: (side) => ticket.act({ type: 'side', side }),
    preview: () => ticket.press(true),
    confirm: ticket.isConfirming && !ticket.isSending ? ticket.confirm : undefined,
  })
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
  const price = (value: string): string => `${format.price(value, market.priceDigits)} ${market.quote}`
  const size = (value: string | undefined): string =>
    value === undefined ? '–' : `${format.number(value, market.quantityDigits, market.quantityDigits)} ${market.base}`
  const money = (value: string | undefined, asset: string): string =>
    value === undefined ? '–' : `${format.sum(value, asset, true)} ${asset}`
  const fromBook = isFromBook(form)
  const isTaker = isMarket || (form.kind === 'limit' && form.timeInForce !== 'GTC')
  const { isSure, least, amount } = receiptOf(form, context, filled)
  const received = `${least === undefined ? '' : `${format.sum(least, summary.feeAsset, true)} – `}${money(amount, summary.feeAsset)}`
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
        <SummaryRow label={t('trade.trigger')}>{price(form.stop)}</SummaryRow>
      )}
      {form.kind === 'trailing' && <SummaryRow label={t('trade.trail')}>{format.percent(form.trail)}</SummaryRow>}
      <SummaryRow label={form.kind === 'oco' ? t('trade.limitPrice') : t('trade.price')}>
        {isMarket ? t('trade.atMarket') : price(form.price)}
      </SummaryRow>
      <SummaryRow label={t('trade.quantity')}>{size(summary.quantity)}</SummaryRow>
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
      {form.display !== '' && <SummaryRow label={t('trade.shown')}>{size(form.display)}</SummaryRow>}
      <SummaryRow label={isTaker ? t('trade.fee') : t('trade.feeEither')}>
        {isTaker
          ? money(fromBook ? filled?.fee : summary.takerFee, summary.feeAsset)
          : `${summary.makerFee === undefined ? '–' : format.sum(summary.makerFee, summary.feeAsset, true)} / ${money(summary.takerFee, summary.feeAsset)}`}
      </SummaryRow>
      <SummaryRow label={isSure ? t('orders.receive') : t('orders.est.receive')}>{received}</SummaryRow>
    </ConfirmSheet>
  )
}
