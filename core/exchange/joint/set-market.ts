import { BUY, SELL_SIDE } from '../../book/codes.ts'
import type { SetMarket } from '../../protocol/command/market.ts'
import { decodeCommand } from '../../protocol/codec/command.ts'
import { writeMarketChanged } from '../../protocol/codec/event-write.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { noteHalt } from '../margin/rules/prices.ts'
import type { State } from '../state/state.ts'
import { areTermsValid } from '../market/list.ts'

/** `market.set`: new terms for new orders. A halted market refuses orders and keeps those it has. */
export function setMarket(x: State, data: Float64Array, start: number): Refusal | undefined {
  const { market, terms } = decodeCommand(data, start).command as SetMarket
  const venue = x.spotVenue(market)
  if (venue === undefined) return 'MARKET_UNKNOWN'
  if (!areTermsValid(terms, venue.basePerLot)) return 'MARKET_TERMS_INVALID'
  venue.setTerms(terms, x.atMs)
  noteHalt(x, venue)
  if (!terms.isTrading) for (const side of [BUY, SELL_SIDE] as const) x.retries.stop(venue.id, side)
  writeMarketChanged(x.events, venue.market)
  return undefined
}
