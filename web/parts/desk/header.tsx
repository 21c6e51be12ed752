import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { ChartCandlestick, ChevronDown, LineChart, Star } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useFavourites } from '../../app/account.ts'
import { navigate } from '../../app/location.ts'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { IconButton } from '../ui/button.tsx'
import { Coin } from '../funds/coin.tsx'
import { LiveChange, Price } from '../ui/figure.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { RowsSkeleton } from '../ui/skeleton.tsx'
import { later } from '../ui/later.tsx'

const MarketList = later(async () => {
  const [list] = await Promise.all([import('../market/market-list.tsx'), loadArea('markets')])
  return list.MarketList
})

/** The market's name, price and day statistics, with links to its chart and to other markets. */
export function DeskHeader({
  market,
  home,
  quote,
  title,
  badge,
  hasChart,
  onChart,
  belowPrice,
  day,
  children,
}: {
  readonly market: WireMarket
  /** Path of the desk that opens another market. */
  readonly home: string
  /** Limits the list of markets to those quoted in this coin. */
  readonly quote?: string | undefined
  /** Title of the list of markets. */
  readonly title: string
  /** A badge beside the pair, if its name is ambiguous. */
  readonly badge?: string
  readonly hasChart: boolean
  readonly onChart: () => void
  readonly belowPrice?: ReactNode
  /** Statistics of the last 24 hours, at the end of the price's line. */
  readonly day: ReactNode
  /** Notes about the market. */
  readonly children?: ReactNode
}) {
  const { t } = useTranslation()
  const [isChoosing, setIsChoosing] = useState(false)
  const favourites = useFavourites()
  const isFavourite = favourites.symbols.includes(market.symbol)
  return (
    <header className="flex flex-col gap-1 px-4">
      <div className="-mx-1 flex items-center">
        <PairButton market={market} badge={badge} onClick={() => setIsChoosing(true)} />
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
      <div className="flex flex-wrap items-end justify-between gap-x-3 gap-y-2">
        {/* As high before the first quote as after it. */}
        <div className="flex min-h-[3.625rem] min-w-0 flex-col gap-1">
          <Price symbol={market.symbol} tone className="text-28 font-semibold max-[359px]:text-22" />
          <LiveChange symbol={market.symbol} chip className="self-start text-13" />
          {belowPrice}
        </div>
        {day}
      </div>
      {children}
      <Sheet isOpen={isChoosing} onClose={() => setIsChoosing(false)} title={title}>
        <Suspense fallback={<RowsSkeleton rows={8} />}>
          <MarketList
            kind={market.kind}
            quote={quote}
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

/** The market's name; a tap opens the list of other markets. */
function PairButton({
  market,
  badge,
  onClick,
}: {
  readonly market: WireMarket
  readonly badge: string | undefined
  readonly onClick: () => void
}) {
  const { t } = useTranslation()
  const pair = `${market.base}/${market.quote}`
  return (
    <button type="button" aria-haspopup="dialog" onClick={onClick} className="press flex min-h-11 min-w-0 flex-1 items-center gap-2 px-1">
      <Coin asset={market.base} size={24} />
      <span className="sr-only">{t('trade.choosePair', { pair: badge === undefined ? pair : `${pair} ${badge}` })}</span>
      <span aria-hidden className="truncate text-17 font-semibold">
        {pair}
      </span>
      {badge !== undefined && (
        <span aria-hidden className="shrink-0 rounded-chip bg-s2 px-1.5 py-0.5 text-11 font-medium text-fg2">
          {badge}
        </span>
      )}
      <ChevronDown size={18} strokeWidth={1.75} aria-hidden className="shrink-0 text-fg2" />
    </button>
  )
}
