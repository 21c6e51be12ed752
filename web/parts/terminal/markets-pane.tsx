import { type DeskName, type MarketSortBy, type MarketSort } from '@candor/core/protocol/wire/own/preferences.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { PanelLeftClose, PanelLeftOpen, Star } from 'lucide-react'
import { memo, type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { useFavourites } from '../../app/account.ts'
import { useConfig, useMarkets } from '../../app/config.ts'
import { deskPaths } from '../../app/preferences/layout.ts'
import { usePreference } from '../../app/preferences/preferences.ts'
import { useTranslation } from '../../app/translate.ts'
import type { DeskParts } from './desk-parts.ts'
import { Coin } from '../funds/coin.tsx'
import { SearchField } from '../market/search-field.tsx'
import { useSettledOrder } from '../market/settled-order.ts'
import { matches, nextSort, sorted, sortRules } from '../market/sort.ts'
import { IconButton } from '../ui/button.tsx'
import { LiveChange, Price } from '../ui/figure.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Empty } from '../ui/state.tsx'
import { isTradedOn } from './markets-of.ts'
import { PaneHead } from './pane.tsx'

type Tab = 'favourites' | DeskName

const columns = ['name', 'price', 'change'] as const satisfies readonly MarketSortBy[]

/** The markets of a desk, or the favourites, with price and change. As a rail: their coins alone. */
export function MarketsPane({
  desk: { desk, market },
  isRail,
  onRail,
}: {
  readonly desk: DeskParts
  readonly isRail: boolean
  readonly onRail?: () => void
}) {
  const { t } = useTranslation()
  const [tab, setTab] = useState<Tab>(desk)
  const [text, setText] = useState('')
  const [sort, changeSort] = usePreference('market-sort', sortRules)
  const rows = useRows(isRail ? desk : tab, useDeferredValue(isRail ? '' : text), sort, market.quote)
  const { symbols, toggle } = useFavourites()
  const pathOf = (one: WireMarket): string => {
    const to = isRail || tab === 'favourites' ? desk : tab
    return `${deskPaths[isTradedOn(to, one, market.quote) ? to : one.kind]}?symbol=${one.symbol}`
  }
  const name = t('terminal.pane.markets')
  const railButton = onRail !== undefined && (
    <IconButton label={isRail ? t('terminal.wide') : t('terminal.narrow')} className="tm-icon" onClick={onRail}>
      {isRail ? <PanelLeftOpen size={16} strokeWidth={1.75} aria-hidden /> : <PanelLeftClose size={16} strokeWidth={1.75} aria-hidden />}
    </IconButton>
  )
  if (isRail) return <Rail rows={rows} open={market.symbol} pathOf={pathOf} button={railButton} />
  return (
    <>
      <PaneHead name={name}>
        <Tabs
          label={name}
          value={tab}
          onChange={setTab}
          choices={[
            ...(desk === 'option'
              ? [{ value: desk, label: t('trade.optionsDesk') }]
              : [
                  { value: 'perp' as const, label: t('trade.futures') },
                  { value: 'spot' as const, label: t('trade.spot') },
                  { value: 'margin' as const, label: t('trade.margin') },
                ]),
            { value: 'favourites', label: t('markets.favourites') },
          ]}
        />
        {railButton}
      </PaneHead>
      <div className="tm-search">
        <SearchField value={text} onChange={setText} label={t('markets.search')} clear={t('markets.clear')} isOfSymbols />
      </div>
      <Columns sort={sort} onSort={(next) => void changeSort(() => next)} />
      {rows.length === 0 && <Empty text={tab === 'favourites' && text === '' ? t('markets.noFavourites') : t('markets.noneFound')} />}
      <ul className="tm-scroll tm-markets">
        {rows.map((one) => (
          <Row
            key={one.symbol}
            market={one}
            to={pathOf(one)}
            isOpen={one.symbol === market.symbol}
            isFavourite={symbols.includes(one.symbol)}
            onStar={toggle}
          />
        ))}
      </ul>
    </>
  )
}

function Rail({
  rows,
  open,
  pathOf,
  button,
}: {
  readonly rows: readonly WireMarket[]
  /** Symbol of the open market. */
  readonly open: string
  readonly pathOf: (market: WireMarket) => string
  readonly button: ReactNode
}) {
  return (
    <div className="tm-rail">
      {button}
      <ul className="tm-scroll no-scrollbar">
        {rows.map((one) => {
          const pair = `${one.base}/${one.quote}`
          return (
            <li key={one.symbol}>
              <a href={`#${pathOf(one)}`} aria-label={pair} title={pair} aria-current={one.symbol === open ? 'true' : undefined}>
                <Coin asset={one.base} size={20} />
              </a>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function useRows(tab: Tab, text: string, sort: MarketSort, quote: string): readonly WireMarket[] {
  const all = useMarkets()
  const { symbols } = useFavourites()
  const assets = useConfig().data?.assets
  const names = useMemo(() => new Map((assets ?? []).map(({ symbol, name }) => [symbol, name])), [assets])
  const isShown = (one: WireMarket): boolean => {
    if (text.trim() !== '' && !matches(one, text.trim(), names)) return false
    return tab === 'favourites' ? symbols.includes(one.symbol) : isTradedOn(tab, one, quote)
  }
  return useSettledOrder([tab, text, sort, symbols, all.length], (quotes) => sorted(all.filter(isShown), quotes, sort))
}

function Columns({ sort, onSort }: { readonly sort: MarketSort; readonly onSort: (sort: MarketSort) => void }) {
  const { t } = useTranslation()
  return (
    <div role="group" aria-label={t('markets.sortBy')} className="tm-columns">
      {columns.map((by) => {
        const isOn = sort.by === by
        const said = !isOn ? t('markets.unsorted') : sort.isRising ? t('markets.ascending') : t('markets.descending')
        const label = t(`markets.${by}`)
        return (
          <button key={by} type="button" aria-label={`${label}, ${said}`} onClick={() => onSort(nextSort(sort, by))}>
            {label}
            {isOn && (
              <svg aria-hidden viewBox="0 0 8 6">
                <path d={sort.isRising ? 'M4 0 7.5 6H.5Z' : 'M4 6 .5 0h7Z'} />
              </svg>
            )}
          </button>
        )
      })}
    </div>
  )
}

const Row = memo(function Row({
  market,
  to,
  isOpen,
  isFavourite,
  onStar,
}: {
  readonly market: WireMarket
  readonly to: string
  readonly isOpen: boolean
  readonly isFavourite: boolean
  readonly onStar: (symbol: string) => void
}) {
  const { t } = useTranslation()
  const pair = `${market.base}/${market.quote}`
  return (
    <li>
      <a href={`#${to}`} aria-current={isOpen ? 'true' : undefined}>
        <Coin asset={market.base} size={16} />
        <span className="tm-name">
          {market.base}
          {market.kind === 'spot' && <span className={`text-fg3 ${market.quote === 'USDT' ? 'tm-quote' : ''}`}>/{market.quote}</span>}
        </span>
        <Price symbol={market.symbol} />
        <LiveChange symbol={market.symbol} />
      </a>
      <button type="button" aria-pressed={isFavourite} aria-label={t('markets.starOf', { pair })} onClick={() => onStar(market.symbol)}>
        <Star size={12} strokeWidth={1.75} aria-hidden className={isFavourite ? 'fill-warn text-warn' : ''} />
      </button>
    </li>
  )
})
