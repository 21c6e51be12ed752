import type { MarketSort } from '@candor/core/protocol/wire/own/preferences.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { ArrowUpDown } from 'lucide-react'
import { Suspense, useDeferredValue, useMemo, useState } from 'react'
import { useFavourites } from '../../app/account.ts'
import { useConfig, useMarkets } from '../../app/config.ts'
import { navigate, usePlace } from '../../app/location.ts'
import { usePreference } from '../../app/preferences/preferences.ts'
import { loadTickers, quotesNow, useTickersError } from '../../app/quotes.ts'
import { lastMarket, useSettings } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'
import { useIsWide } from '../../app/wide/use-is-wide.ts'
import { Button } from '../../parts/ui/button.tsx'
import { later, laterSheet } from '../../parts/ui/later.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure } from '../../parts/ui/state.tsx'
import { Chip, Tabs } from '../../parts/ui/tabs.tsx'
import { Columns } from '../../parts/market/columns.tsx'
import { deskOf } from '../../parts/market/desk-of.ts'
import { useSettledOrder } from '../../parts/market/settled-order.ts'
import { sortRules } from '../../parts/market/sort.ts'
import { categoriesOf, type Category } from './categories.ts'
import { addressOf, hasColumns, shownMarkets, type Tab, tabs, type View, withRecent } from './list.ts'
import { keepRecents, recentsKept } from './recents.ts'
import { MarketRows } from './rows.tsx'
import { MarketSearch } from './search-field.tsx'

const ArrangeFavourites = later(() => import('./arrange-favourites.tsx').then((module) => module.ArrangeFavourites))
const MenuSheet = laterSheet(() => import('../../parts/market/menu-sheet.tsx').then((module) => module.MenuSheet))

/** All markets with live prices: favourites, kinds, new listings, categories and a search; a tap opens the desk, in a wide window the chart beside the list. */
export function Screen() {
  const { t } = useTranslation()
  const { query } = usePlace()
  const isWide = useIsWide()
  const asked = query.get('kind') === 'perp' ? 'perp' : query.get('tab')
  const tab = tabs.find((one) => one === asked) ?? 'spot'
  const markets = useMarkets()
  const error = useTickersError()
  const favourites = useFavourites()
  const [sort, changeSort] = usePreference('market-sort', sortRules)
  const [typed, setTyped] = useState('')
  const [isSearching, setIsSearching] = useState(false)
  const [recents, setRecents] = useState(recentsKept)
  const [category, setCategory] = useState<Category>()
  const [isArranging, setIsArranging] = useState(false)
  const [menu, setMenu] = useState<WireMarket>()
  const assets = useConfig().data?.assets
  const names = useMemo(() => new Map((assets ?? []).map(({ symbol, name }) => [symbol, name])), [assets])
  const groups = useMemo(() => categoriesOf(new Set(markets.map(({ base }) => base))), [markets])
  const text = useDeferredValue(typed)
  const view: View = {
    ...{ tab, text, sort, names, favourites: favourites.symbols },
    category: category ?? groups[0] ?? 'majors',
  }
  const labels = useTabNames()
  const open = (market: WireMarket): void => {
    if (typed.trim() !== '') setRecents(keepRecents(withRecent(recents, market.symbol)))
    navigate(isWide ? addressOf(tab, market.symbol) : deskOf(market))
  }
  const openTab = (next: Tab): void => {
    setIsArranging(false)
    navigate(addressOf(next, query.get('symbol')), { replace: true })
  }
  const isFavourites = tab === 'favourites' && text.trim() === ''
  return (
    <Pull onRefresh={loadTickers}>
      <PageHeader title={t('market.title')} hasBack={false} />
      <div className="flex flex-col pb-4">
        <MarketSearch
          value={typed}
          onChange={setTyped}
          onFocus={setIsSearching}
          recents={isSearching && typed === '' ? recents.flatMap((symbol) => markets.find((one) => one.symbol === symbol) ?? []) : []}
          onOpen={open}
          onForget={() => setRecents(keepRecents([]))}
        />
        {text.trim() === '' && (
          <Choices tab={tab} labels={labels} groups={groups} category={view.category} onCategory={setCategory} onTab={openTab} />
        )}
        {hasColumns(view) && <Columns sort={sort} onSort={(next: MarketSort) => changeSort(() => next)} />}
        {isFavourites && favourites.symbols.length > 1 && (
          <Button variant="ghost" size="small" className="me-2 self-end" onClick={() => setIsArranging(!isArranging)}>
            <ArrowUpDown size={16} strokeWidth={1.75} aria-hidden />
            {isArranging ? t('common.done') : t('markets.arrange')}
          </Button>
        )}
        <div role="tabpanel" aria-label={text.trim() === '' ? labels[tab] : t('markets.search')}>
          {markets.length === 0 ? (
            error === undefined ? (
              <RowsSkeleton rows={8} />
            ) : (
              <Failure error={error} onRetry={() => void loadTickers()} />
            )
          ) : isFavourites && isArranging ? (
            <Suspense fallback={<RowsSkeleton rows={favourites.symbols.length} />}>
              <ArrangeFavourites markets={shownMarkets(markets, quotesNow(), view)} onMove={favourites.move} />
            </Suspense>
          ) : (
            <Listed markets={markets} view={view} onOpen={open} onMenu={setMenu} />
          )}
        </div>
      </div>
      {menu !== undefined && (
        <Suspense>
          <MenuSheet market={menu} onOpen={() => open(menu)} onClose={() => setMenu(undefined)} />
        </Suspense>
      )}
    </Pull>
  )
}

function useTabNames(): Readonly<Record<Tab, string>> {
  const { t } = useTranslation()
  return {
    favourites: t('markets.favourites'),
    spot: t('trade.spot'),
    perp: t('trade.futures'),
    new: t('markets.new'),
    categories: t('markets.categories'),
  }
}

/** The tabs, and below the last one its categories. */
function Choices({
  tab,
  labels,
  groups,
  category,
  onCategory,
  onTab,
}: {
  readonly tab: Tab
  readonly labels: Readonly<Record<Tab, string>>
  readonly groups: readonly Category[]
  readonly category: Category
  readonly onCategory: (category: Category) => void
  readonly onTab: (tab: Tab) => void
}) {
  const { t } = useTranslation()
  return (
    <>
      <Tabs
        className="mt-1"
        label={t('market.title')}
        value={tab}
        onChange={onTab}
        choices={tabs.map((value) => ({ value, label: labels[value] }))}
      />
      {tab === 'categories' && (
        <div role="group" aria-label={t('markets.categories')} className="no-scrollbar flex gap-2 overflow-x-auto px-4 pt-3">
          {groups.map((one) => (
            <Chip key={one} isOn={one === category} onClick={() => onCategory(one)}>
              {t(`markets.category.${one}`)}
            </Chip>
          ))}
        </div>
      )}
    </>
  )
}

/** The rows. Prices are live. */
function Listed({
  markets,
  view,
  onOpen,
  onMenu,
}: {
  readonly markets: readonly WireMarket[]
  readonly view: View
  readonly onOpen: (market: WireMarket) => void
  readonly onMenu: (market: WireMarket) => void
}) {
  const { t } = useTranslation()
  const { tab, text, category, favourites, sort } = view
  const current = useCurrent()
  const rows = useSettledOrder([tab, text, category, favourites, sort, markets.length], (quotes) => shownMarkets(markets, quotes, view))
  if (rows.length === 0) return <Empty text={tab === 'favourites' && text === '' ? t('markets.noFavourites') : t('markets.noneFound')} />
  return <MarketRows rows={rows} shows={hasColumns(view) ? sort.by : null} current={current} onOpen={onOpen} onMenu={onMenu} />
}

/** The market whose chart is beside the list of a wide window. */
function useCurrent(): string | undefined {
  const asked = usePlace().query.get('symbol')
  const last = useSettings(lastMarket)
  return useIsWide() ? (asked ?? last) : undefined
}
