/** Alerts as numbers of the series that they follow. */
import type { Ticks } from '@candor/core/money/brand.ts'
import { formatFixed, parseUnits } from '@candor/core/money/units.ts'
import type { WireAlertTerms } from '@candor/core/protocol/wire/own/alerts.ts'
import { type ListedMarket, priceText, readPrice } from '../live/listing.ts'
import type { Watched } from './watch.ts'

/** Index prices have eight decimal places. */
const indexScale = 8
const ppm = 1_000_000

type Terms = Pick<WireAlertTerms, 'condition' | 'source' | 'level' | 'rearm'>
type Numbers = Pick<Watched, 'series' | 'direction' | 'level' | 'back'>

/** The series of values that an alert follows. Futures follow the index of their spot market. */
export function seriesOf({ condition, source }: Pick<Terms, 'condition' | 'source'>, { market }: ListedMarket): string {
  if (condition === 'rise' || condition === 'fall') return `change ${market.id}`
  return `${source} ${source === 'index' ? (market.perp?.index ?? market.id) : market.id}`
}

/**
 * The level, and where an alert that is told each time gets armed again: at least one step back, and rounded away from the level, so
 * that the distance is never shorter than asked for.
 *
 * throws  Refused TOO_MANY_DIGITS or PRICE_INVALID with the field `level`
 */
export function numbersOf(terms: Terms, market: ListedMarket): Numbers {
  const { condition, source, level: text, rearm } = terms
  const series = seriesOf(terms, market)
  const direction = condition === 'above' || condition === 'rise' ? 1 : -1
  const distance = rearm === undefined ? undefined : ppmOf(rearm)
  if (condition === 'rise' || condition === 'fall') {
    const level = ppmOf(text) * direction
    return { series, direction, level, back: distance === undefined ? undefined : level - direction * distance }
  }
  const ticks = readPrice(market, text, 'level')
  const level = source === 'index' ? (parseUnits(text, indexScale) ?? Number.MAX_SAFE_INTEGER) : ticks
  return { series, direction, level, back: distance === undefined ? undefined : backOf(level, direction, distance) }
}

/** level ∓ level × distance, rounded away from the level, at least one step. */
function backOf(level: number, direction: 1 | -1, distance: number): number {
  const step = (BigInt(level) * BigInt(distance) + BigInt(ppm - 1)) / BigInt(ppm)
  return level - direction * Math.max(1, Number(step))
}

/** The change of a price in ppm of where it was, rounded toward zero: a percentage counts only once it is fully reached. */
export function changePpm(before: Ticks, now: Ticks): number {
  return Number(((BigInt(now) - BigInt(before)) * BigInt(ppm)) / BigInt(before))
}

/** A value of a series as its owner reads it: a price, or percent with a sign below zero. */
export function valueText(terms: Pick<Terms, 'condition' | 'source'>, market: ListedMarket, value: number): string {
  if (terms.condition === 'rise' || terms.condition === 'fall')
    return `${value < 0 ? '-' : ''}${formatFixed(Math.trunc(Math.abs(value) / 100), 2)}`
  return terms.source === 'index' ? formatFixed(value, indexScale) : priceText(market, value as Ticks)
}

/** Percent with at most two digits after the point, as ppm: 1 percent is 10,000. */
function ppmOf(percent: string): number {
  return parseUnits(percent, 4) as number
}
