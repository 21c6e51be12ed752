import type { Millis, Ticks } from '../money/brand.ts'
import type { Candle } from '../protocol/market.ts'
import { openTimeOf } from './calendar.ts'

const hourMs = 3_600_000

/**
 * Closes of the last `hours` hours, including the running one, oldest first. An hour without a trade repeats the previous close;
 * hours before the first price are left out.
 *
 * candles   hourly, oldest first
 */
export function sparkline(candles: readonly Candle[], at: Millis, hours = 24): readonly Ticks[] {
  const closes: Ticks[] = []
  const first = openTimeOf('1h', at) - (hours - 1) * hourMs
  let next = 0
  let close: Ticks | undefined
  for (let hour = first; hour < first + hours * hourMs; hour += hourMs) {
    for (; next < candles.length && (candles[next] as Candle).openTime <= hour; next++) close = (candles[next] as Candle).close
    if (close !== undefined) closes.push(close)
  }
  return closes
}
