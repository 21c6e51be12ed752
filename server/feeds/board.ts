import { dividePrice, priceScale } from './price.ts'
import { indexOf, median, type IndexValue, type Source } from './median.ts'

/** A coin and the asset it is priced in, upper case: BTC and USDT. */
export type Pair = { readonly base: string; readonly quote: string }

/**
 * `book`  middle of a venue's best bid and ask. It stays valid until the venue reports another, so its age is that of the
 *         last message on the connection.
 * `last`  price of a trade; its age is that of the trade.
 */
export type PriceKind = 'book' | 'last'

export type VenueStatus = { readonly name: string; readonly isUp: boolean; readonly ageMs: number }

type Quote = { price: number; at: number; kind: PriceKind }
type VenueRow = { readonly since: number; lastAt: number | undefined; readonly quotes: Map<string, Quote> }

/** After this time an unchanged book is not trusted, even on a living connection. */
const standingMs = 60_000
/** USDT moves little against USD and trades less often than the coins that are converted with it. */
const rateStaleMs = 60_000
/** A venue without messages for this long is shown as down. */
const downMs = 3_000

/** The latest price of every pair on every venue, and the resulting index. Times are from one monotonic clock, in ms. */
export class PriceBoard {
  readonly #venues = new Map<string, VenueRow>()

  /** Announces a venue, so that its silence shows. */
  expect(venue: string, nowMs: number): void {
    this.#row(venue, nowMs)
  }

  put(venue: string, pair: Pair, price: number, kind: PriceKind, nowMs: number): void {
    const row = this.#row(venue, nowMs)
    row.lastAt = nowMs
    const key = keyOf(pair.base, pair.quote)
    const known = row.quotes.get(key)
    if (kind === 'last' && known?.kind === 'book' && nowMs - known.at <= standingMs) return
    row.quotes.set(key, { price, at: nowMs, kind })
  }

  /** The connection is alive, but nothing changed. */
  touch(venue: string, nowMs: number): void {
    this.#row(venue, nowMs).lastAt = nowMs
  }

  /** The connection is lost: its prices are no longer valid. */
  lose(venue: string): void {
    const row = this.#venues.get(venue)
    if (row === undefined) return
    row.lastAt = undefined
    row.quotes.clear()
  }

  /** Removes the venue. */
  remove(venue: string): void {
    this.#venues.delete(venue)
  }

  /** Every venue's price of a market; prices from USD books are divided by USDT/USD. */
  sources(base: string, quote: string, nowMs: number): readonly Source[] {
    const rate = quote === 'USDT' ? this.usdtUsd(nowMs) : undefined
    const sources: Source[] = []
    for (const [venue, row] of this.#venues) {
      const direct = row.quotes.get(keyOf(base, quote))
      const inUsd = rate === undefined ? undefined : row.quotes.get(keyOf(base, 'USD'))
      if (direct !== undefined) sources.push({ venue, price: direct.price, ageMs: ageOf(direct, row, nowMs) })
      else if (inUsd !== undefined && rate !== undefined) {
        const price = dividePrice(inUsd.price, rate)
        if (price !== undefined) sources.push({ venue, price, ageMs: ageOf(inUsd, row, nowMs) })
      }
    }
    return sources
  }

  index(base: string, quote: string, nowMs: number): IndexValue | undefined {
    return indexOf(this.sources(base, quote, nowMs))
  }

  /** USD for one USDT: the median of the venues that trade it. Values outside half a dollar to two dollars are ignored. */
  usdtUsd(nowMs: number): number | undefined {
    const rates: number[] = []
    for (const row of this.#venues.values()) {
      const rate = row.quotes.get(keyOf('USDT', 'USD'))
      const isBelievable = rate !== undefined && rate.price > priceScale / 2 && rate.price < priceScale * 2
      if (isBelievable && ageOf(rate, row, nowMs) <= rateStaleMs) rates.push(rate.price)
    }
    return rates.length === 0 ? undefined : median(rates)
  }

  status(nowMs: number): readonly VenueStatus[] {
    return [...this.#venues].map(([name, row]) => {
      const ageMs = Math.max(0, Math.round(nowMs - (row.lastAt ?? row.since)))
      return { name, isUp: row.lastAt !== undefined && ageMs <= downMs && row.quotes.size > 0, ageMs }
    })
  }

  #row(venue: string, nowMs: number): VenueRow {
    let row = this.#venues.get(venue)
    if (row === undefined) {
      row = { since: nowMs, lastAt: undefined, quotes: new Map() }
      this.#venues.set(venue, row)
    }
    return row
  }
}

function keyOf(base: string, quote: string): string {
  return `${base}/${quote}`
}

function ageOf(quote: Quote, row: VenueRow, nowMs: number): number {
  const own = nowMs - quote.at
  return quote.kind === 'book' && own <= standingMs ? nowMs - (row.lastAt ?? quote.at) : own
}
