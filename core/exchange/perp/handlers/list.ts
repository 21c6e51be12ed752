import { decodeCommand } from '../../../protocol/codec/command.ts'
import { writeMarketChanged, writeMarketListed } from '../../../protocol/codec/event-write.ts'
import type { ListPerp, SetPerp } from '../../../protocol/command/perp.ts'
import type { Market, PerpTerms } from '../../../protocol/market.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { nextFundingMs } from '../../../risk/perp-mark.ts'
import { positionValueMax } from '../../../risk/perp.ts'
import { areTermsValid, describeMarket } from '../../market/list.ts'
import type { State } from '../../state/state.ts'
import { Venue } from '../../records/venue.ts'
import { beginRound } from '../market/funding.ts'
import { advanceGate } from '../market/gate.ts'
import { beginRefit } from '../market/refit.ts'
import { Contract } from '../records/state.ts'

const million = 1_000_000
const billion = 1_000_000_000
const leverageLimit = 125
/** Keeps sums of values safe integers. */
const openInterestLimit = 2 ** 52

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
  const isWithin = (value: number, least: number, most: number): boolean => value >= least && value <= most
  return (
    source !== undefined &&
    source.perp === undefined &&
    source.base === market.base &&
    source.quote === market.quote &&
    market.quote === x.usdt &&
    isWithin(perp.leverageMax, 1, leverageLimit) &&
    areTiersValid(perp) &&
    isWithin(perp.fundingHours, 1, 24) &&
    24 % perp.fundingHours === 0 &&
    isWithin(perp.fundingInterest, -billion, billion) &&
    isWithin(perp.fundingStretch, 0, billion) &&
    isWithin(perp.fundingCap, 0, billion) &&
    isWithin(perp.impactValue, 1, positionValueMax) &&
    isWithin(perp.markClampPpm, 1, million) &&
    isWithin(perp.basisWindowMs, 1, 600_000) &&
    isWithin(perp.liquidationFeePpm, 0, 100_000) &&
    isWithin(perp.liquidationStepPpm, 1, million) &&
    isWithin(perp.openInterestMax, 1, openInterestLimit) &&
    isWithin(perp.userInterestPpm, 1, million) &&
    isWithin(perp.carryPpm, 1, million)
  )
}

/** Values and margins must ascend, and each position must have some room between opening and liquidation. */
function areTiersValid({ tiers, leverageMax }: PerpTerms): boolean {
  return (
    // A command holds no more than eight.
    tiers.length >= 1 &&
    leverageMax * tiers[0]!.initialPpm <= million &&
    tiers.every((tier, i) => {
      const before = tiers[i - 1]
      const ascends =
        before === undefined ||
        (tier.valueMax > before.valueMax && tier.initialPpm >= before.initialPpm && tier.maintenancePpm >= before.maintenancePpm)
      const { valueMax, initialPpm, maintenancePpm } = tier
      const isSound = maintenancePpm >= 1 && maintenancePpm < initialPpm && initialPpm <= million
      return ascends && isSound && valueMax >= 1 && valueMax <= positionValueMax
    })
  )
}
