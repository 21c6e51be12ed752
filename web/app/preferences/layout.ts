/** The layout until something was chosen, and what follows from a chosen one. */
import type { ChartDesk, DeskName, Layout, TextSize } from '@candor/core/protocol/wire/own/preferences.ts'

export const usualLayout: Layout = { book: 'right', charts: [], unasked: [], desk: null, textSize: 'normal' }

/** Windows at least this high show the small chart until its owner has chosen. */
const tall = 780
const everyDesk: readonly ChartDesk[] = ['spot', 'perp', 'margin']

/** The desks that show the small chart in a window of a height: the chosen ones, or until then all of them if there is room. */
export function chartsOf({ charts }: Pick<Layout, 'charts'>, height: number): readonly ChartDesk[] {
  return charts === usualLayout.charts && height >= tall ? everyDesk : charts
}

/** Of the text size of the browser, in percent: what somebody has set there is *normal* here. */
export const textPercents: Readonly<Record<TextSize, number>> = { small: 92, normal: 100, large: 112, extra: 125 }

export const deskPaths: Readonly<Record<DeskName, string>> = { spot: '/spot', perp: '/contract', margin: '/lever', option: '/Second' }

/** What a device kept before the account did. */
export type OldLayout = {
  readonly textSize?: number | undefined
  readonly confirmLimit?: boolean | undefined
  readonly confirmMarket?: boolean | undefined
  readonly confirmCancelAll?: boolean | undefined
}

/** The layout of what a device kept before; undefined if all of it was as usual. */
export function layoutOf({ textSize = 100, confirmLimit, confirmMarket, confirmCancelAll }: OldLayout): Layout | undefined {
  const unasked = [
    ...(confirmLimit === false ? (['limit', 'stop-limit', 'oco'] as const) : []),
    ...(confirmMarket === false ? (['market', 'stop-market', 'trailing', 'option'] as const) : []),
    ...(confirmCancelAll === false ? (['cancel-all'] as const) : []),
  ]
  if (unasked.length === 0 && textSize === 100) return undefined
  return { ...usualLayout, unasked, textSize: textSize === 125 ? 'extra' : textSize === 112 ? 'large' : 'normal' }
}

/**
 * Whether a kept value is shown to the person of this page. Visitors see their own; one that `stays` on the device is also seen by
 * visitors after its owner has logged out, so that nobody has to log in with text that is too small to read.
 */
export function isOnDevice(owner: string | null, uid: string | null, stays: boolean): boolean {
  return owner === uid || owner === null || (stays && uid === null)
}
