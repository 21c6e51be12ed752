import type { Decimal } from '@candor/core/money/brand.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import { estimateOf } from './estimate.ts'
import type { OwnPresale } from '../../parts/presale/api.ts'

/** What the customer would get at the present demand, if `more` were added to the own subscription. */
export function Outlook({ presale, more }: { readonly presale: OwnPresale; readonly more: Decimal }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { own, symbol, payAsset } = presale
  const estimate = estimateOf(presale, own?.amount ?? '0', more === '' ? '0' : more)
  const about = (sum: Decimal | undefined, asset: string): string =>
    sum === undefined ? '–' : t('presale.about', { sum: `${format.sum(sum, asset)} ${asset}` })
  return (
    <div className="flex flex-col gap-1" aria-live="polite">
      <dl>
        <SummaryRow label={t('presale.wouldGet')}>{about(estimate?.tokens, symbol)}</SummaryRow>
        <SummaryRow label={t('presale.wouldCost')}>{about(estimate?.cost, payAsset)}</SummaryRow>
        <SummaryRow label={t('presale.wouldReturn')}>{about(estimate?.refund, payAsset)}</SummaryRow>
      </dl>
      <p className="text-12 text-pretty text-fg3">{t(estimate === undefined ? 'presale.by.demand' : `presale.by.${estimate.by}`)}</p>
    </div>
  )
}
