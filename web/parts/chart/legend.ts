/** The values of one bar and of the indicators on it. */
import type { Chart, KLineData, Nullable } from 'klinecharts'
import { watchFrame } from './frame.ts'
import { mainPane } from './panes.ts'

export type Legend = {
  readonly bar: Pick<KLineData, 'timestamp' | 'open' | 'high' | 'low' | 'close'>
  /** Of the indicators that share the candles' pane: "EMA7" and its value. */
  readonly values: readonly { readonly name: string; readonly value: number; readonly colour: string }[]
}

/** Calls the listener with the values of the bar under the crosshair, or else of the newest one. */
export function watchLegend(chart: Chart, listener: (legend: Legend | undefined) => void): () => void {
  let index: number | undefined
  const tell = (): void => listener(legendOf(chart, index))
  const crossed = (data?: unknown): void => {
    const { kLineData, dataIndex } = (data ?? {}) as { kLineData?: Nullable<KLineData>; dataIndex?: number }
    index = kLineData == null ? undefined : dataIndex
    tell()
  }
  chart.subscribeAction('onCrosshairChange', crossed)
  const leave = watchFrame(chart, tell)
  return () => {
    leave()
    chart.unsubscribeAction('onCrosshairChange', crossed)
  }
}

function legendOf(chart: Chart, index: number | undefined): Legend | undefined {
  const bars = chart.getDataList()
  const at = index ?? bars.length - 1
  const bar = bars[at]
  if (bar === undefined) return undefined
  const { lines } = chart.getStyles().indicator
  const values = chart.getIndicators({ paneId: mainPane }).flatMap(({ figures, result }) => {
    const found = (result[at] ?? {}) as Readonly<Record<string, unknown>>
    return figures.flatMap(({ key, title }, order) => {
      const value = found[key]
      if (typeof value !== 'number') return []
      return [{ name: (title ?? key).replace(/:\s*$/, ''), value, colour: lines[order % lines.length]?.color ?? '' }]
    })
  })
  return { bar, values }
}
