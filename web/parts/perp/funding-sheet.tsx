import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useQuery } from '@tanstack/react-query'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { clockOf, useCountdown } from '../ui/countdown.ts'
import { Sheet, SummaryRow } from '../ui/sheet.tsx'
import { perp } from './api.ts'
import { useMark } from './marks.ts'

/** Explains funding, and shows the current rate with its countdown and the last settled rates. */
export function FundingSheet({ market, onClose }: { readonly market: WireMarket; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const mark = useMark(market.symbol)
  const left = useCountdown(mark?.fundingAt)
  const past = useQuery({
    queryKey: ['funding-rates', market.symbol],
    queryFn: () => perp.fundingRates({ symbol: market.symbol, limit: 6 }),
  })
  const isLongPaying = Number(mark?.fundingRate ?? 0) >= 0
  return (
    <Sheet isOpen onClose={onClose} title={t('positions.fundingTitle')}>
      <p className="pb-2 text-13 text-fg2">
        {isLongPaying ? t('positions.longsPay') : t('positions.shortsPay')} {t('positions.fundingHint')}
      </p>
      <dl>
        <SummaryRow label={t('positions.fundingRate')}>{mark === undefined ? '–' : format.percent(mark.fundingRate, 4)}</SummaryRow>
        <SummaryRow label={t('positions.fundingIn')}>{mark === undefined ? '–' : clockOf(left)}</SummaryRow>
        <SummaryRow label={t('positions.fundingEvery')}>
          {market.perp === undefined ? '–' : t('positions.hours', { count: market.perp.fundingHours })}
        </SummaryRow>
      </dl>
      {(past.data?.items.length ?? 0) > 0 && (
        <section className="pt-4">
          <h3 className="pb-1 text-12 font-medium text-fg3">{t('positions.fundingPast')}</h3>
          <ul className="tn text-13">
            {past.data?.items.map((one) => (
              <li key={one.time} className="flex justify-between gap-2 py-1">
                <span className="text-fg2">{format.dateTime(one.time)}</span>
                <span>{format.percent(one.rate, 4)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Sheet>
  )
}
