/** Where prices are on the screen, for what is drawn above the chart. */
import type { Chart } from 'klinecharts'
import { frameOverlay } from './overlays.ts'
import { mainPane } from './panes.ts'

/** The plot of the candles, in pixels from the top left corner of the chart. The axis is to the right of it. */
export type Frame = {
  readonly width: number
  readonly height: number
  readonly axisWidth: number
  /** Of the newest candle: the library has a tag on the axis there. Undefined without candles. */
  readonly lastY: number | undefined
  yOf(price: number): number
  priceAt(y: number): number
  /** Undefined before the first candle. */
  xOf(timestamp: number): number | undefined
  /** Opening times of the first and last bar in sight; undefined without any. */
  readonly span: { readonly from: number; readonly to: number } | undefined
}

const listening = new WeakMap<Chart, Set<(frame: Frame) => void>>()

/** Calls the listener now and with each picture on which prices are at other places than before. */
export function watchFrame(chart: Chart, listener: (frame: Frame) => void): () => void {
  const listeners = listening.get(chart) ?? start(chart)
  listeners.add(listener)
  listener(frameOf(chart))
  return () => listeners.delete(listener)
}

function start(chart: Chart): Set<(frame: Frame) => void> {
  const listeners = new Set<(frame: Frame) => void>()
  listening.set(chart, listeners)
  let before = ''
  const drawn = (): void => {
    const frame = frameOf(chart)
    const { width, height, axisWidth, lastY, span } = frame
    const now = [
      width,
      height,
      axisWidth,
      lastY,
      frame.priceAt(0),
      frame.priceAt(height),
      span?.from,
      span?.to,
      frame.xOf(span?.to ?? 0),
    ].join()
    if (now === before) return
    before = now
    for (const listener of listeners) listener(frame)
  }
  chart.createOverlay({ name: frameOverlay, groupId: 'frame', lock: true, points: [{ value: 1 }], extendData: drawn })
  return listeners
}

function frameOf(chart: Chart): Frame {
  const main = chart.getSize(mainPane, 'main')
  const bars = chart.getDataList()
  const last = bars.at(-1)
  const { from, to } = chart.getVisibleRange()
  const [first, end] = [bars[from], bars[Math.min(to, bars.length) - 1]]
  const pixel = (point: { value?: number; timestamp?: number }): { readonly x?: number; readonly y?: number } =>
    [chart.convertToPixel(point, { paneId: mainPane })].flat()[0] ?? {}
  const yOf = (price: number): number => pixel({ value: price }).y ?? 0
  return {
    width: main?.width ?? 0,
    height: main?.height ?? 0,
    axisWidth: chart.getSize(mainPane, 'yAxis')?.width ?? 0,
    lastY: last === undefined ? undefined : yOf(last.close),
    yOf,
    priceAt: (y) => [chart.convertFromPixel([{ y }], { paneId: mainPane })].flat()[0]?.value ?? 0,
    xOf: (timestamp) => (bars.length === 0 ? undefined : pixel({ timestamp }).x),
    span: first === undefined || end === undefined ? undefined : { from: first.timestamp, to: end.timestamp },
  }
}
