import type { MarketId } from '../../protocol/ids.ts'
import type { IndexPrice, Ticks } from '../../money/brand.ts'
import { priceSlots, TICK_PRICES } from '../../protocol/codec/index-prices.ts'
import * as layout from '../../protocol/codec/layout.ts'
import { writeIndexTicked } from '../../protocol/codec/event-write.ts'
import { distanceShare } from '../../proof/composition.ts'
import { composeTick } from '../market/compose.ts'
import { areQuotesValid } from '../market/quotes.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { isPrice } from '../../risk/spot.ts'
import { decideConversions } from '../convert/accept.ts'
import { marginOnIndex } from '../margin/tick.ts'
import { extendTape } from '../option/tape.ts'
import { onIndex } from '../perp/mark.ts'
import { beginRetries } from '../spot/retry.ts'
import type { State } from '../state/state.ts'

const { INDEX_COUNT, INDEX_IS_GOOD, INDEX_MARKET, INDEX_PRICE, INDEX_PRICES, INDEX_QUOTES, INDEX_SLOTS, INDEX_SOURCES } = layout

/**
 * `index.tick`: outside prices. One invalid price refuses the whole tick. Where a price comes with quotes, the core computes it
 * from them: their median after each venue's correction (`core/proof/composition`).
 */
export function tickIndex(x: State, data: Float64Array, start: number): Refusal | undefined {
  const count = data[start + INDEX_COUNT]!
  let at = start + INDEX_PRICES
  for (let n = 0; n < count; n++, at += INDEX_SLOTS + data[at + INDEX_QUOTES]!) {
    const venue = x.spotVenue(data[at + INDEX_MARKET] as MarketId)
    if (venue === undefined) return 'MARKET_UNKNOWN'
    const least = leastOf(data[at + INDEX_PRICE] as IndexPrice, data[at + INDEX_QUOTES]!)
    if (!isPrice(Math.floor(least / venue.indexPerTick) as Ticks) || data[at + INDEX_SOURCES]! < 0) return 'FIELD_INVALID'
    if (!areQuotesValid(data, at)) return 'FIELD_INVALID'
  }
  const tape = composeTick(x, data, start)
  for (let n = 0, to = TICK_PRICES; n < count; n++, to += priceSlots(tape[to + INDEX_QUOTES]!, 2)) {
    const [market, price] = [tape[to + INDEX_MARKET] as MarketId, tape[to + INDEX_PRICE] as IndexPrice]
    const [sources, isGood] = [tape[to + INDEX_SOURCES]!, tape[to + INDEX_IS_GOOD] === 1]
    x.venues[market]!.setIndex(price, sources, isGood)
    writeIndexTicked(x.events, market, price, sources, isGood)
  }
  onIndex(x)
  marginOnIndex(x)
  if (x.retries.count > 0) beginRetries(x)
  decideConversions(x)
  extendTape(x, tape)
  return undefined
}

/** The lowest price to which corrections of the quotes can move their median. */
function leastOf(price: IndexPrice, quotes: number): number {
  return quotes === 0 ? price : price - Math.floor(price / distanceShare)
}
