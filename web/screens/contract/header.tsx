import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { ChartCandlestick, ChevronDown, LineChart, Star } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useFavourites } from '../../app/account.ts'
import { useFormats } from '../../app/format.ts'
import { navigate } from '../../app/location.ts'
import { useIsStale, useQuote } from '../../app/quotes.ts'
import { useTranslation } from '../../app/translate.ts'
import { IconButton } from '../../parts/button.tsx'
import { Coin } from '../../parts/coin.tsx'
import { LiveChange, Price } from '../../parts/figure.tsx'
import { FundingFigure, IndexPaused } from '../../parts/perp/funding.tsx'
import { useMark } from '../../parts/perp/marks.ts'
import { Sheet } from '../../parts/sheet.tsx'
import { RowsSkeleton } from '../../parts/skeleton.tsx'

const MarketList = lazy(() => import('../market/market-list.tsx').then((module) => ({ default: module.MarketList })))

/** Which contract this is: last, mark and index price, the day, the funding, and the ways to its chart and to other contracts. */
export function Header({
  market,
  hasChart,
  onChart,
}: {
  readonly market: WireMarket
  readonly hasChart: boolean
  readonly onChart: () => void
}) {
  const { t } = useTranslation()
  const [isChoosing, setIsChoosing] = useState(false)
  const favourites = useFavourites()
  const isFavourite = favourites.symbols.includes(market.symbol)
  const pair = `${market.base}/${market.quote}`
  return (
    <header className="flex flex-col gap-1 px-4">
      <div className="-mx-1 flex items-center">
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={t('trade.choosePair', { pair: `${pair} ${t('trade.perp')}` })}
          onClick={() => setIsChoosing(true)}
          className="press flex min-h-11 min-w-0 flex-1 items-center gap-2 px-1"
        >
          <Coin asset={market.base} size={24} />
          <span className="truncate text-17 font-semibold">{pair}</span>{' '}
          <span className="shrink-0 rounded-chip bg-s2 px-1.5 py-0.5 text-11 font-medium text-fg2">{t('trade.perp')}</span>
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
      <div className="flex flex-wrap items-end justify-between gap-x-3 gap-y-2">
        <div className="flex min-w-0 flex-col gap-1">
          <Price symbol={market.symbol} tone className="text-28 font-semibold" />
          <LiveChange symbol={market.symbol} chip className="self-start text-13" />
          <References market={market} />
        </div>
        <Day market={market} />
      </div>
      <IndexPaused symbol={market.symbol} />
      <Sheet isOpen={isChoosing} onClose={() => setIsChoosing(false)} title={t('trade.futures')}>
        <Suspense fallback={<RowsSkeleton rows={8} />}>
          <MarketList
            kind="perp"
            onChoose={(symbol) => {
              setIsChoosing(false)
              navigate(`/contract?symbol=${symbol}`, { replace: true })
            }}
          />
        </Suspense>
      </Sheet>
    </header>
  )
}

/** Mark and index price. */
function References({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const format = useFormats()
  const mark = useMark(market.symbol)
  const isStale = useIsStale()
  const rows = [
    [t('perp.mark'), mark?.mark],
    [t('perp.index'), mark?.index],
  ] as const
  return (
    <dl className={`flex flex-col gap-0.5 text-11 ${isStale ? 'opacity-50' : ''}`}>
      {rows.map(([label, value]) => (
        <div key={label} className="flex gap-1.5">
          <dt className="text-fg3">{label}</dt>
          <dd className="tn text-fg2">{value === undefined ? '–' : format.number(value, market.priceDigits, market.priceDigits)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Day({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const format = useFormats()
  const quote = useQuote(market.symbol)
  const rows = [
    [t('market.high'), quote === undefined ? '–' : format.exact(quote.high)],
    [t('market.low'), quote === undefined ? '–' : format.exact(quote.low)],
    [t('market.volume'), quote?.quoteVolume === undefined ? '–' : format.compact(quote.quoteVolume)],
  ] as const
  return (
    <dl className="flex min-w-38 shrink-0 flex-col gap-0.5 text-11">
      {rows.map(([label, value]) => (
        <div key={label} className="flex justify-between gap-3">
          <dt className="text-fg3">{label}</dt>
          <dd className="tn text-fg2">{value}</dd>
        </div>
      ))}
      <FundingFigure market={market} />
    </dl>
  )
}
