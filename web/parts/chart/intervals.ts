import type { Interval } from '@candor/core/protocol/market.ts'

/** The intervals of `/wss`, shortest first. */
export const intervalList: readonly Interval[] = ['1s', '1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M']

/** Intervals in the bar above the chart; the others are under "More". */
export const commonIntervals: readonly Interval[] = ['1m', '15m', '1h', '1d']
