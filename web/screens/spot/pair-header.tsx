import { ChartCandlestick, ChevronDown, LineChart, Star } from 'lucide-react'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useFavourites } from '../../app/account.ts'
import { navigate } from '../../app/location.ts'
import { IconButton } from '../../parts/button.tsx'
import { Coin } from '../../parts/coin.tsx'
import { LiveChange, Price } from '../../parts/figure.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { RowsSkeleton } from '../../parts/skeleton.tsx'
import { DayStats } from './day-stats.tsx'

const MarketList = lazy(() => import('../market/market-list.tsx').then((module) => ({ default: module.MarketList })))

/** Which market this is, its price and day, and the ways to its chart and to other markets. */
export function PairHeader({
  market,
  home,
  hasChart,
  onChart,
}: {
  readonly market: WireMarket
  /** The desk that another market opens in. */
  readonly home: string
  readonly hasChart: boolean
  readonly onChart: () => void
}) {
  const { t } = useTranslation()
  const [isChoosing, setIsChoosing] = useState(false)
  const favourites = useFavourites()
  const isFavourite = favourites.symbols.includes(market.symbol)
  return (
    <header className="flex flex-col gap-1 px-4">
      <div className="-mx-1 flex items-center">
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={t('trade.choosePair', { pair: `${market.base}/${market.quote}` })}
          onClick={() => setIsChoosing(true)}
          className="press flex min-h-11 min-w-0 flex-1 items-center gap-2 px-1"
        >
          <Coin asset={market.base} size={24} />
          <span className="truncate text-17 font-semibold">
            {market.base}/{market.quote}
          </span>
          <ChevronDown size={18} strokeWidth={1.75} aria-hidden className="shrink-0 text-fg2" />
        </button>
        <IconButton label={t('trade.favourite')} aria-pressed={isFavourite} onClick={() => favourites.toggle(market.symbol)}>
          <Star size={20} strokeWidth={1.75} aria-hidden className={isFavourite ? 'fill-warn text-warn' : ''} />
        </IconButton>
        <IconButton label={t('trade.miniChart')} aria-pressed={hasChart} onClick={onChart}>
          <LineChart size={20} strokeWidth={1.75} aria-hidden className={hasChart ? 'text-brand' : ''} />
        </IconButton>
        <IconButton label={t('trade.chart')} onClick={() => navigate(`/contractkline?symbol=${market.symbol}`)}>
          <ChartCandlestick size={20} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </div>
      <div className="flex items-end justify-between gap-4">
        <div className="flex min-w-0 flex-col gap-1">
          <Price symbol={market.symbol} tone className="text-28 font-semibold" />
          <LiveChange symbol={market.symbol} chip className="self-start text-13" />
        </div>
        <DayStats market={market} />
      </div>
      <Sheet isOpen={isChoosing} onClose={() => setIsChoosing(false)} title={t('market.title')}>
        <Suspense fallback={<RowsSkeleton rows={8} />}>
          <MarketList
            onChoose={(symbol) => {
              setIsChoosing(false)
              navigate(`${home}?symbol=${symbol}`, { replace: true })
            }}
          />
        </Suspense>
      </Sheet>
    </header>
  )
}
