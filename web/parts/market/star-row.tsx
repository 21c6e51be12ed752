import type { MarketSortBy } from '@candor/core/protocol/wire/own/preferences.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { Star } from 'lucide-react'
import { memo } from 'react'
import { useFormats } from '../../app/format.ts'
import { useQuote } from '../../app/quotes.ts'
import { useTranslation } from '../../app/translate.ts'
import { Coin } from '../funds/coin.tsx'
import { LiveChange, Price } from '../ui/figure.tsx'
import { Sparkline } from '../ui/sparkline.tsx'
import { useHold } from './use-hold.ts'

/** Pixels. */
export const rowHeight = 60

export type RowActions = { readonly onOpen: (market: WireMarket) => void; readonly onMenu: (market: WireMarket) => void }

/**
 * One market with its star. Renders when its own quote moves. A long press or the context-menu key opens its menu. `shows`: the column
 * whose value is written below the price, where it has no place of its own.
 */
export const StarRow = memo(function StarRow({
  market,
  shows,
  isFavourite,
  onStar,
  onOpen,
  onMenu,
}: RowActions & {
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
    quote !== undefined && (shows === 'high' || shows === 'low') ? `${t(`markets.${shows}`)} ${format.quoted(quote[shows])}` : ''
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
