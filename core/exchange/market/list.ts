import { fractionDigits, isDecimal, parseUnits } from '../../money/units.ts'
import type { ListMarket } from '../../protocol/command/market.ts'
import { decodeCommand } from '../../protocol/codec/command.ts'
import { writeMarketListed } from '../../protocol/codec/event-write.ts'
import type { MarketId } from '../../protocol/ids.ts'
import type { Asset, Market, MarketTerms } from '../../protocol/market.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { notionalMax } from '../../risk/spot.ts'
import type { State } from '../state/state.ts'
import { indexScale, Venue } from '../records/venue.ts'

const symbolPattern = /^[A-Z0-9]{4,20}$/
const feePpmMax = 100_000
const million = 1_000_000
const openOrdersLimit = 10_000

/**
 * `market.list`: lists a spot market under the next market number. One lot must be a whole number of base units, and one tick × lot
 * a whole number of quote units.
 */
export function listMarket(x: State, data: Float64Array, start: number): Refusal | undefined {
  const market = describeMarket(x, decodeCommand(data, start).command as ListMarket)
  if (typeof market === 'string') return market
  x.addVenue(new Venue(market, x.orders))
  writeMarketListed(x.events, market)
  return undefined
}

/** The market described by a listing, with the next number; or why it can't be listed. */
export function describeMarket(x: State, command: Omit<ListMarket, 'type'>): Market | Refusal {
  const base = x.assets[command.base - 1]
  const quote = x.assets[command.quote - 1]
  if (!symbolPattern.test(command.symbol)) return 'FIELD_INVALID'
  if (base === undefined || quote === undefined) return 'ASSET_UNKNOWN'
  if (x.venues.some((venue) => venue?.market.symbol === command.symbol)) return 'MARKET_EXISTS'
  const steps = base.id === quote.id ? undefined : stepsOf(command, base, quote)
  if (steps === undefined || !areTermsValid(command.terms, steps.basePerLot)) return 'MARKET_TERMS_INVALID'
  const { symbol, tick, lot, terms } = command
  return { id: x.venues.length as MarketId, symbol, base: base.id, quote: quote.id, tick, lot, ...steps, terms }
}

/** Base units per lot and quote units per tick × lot; undefined when they are not whole. */
function stepsOf(
  command: Pick<ListMarket, 'tick' | 'lot'>,
  base: Asset,
  quote: Asset,
): { basePerLot: number; quotePerTickLot: number } | undefined {
  const { tick, lot } = command
  if (!isDecimal(tick) || !isDecimal(lot)) return undefined
  const basePerLot = parseUnits(lot, base.scale) ?? 0
  const digits = fractionDigits(tick) + fractionDigits(lot)
  const product = BigInt(parseUnits(tick, fractionDigits(tick)) ?? 0) * BigInt(parseUnits(lot, fractionDigits(lot)) ?? 0)
  const scaled = product * 10n ** BigInt(quote.scale)
  const divisor = 10n ** BigInt(digits)
  if (scaled % divisor !== 0n || (parseUnits(tick, indexScale) ?? 0) <= 0) return undefined
  const quotePerTickLot = Number(scaled / divisor)
  const areWhole = basePerLot > 0 && quotePerTickLot > 0 && quotePerTickLot <= notionalMax
  return areWhole ? { basePerLot, quotePerTickLot } : undefined
}

export function areTermsValid(terms: MarketTerms, basePerLot: number): boolean {
  const isWithin = (value: number, least: number, most: number): boolean => value >= least && value <= most
  return (
    isWithin(terms.makerFeePpm, 0, feePpmMax) &&
    isWithin(terms.takerFeePpm, 0, feePpmMax) &&
    isWithin(terms.notionalMin, 0, notionalMax) &&
    isWithin(terms.lotsMin, 1, terms.lotsMax) &&
    isWithin(terms.lotsMax * basePerLot, 1, notionalMax) &&
    isWithin(terms.bandPpm, 1, million) &&
    isWithin(terms.slippagePpm, 1, million) &&
    isWithin(terms.openOrdersMax, 1, openOrdersLimit)
  )
}
