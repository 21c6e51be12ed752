import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { Search, X } from 'lucide-react'
import { memo, useDeferredValue, useId, useMemo, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useFavourites } from '../../app/account.ts'
import { useMarkets } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { type Quote, quotesNow, useQuote, useQuotes, useTickersError } from '../../app/quotes.ts'
import { Coin } from '../funds/coin.tsx'
import { LiveChange, Price } from '../ui/figure.tsx'
import { RowsSkeleton } from '../ui/skeleton.tsx'
import { Sparkline } from '../ui/sparkline.tsx'
import { Empty, Failure } from '../ui/state.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { listed, nextSort, type Sort, type SortBy, type Tab } from './list.ts'

/** The markets of one kind: search, favourites, three sortable columns. Rows render when their own quote moves. */
export function MarketList({
  kind = 'spot',
  quote,
  onChoose,
}: {
  readonly kind?: WireMarket['kind']
  /** Limits the list to markets quoted in this coin. */
  readonly quote?: string | undefined
  readonly onChoose: (symbol: string) => void
}) {
  const { t } = useTranslation()
  const all = useMarkets(kind)
  const markets = useMemo(() => (quote === undefined ? all : all.filter((one) => one.quote === quote)), [all, quote])
  const error = useTickersError()
  const favourites = useFavourites().symbols
  const [chosen, setTab] = useState<Tab>('all')
  const tab = (kind === 'perp' || quote !== undefined) && chosen !== 'favourites' ? 'all' : chosen
  const [text, setText] = useState('')
  const [sort, setSort] = useState<Sort>({ by: 'none', direction: 1 })
  const wanted = useDeferredValue(text)
  const isListed = useMarkets().length > 0
  if (!isListed) return error === undefined ? <RowsSkeleton rows={8} /> : <Failure error={error} />
  const shown = { tab, text: wanted, sort, favourites }
  return (
    <div className="flex flex-col">
      <SearchField value={text} onChange={setText} />
      <Tabs
        className="-mx-4 mt-1"
        label={t('market.title')}
        value={tab}
        onChange={setTab}
        choices={[
          { value: 'favourites', label: t('markets.favourites') },
          { value: 'all', label: t('markets.all') },
          // All perp markets are quoted in one coin.
          ...(kind === 'perp' || quote !== undefined
            ? []
            : [
                { value: 'usdt' as const, label: 'USDT' },
                { value: 'btc' as const, label: 'BTC' },
              ]),
        ]}
      />
      <div className="flex flex-wrap items-center justify-end gap-x-2.5 py-2 text-11 text-fg3">
        <span className="flex flex-1 gap-2">
          <SortButton by="name" sort={sort} onSort={setSort} label={t('markets.name')} />
          <SortButton by="volume" sort={sort} onSort={setSort} label={t('market.volume')} />
        </span>
        <SortButton by="price" sort={sort} onSort={setSort} label={t('markets.price')} />
        <span className="min-w-[4.5rem] text-end">
          <SortButton by="change" sort={sort} onSort={setSort} label={t('markets.change')} />
        </span>
      </div>
      {sort.by === 'none' || sort.by === 'name' ? (
        <Rows rows={listed(markets, quotesNow(), shown)} tab={tab} onChoose={onChoose} />
      ) : (
        <LiveRows markets={markets} shown={shown} onChoose={onChoose} />
      )}
    </div>
  )
}

/** Rows sorted by a live value: the list follows every quote. */
function LiveRows({
  markets,
  shown,
  onChoose,
}: {
  readonly markets: readonly WireMarket[]
  readonly shown: Parameters<typeof listed>[2]
  readonly onChoose: (symbol: string) => void
}) {
  const quotes = useQuotes()
  const bySymbol: ReadonlyMap<string, Quote> = new Map(quotes.map((quote) => [quote.symbol, quote]))
  return <Rows rows={listed(markets, bySymbol, shown)} tab={shown.tab} onChoose={onChoose} />
}

function Rows({
  rows,
  tab,
  onChoose,
}: {
  readonly rows: readonly WireMarket[]
  readonly tab: Tab
  readonly onChoose: (symbol: string) => void
}) {
  const { t } = useTranslation()
  if (rows.length === 0) return <Empty text={tab === 'favourites' ? t('markets.noFavourites') : t('markets.noneFound')} />
  return (
    <ul className="@container -mx-4">
      {rows.map((market) => (
        <li key={market.symbol}>
          <MarketRow market={market} onChoose={onChoose} />
        </li>
      ))}
    </ul>
  )
}

const MarketRow = memo(function MarketRow({
  market,
  onChoose,
}: {
  readonly market: WireMarket
  readonly onChoose: (symbol: string) => void
}) {
  const format = useFormats()
  const quote = useQuote(market.symbol)
  return (
    <button
      type="button"
      onClick={() => onChoose(market.symbol)}
      className="flex min-h-15 w-full items-center gap-2.5 px-4 text-start active:bg-s2"
    >
      <Coin asset={market.base} size={32} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="truncate text-15 font-semibold">
          {market.base}
          <span className="text-12 font-normal text-fg3"> /{market.quote}</span>
        </span>
        <span className="tn truncate text-11 text-fg3">
          {quote?.quoteVolume === undefined ? '–' : `${format.compact(quote.quoteVolume)} ${market.quote}`}
        </span>
      </span>
      <span className="hidden w-12 shrink-0 @min-[22rem]:block">
        {quote?.sparkline !== undefined && <Sparkline values={quote.sparkline} change={quote.change} width={48} height={22} />}
      </span>
      <span className="flex min-w-[4.75rem] justify-end">
        <Price symbol={market.symbol} className="text-15 font-medium" />
      </span>
      <span className="flex min-w-[4.5rem] justify-end">
        <LiveChange symbol={market.symbol} chip className="text-13" />
      </span>
    </button>
  )
})

function SearchField({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const { t } = useTranslation()
  const id = useId()
  return (
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
  )
}

function SortButton({
  by,
  sort,
  onSort,
  label,
}: {
  readonly by: SortBy
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  readonly label: string
}) {
  const { t } = useTranslation()
  const isOn = sort.by === by
  const said = !isOn ? t('markets.unsorted') : sort.direction === 1 ? t('markets.ascending') : t('markets.descending')
  return (
    <button
      type="button"
      aria-label={`${label}, ${said}`}
      onClick={() => onSort(nextSort(sort, by))}
      className={`inline-flex min-h-6 items-center gap-1 ${isOn ? 'text-fg' : ''}`}
    >
      {label}
      <svg aria-hidden viewBox="0 0 8 12" className="h-2.5 w-2 fill-current">
        <path d="M4 0 7.5 5H.5Z" opacity={isOn && sort.direction === 1 ? 1 : 0.35} />
        <path d="M4 12 .5 7h7Z" opacity={isOn && sort.direction === -1 ? 1 : 0.35} />
      </svg>
    </button>
  )
}
