import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { SummaryRow } from '../ui/sheet.tsx'
import type { Fill } from './fill.ts'
import { averageText, slippageText } from './fill-note.ts'

/** What the book gives to an order, in a sheet: average price and slippage, and the part that it fills if that is not all. */
export function FillRows({
  fill,
  part,
  market,
  isLoss = true,
}: {
  readonly fill: Fill | undefined
  /** The part that fills and the whole, in the coin of the order's amount. */
  readonly part: { readonly part: string; readonly whole: string; readonly asset: string }
  readonly market: WireMarket
  /** Whether the part that does not fill is lost. */
  readonly isLoss?: boolean
}) {
  const { t } = useTranslation()
  const format = useFormats()
  if (fill === undefined) return null
  const isFilled = fill.average !== undefined
  return (
    <>
      {isFilled && <SummaryRow label={t('orders.est.average')}>{`${averageText(fill, market, format)} ${market.quote}`}</SummaryRow>}
      {isFilled && <SummaryRow label={t('orders.est.slippage')}>{slippageText(fill, format)}</SummaryRow>}
      {!fill.isComplete && (isFilled || isLoss) && (
        <SummaryRow label={t('orders.est.fills')}>
          <span className={isLoss ? 'text-warn' : ''}>
            {t('orders.partOf', { part: format.number(part.part), whole: `${format.number(part.whole)} ${part.asset}` })}
          </span>
        </SummaryRow>
      )}
    </>
  )
}
