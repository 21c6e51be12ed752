import type { IndexPrice, Millis, Ticks } from '@candor/core/money/brand.ts'
import { openTimeOf } from '@candor/core/market-data/calendar.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { Columns, overwrite, type Statement, type Value } from './columns.ts'
import type { MarketView } from './known.ts'

/** First, highest, lowest and last value of a period. */
type Range<T> = { readonly open: T; readonly high: T; readonly low: T; readonly close: T }

/** Marks (in ticks) and index prices (1e-8 of the quote) of a contract in one minute or hour. */
export type MarkCandle = { readonly openTime: Millis; readonly mark: Range<Ticks>; readonly index: Range<IndexPrice> }

const indexDigits = 8

const columns = {
  market: 'text',
  open_time: 'bigint',
  open: 'numeric',
  high: 'numeric',
  low: 'numeric',
  close: 'numeric',
  index_open: 'numeric',
  index_high: 'numeric',
  index_low: 'numeric',
  index_close: 'numeric',
  is_reference: 'boolean',
} as const
const values = ['open', 'high', 'low', 'close', 'index_open', 'index_high', 'index_low', 'index_close', 'is_reference'] as const

/** A bar of our own replaces a reference bar, and is merged into an earlier one of our own. */
const mergeHour = `(market, open_time) do update set
  ${values
    .filter((name) => name !== 'is_reference')
    .map((name) => `${name} = case when old.is_reference then excluded.${name} else ${mergedOf(name)} end`)
    .join(', ')}, is_reference = false`

function mergedOf(name: string): string {
  if (name.endsWith('open')) return `old.${name}`
  if (name.endsWith('close')) return `excluded.${name}`
  return `${name.endsWith('high') ? 'greatest' : 'least'}(old.${name}, excluded.${name})`
}

/**
 * Candles of mark and index. A minute is written once, when it is over, and its hour with it; the current minute is stored beside
 * the last mark, so that a restart continues it.
 */
export class MarkCandles {
  /** The current minute of each contract. */
  readonly #running: Map<MarketView, MarkCandle>
  /** Hours with finished minutes since the last `take`. */
  readonly #hours = new Map<MarketView, MarkCandle>()
  readonly #minuteRows = new Columns('mark_candles_1m', columns, `(market, open_time) do update set ${overwrite(...values)}`)
  readonly #hourRows = new Columns('mark_candles_1h as old', columns, mergeHour)
  #minute: number

  constructor(at: Millis, running: Iterable<readonly [MarketView, MarkCandle]>) {
    this.#minute = openTimeOf('1m', at)
    // A minute that is over already has its row.
    this.#running = new Map([...running].filter(([, { openTime }]) => openTime === this.#minute))
  }

  get length(): number {
    return this.#minuteRows.length + this.#hourRows.length + this.#hours.size
  }

  add(view: MarketView, mark: Ticks, index: IndexPrice, at: Millis): void {
    const openTime = openTimeOf('1m', at)
    const last = this.#running.get(view)
    const next = { openTime, mark: rangeOf(mark), index: rangeOf(index) }
    this.#running.set(view, last?.openTime === openTime ? merge(last, next) : next)
  }

  /** Called before each command: closes minutes that are over. Returns the contracts that had one. */
  passTo(at: Millis): readonly MarketView[] {
    const minute = openTimeOf('1m', at)
    if (minute === this.#minute) return []
    this.#minute = minute
    const over = [...this.#running.keys()]
    for (const [view, candle] of this.#running) this.#close(view, candle)
    this.#running.clear()
    return over
  }

  /** Values of `runningColumns`, in their order. */
  running(view: MarketView): readonly Value[] {
    const candle = this.#running.get(view)
    if (candle === undefined) return [null, null, null, null, null, null, null]
    const { openTime, mark, index } = candle
    return [
      openTime,
      ...[mark.open, mark.high, mark.low].map((ticks) => view.price(ticks)),
      ...[index.open, index.high, index.low].map(indexText),
    ]
  }

  take(): readonly (Statement | undefined)[] {
    for (const [view, hour] of this.#hours) push(this.#hourRows, view, hour)
    this.#hours.clear()
    return [this.#minuteRows.take(), this.#hourRows.take()]
  }

  #close(view: MarketView, candle: MarkCandle): void {
    push(this.#minuteRows, view, candle)
    const openTime = openTimeOf('1h', candle.openTime)
    const hour = this.#hours.get(view)
    const own = { ...candle, openTime }
    if (hour !== undefined && hour.openTime !== openTime) push(this.#hourRows, view, hour)
    this.#hours.set(view, hour?.openTime === openTime ? merge(hour, own) : own)
  }
}

/** Columns of the current minute. Its close is not among them: the row has the mark and the index themselves. */
export const runningColumns = {
  open_time: 'bigint',
  open: 'numeric',
  high: 'numeric',
  low: 'numeric',
  index_open: 'numeric',
  index_high: 'numeric',
  index_low: 'numeric',
} as const

function push(rows: Columns, view: MarketView, { openTime, mark, index }: MarkCandle): void {
  const prices = [mark.open, mark.high, mark.low, mark.close].map((ticks) => view.price(ticks))
  rows.push(view.market.symbol, openTime, ...prices, ...[index.open, index.high, index.low, index.close].map(indexText), false)
}

function rangeOf<T>(value: T): Range<T> {
  return { open: value, high: value, low: value, close: value }
}

/** Merges two candles; `first` is the earlier. */
function merge(first: MarkCandle, second: MarkCandle): MarkCandle {
  const merged = <T extends number>(a: Range<T>, b: Range<T>): Range<T> => ({
    open: a.open,
    high: Math.max(a.high, b.high) as T,
    low: Math.min(a.low, b.low) as T,
    close: b.close,
  })
  return { openTime: first.openTime, mark: merged(first.mark, second.mark), index: merged(first.index, second.index) }
}

function indexText(price: IndexPrice): string {
  return formatUnits(price, indexDigits)
}
