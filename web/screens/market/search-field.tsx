import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useTranslation } from '../../app/translate.ts'
import { SearchField } from '../../parts/market/search-field.tsx'

/** The search, with the markets that the last searches led to while it is empty and has the focus. */
export function MarketSearch({
  value,
  onChange,
  onFocus,
  recents,
  onOpen,
  onForget,
}: {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onFocus: (isFocused: boolean) => void
  readonly recents: readonly WireMarket[]
  readonly onOpen: (market: WireMarket) => void
  readonly onForget: () => void
}) {
  const { t } = useTranslation()
  return (
    <div
      className="flex flex-col gap-2 px-4"
      onFocus={() => onFocus(true)}
      // The focus may go on to one of the recent markets.
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && onFocus(false)}
    >
      <SearchField value={value} onChange={onChange} label={t('markets.search')} clear={t('markets.clear')} isOfSymbols />
      {recents.length > 0 && (
        <section aria-label={t('markets.recents')} className="flex flex-wrap items-center gap-2">
          <h2 className="w-full text-12 text-fg3">{t('markets.recents')}</h2>
          {recents.map((market) => (
            <button
              key={market.symbol}
              type="button"
              onClick={() => onOpen(market)}
              className="press min-h-8 rounded-chip bg-s2 px-3 text-13 font-medium"
            >
              {market.kind === 'perp' ? `${market.base} ${t('trade.perp')}` : `${market.base}/${market.quote}`}
            </button>
          ))}
          <button type="button" onClick={onForget} className="min-h-8 px-2 text-13 text-brand">
            {t('markets.forget')}
          </button>
        </section>
      )}
    </div>
  )
}
