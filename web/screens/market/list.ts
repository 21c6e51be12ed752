/** Which markets the list shows, and in which order. */
import type { MarketSort, MarketSortBy } from '@candor/core/protocol/wire/own/preferences.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { Quote } from '../../app/quotes.ts'
import { categories, type Category } from './categories.ts'

export const tabs = ['favourites', 'spot', 'perp', 'new', 'categories'] as const
export type Tab = (typeof tabs)[number]

/** How many of the newest listings the tab for them shows. */
export const newestMax = 20

export type View = {
  readonly tab: Tab
  readonly category: Category
  /** A search goes through all markets, whatever the tab. */
  readonly text: string
  readonly sort: MarketSort
  readonly favourites: readonly string[]
  /** Names of coins by symbol, for the search. */
  readonly names: ReadonlyMap<string, string>
}

/** The largest volume first, until a column was chosen. */
export const usualSort: MarketSort = { by: 'volume', isRising: false }

/** The next state of a column's button: numbers from the largest or names from A, then reversed, then unsorted. */
export function nextSort(sort: MarketSort, by: MarketSortBy): MarketSort {
  const isRisingFirst = by === 'name'
  if (sort.by !== by) return { by, isRising: isRisingFirst }
  return sort.isRising === isRisingFirst ? { by, isRising: !isRisingFirst } : { by: null, isRising: true }
}

/** Favourites and new listings have an order of their own. */
export function hasColumns({ tab, text }: Pick<View, 'tab' | 'text'>): boolean {
  return text.trim() !== '' || (tab !== 'favourites' && tab !== 'new')
}

/** The markets of a view in its order. Markets without a value are at the end, whichever way they are sorted. */
export function shownMarkets(markets: readonly WireMarket[], quotes: ReadonlyMap<string, Quote>, view: View): readonly WireMarket[] {
  const text = view.text.trim()
  if (text === '' && view.tab === 'favourites') {
    const bySymbol = new Map(markets.map((market) => [market.symbol, market]))
    return view.favourites.flatMap((symbol) => bySymbol.get(symbol) ?? [])
  }
  // Numbers of markets rise with each listing.
  if (text === '' && view.tab === 'new') return markets.toSorted((a, b) => b.id - a.id).slice(0, newestMax)
  const found = text === '' ? markets.filter((market) => isIn(market, view)) : markets.filter((market) => matches(market, text, view.names))
  return sorted(found, quotes, view.sort)
}

function isIn({ kind, base }: WireMarket, { tab, category }: View): boolean {
  if (tab === 'categories') return kind === 'spot' && (categories[category] as readonly string[]).includes(base)
  return kind === tab
}

function matches({ symbol, base }: WireMarket, text: string, names: ReadonlyMap<string, string>): boolean {
  const wanted = text.toUpperCase().replace('/', '')
  return symbol.includes(wanted) || (names.get(base) ?? '').toUpperCase().includes(wanted)
}

function sorted(markets: readonly WireMarket[], quotes: ReadonlyMap<string, Quote>, { by, isRising }: MarketSort): readonly WireMarket[] {
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
  if (quote === undefined) return Number.NaN
  return Number(by === 'volume' ? (quote.quoteVolume ?? Number.NaN) : quote[by])
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The last searches that led to a market, newest first. */
export function withRecent(recents: readonly string[], symbol: string, max = 8): readonly string[] {
  return [symbol, ...recents.filter((one) => one !== symbol)].slice(0, max)
}
