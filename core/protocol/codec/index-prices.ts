/**
 * The prices of an `index.tick`: five slots each (market, price, sources, flag, how many quotes) and one slot per quote, which
 * packs a venue's number and how far its price lies from the index. The tape hashes these slots as they stand.
 */
import type { IndexPrice } from '../../money/brand.ts'
import type { IndexTick } from '../command/market.ts'
import type { IndexQuote } from '../event/option.ts'
import { flag } from './fields.ts'
import { INDEX_SLOTS } from './layout.ts'
import { integer } from './records.ts'

/** Quotes of one price at most, and venue numbers below this. */
export const quotesMax = 8
const venues = 32
/** A quote's distance from the index stays below this, either way. */
const distanceMax = 2 ** 46

type Prices = IndexTick['prices']

export function indexSlots(prices: Prices): number {
  let slots = 0
  for (const { quotes } of prices) slots += INDEX_SLOTS + (quotes?.length ?? 0)
  return slots
}

/** Throws when a quote is not one that a slot can hold. */
export function writeIndexPrices(prices: Prices, data: Float64Array, start: number): void {
  let at = start
  for (const { market, price, sources, isGood, quotes = [] } of prices) {
    if (quotes.length > quotesMax) throw new Error(`${quotes.length} quotes of one price`)
    data[at] = integer(market, 'market')
    data[at + 1] = integer(price, 'price')
    data[at + 2] = integer(sources, 'sources')
    data[at + 3] = isGood ? 1 : 0
    data[at + 4] = quotes.length
    quotes.forEach((quote, i) => {
      data[at + INDEX_SLOTS + i] = packQuote(price, quote)
    })
    at += INDEX_SLOTS + quotes.length
  }
}

export function readIndexPrices(data: Float64Array, start: number, count: number): Prices {
  let at = start
  return Array.from({ length: count }, () => {
    const price = data[at + 1] as IndexPrice
    const quoteCount = data[at + 4]!
    if (!(quoteCount >= 0 && quoteCount <= quotesMax)) throw new Error(`${quoteCount} quotes of one price`)
    const quotes = Array.from({ length: quoteCount }, (_, i) => unpackQuote(price, data[at + INDEX_SLOTS + i]!))
    const read = {
      market: data[at] as never,
      price,
      sources: data[at + 2]!,
      isGood: flag(data[at + 3]!, 'isGood'),
      ...(quoteCount === 0 ? {} : { quotes }),
    }
    at += INDEX_SLOTS + quoteCount
    return read
  })
}

function packQuote(price: number, quote: IndexQuote): number {
  const distance = integer(quote.price, 'quote') - price
  if (!(quote.venue >= 0 && quote.venue < venues) || Math.abs(distance) >= distanceMax)
    throw new Error(`no slot holds venue ${quote.venue}`)
  return (distance + distanceMax) * venues + integer(quote.venue, 'venue')
}

/** What a quote's slot says of a market whose index is `price`. */
export function unpackQuote(price: number, slot: number): IndexQuote {
  const venue = slot % venues
  return { venue, price: (price + (slot - venue) / venues - distanceMax) as IndexPrice }
}
