/** The time under the crosshair, which charts beside each other share. */
import type { Chart, Crosshair } from 'klinecharts'
import { mainPane } from './panes.ts'

/** Outside of the plot, where the library draws nothing. */
const away = -1_000

export function watchCrosshair(chart: Chart, element: HTMLElement, listener: (time: number | undefined) => void): () => void {
  const crossed = (data?: unknown): void => {
    const { x } = (data ?? {}) as Crosshair
    if (x !== undefined) listener([chart.convertFromPixel([{ x }], { paneId: mainPane })].flat()[0]?.timestamp)
  }
  // The library says nothing when the pointer leaves.
  const left = (): void => listener(undefined)
  chart.subscribeAction('onCrosshairChange', crossed)
  element.addEventListener('pointerleave', left)
  return () => {
    chart.unsubscribeAction('onCrosshairChange', crossed)
    element.removeEventListener('pointerleave', left)
  }
}

/** Draws the line of a bar's opening time without a price; nothing for undefined. It is not told to those who watch. */
export function showTime(chart: Chart, timestamp: number | undefined): void {
  const x = timestamp === undefined ? away : ([chart.convertToPixel({ timestamp }, { paneId: mainPane })].flat()[0]?.x ?? away)
  chart.executeAction('onCrosshairChange', { paneId: mainPane, x, y: away })
}
