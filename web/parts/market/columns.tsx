import { type MarketSort, marketSorts, type MarketSortBy } from '@candor/core/protocol/wire/own/preferences.ts'
import { useTranslation } from '../../app/translate.ts'
import { nextSort } from './sort.ts'

/** One button per column: from the largest, from the smallest, unsorted. */
export function Columns({ sort, onSort }: { readonly sort: MarketSort; readonly onSort: (sort: MarketSort) => void }) {
  const { t } = useTranslation()
  const labels: Readonly<Record<MarketSortBy, string>> = {
    name: t('markets.name'),
    price: t('markets.price'),
    change: t('markets.change'),
    high: t('markets.high'),
    low: t('markets.low'),
    volume: t('markets.volume'),
  }
  return (
    <div role="group" aria-label={t('markets.sortBy')} className="no-scrollbar flex gap-1 overflow-x-auto px-3 py-1">
      {marketSorts.map((by) => {
        const isOn = sort.by === by
        const said = !isOn ? t('markets.unsorted') : sort.isRising ? t('markets.ascending') : t('markets.descending')
        return (
          <button
            key={by}
            type="button"
            aria-label={`${labels[by]}, ${said}`}
            onClick={() => onSort(nextSort(sort, by))}
            className={`inline-flex min-h-9 shrink-0 items-center gap-1 rounded-chip px-2 text-12 whitespace-nowrap ${isOn ? 'bg-s2 text-fg' : 'text-fg3'}`}
          >
            {labels[by]}
            <svg aria-hidden viewBox="0 0 8 12" className="h-2.5 w-2 fill-current">
              <path d="M4 0 7.5 5H.5Z" opacity={isOn && sort.isRising ? 1 : 0.35} />
              <path d="M4 12 .5 7h7Z" opacity={isOn && !sort.isRising ? 1 : 0.35} />
            </svg>
          </button>
        )
      })}
    </div>
  )
}
