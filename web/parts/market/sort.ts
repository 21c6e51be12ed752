/** The order of markets in a list, and the search in it. */
import type { MarketSort, MarketSortBy } from '@candor/core/protocol/wire/own/preferences.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { PreferenceRules } from '../../app/preferences/preferences.ts'
import type { Quote } from '../../app/quotes.ts'

/** The largest volume first, until a column was chosen. */
export const usualSort: MarketSort = { by: 'volume', isRising: false }

/** The next state of a column's button: numbers from the largest or names from A, then reversed, then unsorted. */
export function nextSort(sort: MarketSort, by: MarketSortBy): MarketSort {
  const isRisingFirst = by === 'name'
  if (sort.by !== by) return { by, isRising: isRisingFirst }
  return sort.isRising === isRisingFirst ? { by, isRising: !isRisingFirst } : { by: null, isRising: true }
}

/** Kept with the account, for all lists of markets. */
export const sortRules: PreferenceRules<'market-sort'> = { fallback: usualSort }

/** Whether a search finds a market: by its pair in any notation, or by the name of its coin. `names`: of coins by symbol. */
export function matches({ symbol, base }: WireMarket, text: string, names: ReadonlyMap<string, string>): boolean {
  const wanted = text.toUpperCase().replace('/', '')
  return symbol.includes(wanted) || (names.get(base) ?? '').toUpperCase().includes(wanted)
}

/** Sorts markets, those without a value last. */
export function sorted(
  markets: readonly WireMarket[],
  quotes: ReadonlyMap<string, Quote>,
  { by, isRising }: MarketSort,
): readonly WireMarket[] {
  if (by === null) return markets
  const direction = isRising ? 1 : -1
  if (by === 'name') return markets.toSorted((a, b) => compare(a.symbol, b.symbol) * direction)
  const value = (market: WireMarket): number => valueOf(quotes.get(market.symbol), by)
  return markets.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)]
    if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(left)) - Number(Number.isNaN(right)) || a.id - b.id
    return (left - right) * direction || a.id - b.id
  })
}

/** The value to sort by. Floating point is precise enough, because it only decides the order on the screen. */
function valueOf(quote: Quote | undefined, by: Exclude<MarketSortBy, 'name'>): number {
  // A market without any price yet is sent with zeros.
  if (quote === undefined || Number(quote.price) === 0) return Number.NaN
  return Number(by === 'volume' ? (quote.quoteVolume ?? Number.NaN) : quote[by])
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
