import type { MarketSortBy } from '@candor/core/protocol/wire/own/preferences.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { Star } from 'lucide-react'
import { memo, useLayoutEffect, useRef, useState } from 'react'
import { useFavourites } from '../../app/account.ts'
import { useFormats } from '../../app/format.ts'
import { useQuote } from '../../app/quotes.ts'
import { useTranslation } from '../../app/translate.ts'
import { Coin } from '../../parts/funds/coin.tsx'
import { LiveChange, Price } from '../../parts/ui/figure.tsx'
import { Sparkline } from '../../parts/ui/sparkline.tsx'
import { useHold } from './use-hold.ts'

const rowHeight = 60

type Actions = { readonly onOpen: (market: WireMarket) => void; readonly onMenu: (market: WireMarket) => void }

/** Only the rows near the window are there. `shows`: the column whose value is written below the price, where it has no place of its own. */
export function MarketRows({
  rows,
  shows,
  ...actions
}: Actions & { readonly rows: readonly WireMarket[]; readonly shows: MarketSortBy | null }) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  const { symbols, toggle } = useFavourites()
  // The list moves when what is above it changes its height.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [rows])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: top,
    getItemKey: (at) => rows[at]?.symbol ?? at,
  })
  return (
    <ul ref={list} className="@container relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ key, index, start }) => {
        const market = rows[index]
        return market === undefined ? null : (
          <li
            key={key}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            className="absolute inset-x-0 top-0"
            style={{ height: rowHeight, transform: `translateY(${start - top}px)` }}
          >
            <MarketRow market={market} shows={shows} isFavourite={symbols.includes(market.symbol)} onStar={toggle} {...actions} />
          </li>
        )
      })}
    </ul>
  )
}

/** One market. Renders when its own quote moves. A long press or the context-menu key opens its menu. */
const MarketRow = memo(function MarketRow({
  market,
  shows,
  isFavourite,
  onStar,
  onOpen,
  onMenu,
}: Actions & {
  readonly market: WireMarket
  readonly shows: MarketSortBy | null
  readonly isFavourite: boolean
  readonly onStar: (symbol: string) => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { symbol, base, quote: counter, kind } = market
  const quote = useQuote(symbol)
  const hold = useHold(() => onMenu(market))
  const pair = `${base}/${counter}`
  const detail =
    quote !== undefined && (shows === 'high' || shows === 'low') ? `${t(`markets.${shows}`)} ${format.exact(quote[shows])}` : ''
  return (
    <div className="flex h-full items-center pe-4">
      <button
        type="button"
        aria-pressed={isFavourite}
        aria-label={t('markets.starOf', { pair })}
        onClick={() => onStar(symbol)}
        className="press flex h-full w-11 shrink-0 items-center justify-center text-fg3"
      >
        <Star size={18} strokeWidth={1.75} aria-hidden className={isFavourite ? 'fill-warn text-warn' : ''} />
      </button>
      <button
        type="button"
        {...hold}
        onClick={() => onOpen(market)}
        className="flex h-full min-w-0 flex-1 items-center gap-2 text-start select-none active:bg-s2"
      >
        <Coin asset={base} size={28} />
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="truncate text-15 font-semibold">
            {base}
            <span className="text-12 font-normal text-fg3"> {kind === 'perp' ? t('trade.perp') : `/${counter}`}</span>
          </span>
          <span className="tn truncate text-11 text-fg3">{quote?.quoteVolume === undefined ? '–' : format.compact(quote.quoteVolume)}</span>
        </span>
        <span className="hidden w-10 shrink-0 @min-[23rem]:block">
          {quote?.sparkline !== undefined && <Sparkline values={quote.sparkline} change={quote.change} width={40} height={22} />}
        </span>
        <span className="flex min-w-[4.5rem] flex-col items-end">
          <Price symbol={symbol} className="text-15 font-medium" />
          {detail !== '' && <span className="tn text-11 whitespace-nowrap text-fg3">{detail}</span>}
        </span>
        <span className="flex min-w-[4.5rem] justify-end">
          <LiveChange symbol={symbol} chip className="text-13" />
        </span>
      </button>
    </div>
  )
})
