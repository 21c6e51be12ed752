import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { ChevronDown } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { useConfig } from '../../app/config.ts'
import { navigate, usePlace } from '../../app/location.ts'
import { loadFurther } from '../../app/routes.ts'
import { useSettings } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'
import { DayStats } from '../../parts/desk/day-stats.tsx'
import { Button, IconButton } from '../../parts/ui/button.tsx'
import { LiveChange, Price } from '../../parts/ui/figure.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { ScreenSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { later } from '../../parts/ui/later.tsx'
import { BelowChart } from './below.tsx'
import { ChartArea } from './chart-area.tsx'
import type { PriceChart } from './chart.ts'
import { type SheetName, Sheets } from './sheets.tsx'
import { Toolbar } from './toolbar.tsx'
import { useView } from './use-view.ts'

const PerpLines = later(async () => {
  const [module] = await Promise.all([import('./perp-lines.tsx'), loadFurther('/contractkline')])
  return module.PerpLines
})

/** A full-screen chart of a market, with its book, trades and terms below, and buttons to the desk. */
export function Screen() {
  const { query } = usePlace()
  const config = useConfig()
  const last = useSettings((settings) => (settings.lastDesk === '/contract' ? settings.lastPerp : settings.lastSymbol))
  if (config.data === undefined) return config.error === null ? <ScreenSkeleton /> : <Failure error={config.error} />
  const symbol = query.get('symbol') ?? last
  const market = config.data.markets.find((one) => one.symbol === symbol) ?? config.data.markets[0]
  return market === undefined ? <ScreenSkeleton /> : <ChartScreen key={market.symbol} market={market} />
}

function ChartScreen({ market }: { readonly market: WireMarket }) {
  const view = useView(market)
  const [sheet, setSheet] = useState<SheetName>()
  const [isFull, setIsFull] = useState(false)
  const chart = useRef<PriceChart | undefined>(undefined)
  const [made, setMade] = useState(0)
  return (
    <div className={isFull ? 'fixed inset-0 z-20 flex flex-col bg-bg' : 'flex flex-1 flex-col pb-20'}>
      {!isFull && <Header market={market} onChoose={() => setSheet('pairs')} />}
      <Quote market={market} hasDay={!isFull} />
      <Toolbar view={view} isFull={isFull} onFull={() => setIsFull(!isFull)} onOpen={setSheet} />
      {market.kind === 'perp' && (
        <Suspense fallback={<div className="h-16" />}>
          <PerpLines
            symbol={market.symbol}
            digits={market.priceDigits}
            chart={chart}
            version={made}
            price={view.price}
            onPrice={view.setPrice}
          />
        </Suspense>
      )}
      <ChartArea
        market={market}
        interval={view.interval}
        price={view.price}
        type={view.type}
        isFull={isFull}
        chart={chart}
        onReady={() => setMade(made + 1)}
      />
      {!isFull && (
        <>
          <BelowChart market={market} onTake={() => navigate(deskOf(market))} />
          <BuyAndSell market={market} />
        </>
      )}
      <Sheets open={sheet} market={market} view={view} chart={chart.current} onClose={() => setSheet(undefined)} />
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

/** The last price, and 24-hour statistics if there is room. */
function Quote({ market, hasDay }: { readonly market: WireMarket; readonly hasDay: boolean }) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-3 px-4">
      <div className="flex flex-col items-start">
        <Price symbol={market.symbol} tone className="text-28 font-semibold" />
        <LiveChange symbol={market.symbol} chip className="text-13" />
      </div>
      {hasDay && <DayStats market={market} />}
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

function deskOf({ kind, symbol }: WireMarket): string {
  return `${kind === 'perp' ? '/contract' : '/spot'}?symbol=${symbol}`
}
