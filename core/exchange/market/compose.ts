import type { IndexPrice } from '../../money/brand.ts'
import { compose } from '../../proof/composition.ts'
import {
  priceSlots,
  TICK_AT,
  TICK_COUNT,
  TICK_PRICES,
  TICK_NUMBER,
  tapeCount,
  unpackQuote,
  writeTapeQuotes,
} from '../../protocol/codec/index-prices.ts'
import {
  INDEX_COUNT,
  INDEX_IS_GOOD,
  INDEX_MARKET,
  INDEX_PRICE,
  INDEX_PRICES,
  INDEX_QUOTES,
  INDEX_SLOTS,
} from '../../protocol/codec/layout.ts'
import { lengthOf } from '../../protocol/codec/records.ts'
import type { State } from '../state/state.ts'

/**
 * The canonical slots of the next tick of the tape (`core/proof/tape`, format 2), from the prices of the `index.tick` at slot
 * `start`. A price with quotes becomes the median of its corrected quotes less the shift. Good prices update the corrections of
 * the next tick. A price without quotes is taken unchanged, and corrections start anew after it.
 */
export function composeTick(x: State, data: Float64Array, start: number): Float64Array<ArrayBuffer> {
  const count = data[start + INDEX_COUNT]!
  const slots = new Float64Array(TICK_PRICES + 2 * (lengthOf(data[start]!) - INDEX_PRICES))
  slots[TICK_NUMBER] = x.option.tick + 1
  slots[TICK_AT] = x.atMs
  slots[TICK_COUNT] = tapeCount(count, 2)
  let to = TICK_PRICES
  let at = start + INDEX_PRICES
  for (let n = 0; n < count; n++, at += INDEX_SLOTS + data[at + INDEX_QUOTES]!) to = composePrice(x, data, at, slots, to)
  return slots.slice(0, to)
}

/** Writes one price at slot `to`. Returns the index just after it. */
function composePrice(x: State, data: Float64Array, at: number, slots: Float64Array, to: number): number {
  const [market, raw] = [data[at + INDEX_MARKET]!, data[at + INDEX_PRICE] as IndexPrice]
  const [isGood, count] = [data[at + INDEX_IS_GOOD] === 1, data[at + INDEX_QUOTES]!]
  const known = x.option.compositions
  slots.set(data.subarray(at, at + INDEX_SLOTS), to)
  if (count === 0) {
    if (isGood) known.delete(market)
    return to + priceSlots(0, 2)
  }
  const now = Array.from({ length: count }, (_, i) => unpackQuote(raw, data[at + INDEX_SLOTS + i]!))
  const tick = compose(known.get(market), x.atMs, now)
  slots[to + INDEX_PRICE] = tick.price
  writeTapeQuotes(tick, slots, to)
  if (isGood) known.set(market, tick)
  return to + priceSlots(count, 2)
}
