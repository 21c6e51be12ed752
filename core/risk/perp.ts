/**
 * Value, margin and possible loss of a Futures position. The core decides with these functions and the app previews with them.
 *
 * lots      signed: long above zero, short below
 * cost      cost of the lots at entry, in quote units, exact and never below zero
 * q         quote units of one lot at one tick; value = ticks × |lots| × q
 */
import type { Lots, Ppm, Ticks, Units } from '../money/brand.ts'
import { mulDivCeil, mulDivFloor } from '../money/mul-div.ts'
import type { PerpTerms, RiskTier } from '../protocol/market.ts'
import { ticksMax } from './orders.ts'

const million = 1_000_000

/** Highest value at which a position or order may be opened, whatever the tiers say: it stays exact even if the mark rises 64-fold. */
export const positionValueMax = 2 ** 46

/** ticks × |lots| × q, exact while below 2^53. */
export function positionValue(lots: Lots, price: Ticks, q: number): Units {
  return (price * Math.abs(lots) * q) as Units
}

/**
 * Profit (+) or loss (−) of an open position at a price.
 *
 *   long  value − cost        short  cost − value,   exact
 *
 * All positions of a market together, each with its realised profit, sum to 0 at any price.
 */
export function unrealised(lots: Lots, cost: Units, price: Ticks, q: number): Units {
  if (lots === 0) return 0 as Units
  const value = positionValue(lots, price, q)
  return lots > 0 ? ((value - cost) as Units) : ((cost - value) as Units)
}

/**
 * The part of a position's cost, or of its margin, that belongs to `closed` of its `size` lots, rounded down. The last lots get
 * the rest, so the parts add up to the whole.
 */
export function shareOf(whole: Units, closed: number, size: number): Units {
  return closed >= size ? whole : (mulDivFloor(whole, closed, size) as Units)
}

/** The risk tier of a value; undefined above the last tier, where nothing may be opened. */
export function tierFor(tiers: readonly RiskTier[], value: Units): RiskTier | undefined {
  for (const tier of tiers) if (value <= tier.valueMax) return tier
  return undefined
}

/** The risk tier of an existing position: above the last tier, the last. The tier depends on the position's cost. */
export function tierOfPosition(tiers: readonly RiskTier[], cost: Units): RiskTier {
  return tierFor(tiers, cost) ?? tiers.at(-1)!
}

/** Highest leverage at which this value may be held: ⌊10^6 ÷ initial ppm of its tier⌋, at most the market's; 0: none. */
export function leverageAllowed(terms: Pick<PerpTerms, 'tiers' | 'leverageMax'>, value: Units): number {
  const tier = tierFor(terms.tiers, value)
  return tier === undefined ? 0 : Math.min(terms.leverageMax, Math.floor(million / tier.initialPpm))
}

/** Margin for opening a value: ⌈value ÷ leverage⌉. */
export function initialMargin(value: Units, leverage: number): Units {
  return mulDivCeil(value, 1, leverage) as Units
}

/** Equity at or below which a position is liquidated: ⌈value at mark × ppm ÷ 10^6⌉, with the ppm of its tier. */
export function maintenanceMargin(value: Units, maintenancePpm: Ppm): Units {
  const product = value * maintenancePpm
  // Exact: the floating-point quotient of an integer below 2^53 and 10^6 is never rounded to an integer unless it is one.
  return product <= Number.MAX_SAFE_INTEGER
    ? (Math.ceil(product / million) as Units)
    : (mulDivCeil(value, maintenancePpm, million) as Units)
}

/** Margin rate at or below which a user is warned that a position is close to liquidation: 1.25 × its maintenance rate, rounded up. */
export function watchPpm(maintenancePpm: Ppm): Ppm {
  return Math.min(million - 1, Math.ceil((maintenancePpm * 5) / 4)) as Ppm
}

/** Margin rate above which the warning of a position ends: 1.5 × its maintenance rate, rounded up. */
export function calmPpm(maintenancePpm: Ppm): number {
  return Math.min(million - 1, Math.ceil((maintenancePpm * 3) / 2))
}

/**
 * Amount that a user must be able to pay for the part of an order that opens or enlarges a position.
 *
 *   ⌈value ÷ leverage⌉ + ⌈value × taker fee⌉
 *
 * value      at the order's price; for a market buy, at the worst price that it may pay; for a sell, at the best bid if
 *            that is higher than its price
 */
export function orderMargin(value: Units, leverage: number, takerFeePpm: Ppm): number {
  return value === 0 ? 0 : initialMargin(value, leverage) + mulDivCeil(value, takerFeePpm, million)
}

/** Margin that must remain above maintenance after opening at the order's worst price: 2 % of the value. */
export const cushionPpm = 20_000

/**
 * Margin rate that must remain after opening, in ppm of the value at the mark: maintenance plus the cushion.
 *
 *   m + min(cushion, ⌊(⌊10^6 ÷ leverage⌋ − m) ÷ 2⌋)        m = maintenance ppm
 *
 * At a leverage whose initial margin leaves less room than the cushion, half of that room is kept. At least m, below 10^6.
 */
export function openingPpm(maintenancePpm: Ppm, leverage: number): Ppm {
  const room = Math.floor(million / leverage) - maintenancePpm
  return (maintenancePpm + Math.max(0, Math.min(cushionPpm, Math.floor(room / 2)))) as Ppm
}

/**
 * Worst price at which lots may be opened at a leverage. Beyond it, the margin left at the mark would be no more than maintenance
 * and cushion: the position would soon be liquidated at the expense of others.
 *
 *   buy   largest P with P ÷ L − (P − mark) > mark × m        sell  smallest P with P ÷ L − (mark − P) > mark × m
 *
 * L = leverage, m = `openingPpm` ÷ 10^6. At most 2^31 − 1.
 */
export function openingLimit(side: 0 | 1, mark: Ticks, maintenancePpm: Ppm, leverage: number): number {
  const ppm = openingPpm(maintenancePpm, leverage)
  if (side === 1) return Math.min(ticksMax, floorRatio(mark, leverage * (million + ppm), leverage + 1, million) + 1)
  if (leverage === 1) return ticksMax
  return Math.min(ticksMax, ceilRatio(mark, leverage * (million - ppm), leverage - 1, million) - 1)
}

/**
 * The price nearest to `limit`, between `limit` and the mark, at which buying or selling the lots loses at most `room` against
 * the mark; the mark itself when there is no room.
 *
 *   buy  mark + ⌊room ÷ (lots × q)⌋        sell  mark − ⌊room ÷ (lots × q)⌋
 */
export function limitWithin(side: 0 | 1, limit: Ticks, mark: Ticks, lots: Lots, q: number, room: number): Ticks {
  const ticks = room <= 0 ? 0 : mulDivFloor(room, 1, lots * q)
  if (side === 0) return limit > mark + ticks ? ((mark + ticks) as Ticks) : limit
  return limit < mark - ticks ? ((mark - ticks) as Ticks) : limit
}

/**
 * Mark price at which a position is liquidated if nothing else changes: of the prices at which margin + profit ≤ maintenance, the
 * one closest to profit. Exact: one tick closer to profit the position is safe. 0: no price liquidates it.
 *
 *   long   largest P with ⌊P × L × (10^6 − m) ÷ 10^6⌋ ≤ cost − margin
 *   short  smallest P with ⌈P × L × (10^6 + m) ÷ 10^6⌉ ≥ cost + margin         L = |lots| × q, m = maintenance ppm
 *
 * margin     for an isolated position its own; for a cross position everything else in the account: available balance,
 *            all cross margins, profit and loss of the other positions, less their maintenance
 */
export function liquidationPrice(lots: Lots, cost: Units, margin: Units, maintenancePpm: Ppm, q: number): Ticks {
  if (lots === 0) return 0 as Ticks
  const size = Math.abs(lots) * q
  if (lots > 0) {
    const uncovered = cost - margin
    if (uncovered < 0) return 0 as Ticks
    const price = ceilRatio(uncovered + 1, million, size, million - maintenancePpm) - 1
    return Math.min(price, ticksMax) as Ticks
  }
  const covered = cost + margin - 1
  if (covered < 0) return 1 as Ticks
  const price = (floorRatio(covered, million, size, million + maintenancePpm) + 1) as Ticks
  return price > ticksMax ? (0 as Ticks) : price
}

/**
 * Last price at which the loss does not exceed the margin: the lowest for a long position, the highest for a short one.
 *
 *   long  ⌈(cost − margin) ÷ L⌉        short  ⌊(cost + margin) ÷ L⌋
 *
 * From 1 to 2^31 − 1. 0: no price can bankrupt a long position, or every price bankrupts a short one.
 */
export function bankruptcyPrice(lots: Lots, cost: Units, margin: Units, q: number): Ticks {
  if (lots === 0) return 0 as Ticks
  const size = Math.abs(lots) * q
  if (lots > 0) return cost <= margin ? (0 as Ticks) : (Math.min(ticksMax, mulDivCeil(cost - margin, 1, size)) as Ticks)
  return cost + margin < size ? (0 as Ticks) : (Math.min(ticksMax, mulDivFloor(cost + margin, 1, size)) as Ticks)
}

/** Whether closing a position at a price would lose more than its margin. */
export function isBeyondBankruptcy(lots: Lots, cost: Units, margin: Units, price: Ticks, q: number): boolean {
  return margin + unrealised(lots, cost, price, q) < 0
}

/** Return on the position's initial margin, in ppm, rounded down: ⌊profit × leverage × 10^6 ÷ cost⌋. */
export function returnPpm(profit: Units, cost: Units, leverage: number): number {
  return cost === 0 ? 0 : mulDivFloor(profit, leverage * million, cost)
}

/** Entry price in ticks, rounded down, with `digits` more decimals: ⌊cost × 10^digits ÷ L⌋. */
export function entryPrice(lots: Lots, cost: Units, q: number, digits = 0): number {
  return lots === 0 ? 0 : mulDivFloor(cost, 10 ** digits, Math.abs(lots) * q)
}

/**
 * Lots that one step of a liquidation closes: ⌈size × step⌉, at least the market's smallest order. All lots if the rest would be
 * smaller than that.
 */
export function liquidationStep(size: Lots, stepPpm: Ppm, lotsLeast: Lots): Lots {
  const step = Math.max(mulDivCeil(size, stepPpm, million), lotsLeast) as Lots
  return size - step < lotsLeast ? size : step
}

/** ⌊a × b ÷ (c × d)⌋ for non-negative numbers of any size. */
function floorRatio(a: number, b: number, c: number, d: number): number {
  const divisor = c * d
  if (divisor <= Number.MAX_SAFE_INTEGER && a * b <= Number.MAX_SAFE_INTEGER) return Math.floor((a * b) / divisor)
  return bounded((BigInt(a) * BigInt(b)) / (BigInt(c) * BigInt(d)))
}

/** ⌈a × b ÷ (c × d)⌉ for non-negative numbers of any size. */
function ceilRatio(a: number, b: number, c: number, d: number): number {
  const divisor = BigInt(c) * BigInt(d)
  return bounded((BigInt(a) * BigInt(b) + divisor - 1n) / divisor)
}

/** Limits a price: all prices above the largest valid one compare the same. */
function bounded(price: bigint): number {
  return price > BigInt(ticksMax) ? ticksMax + 1 : Number(price)
}
