/** The indicators and drawing tools that the chart offers, by the names of its library. */

/** Indicators that share the price's axis, then those with a pane of their own. */
export const onPrice = ['EMA', 'MA', 'SMA', 'BOLL', 'SAR', 'BBI'] as const
export const inPanes = [
  'VOL',
  'MACD',
  'RSI',
  'KDJ',
  'OBV',
  'WR',
  'CCI',
  'DMI',
  'ROC',
  'TRIX',
  'MTM',
  'EMV',
  'DMA',
  'VR',
  'BRAR',
  'CR',
  'PSY',
  'BIAS',
  'AO',
  'PVT',
] as const
export const drawingTools = [
  'segment',
  'straightLine',
  'rayLine',
  'horizontalStraightLine',
  'verticalStraightLine',
  'priceLine',
  'priceChannelLine',
  'parallelStraightLine',
  'fibonacciLine',
  'simpleAnnotation',
] as const
export type DrawingTool = (typeof drawingTools)[number]

const ofVolume: readonly string[] = ['VOL', 'OBV', 'EMV', 'VR', 'PVT']

/** Whether an indicator uses volume, which marks and indexes don't have. */
export function isOfVolume(name: string): boolean {
  return ofVolume.includes(name)
}
