import { INDEX_COUNT, INDEX_PRICES, INDEX_SLOTS } from '../../protocol/codec/layout.ts'
import { writeIndexTicked } from '../../protocol/codec/event-write.ts'
import { areQuotesRight } from './quotes.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { isPrice } from '../../risk/spot.ts'
import { marginOnIndex } from '../margin/tick.ts'
import { extendTape } from '../option/tape.ts'
import { onIndex } from '../perp/mark.ts'
import type { State } from '../state.ts'

/** `index.tick`: what the world says. One price that makes no sense refuses all of them. */
export function tickIndex(x: State, data: Float64Array, start: number): Refusal | undefined {
  const count = data[start + INDEX_COUNT]!
  let at = start + INDEX_PRICES
  for (let n = 0; n < count; n++, at += INDEX_SLOTS + data[at + 4]!) {
    const venue = x.spotVenue(data[at]!)
    if (venue === undefined) return 'MARKET_UNKNOWN'
    if (!isPrice(Math.floor(data[at + 1]! / venue.indexPerTick)) || data[at + 2]! < 0) return 'FIELD_INVALID'
    if (!areQuotesRight(data, at)) return 'FIELD_INVALID'
  }
  at = start + INDEX_PRICES
  for (let n = 0; n < count; n++, at += INDEX_SLOTS + data[at + 4]!) {
    const [market, price, sources, isGood] = [data[at]!, data[at + 1]!, data[at + 2]!, data[at + 3] === 1]
    x.venues[market]!.setIndex(price, sources, isGood)
    writeIndexTicked(x.events, market, price, sources, isGood)
  }
  onIndex(x)
  marginOnIndex(x)
  extendTape(x, data, start)
  return undefined
}
