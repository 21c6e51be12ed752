import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { ChevronDown, Maximize2, Minimize2, PencilLine, SlidersHorizontal } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useConfig } from '../../app/config.ts'
import { navigate, usePlace } from '../../app/location.ts'
import { loadFurther } from '../../app/routes.ts'
import { useSettings } from '../../app/settings.ts'
import { loadArea } from '../../app/texts.ts'
import { Button, IconButton } from '../../parts/ui/button.tsx'
import { LiveChange, Price } from '../../parts/ui/figure.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { RowsSkeleton, ScreenSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { Tabs } from '../../parts/ui/tabs.tsx'
import { Book } from '../../parts/desk/book.tsx'
import { useOwnPrices } from '../../parts/order/own-orders.ts'
import { DayStats } from '../../parts/desk/day-stats.tsx'
import { ChartArea } from './chart-area.tsx'
import { MarketInfo } from './market-info.tsx'
import { commonIntervals, intervalList } from './intervals.ts'
import { keep, kept, type PriceName } from './kept.ts'
import { DrawSheet, IndicatorSheet } from './tools.tsx'
import type { PriceChart } from './chart.ts'

const PerpLines = lazy(async () => {
  const [module] = await Promise.all([import('./perp-lines.tsx'), loadFurther('/contractkline')])
  return { default: module.PerpLines }
})
const perpParts = () => import('./perp-book.tsx')
const PerpBook = lazy(() => perpParts().then((module) => ({ default: module.PerpBook })))
const PerpTrades = lazy(() => perpParts().then((module) => ({ default: module.PerpTrades })))
const TradeList = lazy(() => import('../../parts/order/trade-list.tsx').then((module) => ({ default: module.TradeList })))
const PerpInfo = lazy(async () => {
  const [module] = await Promise.all([import('./perp-info.tsx'), loadFurther('/contractkline')])
  return { default: module.PerpInfo }
})
const MarketList = lazy(async () => {
  const [module] = await Promise.all([import('../../parts/market/market-list.tsx'), loadArea('markets')])
  return { default: module.MarketList }
})

/** The whole screen for a market's chart, with its book, trades and facts below and the way to the desk. */
export function Screen() {
  const { query } = usePlace()
  const config = useConfig()
  const last = useSettings((settings) => (settings.lastDesk === '/contract' ? settings.lastContract : settings.lastSymbol))
  if (config.data === undefined) return config.error === null ? <ScreenSkeleton /> : <Failure error={config.error} />
  const symbol = query.get('symbol') ?? last
  const market = config.data.markets.find((one) => one.symbol === symbol) ?? config.data.markets[0]
  return market === undefined ? <ScreenSkeleton /> : <ChartScreen key={market.symbol} market={market} />
}

type Below = 'book' | 'trades' | 'info'

function ChartScreen({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const [chosen, setInterval] = useState<Interval>(kept().interval)
  const [price, setPrice] = useState<PriceName>(market.kind === 'perp' ? kept().price : 'last')
  // Marks have no candles of seconds.
  const interval = price !== 'last' && chosen === '1s' ? '1m' : chosen
  const intervals = price === 'last' ? intervalList : intervalList.filter((one) => one !== '1s')
  const [type, setType] = useState(kept().type)
  const [below, setBelow] = useState<Below>('book')
  const [sheet, setSheet] = useState<'pairs' | 'intervals' | 'indicators' | 'draw'>()
  const [isFull, setIsFull] = useState(false)
  const chart = useRef<PriceChart | undefined>(undefined)
  const close = (): void => setSheet(undefined)
  const choose = (next: Interval): void => {
    setInterval(next)
    keep({ interval: next })
    close()
  }
  const choosePrice = (next: PriceName): void => {
    setPrice(next)
    keep({ price: next })
  }
  const pair = `${market.base}/${market.quote}`
  const [made, setMade] = useState(0)
  const isPerp = market.kind === 'perp'
  const desk = `${isPerp ? '/contract' : '/spot'}?symbol=${market.symbol}`

  return (
    <div className={isFull ? 'fixed inset-0 z-20 flex flex-col bg-bg' : 'flex flex-1 flex-col pb-20'}>
      {!isFull && (
        <PageHeader title={isPerp ? `${pair} ${t('trade.perp')}` : pair} fallback={desk}>
          <IconButton label={t('trade.choosePair', { pair })} onClick={() => setSheet('pairs')}>
            <ChevronDown size={20} strokeWidth={1.75} aria-hidden />
          </IconButton>
        </PageHeader>
      )}
      <div className="flex flex-wrap items-end justify-between gap-x-3 px-4">
        <div className="flex flex-col items-start">
          <Price symbol={market.symbol} tone className="text-28 font-semibold" />
          <LiveChange symbol={market.symbol} chip className="text-13" />
        </div>
        {!isFull && <DayStats market={market} />}
      </div>
      <div className="no-scrollbar flex items-center gap-1 overflow-x-auto px-3 py-1">
        {commonIntervals.map((one) => (
          <IntervalButton key={one} interval={one} isOn={one === interval} onClick={() => choose(one)} />
        ))}
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => setSheet('intervals')}
          className={`tn flex min-h-8 shrink-0 items-center gap-1 rounded-chip px-2 text-12 font-medium ${commonIntervals.includes(interval) ? 'text-fg3' : 'bg-s2 text-fg'}`}
        >
          {commonIntervals.includes(interval) ? t('chart.more') : interval}
          <ChevronDown size={12} strokeWidth={1.75} aria-hidden />
        </button>
        <span className="ms-auto flex shrink-0">
          <IconButton label={t('chart.indicators')} className="!size-9" onClick={() => setSheet('indicators')}>
            <SlidersHorizontal size={18} strokeWidth={1.75} aria-hidden />
          </IconButton>
          <IconButton label={t('chart.draw')} className="!size-9" onClick={() => setSheet('draw')}>
            <PencilLine size={18} strokeWidth={1.75} aria-hidden />
          </IconButton>
          <IconButton label={isFull ? t('chart.smaller') : t('chart.full')} className="!size-9" onClick={() => setIsFull(!isFull)}>
            {isFull ? <Minimize2 size={18} strokeWidth={1.75} aria-hidden /> : <Maximize2 size={18} strokeWidth={1.75} aria-hidden />}
          </IconButton>
        </span>
      </div>
      {isPerp && (
        <Suspense fallback={<div className="h-16" />}>
          <PerpLines
            symbol={market.symbol}
            digits={market.priceDigits}
            chart={chart}
            version={made}
            price={price}
            onPrice={choosePrice}
          />
        </Suspense>
      )}
      <ChartArea
        market={market}
        interval={interval}
        price={price}
        type={type}
        isFull={isFull}
        chart={chart}
        onReady={() => setMade(made + 1)}
      />
      {!isFull && (
        <>
          <Tabs
            label={pair}
            value={below}
            onChange={setBelow}
            choices={[
              { value: 'book', label: t('trade.book') },
              { value: 'trades', label: t('trade.trades') },
              { value: 'info', label: t('chart.info') },
            ]}
          />
          <div role="tabpanel" aria-label={t(`chart.tab.${below}`)} className="pb-4">
            {below === 'book' && (
              <div className="px-4 pt-3">
                {isPerp ? (
                  <Suspense fallback={<RowsSkeleton rows={4} />}>
                    <PerpBook market={market} onTake={() => navigate(desk)} />
                  </Suspense>
                ) : (
                  <SpotBook market={market} onTake={() => navigate(desk)} />
                )}
              </div>
            )}
            {below === 'trades' && (
              <Suspense fallback={<RowsSkeleton rows={4} />}>
                {isPerp ? <PerpTrades market={market} /> : <TradeList market={market} />}
              </Suspense>
            )}
            {below === 'info' && (
              <>
                <MarketInfo market={market} />
                {isPerp && (
                  <Suspense fallback={<RowsSkeleton rows={3} />}>
                    <PerpInfo market={market} />
                  </Suspense>
                )}
              </>
            )}
          </div>
          <div className="fixed inset-x-0 bottom-0 z-10 mx-auto flex max-w-130 gap-3 bg-bg px-4 pt-2 pb-[calc(12px+env(safe-area-inset-bottom))]">
            <Button variant="up" className="flex-1" onClick={() => navigate(isPerp ? desk : `${desk}&side=buy`)}>
              {isPerp ? t('perp.buyLong') : t('trade.buy')}
            </Button>
            <Button variant="down" className="flex-1" onClick={() => navigate(isPerp ? desk : `${desk}&side=sell`)}>
              {isPerp ? t('perp.sellShort') : t('trade.sell')}
            </Button>
          </div>
        </>
      )}
      <Sheet isOpen={sheet === 'pairs'} onClose={close} title={t('market.title')}>
        <Suspense fallback={<RowsSkeleton rows={8} />}>
          <MarketList kind={market.kind} onChoose={(symbol) => navigate(`/contractkline?symbol=${symbol}`, { replace: true })} />
        </Suspense>
      </Sheet>
      <Sheet isOpen={sheet === 'intervals'} onClose={close} title={t('chart.interval')}>
        <div className="grid grid-cols-4 gap-2">
          {intervals.map((one) => (
            <IntervalButton key={one} interval={one} isOn={one === interval} onClick={() => choose(one)} />
          ))}
        </div>
      </Sheet>
      <IndicatorSheet
        isOpen={sheet === 'indicators'}
        onClose={close}
        chart={chart.current}
        type={type}
        onType={(next) => {
          setType(next)
          keep({ type: next })
        }}
      />
      <DrawSheet isOpen={sheet === 'draw'} onClose={close} chart={chart.current} symbol={market.symbol} />
    </div>
  )
}

function SpotBook({ market, onTake }: { readonly market: WireMarket; readonly onTake: () => void }) {
  return <Book market={market} own={useOwnPrices(market.symbol)} onTake={onTake} />
}

function IntervalButton({
  interval,
  isOn,
  onClick,
}: {
  readonly interval: Interval
  readonly isOn: boolean
  readonly onClick: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={`tn min-h-8 min-w-9 shrink-0 rounded-chip px-2 text-12 font-medium ${isOn ? 'bg-s2 text-fg' : 'text-fg3'}`}
    >
      {interval}
    </button>
  )
}
