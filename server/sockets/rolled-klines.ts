import { mergeCandles } from '@candor/core/market-data/candle.ts'
import type { MarketView } from '@candor/core/market-data/market-view.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import type { Candle } from '@candor/core/protocol/market.ts'
import { nextOf, openOf } from '../live/intervals.ts'
import type { ListedMarket } from '../live/listing.ts'
import { klineText } from '../live/texts.ts'
import type { PublicStream } from './streams.ts'

/** `open`: open time of the bar that was last reported. */
type Told = { readonly open: number; readonly isClosed: boolean }

/** Candles of intervals that neither tables nor reducers have, built from the newest minutes and hours when they are reported. */
export class RolledKlines {
  /** By key of the stream. */
  readonly #told = new Map<string, Told>()

  /** Forgets a stream without listeners. */
  forget(key: string): void {
    this.#told.delete(key)
  }

  /** Messages of a stream: the bar that a trade changed, and each bar once more when it is over. */
  texts(market: ListedMarket, view: MarketView, { key, said, kind }: PublicStream, hasTraded: boolean, now: Millis): readonly string[] {
    if (kind.type !== 'rolledKline') return []
    const { shape, interval } = kind
    const newest = view.candles.current(shape.unit)
    if (!newest) return []
    const texts: string[] = []
    const say = (open: number, isClosed: boolean): void => {
      const bar = barOf(view, shape.unit, shape.count, open, nextOf(shape, open))
      if (bar) texts.push(klineText(market, bar, { said, interval, endTime: nextOf(shape, open), isClosed }, now))
      this.#told.set(key, { open, isClosed })
    }
    const open = openOf(shape, newest.openTime)
    const isOver = nextOf(shape, open) <= now
    const told = this.#told.get(key)
    if (!told) {
      // Bars that ended before anybody listened are not reported.
      if (hasTraded) say(open, isOver)
      else this.#told.set(key, { open, isClosed: isOver })
      return texts
    }
    if (!told.isClosed && (told.open !== open || isOver)) say(told.open, true)
    if (hasTraded && (told.open !== open || !isOver)) say(open, isOver)
    return texts
  }
}

function barOf(view: MarketView, unit: '1s' | '1m' | '1h', count: number, open: number, next: number): Candle | undefined {
  let bar: Candle | undefined
  // The previous bar may still be needed after the next one has begun.
  for (const candle of view.candles.newest(unit, 2 * count)) {
    if (candle.openTime >= open && candle.openTime < next) bar = bar ? mergeCandles(bar, candle) : { ...candle, openTime: open as Millis }
  }
  return bar
}
