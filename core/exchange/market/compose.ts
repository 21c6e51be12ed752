import { compose } from '../../proof/composition.ts'
import { packQuote, priceSlots, tapeCount, unpackQuote } from '../../protocol/codec/index-prices.ts'
import { INDEX_COUNT, INDEX_PRICES, INDEX_SLOTS } from '../../protocol/codec/layout.ts'
import { lengthOf } from '../../protocol/codec/records.ts'
import type { State } from '../state/state.ts'

const fixed = 3

/**
 * The canonical slots of the next tick of the tape (`core/proof/tape`, format 2): the prices of the `index.tick` at slot
 * `start`, each with quotes now the median of its corrected quotes less the shift. What is good is what the next tick's corrections
 * follow from; a price without quotes is taken as it is, and corrections begin anew after it.
 */
export function composeTick(x: State, data: Float64Array, start: number): Float64Array<ArrayBuffer> {
  const count = data[start + INDEX_COUNT]!
  const slots = new Float64Array(fixed + 2 * (lengthOf(data[start]!) - INDEX_PRICES))
  slots[0] = x.option.tick + 1
  slots[1] = x.atMs
  slots[2] = tapeCount(count, 2)
  let to = fixed
  let at = start + INDEX_PRICES
  for (let n = 0; n < count; n++, at += INDEX_SLOTS + data[at + 4]!) to = composePrice(x, data, at, slots, to)
  return slots.slice(0, to)
}

/** Writes one price at slot `to` and returns where the next begins. */
function composePrice(x: State, data: Float64Array, at: number, slots: Float64Array, to: number): number {
  const [market, raw, isGood, count] = [data[at]!, data[at + 1]!, data[at + 3] === 1, data[at + 4]!]
  const known = x.option.compositions
  slots.set(data.subarray(at, at + INDEX_SLOTS), to)
  if (count === 0) {
    if (isGood) known.delete(market)
    return to + priceSlots(0, 2)
  }
  const now = Array.from({ length: count }, (_, i) => unpackQuote(raw, data[at + INDEX_SLOTS + i]!))
  const tick = compose(known.get(market), x.atMs, now)
  slots[to + 1] = tick.price
  tick.quotes.forEach((quote, i) => {
    slots[to + INDEX_SLOTS + 2 * i] = packQuote(tick.price, quote)
    slots[to + INDEX_SLOTS + 2 * i + 1] = quote.correction
  })
  slots[to + INDEX_SLOTS + 2 * count] = tick.shift
  if (isGood) known.set(market, tick)
  return to + priceSlots(count, 2)
}
