import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import { basePerLot } from '@candor/core/money/price.ts'
import type { Units } from '@candor/core/money/brand.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { averageText } from '../order/fill-note.ts'
import { type SentRow, SentTable } from '../terminal/tables/sent-table.tsx'
import type { Context, Form } from './form.ts'
import { affordable } from './sizing.ts'
import { type Summary, summary } from './summary.ts'
import { useEstimate } from './use-estimate.ts'
import type { TicketState } from './use-ticket.ts'

/** What an order of each side would do now, by the functions of the confirmation. Without an amount, only how large it can be. */
export function SentNow({ ticket }: { readonly ticket: TicketState }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { context, isVisitor } = ticket
  const { market } = context
  const forms: Readonly<Record<Side, Form>> = { buy: { ...ticket.form, side: 'buy' }, sell: { ...ticket.form, side: 'sell' } }
  const estimates = { buy: useEstimate({ ...ticket, form: forms.buy }), sell: useEstimate({ ...ticket, form: forms.sell }) }
  const sums: Readonly<Record<Side, Summary>> = { buy: summary(forms.buy, context), sell: summary(forms.sell, context) }
  const both = (of: (side: Side) => string | undefined): Pick<SentRow, 'buy' | 'sell'> => ({ buy: of('buy'), sell: of('sell') })
  const asked = (of: (side: Side) => string | undefined): Pick<SentRow, 'buy' | 'sell'> =>
    both((side) => (sums[side].quantity === undefined ? undefined : of(side)))
  const isTaker = (side: Side): boolean => forms[side].kind !== 'limit' || sums[side].takes
  const fills = (side: Side): string => {
    const { kind, timeInForce } = forms[side]
    const estimate = estimates[side]
    if (estimate?.average !== undefined) return `≈ ${averageText(estimate, market, format)}`
    if (kind !== 'limit' && kind !== 'market') return t('terminal.sent.waits')
    return kind === 'limit' && timeInForce === 'GTC' ? t('terminal.sent.rests') : t('terminal.sent.nothing')
  }
  const after = (side: Side): string | undefined => {
    const units = baseAfter(side, sums[side], context)
    return units === undefined ? undefined : format.sum(formatUnits(units, context.baseScale), market.base)
  }
  const fee = (side: Side): string | undefined => {
    const { takerFee, makerFee, feeAsset } = sums[side]
    const sum = isTaker(side) ? (estimates[side]?.average === undefined ? takerFee : estimates[side]?.fee) : makerFee
    return sum === undefined ? undefined : format.sum(sum, feeAsset)
  }
  const paid = (side: Side): string => sums[side].costAsset
  const { margin } = ticket
  const rows: readonly SentRow[] = [
    { label: t('terminal.sent.fills'), ...asked(fills) },
    {
      label: `${t('terminal.sent.max')} (${market.base})`,
      ...both((side) =>
        isVisitor ? undefined : mostOf(forms[side], context, (text) => format.number(text, market.quantityDigits, market.quantityDigits)),
      ),
    },
    // What Margin may spend includes loans, so it is no balance.
    margin === undefined
      ? { label: t('terminal.sent.balance', { coin: market.base }), ...asked(after) }
      : {
          label: t('margin.borrowed'),
          ...asked((side) => format.sum(margin.loanOf(sums[side]), paid(side))),
          of: { buy: paid('buy'), sell: paid('sell') },
        },
    {
      label: t('perp.cost'),
      ...asked((side) => (sums[side].cost === undefined ? undefined : format.sum(sums[side].cost ?? '0', paid(side)))),
      of: { buy: paid('buy'), sell: paid('sell') },
    },
    { label: t('trade.fee'), ...asked(fee), of: { buy: sums.buy.feeAsset, sell: sums.sell.feeAsset } },
  ]
  return <SentTable rows={rows} />
}

/** The largest quantity of a side, with all of what is available. */
function mostOf(form: Form, context: Context, text: (quantity: string) => string): string | undefined {
  const most = affordable(form, 100, context)
  const perLot = basePerLot(context.market.lot, context.baseScale)
  if (most === undefined || perLot === undefined) return undefined
  return text(formatUnits((most.lots * perLot) as Units, context.baseScale))
}

/** Base units that are available once the whole order has filled, after its fee. */
function baseAfter(side: Side, sums: Summary, { availableBase, baseScale }: Context): Units | undefined {
  const units = (text: string | undefined): number | undefined => (text === undefined ? undefined : parseUnits(text, baseScale))
  const [now, change] = [units(availableBase), units(side === 'buy' ? sums.receive : sums.cost)]
  if (now === undefined || change === undefined) return undefined
  return Math.max(0, now + (side === 'buy' ? change : -change)) as Units
}
