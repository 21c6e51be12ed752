/** The charts of a page whose crosshairs show the same time. */
import type { PriceChart } from '../chart.ts'

const linked = new Set<PriceChart>()

/** Links a chart with the others, until the returned function is called. */
export function linkChart(chart: PriceChart): () => void {
  const stop = chart.onCrosshair((time) => {
    for (const other of linked) if (other !== chart) other.showTime(time)
  })
  linked.add(chart)
  return () => {
    stop()
    linked.delete(chart)
    chart.showTime(undefined)
  }
}
