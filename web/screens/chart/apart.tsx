import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { Link2, Unlink } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { navigate, usePlace } from '../../app/location.ts'
import { useTranslation } from '../../app/translate.ts'
import { followMarket } from '../../parts/shortcuts/windows.ts'
import { ChartArea } from '../../parts/chart/chart-area.tsx'
import type { PriceChart } from '../../parts/chart/chart.ts'
import { IntervalButton } from '../../parts/chart/interval-button.tsx'
import { useView } from '../../parts/chart/use-view.ts'
import { Book } from '../../parts/desk/book.tsx'
import { useOwnPrices } from '../../parts/order/own-orders.ts'
import { IconButton } from '../../parts/ui/button.tsx'
import { LiveChange, Price } from '../../parts/ui/figure.tsx'
import { later } from '../../parts/ui/later.tsx'
import { useTitle } from '../../parts/ui/page.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { rowsBelow } from './below.tsx'

const PerpBook = later(() => import('./perp-book.tsx').then((module) => module.PerpBook))

/** A chart or a book in a window of its own. It follows the market of the page that opened it, unless it was unlinked. */
export function Apart({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const { query } = usePlace()
  const [isLinked, setLinked] = useState(true)
  const opener = query.get('of')
  const pane = query.get('pane') === 'book' ? 'book' : 'chart'
  const name = `${market.base}/${market.quote}${market.kind === 'perp' ? ` ${t('trade.perp')}` : ''}`
  useTitle(name)
  useEffect(() => {
    if (opener === null || !isLinked) return
    return followMarket(opener, (symbol) => navigate(`/contractkline?symbol=${symbol}&pane=${pane}&of=${opener}`, { replace: true }))
  }, [opener, isLinked, pane])
  return (
    <div className="fixed inset-0 z-20 flex flex-col bg-bg">
      <header className="flex shrink-0 items-center gap-3 px-4">
        <h1 className="text-15 font-semibold">{name}</h1>
        <Price symbol={market.symbol} tone className="text-15 font-medium" />
        <LiveChange symbol={market.symbol} className="text-12" />
        {opener !== null && (
          <IconButton
            label={t('shortcuts.charts.follows')}
            aria-pressed={isLinked}
            className="ms-auto"
            onClick={() => setLinked(!isLinked)}
          >
            {isLinked ? (
              <Link2 size={20} strokeWidth={1.75} aria-hidden className="text-brand" />
            ) : (
              <Unlink size={20} strokeWidth={1.75} aria-hidden />
            )}
          </IconButton>
        )}
      </header>
      {pane === 'chart' ? <OwnChart key={market.symbol} market={market} /> : <OwnBook market={market} />}
    </div>
  )
}

function OwnChart({ market }: { readonly market: WireMarket }) {
  const view = useView(market, 'apart')
  const chart = useRef<PriceChart | undefined>(undefined)
  const [made, setMade] = useState(0)
  return (
    <>
      <div className="no-scrollbar flex shrink-0 gap-1 overflow-x-auto px-3 pb-1">
        {view.intervals.map((one) => (
          <IntervalButton key={one} interval={one} isOn={one === view.interval} onClick={() => view.setInterval(one)} />
        ))}
      </div>
      <ChartArea market={market} view={view} isFull chart={chart} version={made} onReady={() => setMade((count) => count + 1)} />
    </>
  )
}

/** Rows of a book without a ticket take no price. */
const nothing = (): void => undefined

function OwnBook({ market }: { readonly market: WireMarket }) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-4">
      {market.kind === 'perp' ? (
        <Suspense fallback={<RowsSkeleton rows={4} />}>
          <PerpBook market={market} rows={rowsBelow} onTake={nothing} />
        </Suspense>
      ) : (
        <SpotBook market={market} />
      )}
    </div>
  )
}

function SpotBook({ market }: { readonly market: WireMarket }) {
  return <Book market={market} own={useOwnPrices(market.symbol)} onTake={nothing} />
}
