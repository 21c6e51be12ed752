/** Which markets the list shows, and in which order. */
import type { MarketSort } from '@candor/core/protocol/wire/own/preferences.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { Quote } from '../../app/quotes.ts'
import { matches, sorted } from '../../parts/market/sort.ts'
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

/** The last searches that led to a market, newest first. */
export function withRecent(recents: readonly string[], symbol: string, max = 8): readonly string[] {
  return [symbol, ...recents.filter((one) => one !== symbol)].slice(0, max)
}

/** The address of a tab of the list, and of the market that a wide window shows beside it. */
export function addressOf(tab: Tab, symbol: string | null): string {
  const query = new URLSearchParams({ ...(tab === 'spot' ? {} : { tab }), ...(symbol === null ? {} : { symbol }) }).toString()
  return query === '' ? '/market' : `/market?${query}`
}
