/**
 * The prices of an `index.tick`: five slots each (market, price, sources, flag, number of quotes) and one slot per quote, which
 * packs a venue's number and the distance of its price from the index. The tape hashes these slots as they are. In format 2 of
 * the tape, each quote has a second slot, its correction, and each price has one more slot at its end, its shift
 * (`core/proof/composition`).
 */
import type { IndexPrice } from '../../money/brand.ts'
import type { IndexTick } from '../command/market.ts'
import type { IndexQuote, TapeQuote } from '../event/option.ts'
import type { MarketId } from '../ids.ts'
import { flag } from './fields.ts'
import { INDEX_IS_GOOD, INDEX_MARKET, INDEX_PRICE, INDEX_QUOTES, INDEX_SLOTS, INDEX_SOURCES } from './layout.ts'
import { integer } from './records.ts'

/** Largest number of quotes of one price, and exclusive upper bound of venue numbers. */
export const quotesMax = 8
const venues = 32
/** Upper bound of a quote's distance from the index, in either direction. */
const distanceMax = 2 ** 46

type Prices = IndexTick['prices']
type Written = readonly {
  readonly market: number
  readonly price: number
  readonly sources: number
  readonly isGood: boolean
  readonly quotes?: readonly { readonly venue: number; readonly price: number; readonly correction?: number }[]
  readonly shift?: number
}[]
type TapePrices = readonly (Prices[number] & { readonly quotes?: readonly TapeQuote[]; readonly shift?: number })[]

type Composed = {
  readonly price: IndexPrice
  readonly quotes: readonly { readonly venue: number; readonly price: number; readonly correction: number }[]
  readonly shift: number
}

/** Added to the number of a tick's prices to mark format 2. */
const format2 = 65_536
export type TapeFormat = 1 | 2

/** The slot with the number of prices of a tape tick. */
export function tapeCount(count: number, format: TapeFormat): number {
  return format === 2 ? count + format2 : count
}

/** Slots of a tick of the tape before its prices: its number, its time, and how many prices it has. */
export const TICK_NUMBER = 0
export const TICK_AT = 1
export const TICK_COUNT = 2
export const TICK_PRICES = 3

/** The prices of a tape tick, starting with the slot that counts them. */
export function readTapePrices(data: Float64Array, start: number): { readonly format: TapeFormat; readonly prices: TapePrices } {
  const { format, count } = readTapeCount(data.subarray(start))
  return { format, prices: readPrices(data, start + 1, count, format) }
}

/** The format of a tape tick, and the number of its prices, from its slots from the one that has both on. */
export function readTapeCount(data: Float64Array): { readonly format: TapeFormat; readonly count: number } {
  const slot = data[0]!
  return slot >= format2 ? { format: 2, count: slot - format2 } : { format: 1, count: slot }
}

export function indexSlots(prices: Written, format: TapeFormat = 1): number {
  let slots = 0
  for (const { quotes } of prices) slots += priceSlots(quotes?.length ?? 0, format)
  return slots
}

/** Slots of a price with this many quotes. */
export function priceSlots(quotes: number, format: TapeFormat): number {
  return format === 2 ? INDEX_SLOTS + 2 * quotes + 1 : INDEX_SLOTS + quotes
}

/** Throws when a quote does not fit into a slot. */
export function writeIndexPrices(prices: Written, data: Float64Array, start: number, format: TapeFormat = 1): void {
  let at = start
  for (const { market, price, sources, isGood, quotes = [], shift = 0 } of prices) {
    if (quotes.length > quotesMax) throw new Error(`${quotes.length} quotes of one price`)
    data[at + INDEX_MARKET] = integer(market, 'market')
    data[at + INDEX_PRICE] = integer(price, 'price')
    data[at + INDEX_SOURCES] = integer(sources, 'sources')
    data[at + INDEX_IS_GOOD] = isGood ? 1 : 0
    data[at + INDEX_QUOTES] = quotes.length
    quotes.forEach((quote, i) => {
      const slot = at + INDEX_SLOTS + i * format
      data[slot] = packQuote(price as IndexPrice, quote)
      if (format === 2) data[slot + 1] = integer(quote.correction ?? 0, 'correction')
    })
    at += priceSlots(quotes.length, format)
    if (format === 2) data[at - 1] = integer(shift, 'shift')
  }
}

/** Writes the quotes and the shift of the price that begins at `at` of a tick of the tape. */
export function writeTapeQuotes(composed: Composed, data: Float64Array, at: number): void {
  let slot = at + INDEX_SLOTS
  for (const quote of composed.quotes) {
    data[slot++] = packQuote(composed.price, quote)
    data[slot++] = quote.correction
  }
  data[slot] = composed.shift
}

export function readIndexPrices(data: Float64Array, start: number, count: number): Prices {
  return readPrices(data, start, count, 1)
}

function readPrices(data: Float64Array, start: number, count: number, format: TapeFormat): TapePrices {
  let at = start
  return Array.from({ length: count }, () => {
    const price = data[at + INDEX_PRICE] as IndexPrice
    const quoteCount = data[at + INDEX_QUOTES]!
    if (!(quoteCount >= 0 && quoteCount <= quotesMax)) throw new Error(`${quoteCount} quotes of one price`)
    const quotes = Array.from({ length: quoteCount }, (_, i) => {
      const slot = at + INDEX_SLOTS + i * format
      const quote = unpackQuote(price, data[slot]!)
      return format === 2 ? { ...quote, correction: data[slot + 1]! } : quote
    })
    const read = {
      market: data[at + INDEX_MARKET] as MarketId,
      price,
      sources: data[at + INDEX_SOURCES]!,
      isGood: flag(data[at + INDEX_IS_GOOD]!, 'isGood'),
      ...(quoteCount === 0 ? {} : { quotes }),
    }
    at += priceSlots(quoteCount, format)
    return format === 2 && quoteCount > 0 ? { ...read, shift: data[at - 1]! } : read
  })
}

export function packQuote(price: IndexPrice, quote: { readonly venue: number; readonly price: number }): number {
  const distance = integer(quote.price, 'quote') - price
  if (!(quote.venue >= 0 && quote.venue < venues) || Math.abs(distance) >= distanceMax)
    throw new Error(`no slot holds venue ${quote.venue}`)
  return (distance + distanceMax) * venues + integer(quote.venue, 'venue')
}

/** Unpacks a quote's slot for a market with index `price`. */
export function unpackQuote(price: IndexPrice, slot: number): IndexQuote {
  const venue = slot % venues
  return { venue, price: (price + (slot - venue) / venues - distanceMax) as IndexPrice }
}
