import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useTranslation } from '../../app/translate.ts'
import { useFormats } from '../../app/format.ts'
import { useQuote } from '../../app/quotes.ts'
import { SummaryRow } from '../../parts/ui/sheet.tsx'

/** The terms and day statistics of a market, which also serve as a table version of the chart. */
export function MarketInfo({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const format = useFormats()
  const quote = useQuote(market.symbol)
  return (
    <dl className="px-4">
      {quote !== undefined && (
        <>
          <SummaryRow label={t('market.open')}>{format.quoted(quote.open)}</SummaryRow>
          <SummaryRow label={t('market.high')}>{format.quoted(quote.high)}</SummaryRow>
          <SummaryRow label={t('market.low')}>{format.quoted(quote.low)}</SummaryRow>
          <SummaryRow label={t('market.volume')}>{`${format.sum(quote.volume, market.base)} ${market.base}`}</SummaryRow>
        </>
      )}
      <SummaryRow label={t('chart.tick')}>{`${format.exact(market.tick)} ${market.quote}`}</SummaryRow>
      <SummaryRow label={t('chart.lot')}>{`${format.exact(market.lot)} ${market.base}`}</SummaryRow>
      <SummaryRow label={t('chart.notionalMin')}>{`${format.number(market.notionalMin)} ${market.quote}`}</SummaryRow>
      <SummaryRow label={t('chart.band')}>{`± ${format.ppm(market.bandPpm)}`}</SummaryRow>
      <SummaryRow label={t('trade.feeEither')}>{`${format.ppm(market.makerFeePpm)} / ${format.ppm(market.takerFeePpm)}`}</SummaryRow>
    </dl>
  )
}
