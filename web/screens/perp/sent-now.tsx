import type { Lots } from '@candor/core/money/brand.ts'
import { formatLots } from '@candor/core/money/price.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { averageText } from '../../parts/order/fill-note.ts'
import { type SentRow, SentTable } from '../../parts/terminal/tables/sent-table.tsx'
import { lotsAfter } from './after.ts'
import type { Estimate } from './estimate.ts'
import { hasTrigger } from './form.ts'
import { lotsOf, priceOf } from './sizing.ts'
import { useEstimates } from './use-estimates.ts'
import type { TicketState } from './use-ticket.ts'

/** What an order of each button would do now, by the functions of the confirmation. Without an amount, only how large it can be. */
export function SentNow({ ticket }: { readonly ticket: TicketState }) {
  const { t } = useTranslation()
  const format = useFormats()
  const estimates = useEstimates(ticket)
  const { form, context, summary, isVisitor } = ticket
  const { market } = context
  const size = (text: string): string => format.number(text, market.quantityDigits, market.quantityDigits)
  const isAsked = (side: Side): boolean => summary[side].quantity !== undefined
  const both = (of: (side: Side) => string | undefined): Pick<SentRow, 'buy' | 'sell'> => ({ buy: of('buy'), sell: of('sell') })
  /** Only of an order with an amount. */
  const asked = (of: (side: Side) => string | undefined): Pick<SentRow, 'buy' | 'sell'> =>
    both((side) => (isAsked(side) ? of(side) : undefined))
  const isTaker = (side: Side): boolean => form.kind !== 'limit' || estimates[side]?.average !== undefined
  const fills = (estimate: Estimate | undefined): string => {
    if (estimate?.average !== undefined) return `≈ ${averageText(estimate, market, format)}`
    if (hasTrigger(form.kind)) return t('terminal.sent.waits')
    return form.kind === 'limit' && form.timeInForce === 'GTC' ? t('terminal.sent.rests') : t('terminal.sent.nothing')
  }
  const after = (side: Side): string | undefined => {
    const lots = lotsOf(form, priceOf(form, side, context), context)
    if (lots === undefined || lots <= 0) return undefined
    const left = lotsAfter(form, side, lots, context)
    if (left === 0) return t('terminal.sent.none')
    return `${left > 0 ? t('perp.long') : t('perp.short')} ${size(formatLots(Math.abs(left) as Lots, market.lot))}`
  }
  const fee = (side: Side): string | undefined => {
    const plan = summary[side]
    const sum = isTaker(side) ? (estimates[side]?.average === undefined ? plan.takerFee : estimates[side]?.fee) : plan.makerFee
    return sum === undefined ? undefined : format.sum(sum, market.quote)
  }
  const role = (side: Side): string => (isAsked(side) ? t(isTaker(side) ? 'orders.as.taker' : 'orders.as.maker') : '')
  const rows: readonly SentRow[] = [
    { label: t('terminal.sent.fills'), ...asked((side) => fills(estimates[side])) },
    {
      label: `${t('terminal.sent.max')} (${market.base})`,
      ...both((side) => (isVisitor ? undefined : size(summary[side].maxQuantity))),
    },
    { label: t('terminal.sent.after'), ...asked(after) },
    {
      label: `${t('perp.cost')} (${market.quote})`,
      ...asked((side) => (summary[side].cost === undefined ? undefined : format.sum(summary[side].cost ?? '0', market.quote))),
    },
    { label: `${t('trade.fee')} (${market.quote})`, ...asked(fee), of: { buy: role('buy'), sell: role('sell') } },
    {
      label: t('perp.estimatedLiquidation'),
      tone: 'warn',
      ...asked((side) => (summary[side].liquidation === null ? undefined : format.exact(summary[side].liquidation ?? ''))),
    },
  ]
  return <SentTable rows={rows} />
}
