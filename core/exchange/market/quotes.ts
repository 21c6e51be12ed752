import type { IndexPrice } from '../../money/brand.ts'
import { quotesMax, unpackQuote } from '../../protocol/codec/index-prices.ts'
import { INDEX_PRICE, INDEX_QUOTES, INDEX_SLOTS, INDEX_SOURCES } from '../../protocol/codec/layout.ts'

/**
 * Whether the quotes of the price at slot `at` explain it: at most one per venue, as many as `sources` says, and their median is
 * the price (for an even number, the mean of the middle two, rounded down). A price may come without quotes.
 */
export function areQuotesValid(data: Float64Array, at: number): boolean {
  const [price, sources, count] = [data[at + INDEX_PRICE] as IndexPrice, data[at + INDEX_SOURCES]!, data[at + INDEX_QUOTES]!]
  if (count === 0) return true
  if (count !== sources || count > quotesMax) return false
  const prices: number[] = []
  let lastVenue = -1
  for (let i = 0; i < count; i++) {
    const quote = unpackQuote(price, data[at + INDEX_SLOTS + i]!)
    if (quote.venue <= lastVenue || quote.price <= 0) return false
    lastVenue = quote.venue
    prices.push(quote.price)
  }
  prices.sort((a, b) => a - b)
  const [low, high] = [prices[(count - 1) >>> 1]!, prices[count >>> 1]!]
  return price === low + Math.floor((high - low) / 2)
}
