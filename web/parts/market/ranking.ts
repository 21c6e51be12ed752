import type { Quote } from '../../app/quotes.ts'

export type Ranking = 'favourites' | 'gainers' | 'losers' | 'new' | 'volume'

/**
 * The symbols of a ranking, best first. `given`: the symbols of favourites or of new listings, which keep their order; gainers and losers contain only markets that rose or fell.
 */
export function ranked(quotes: readonly Quote[], ranking: Ranking, given: readonly string[], count: number): readonly string[] {
  if (ranking === 'favourites' || ranking === 'new')
    return given.filter((symbol) => quotes.some((quote) => quote.symbol === symbol)).slice(0, count)
  const value = (quote: Quote): number =>
    ranking === 'volume' ? Number(quote.quoteVolume ?? 0) : ranking === 'gainers' ? Number(quote.change) : -Number(quote.change)
  return quotes
    .filter((quote) => ranking === 'volume' || value(quote) > 0)
    .sort((a, b) => value(b) - value(a) || (a.symbol < b.symbol ? -1 : 1))
    .slice(0, count)
    .map((quote) => quote.symbol)
}
