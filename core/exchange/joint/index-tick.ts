import { priceSlots } from '../../protocol/codec/index-prices.ts'
import { INDEX_COUNT, INDEX_PRICES, INDEX_SLOTS } from '../../protocol/codec/layout.ts'
import { writeIndexTicked } from '../../protocol/codec/event-write.ts'
import { distanceShare } from '../../proof/composition.ts'
import { composeTick } from '../market/compose.ts'
import { areQuotesRight } from '../market/quotes.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { isPrice } from '../../risk/spot.ts'
import { marginOnIndex } from '../margin/tick.ts'
import { extendTape } from '../option/tape.ts'
import { onIndex } from '../perp/mark.ts'
import { beginRetries } from '../spot/retry.ts'
import type { State } from '../state/state.ts'

/** Slot of the first price in a tick of the tape. */
const TAPE_FIRST = 3

/**
 * `index.tick`: what the world says. One price that makes no sense refuses all of them. Of quotes the core makes the
 * price: their median after each venue's correction (`core/proof/composition`).
 */
export function tickIndex(x: State, data: Float64Array, start: number): Refusal | undefined {
  const count = data[start + INDEX_COUNT]!
  let at = start + INDEX_PRICES
  for (let n = 0; n < count; n++, at += INDEX_SLOTS + data[at + 4]!) {
    const venue = x.spotVenue(data[at]!)
    if (venue === undefined) return 'MARKET_UNKNOWN'
    if (!isPrice(Math.floor(leastOf(data[at + 1]!, data[at + 4]!) / venue.indexPerTick)) || data[at + 2]! < 0) return 'FIELD_INVALID'
    if (!areQuotesRight(data, at)) return 'FIELD_INVALID'
  }
  const tape = composeTick(x, data, start)
  for (let n = 0, to = TAPE_FIRST; n < count; n++, to += priceSlots(tape[to + 4]!, 2)) {
    const [market, price, sources, isGood] = [tape[to]!, tape[to + 1]!, tape[to + 2]!, tape[to + 3] === 1]
    x.venues[market]!.setIndex(price, sources, isGood)
    writeIndexTicked(x.events, market, price, sources, isGood)
  }
  onIndex(x)
  marginOnIndex(x)
  if (x.retries.count > 0) beginRetries(x)
  extendTape(x, tape)
  return undefined
}

/** The least price that the corrections of quotes can make of their median. */
function leastOf(price: number, quotes: number): number {
  return quotes === 0 ? price : price - Math.floor(price / distanceShare)
}
