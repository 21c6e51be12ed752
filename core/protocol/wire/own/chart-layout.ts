/** How a user's chart of one market looks. It is kept with the account, so that every device shows the same. */

/** The most markets with a layout of an account, and the largest layout as text. */
export const chartLayoutsMax = 100
export const chartLayoutBytesMax = 65_536

/** The most markets that a chart is compared with. */
export const chartComparedMax = 3

/** Own things as lines, own fills as marks, and the reference prices of Futures. */
export const chartLines = ['orders', 'position', 'alerts', 'fills', 'mark', 'index'] as const
export type ChartLine = (typeof chartLines)[number]

/** How prices are spaced: evenly, by their logarithm, or by the change since the first visible bar. */
export const chartAxes = ['normal', 'logarithm', 'percentage'] as const
export type ChartAxis = (typeof chartAxes)[number]

/** A drawing by its tool's name. Its points are places in a picture, no amounts. */
export type ChartDrawing = { readonly name: string; readonly points: readonly { readonly timestamp: number; readonly value: number }[] }

export type ChartLayout = {
  readonly version: 1
  /** By the names of the chart's library, in the order in which they were added. */
  readonly indicators: readonly string[]
  readonly parameters: Readonly<Record<string, readonly number[]>>
  readonly lines: readonly ChartLine[]
  readonly axis: ChartAxis
  readonly drawings: readonly ChartDrawing[]
  /** Symbols of the markets that the chart is compared with. */
  readonly compared?: readonly string[]
}

/** `revision`: how often it was set; 0: never. */
export type WireChartLayout = { readonly revision: number; readonly value?: ChartLayout }
export type WireChartLayoutChange = { readonly revision: number; readonly value: ChartLayout }
