import type { Side } from '@candor/core/protocol/command/spot.ts'
import { parseTicks } from '@candor/core/money/price.ts'
import { type Formats, useFormats } from '../../app/format.ts'
import { type Translate, useTranslation } from '../../app/translate.ts'
import { losesRest } from '../../parts/order/fill-note.ts'
import { FillRows } from '../../parts/order/fill-rows.tsx'
import { cautionText } from '../../parts/desk/caution-text.ts'
import { isPricedAtMarket } from '../../parts/desk/form.ts'
import { ConfirmSheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { useEstimates, useNote } from './use-estimates.ts'
import { hasTrigger } from './form.ts'
import type { Plan } from './summary.ts'
import type { TicketState } from './use-ticket.ts'

/** Shows the order with its margin, cost and risk before it is sent. */
export function ConfirmOrder({ ticket }: { readonly ticket: TicketState }) {
  const { confirming } = ticket
  // Closed, it renders with every price, so it works out nothing.
  if (confirming === undefined)
    return <ConfirmSheet isOpen={false} onClose={ticket.cancel} onConfirm={ticket.confirm} title="" confirm="" />
  return <Confirming ticket={ticket} confirming={confirming} />
}

function Confirming({ ticket, confirming }: { readonly ticket: TicketState; readonly confirming: Side }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { form, context } = ticket
  const estimate = useEstimates(ticket)[confirming]
  const fillSays = useNote(ticket, estimate)
  const filled = estimate?.average === undefined ? undefined : estimate
  const { market } = context
  const plan = ticket.summary[confirming]
  const isMarket = isPricedAtMarket(form.kind)
  const price = (value: string): string => `${format.price(value, market.priceDigits)} ${market.quote}`
  const money = (value: string | undefined, asset = market.quote): string =>
    value === undefined ? '–' : `${format.sum(value, asset, true)} ${asset}`
  const isBuy = confirming !== 'sell'
  // The row with the part that fills, and the note of market orders, say the same.
  const isSaidBelow = form.kind === 'market' && filled !== undefined && filled.ownAt === undefined
  const isNow = isMarket || (form.kind === 'limit' && form.timeInForce !== 'GTC')

  return (
    <ConfirmSheet
      isOpen
      onClose={ticket.cancel}
      onConfirm={ticket.confirm}
      title={titleOf(plan, isBuy, market.base, t)}
      confirm={t('trade.confirm')}
      tone={isBuy ? 'up' : 'down'}
      isBusy={ticket.isSending !== undefined}
      note={[isSaidBelow ? undefined : fillSays, noteOf(ticket, plan, t, format)].filter(Boolean).join(' ') || undefined}
      error={ticket.problem}
    >
      <SummaryRow label={t('trade.order')}>
        {t(`trade.kind.${form.kind}`)}
        {form.kind === 'limit' && ` · ${form.timeInForce}`}
        {form.isPostOnly && ` · ${t('trade.postOnly')}`}
        {form.isReduceOnly && !context.isHedge && ` · ${t('perp.reduceOnly')}`}
      </SummaryRow>
      {(form.kind === 'stop-limit' || form.kind === 'stop-market') && (
        <SummaryRow
          label={t('trade.trigger')}
        >{`${price(form.stop)} · ${t(form.triggerBy === 'mark' ? 'perp.mark' : 'perp.last')}`}</SummaryRow>
      )}
      {form.kind === 'trailing' && <SummaryRow label={t('trade.trail')}>{format.percent(form.trail)}</SummaryRow>}
      <SummaryRow label={t('trade.price')}>{isMarket ? t('trade.atMarket') : price(form.price)}</SummaryRow>
      <SummaryRow label={t('trade.size')}>{plan.quantity === undefined ? '–' : `${format.exact(plan.quantity)} ${market.base}`}</SummaryRow>
      {estimate !== undefined && (
        <FillRows
          fill={estimate}
          part={{ part: estimate.quantity, whole: estimate.whole, asset: market.base }}
          market={market}
          isLoss={losesRest(form, estimate) || form.timeInForce === 'FOK'}
        />
      )}
      <SummaryRow label={isMarket ? t('trade.estimated') : t('trade.value')}>
        {money(form.kind === 'market' ? filled?.value : plan.value)}
      </SummaryRow>
      {!plan.isClosing && (
        <SummaryRow label={t('positions.marginOf', { leverage: context.leverage, mode: t(`perp.mode.${context.mode}`) })}>
          {money(plan.margin)}
        </SummaryRow>
      )}
      <SummaryRow label={isNow ? t('trade.fee') : t('trade.feeEither')}>
        {isNow
          ? money(filled?.fee ?? plan.takerFee)
          : `${plan.makerFee === undefined ? '–' : format.sum(plan.makerFee, market.quote, true)} / ${money(plan.takerFee)}`}
      </SummaryRow>
      {!plan.isClosing && (
        <SummaryRow label={t('perp.estimatedLiquidation')}>
          {plan.liquidation === null ? '–' : `${format.exact(plan.liquidation)} ${market.quote}`}
        </SummaryRow>
      )}
      {form.hasExits && !plan.isClosing && form.takeProfit !== '' && (
        <SummaryRow label={t('perp.takeProfit')}>{price(form.takeProfit)}</SummaryRow>
      )}
      {form.hasExits && !plan.isClosing && form.stopLoss !== '' && (
        <SummaryRow label={t('perp.stopLoss')}>{price(form.stopLoss)}</SummaryRow>
      )}
    </ConfirmSheet>
  )
}

function titleOf({ isClosing }: Plan, isBuy: boolean, coin: string, t: Translate): string {
  if (isClosing) return isBuy ? t('positions.closeShortCoin', { coin }) : t('positions.closeLongCoin', { coin })
  return isBuy ? t('positions.longCoin', { coin }) : t('positions.shortCoin', { coin })
}

/** The order's risk in one or two sentences, with its numbers. */
function noteOf({ form, context, caution }: TicketState, plan: Plan, t: Translate, format: Formats): string | undefined {
  const { market } = context
  const says: string[] = caution === undefined ? [] : [cautionText(caution, t, format)]
  if (plan.isTurning) says.push(t('positions.noteTurns'))
  const liquidation = plan.liquidation === null ? undefined : parseTicks(plan.liquidation, market.tick)
  const from = context.markTicks
  if (!plan.isClosing && liquidation !== undefined && from !== undefined) {
    const percent = format.percent((Math.abs(from - liquidation) * 100) / from, 1)
    says.push(plan.side === 'buy' ? t('positions.noteFalls', { percent }) : t('positions.noteRises', { percent }))
  }
  if (form.kind === 'market') says.push(t('orders.est.moves'))
  if (form.kind === 'market') says.push(t('orders.noteMarket', { percent: format.ppm(market.slippagePpm) }))
  if (hasTrigger(form.kind)) says.push(t('positions.noteStop'))
  if (plan.isClosing) says.push(t('positions.noteReduces'))
  return says.length === 0 ? undefined : says.join(' ')
}
