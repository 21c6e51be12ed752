import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { ChevronDown } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { useConfig } from '../../app/config.ts'
import { navigate, usePlace } from '../../app/location.ts'
import { loadFurther } from '../../app/routes.ts'
import { lastMarket, useSettings } from '../../app/settings.ts'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { DayStats } from '../../parts/desk/day-stats.tsx'
import { Button, IconButton } from '../../parts/ui/button.tsx'
import { LiveChange, Price } from '../../parts/ui/figure.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { ScreenSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { later, laterSheets } from '../../parts/ui/later.tsx'
import { BelowChart } from './below.tsx'
import { deskOf } from '../../parts/market/desk-of.ts'
import { ChartArea } from '../../parts/chart/chart-area.tsx'
import type { PriceChart } from '../../parts/chart/chart.ts'
import { DrawHint } from '../../parts/chart/draw/draw-hint.tsx'
import type { Pending } from '../../parts/chart/draw/drawings.ts'
import type { SheetName } from '../../parts/chart/sheets.tsx'
import { Toolbar } from '../../parts/chart/toolbar.tsx'
import { useFull } from '../../parts/chart/use-full.ts'
import { useView } from '../../parts/chart/use-view.ts'
import { useIsWide } from '../../app/wide/use-is-wide.ts'

/** Loaded after the chart, before anybody opens one. */
const Sheets = laterSheets(
  () => import('../../parts/chart/sheets.tsx').then((module) => module.Sheets),
  ({ open, onClose }) => ({ isOpen: open !== undefined, onClose }),
)

/** For wide windows, and for windows of their own. */
const OneOrMore = later(() => wide(import('../../parts/chart/grid/one-or-more.tsx')).then((module) => module.OneOrMore))
const WideTools = later(() => wide(import('../../parts/chart/grid/wide-tools.tsx')).then((module) => module.WideTools))
const Apart = later(() => wide(import('./apart.tsx')).then((module) => module.Apart))
const wide = async <Module,>(module: Promise<Module>): Promise<Module> => (await Promise.all([module, loadArea('shortcuts')]))[0]

const PerpLines = later(async () => {
  const [module] = await Promise.all([import('../../parts/chart/perp-lines.tsx'), loadFurther('/contractkline')])
  return module.PerpLines
})

const OwnLines = later(async () => {
  const [module] = await Promise.all([import('../../parts/chart/own/own-lines.tsx'), loadFurther('/contractkline')])
  return module.OwnLines
})

const ComparedRow = later(() => import('../../parts/chart/compare/compared-row.tsx').then((module) => module.ComparedRow))
const DrawPad = later(() => import('../../parts/chart/draw/draw-pad.tsx').then((module) => module.DrawPad))

/** A full-screen chart of a market, with its book, trades and terms below, and buttons to the desk. */
export function Screen() {
  const { query } = usePlace()
  const config = useConfig()
  const isWide = useIsWide()
  const last = useSettings(lastMarket)
  if (config.data === undefined) return config.error === null ? <ScreenSkeleton /> : <Failure error={config.error} />
  const symbol = query.get('symbol') ?? last
  const market = config.data.markets.find((one) => one.symbol === symbol) ?? config.data.markets[0]
  if (market === undefined) return <ScreenSkeleton />
  if (query.has('pane')) {
    return (
      <Suspense fallback={<ScreenSkeleton />}>
        <Apart market={market} />
      </Suspense>
    )
  }
  const one = <ChartScreen key={market.symbol} market={market} isWide={isWide} />
  if (!isWide) return one
  return (
    <Suspense fallback={<ScreenSkeleton />}>
      <OneOrMore start={market} one={one} />
    </Suspense>
  )
}

/** Keeps the full screen clear of what the edges of the phone and its own bars cover. */
const edges = { padding: 'env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left)' }

function ChartScreen({ market, isWide }: { readonly market: WireMarket; readonly isWide: boolean }) {
  const view = useView(market)
  const [sheet, setSheet] = useState<SheetName>()
  const [isFull, toggleFull] = useFull()
  const chart = useRef<PriceChart | undefined>(undefined)
  const [made, setMade] = useState(0)
  const [pending, setPending] = useState<Pending>()
  const isTouch = matchMedia('(pointer: coarse)').matches
  const stop = (): void => chart.current?.drawings.stop()
  return (
    <div style={isFull ? edges : {}} className={isFull ? 'fixed inset-0 z-20 flex flex-col bg-bg' : 'flex flex-1 flex-col pb-20'}>
      {isFull ? (
        <h1 className="sr-only">{`${market.base}/${market.quote}`}</h1>
      ) : (
        <Header market={market} onChoose={() => setSheet('pairs')} />
      )}
      {isWide && !isFull && (
        <Suspense fallback={<div className="h-10" />}>
          <WideTools market={market} view={view} />
        </Suspense>
      )}
      <div className={isFull ? 'flex flex-wrap items-center' : ''}>
        <Quote market={market} isFull={isFull} />
        <div className={isFull ? 'min-w-0 grow' : ''}>
          <Toolbar view={view} isFull={isFull} onFull={toggleFull} onOpen={setSheet} />
        </div>
        {market.kind === 'perp' && (
          <Suspense fallback={<div className="h-10" />}>
            <PerpLines market={market} view={view} chart={chart} version={made} />
          </Suspense>
        )}
      </div>
      {view.compared.length > 0 && (
        <Suspense fallback={<div className="h-10" />}>
          <ComparedRow view={view} chart={chart} version={made} />
        </Suspense>
      )}
      <ChartArea market={market} view={view} isFull={isFull} chart={chart} version={made} onReady={() => setMade((count) => count + 1)}>
        {pending !== undefined && !isTouch && <DrawHint pending={pending} onStop={stop} />}
        {pending !== undefined && isTouch && (
          <Suspense fallback={null}>
            <DrawPad pending={pending} chart={chart} onStop={stop} />
          </Suspense>
        )}
        <Suspense fallback={null}>
          <OwnLines market={market} chart={chart} version={made} interval={view.interval} price={view.price} shown={view.lines} />
        </Suspense>
      </ChartArea>
      {!isFull && (
        <>
          <BelowChart market={market} onTake={() => navigate(deskOf(market))} />
          <BuyAndSell market={market} />
        </>
      )}
      <Suspense fallback={null}>
        <Sheets
          open={sheet}
          market={market}
          view={view}
          chart={chart.current}
          onClose={() => setSheet(undefined)}
          onOpen={setSheet}
          onDraw={setPending}
        />
      </Suspense>
    </div>
  )
}

function Header({ market, onChoose }: { readonly market: WireMarket; readonly onChoose: () => void }) {
  const { t } = useTranslation()
  const pair = `${market.base}/${market.quote}`
  return (
    <PageHeader title={market.kind === 'perp' ? `${pair} ${t('trade.perp')}` : pair} fallback={deskOf(market)}>
      <IconButton label={t('trade.choosePair', { pair })} onClick={onChoose}>
        <ChevronDown size={20} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </PageHeader>
  )
}

/** The last price, and the statistics of the day. On a full screen the price only, in one row with the tools. */
function Quote({ market, isFull }: { readonly market: WireMarket; readonly isFull: boolean }) {
  if (isFull) {
    return (
      <div className="flex items-baseline gap-2 ps-3">
        <Price symbol={market.symbol} tone className="text-17 font-semibold" />
        <LiveChange symbol={market.symbol} className="text-12" />
      </div>
    )
  }
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-3 px-4">
      <div className="flex flex-col items-start">
        <Price symbol={market.symbol} tone className="text-28 font-semibold" />
        <LiveChange symbol={market.symbol} chip className="text-13" />
      </div>
      <DayStats market={market} />
    </div>
  )
}

/** Buttons to the desk. The ticket of a spot market opens on the tapped side. */
function BuyAndSell({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const isPerp = market.kind === 'perp'
  const desk = deskOf(market)
  return (
    <div className="fixed inset-x-0 bottom-0 z-10 mx-auto flex max-w-130 gap-3 bg-bg px-4 pt-2 pb-[calc(12px+env(safe-area-inset-bottom))]">
      <Button variant="up" className="flex-1" onClick={() => navigate(isPerp ? desk : `${desk}&side=buy`)}>
        {isPerp ? t('perp.buyLong') : t('trade.buy')}
      </Button>
      <Button variant="down" className="flex-1" onClick={() => navigate(isPerp ? desk : `${desk}&side=sell`)}>
        {isPerp ? t('perp.sellShort') : t('trade.sell')}
      </Button>
    </div>
  )
}
