import { decodeCommand } from '../../../protocol/codec/command.ts'
import { writeMarketChanged, writeMarketListed } from '../../../protocol/codec/event-write.ts'
import type { ListPerp, SetPerp } from '../../../protocol/command/perp.ts'
import type { Market, PerpTerms } from '../../../protocol/market.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { nextFundingMs } from '../../../risk/perp-mark.ts'
import { wrongPerpTerm } from '../../../risk/perp-terms.ts'
import { areTermsValid, describeMarket } from '../../market/list.ts'
import type { State } from '../../state/state.ts'
import { Venue } from '../../records/venue.ts'
import { beginRound } from '../market/funding.ts'
import { advanceGate } from '../market/gate.ts'
import { beginRefit } from '../market/refit.ts'
import { Contract } from '../records/state.ts'

/**
 * `perp.list`: lists a perpetual contract under the next market number. It follows the index of a spot market of the same assets
 * and is settled in USDT.
 */
export function listPerp(x: State, data: Float64Array, start: number): Refusal | undefined {
  const command = decodeCommand(data, start).command as ListPerp
  const market = describeMarket(x, command)
  if (typeof market === 'string') return market
  const whole = { ...market, perp: command.perp }
  if (!arePerpTermsValid(x, whole, command.perp)) return 'MARKET_TERMS_INVALID'
  const contract = openContract(x, whole)
  contract.fundingAtMs = nextFundingMs(x.atMs, command.perp.fundingHours)
  writeMarketListed(x.events, whole)
  return undefined
}

/**
 * `perp.set`: new terms of market and contract. The index stays. Positions are adapted to the new tiers page by page, starting at
 * once.
 */
export function setPerp(x: State, data: Float64Array, start: number): Refusal | undefined {
  const { market, terms, perp } = decodeCommand(data, start).command as SetPerp
  const contract = x.perp.contract(market)
  if (contract === undefined) return 'MARKET_UNKNOWN'
  const { venue } = contract
  const isSame = perp.index === contract.terms.index
  if (!isSame || !areTermsValid(terms, venue.basePerLot) || !arePerpTermsValid(x, venue.market, perp)) return 'MARKET_TERMS_INVALID'
  // Funding that is due is settled at the terms under which it became due.
  beginRound(x, contract)
  venue.market = { ...venue.market, perp }
  venue.setTerms(terms, x.atMs)
  if (contract.fundingAtMs > x.atMs) contract.fundingAtMs = nextFundingMs(x.atMs, perp.fundingHours)
  writeMarketChanged(x.events, venue.market)
  advanceGate(x, contract)
  beginRefit(x, contract)
  return undefined
}

/** Adds a contract to the markets. Call when it is listed, and when a dump is restored. */
export function openContract(x: State, market: Market): Contract {
  const venue = new Venue(market, x.orders)
  x.addVenue(venue)
  const contract = new Contract(venue, x.venues[market.perp!.index]!, x.orders)
  x.perp.add(contract)
  return contract
}

function arePerpTermsValid(x: State, market: Market, perp: PerpTerms): boolean {
  const source = x.venue(perp.index)?.market
  return (
    source !== undefined &&
    source.perp === undefined &&
    source.base === market.base &&
    source.quote === market.quote &&
    market.quote === x.usdt &&
    wrongPerpTerm(perp) === undefined
  )
}
