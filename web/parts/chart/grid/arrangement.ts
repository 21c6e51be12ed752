/** Which charts a wide window shows. Kept with the account. */
import type { Interval } from '@candor/core/protocol/market.ts'
import type { ChartGrid } from '@candor/core/protocol/wire/own/preferences.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { PreferenceRules } from '../../../app/preferences/preferences.ts'

export const gridRules: PreferenceRules<'chart-grid'> = { fallback: { count: 1, isLinked: true, charts: [] } }

export type Cell = { readonly market: WireMarket; readonly interval: Interval }

/** Intervals of charts that nobody has chosen yet: from the trend to the moment. */
const usual: readonly Interval[] = ['15m', '1h', '4h', '1m']

/** The charts of a grid: those that were kept, then markets of the kind of `start`, from `start` on. Unlisted markets are left out. */
export function cellsOf({ count, charts }: ChartGrid, markets: readonly WireMarket[], start: WireMarket): readonly Cell[] {
  const kept = charts.flatMap(({ symbol, interval }): readonly Cell[] => {
    const market = markets.find((one) => one.symbol === symbol)
    return market === undefined ? [] : [{ market, interval }]
  })
  const others = [start, ...markets.filter(({ kind }) => kind === start.kind)].filter(
    (market, at, all) => all.indexOf(market) === at && !kept.some((cell) => cell.market.symbol === market.symbol),
  )
  const further = others.map((market, at): Cell => ({ market, interval: usual[(kept.length + at) % usual.length] ?? '15m' }))
  return [...kept, ...further].slice(0, count)
}

/** The grid with one chart changed. All charts that are shown are kept from then on, so that none of them moves. */
export function withCell(grid: ChartGrid, cells: readonly Cell[], at: number, change: Partial<ChartGrid['charts'][number]>): ChartGrid {
  const shown = cells.map(({ market, interval }, index) => ({ symbol: market.symbol, interval, ...(index === at ? change : {}) }))
  return { ...grid, charts: [...shown, ...grid.charts.slice(shown.length)] }
}
