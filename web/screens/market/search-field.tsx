import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { Search, X } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from '../../app/translate.ts'

/** The search, with the markets that the last searches led to while it is empty and has the focus. */
export function SearchField({
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
  const id = useId()
  return (
    <div
      className="flex flex-col gap-2 px-4"
      onFocus={() => onFocus(true)}
      // The focus may go on to one of the recent markets.
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && onFocus(false)}
    >
      <div className="flex min-h-11 items-center gap-2 rounded-control bg-s2 px-3 focus-within:outline-2 focus-within:outline-brand">
        <label htmlFor={id} className="text-fg3">
          <Search size={18} strokeWidth={1.75} aria-hidden />
          <span className="sr-only">{t('markets.search')}</span>
        </label>
        <input
          id={id}
          type="text"
          enterKeyHint="search"
          autoCapitalize="characters"
          autoComplete="off"
          value={value}
          placeholder={t('markets.search')}
          onChange={(event) => onChange(event.target.value)}
          className="min-w-0 flex-1 self-stretch bg-transparent text-15 outline-none"
        />
        {value !== '' && (
          <button
            type="button"
            aria-label={t('markets.clear')}
            onClick={() => onChange('')}
            className="flex size-8 items-center justify-center text-fg3"
          >
            <X size={16} strokeWidth={1.75} aria-hidden />
          </button>
        )}
      </div>
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
