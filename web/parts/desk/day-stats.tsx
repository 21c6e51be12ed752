import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { ReactNode } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useFormats } from '../../app/format.ts'
import { useQuote } from '../../app/quotes.ts'

/** Highest and lowest price and the volume of the last 24 hours; `children` are further rows. */
export function DayStats({ market, children }: { readonly market: WireMarket; readonly children?: ReactNode }) {
  const { t } = useTranslation()
  const format = useFormats()
  const quote = useQuote(market.symbol)
  const rows = [
    [t('market.high'), format.quoted(quote?.high)],
    [t('market.low'), format.quoted(quote?.low)],
    [t('market.volume'), quote?.quoteVolume === undefined ? '–' : `${format.compact(quote.quoteVolume)} ${market.quote}`],
  ] as const
  return (
    <dl className="flex max-w-full min-w-[9.5rem] shrink-0 flex-col gap-0.5 text-11">
      {rows.map(([label, value]) => (
        <div key={label} className="flex flex-wrap justify-between gap-x-3">
          <dt className="text-fg3">{label}</dt>
          <dd className="tn text-fg2">{value}</dd>
        </div>
      ))}
      {children}
    </dl>
  )
}
