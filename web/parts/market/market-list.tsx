import type { MarketSort } from '@candor/core/protocol/wire/own/preferences.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { startTransition, Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useFavourites } from '../../app/account.ts'
import { useConfig, useMarkets } from '../../app/config.ts'
import { usePreference } from '../../app/preferences/preferences.ts'
import { inTurn } from '../../app/painted.ts'
import { useTickersError } from '../../app/quotes.ts'
import { laterSheet } from '../ui/later.tsx'
import { RowsSkeleton } from '../ui/skeleton.tsx'
import { Empty, Failure } from '../ui/state.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Columns } from './columns.tsx'
import { useSettledOrder } from './settled-order.ts'
import { matches, sorted, sortRules } from './sort.ts'
import { rowHeight, StarRow } from './star-row.tsx'
import { SearchField } from './search-field.tsx'

const MenuSheet = laterSheet(() => import('./menu-sheet.tsx').then((module) => module.MenuSheet))

/** Rows that the tallest sheet has room for. They follow the frame that answers the tap, in which a sheet only begins to rise. */
const rowsInView = (): number => Math.ceil(innerHeight / rowHeight) - 2

type Tab = 'favourites' | 'all' | 'usdt' | 'btc'

/** The markets of one kind: search, favourites, sortable columns, and a menu for each. Sorted as `/market` is. */
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
  const [chosen, setTab] = useState<Tab>('all')
  const hasQuotes = kind !== 'perp' && quote === undefined
  const tab = !hasQuotes && chosen !== 'favourites' ? 'all' : chosen
  const [text, setText] = useState('')
  const [sort, changeSort] = usePreference('market-sort', sortRules)
  const wanted = useDeferredValue(text)
  const isListed = useMarkets().length > 0
  if (!isListed) return error === undefined ? <RowsSkeleton rows={8} /> : <Failure error={error} />
  return (
    <div className="flex flex-col">
      <SearchField value={text} onChange={setText} label={t('markets.search')} clear={t('markets.clear')} isOfSymbols />
      <Tabs
        className="-mx-4 mt-1"
        label={t('market.title')}
        value={tab}
        onChange={setTab}
        choices={[
          { value: 'favourites', label: t('markets.favourites') },
          { value: 'all', label: t('markets.all') },
          ...(hasQuotes
            ? [
                { value: 'usdt' as const, label: 'USDT' },
                { value: 'btc' as const, label: 'BTC' },
              ]
            : []),
        ]}
      />
      <div className="-mx-4">
        <Columns sort={sort} onSort={(next) => changeSort(() => next)} />
        <Rows markets={markets} tab={tab} text={wanted} sort={sort} onChoose={onChoose} />
      </div>
    </div>
  )
}

function Rows({
  markets,
  tab,
  text,
  sort,
  onChoose,
}: {
  readonly markets: readonly WireMarket[]
  readonly tab: Tab
  readonly text: string
  readonly sort: MarketSort
  readonly onChoose: (symbol: string) => void
}) {
  const { t } = useTranslation()
  const { symbols, toggle } = useFavourites()
  const assets = useConfig().data?.assets
  const names = useMemo(() => new Map((assets ?? []).map(({ symbol, name }) => [symbol, name])), [assets])
  const [menu, setMenu] = useState<WireMarket>()
  const isShown = (market: WireMarket): boolean => {
    if (text.trim() !== '') return matches(market, text.trim(), names)
    if (tab === 'favourites') return symbols.includes(market.symbol)
    return tab === 'all' || market.quote === tab.toUpperCase()
  }
  const open = ({ symbol }: WireMarket): void => onChoose(symbol)
  const rows = useSettledOrder([tab, text, sort, symbols, markets.length], (quotes) => sorted(markets.filter(isShown), quotes, sort))
  const [most, setMost] = useState(0)
  useEffect(() => {
    const turns = [inTurn(() => setMost(rowsInView)), inTurn(() => startTransition(() => setMost(Infinity)))]
    return () => turns.forEach((takeBack) => takeBack())
  }, [])
  if (rows.length === 0) return <Empty text={tab === 'favourites' && text === '' ? t('markets.noFavourites') : t('markets.noneFound')} />
  return (
    <>
      <ul className="@container" style={{ minHeight: rows.length * rowHeight }}>
        {rows.slice(0, most).map((market) => (
          <li key={market.symbol} style={{ height: rowHeight }}>
            <StarRow
              market={market}
              shows={sort.by}
              isFavourite={symbols.includes(market.symbol)}
              onStar={toggle}
              onOpen={open}
              onMenu={setMenu}
            />
          </li>
        ))}
      </ul>
      {menu !== undefined && (
        <Suspense>
          <MenuSheet market={menu} onOpen={() => onChoose(menu.symbol)} onClose={() => setMenu(undefined)} />
        </Suspense>
      )}
    </>
  )
}
