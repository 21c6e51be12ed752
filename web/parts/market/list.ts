/** Filters and sorts the list of markets. */
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { Quote } from '../../app/quotes.ts'

export type Tab = 'favourites' | 'all' | 'usdt' | 'btc'
export type SortBy = 'none' | 'name' | 'volume' | 'price' | 'change'
export type Sort = { readonly by: SortBy; readonly direction: 1 | -1 }

export type Shown = {
  readonly tab: Tab
  readonly text: string
  readonly sort: Sort
  readonly favourites: readonly string[]
}

/** The next state of a column's button: numbers from the largest or names from A, then reversed, then unsorted. */
export function nextSort(sort: Sort, by: SortBy): Sort {
  const first = by === 'name' ? 1 : -1
  if (sort.by !== by) return { by, direction: first }
  return sort.direction === first ? { by, direction: first === 1 ? -1 : 1 } : { by: 'none', direction: 1 }
}

export function listed(markets: readonly WireMarket[], quotes: ReadonlyMap<string, Quote>, shown: Shown): readonly WireMarket[] {
  const text = shown.text.trim().toUpperCase().replace('/', '')
  const found = markets.filter((market) => isIn(market, shown) && (text === '' || market.symbol.includes(text)))
  if (shown.sort.by === 'none') return found
  const value = valueOf(shown.sort.by, quotes)
  return [...found].sort((a, b) => {
    const [left, right] = [value(a), value(b)]
    const order = typeof left === 'string' || typeof right === 'string' ? String(left).localeCompare(String(right), 'en') : left - right
    return order * shown.sort.direction
  })
}

function isIn(market: WireMarket, { tab, favourites }: Shown): boolean {
  if (tab === 'favourites') return favourites.includes(market.symbol)
  return tab === 'all' || market.quote === tab.toUpperCase()
}

/** The value to sort by. Floating point is precise enough, because it only decides the order on the screen. */
function valueOf(by: SortBy, quotes: ReadonlyMap<string, Quote>): (market: WireMarket) => number | string {
  if (by === 'name') return (market) => market.symbol
  return (market) => {
    const quote = quotes.get(market.symbol)
    if (quote === undefined) return 0
    return Number(by === 'price' ? quote.price : by === 'change' ? quote.change : (quote.quoteVolume ?? quote.volume))
  }
}
