import { inflateRawSync } from 'node:zlib'
import type { IndexPrice } from '@candor/core/money/brand.ts'
import { readTapeCount, unpackQuote } from '@candor/core/protocol/codec/index-prices.ts'
import * as layout from '@candor/core/protocol/codec/layout.ts'

const { INDEX_IS_GOOD, INDEX_MARKET, INDEX_PRICE, INDEX_QUOTES, INDEX_SLOTS, INDEX_SOURCES } = layout

/** A tick of the tape as its row: `payload` has its slots from the count of prices on. */
export type TapeRow = { readonly tick: number; readonly at_ms: number; readonly hash: Buffer; readonly payload: Buffer }

/**
 * The JSON of a `WireTapeTick`, written from the slots without objects in between: anybody may request thousands of ticks, and each
 * has dozens of quotes.
 */
export function tickText({ tick, at_ms: at, hash, payload }: TapeRow): string {
  const bytes = inflateRawSync(payload)
  const slots = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
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
