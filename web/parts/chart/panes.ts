/** The pane of the candles, by the library's name for it. */
export const mainPane = 'candle_pane'

const mainShare = 0.55
const usualHeight = 76
const axisHeight = 26

/**
 * Height of each pane below the candles, in whole pixels.
 *
 *   min(76, (45 % of the height − the time axis) ÷ panes), rounded down
 */
export function paneHeights(height: number, panes: number): number {
  if (panes === 0) return 0
  return Math.max(0, Math.min(usualHeight, Math.floor((height * (1 - mainShare) - axisHeight) / panes)))
}
