import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { ChartGrid as Grid } from '@candor/core/protocol/wire/own/preferences.ts'
import { Link2, Unlink } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useMarkets } from '../../../app/config.ts'
import { usePreference } from '../../../app/preferences/preferences.ts'
import { useTranslation } from '../../../app/translate.ts'
import { DeskKeys } from '../../shortcuts/desk-keys.tsx'
import { useDeskHandlers } from '../../shortcuts/registry.ts'
import { useMarketKeys } from '../../shortcuts/use-panel-keys.ts'
import { IconButton } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { toastProblem } from '../../ui/toast.tsx'
import { keyIntervals } from '../../shortcuts/table.ts'
import { type Cell, cellsOf, gridRules, withCell } from './arrangement.ts'
import { GridChart } from './grid-chart.tsx'
import { CountChoice } from './count-choice.tsx'

/** Several charts on the whole window. `start`: the market that was opened. */
export function ChartGrid({ start }: { readonly start: WireMarket }) {
  const { t } = useTranslation()
  return (
    <div className="fixed inset-0 z-20 flex flex-col bg-bg">
      <PageHeader title={t('shortcuts.charts.title')} fallback="/market">
        <LinkButton />
        <CountChoice />
      </PageHeader>
      <GridCharts start={start} hasMarketKeys />
      <DeskKeys />
    </div>
  )
}

/**
 * Several charts beside each other, each with its own market and interval. `hasMarketKeys`: the keys for the next market change the
 * chart in use; in a desk they change the desk.
 */
export function GridCharts({ start, hasMarketKeys = false }: { readonly start: WireMarket; readonly hasMarketKeys?: boolean }) {
  const { t } = useTranslation()
  const markets = useMarkets()
  const [grid, change] = usePreference('chart-grid', gridRules)
  const [active, setActive] = useState(0)
  const cells = cellsOf(grid, markets, start)
  const at = Math.min(active, cells.length - 1)
  const alter = async (place: number, part: Parameters<typeof withCell>[3]): Promise<void> => {
    const problem = await change((now) => withCell(now, cells, place, part))
    if (problem !== undefined) toastProblem(problem, t)
  }
  useShown(start, cells, (symbol) => void alter(at, { symbol }))
  useDeskHandlers({
    link: () => void change(turned),
    intervals: { choices: keyIntervals, choose: (interval) => void alter(at, { interval }) },
  })
  return (
    <div
      className="grid min-h-0 flex-1"
      style={{ gap: 4, padding: 4, gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', gridAutoRows: 'minmax(0, 1fr)' }}
    >
      {hasMarketKeys && <MarketKeys market={(cells[at] ?? { market: start }).market} open={(symbol) => void alter(at, { symbol })} />}
      {cells.map((cell, index) => (
        <GridChart
          // A chart keeps its place, whatever market it shows.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          cell={cell}
          place={index}
          isActive={index === at}
          isLinked={grid.isLinked}
          onActive={() => setActive(index)}
          onChange={(part) => void alter(index, part)}
        />
      ))}
    </div>
  )
}

const turned = (grid: Grid): Grid => ({ ...grid, isLinked: !grid.isLinked })

/** Links the crosshairs of the charts, or separates them. */
export function LinkButton() {
  const { t } = useTranslation()
  const [{ isLinked }, change] = usePreference('chart-grid', gridRules)
  return (
    <IconButton label={t('shortcuts.charts.linked')} aria-pressed={isLinked} className="!size-9" onClick={() => void change(turned)}>
      {isLinked ? (
        <Link2 size={20} strokeWidth={1.75} aria-hidden className="text-brand" />
      ) : (
        <Unlink size={20} strokeWidth={1.75} aria-hidden />
      )}
    </IconButton>
  )
}

function MarketKeys({ market, open }: { readonly market: WireMarket; readonly open: (symbol: string) => void }) {
  useMarketKeys(market, undefined, open)
  return null
}

/** A market that is opened by its address takes the place of the chart in use, unless one of them shows it. */
function useShown(start: WireMarket, cells: readonly Cell[], show: (symbol: string) => void): void {
  const isShown = cells.some(({ market }) => market.symbol === start.symbol)
  useEffect(() => {
    if (!isShown) show(start.symbol)
    // Only a new address counts: a chart may then show another market.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [start.symbol])
}
