import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { Suspense, useRef, useState } from 'react'
import { usePreference } from '../../app/preferences/preferences.ts'
import { loadFurther } from '../../app/routes.ts'
import { ChartArea } from '../chart/chart-area.tsx'
import type { PriceChart } from '../chart/chart.ts'
import { DrawHint } from '../chart/draw/draw-hint.tsx'
import type { Pending } from '../chart/draw/drawings.ts'
import { gridRules } from '../chart/grid/arrangement.ts'
import { CountChoice } from '../chart/grid/count-choice.tsx'
import { GridCharts, LinkButton } from '../chart/grid/grid.tsx'
import { ApartButtons } from '../chart/grid/wide-tools.tsx'
import { type SheetName, Sheets } from '../chart/sheets.tsx'
import { Toolbar } from '../chart/toolbar.tsx'
import { useFull } from '../chart/use-full.ts'
import { useView } from '../chart/use-view.ts'
import { useDeskHandlers } from '../shortcuts/registry.ts'
import { later } from '../ui/later.tsx'

const PerpLines = later(async () => {
  const [module] = await Promise.all([import('../chart/perp-lines.tsx'), loadFurther('/contractkline')])
  return module.PerpLines
})

const OwnLines = later(async () => {
  const [module] = await Promise.all([import('../chart/own/own-lines.tsx'), loadFurther('/contractkline')])
  return module.OwnLines
})

const ComparedRow = later(() => import('../chart/compare/compared-row.tsx').then((module) => module.ComparedRow))

/** One chart, or several with markets of their own. */
export function ChartPane({ market }: { readonly market: WireMarket }) {
  const [{ count }] = usePreference('chart-grid', gridRules)
  if (count === 1) return <OneChart market={market} />
  return (
    <div className="tm-chart">
      <div className="tm-tools">
        <CountChoice />
        <LinkButton />
        <ApartButtons market={market} />
      </div>
      <GridCharts start={market} />
    </div>
  )
}

/** The chart of `/contractkline`: the same view, drawings and lines. */
function OneChart({ market }: { readonly market: WireMarket }) {
  const view = useView(market)
  const [sheet, setSheet] = useState<SheetName>()
  const [isFull, toggleFull] = useFull()
  const chart = useRef<PriceChart | undefined>(undefined)
  const [made, setMade] = useState(0)
  const [pending, setPending] = useState<Pending>()
  useDeskHandlers({ intervals: { choices: view.intervals, choose: view.setInterval } })
  return (
    <div className={isFull ? 'fixed inset-0 z-20 flex flex-col bg-bg' : 'tm-chart'}>
      <div className="tm-tools">
        <div className="min-w-0 grow">
          <Toolbar view={view} isFull={isFull} onFull={toggleFull} onOpen={setSheet} />
        </div>
        {market.kind === 'perp' && (
          <Suspense fallback={null}>
            <PerpLines market={market} view={view} chart={chart} version={made} />
          </Suspense>
        )}
        <CountChoice />
        <ApartButtons market={market} />
      </div>
      {view.compared.length > 0 && (
        <Suspense fallback={null}>
          <ComparedRow view={view} chart={chart} version={made} />
        </Suspense>
      )}
      <ChartArea market={market} view={view} isFull chart={chart} version={made} onReady={() => setMade((count) => count + 1)}>
        {pending !== undefined && <DrawHint pending={pending} onStop={() => chart.current?.drawings.stop()} />}
        <Suspense fallback={null}>
          <OwnLines market={market} chart={chart} version={made} interval={view.interval} price={view.price} shown={view.lines} />
        </Suspense>
      </ChartArea>
      <Sheets
        open={sheet}
        market={market}
        view={view}
        chart={chart.current}
        onClose={() => setSheet(undefined)}
        onOpen={setSheet}
        onDraw={setPending}
      />
    </div>
  )
}
