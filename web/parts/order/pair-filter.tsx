import { useTranslation } from '../../app/translate.ts'
import { useMarkets } from '../../app/config.ts'

/** Chooses one market, or all (empty). */
export function PairFilter({
  value,
  kind = 'spot',
  onChange,
}: {
  readonly value: string
  readonly kind?: 'spot' | 'perp'
  readonly onChange: (symbol: string) => void
}) {
  const { t } = useTranslation()
  const markets = useMarkets(kind)
  return (
    <select
      aria-label={t('orders.pair')}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-8 rounded-chip bg-s2 px-2 text-12 font-medium text-fg"
    >
      <option value="">{t('orders.allPairs')}</option>
      {markets.map((market) => (
        <option key={market.symbol} value={market.symbol}>
          {market.base}/{market.quote}
        </option>
      ))}
    </select>
  )
}
