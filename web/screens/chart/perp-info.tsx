import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { clockOf } from '../../parts/ui/countdown.ts'
import { useMark } from '../../parts/perp/marks.ts'
import { useCountdown } from '../../parts/ui/countdown.ts'
import { SummaryRow } from '../../parts/ui/sheet.tsx'

/** The terms of a perp market: leverage and margin by position value, funding, and liquidation fee. */
export function PerpInfo({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const format = useFormats()
  const mark = useMark(market.symbol)
  const left = useCountdown(mark?.fundingAt)
  const terms = market.perp
  if (terms === undefined) return null
  return (
    <>
      <dl className="px-4">
        <SummaryRow label={t('perp.mark')}>{mark === undefined ? '–' : format.exact(mark.mark)}</SummaryRow>
        <SummaryRow label={t('perp.index')}>
          {mark === undefined ? '–' : format.number(mark.index, market.priceDigits, market.priceDigits)}
        </SummaryRow>
        <SummaryRow label={t('positions.fundingRate')}>{mark === undefined ? '–' : format.percent(mark.fundingRate, 4)}</SummaryRow>
        <SummaryRow label={t('positions.fundingIn')}>{mark === undefined ? '–' : clockOf(left)}</SummaryRow>
        <SummaryRow label={t('positions.liquidationFee')}>{format.ppm(terms.liquidationFeePpm)}</SummaryRow>
        <SummaryRow label={t('positions.openInterestMax')}>{`${format.number(terms.openInterestMax, 0, 0)} ${market.quote}`}</SummaryRow>
        <SummaryRow label={t('positions.accountMax')}>
          {`${format.number((Number(terms.openInterestMax) * terms.userInterestPpm) / 1_000_000, 0, 0)} ${market.quote}`}
        </SummaryRow>
      </dl>
      <section className="px-4 pt-4">
        <h2 className="pb-2 text-13 font-medium text-fg2">{t('positions.tiers')}</h2>
        <table className="tn w-full text-13">
          <thead>
            <tr className="text-11 text-fg3 [&>th]:pb-1 [&>th]:font-normal">
              <th className="text-start">{`${t('positions.tierUpTo')} (${market.quote})`}</th>
              <th className="text-end">{t('perp.leverage')}</th>
              <th className="text-end">{t('positions.maintenance')}</th>
            </tr>
          </thead>
          <tbody>
            {terms.tiers.map((tier) => (
              <tr key={tier.valueMax} className="[&>td]:py-1">
                <td>{format.compact(tier.valueMax)}</td>
                <td className="text-end">{`${Math.min(terms.leverageMax, Math.floor(1_000_000 / tier.initialPpm))}×`}</td>
                <td className="text-end">{format.ppm(tier.maintenancePpm)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
