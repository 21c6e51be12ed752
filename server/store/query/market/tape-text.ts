import { inflateRawSync } from 'node:zlib'
import type { IndexPrice } from '@candor/core/money/brand.ts'
import type { TapeGlance } from '@candor/core/proof/second.ts'
import { readTapeCount, unpackQuote } from '@candor/core/protocol/codec/index-prices.ts'
import * as layout from '@candor/core/protocol/codec/layout.ts'

const { INDEX_IS_GOOD, INDEX_MARKET, INDEX_PRICE, INDEX_QUOTES, INDEX_SLOTS, INDEX_SOURCES } = layout

/** A tick of the tape as its row: `payload` has its slots from the count of prices on. */
export type TapeRow = { readonly tick: number; readonly at_ms: number; readonly hash: Buffer; readonly payload: Buffer }

function slotsOf({ payload }: TapeRow): Float64Array {
  const bytes = inflateRawSync(payload)
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
}

/** The price of one market in a tick, if it names it. */
export function pricesIn(row: TapeRow, market: number): TapeGlance['prices'] {
  const slots = slotsOf(row)
  const { format, count } = readTapeCount(slots)
  let from = 1
  for (let i = 0; i < count; i++) {
    if (slots[from + INDEX_MARKET] === market)
      return [{ market, price: slots[from + INDEX_PRICE]!, isGood: slots[from + INDEX_IS_GOOD] === 1 }]
    from += INDEX_SLOTS + slots[from + INDEX_QUOTES]! * (format === 2 ? 2 : 1) + (format === 2 ? 1 : 0)
  }
  return []
}

/**
 * The JSON of a `WireTapeTick`, written from the slots without objects in between: anybody may request thousands of ticks, and each
 * has dozens of quotes.
 */
export function tickText(row: TapeRow): string {
  const { tick, at_ms: at, hash } = row
  const slots = slotsOf(row)
  const { format, count } = readTapeCount(slots)
  let text = `{"tick":${tick},"at":${at},"hash":"${hash.toString('hex')}","format":${format},"prices":[`
  let from = 1
  for (let i = 0; i < count; i++) {
    const price = slots[from + INDEX_PRICE] as IndexPrice
    const quotes = slots[from + INDEX_QUOTES]!
    if (i > 0) text += ','
    text += `{"market":${slots[from + INDEX_MARKET]},"price":"${price}","sources":${slots[from + INDEX_SOURCES]},"isGood":${slots[from + INDEX_IS_GOOD] === 1},"quotes":[`
    let slot = from + INDEX_SLOTS
    for (let n = 0; n < quotes; n++) {
      const quote = unpackQuote(price, slots[slot++]!)
      text += `${n > 0 ? ',' : ''}{"venue":${quote.venue},"price":"${quote.price}"`
      text += format === 2 ? `,"correction":${slots[slot++]}}` : '}'
    }
    from = slot
    text += ']'
    if (format === 2) {
      if (quotes > 0) text += `,"shift":${slots[from]}`
      from++
    }
    text += '}'
  }
  return `${text}]}`
}
