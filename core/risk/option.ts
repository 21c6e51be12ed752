/** Sums of Second: what an order can earn, what the house can lose. The ticket uses the same functions. */
import type { Ppm, Units } from '../money/brand.ts'
import { mulDivCeil, mulDivFloor } from '../money/mul-div.ts'

const million = 1_000_000

/** Stakes and possible profits of the open orders of one market, in USDT units, by direction. */
export type OptionSides = { upStake: number; upProfit: number; downStake: number; downProfit: number }

/** What a won order earns on top of its stake: stake × rate, rounded down. */
export function optionProfit(stake: Units, profitPpm: Ppm): Units {
  return mulDivFloor(stake, profitPpm, million) as Units
}

/**
 * Share of wins, in thousandths, at which somebody who always stakes the same neither wins nor loses, rounded to the
 * nearest (half up): 1 ÷ (1 + rate). At 84 %: 543, which is 54.3 %.
 */
export function breakEvenPermille(profitPpm: Ppm): number {
  const divisor = million + profitPpm
  return Math.floor((2 * 1000 * million + divisor) / (2 * divisor))
}

/**
 * What the house loses on balance, in USDT units, when a market goes the way that costs it more: the profits of one
 * direction less the stakes of the other, never below 0.
 */
export function worstCase(sides: OptionSides): number {
  return Math.max(0, sides.upProfit - sides.downStake, sides.downProfit - sides.upStake)
}

/** What the worst case may be: a share of the house fund, rounded down. */
export function exposureMax(fund: Units, exposurePpm: Ppm): number {
  return mulDivFloor(fund, exposurePpm, million)
}

/** What a move up, and a move down, of one market costs the house: profits of the one side less stakes of the other. May be below 0. */
export function directionNets(sides: OptionSides): { readonly up: number; readonly down: number } {
  return { up: sides.upProfit - sides.downStake, down: sides.downProfit - sides.upStake }
}

/**
 * Sums of markets that move together, as the one counts that it makes most of: its own and a share of all others'.
 *
 *   max over markets of own + groupPpm × Σ others, rounded up; never below 0
 */
export function groupSum(sums: readonly number[], groupPpm: Ppm): number {
  let total = 0
  let largest = -Infinity
  for (const sum of sums) {
    total += sum
    largest = Math.max(largest, sum)
  }
  return sums.length === 0 ? 0 : Math.max(0, largest + mulDivCeil(total - largest, groupPpm, million))
}

/**
 * What `own` may grow by until the group counts more than `most`: the largest sum with
 *
 *   groupSum([own + sum, ...others]) ≤ most
 *
 * All in USDT units and none below 0; 0 when there is no room.
 */
export function groupRoom(own: Units, others: readonly number[], groupPpm: Ppm, most: number): number {
  let total = 0
  let largest = 0
  for (const other of others) {
    total += other
    largest = Math.max(largest, other)
  }
  const asLargest = most - mulDivCeil(total, groupPpm, million) - own
  if (own + asLargest >= largest) return Math.max(0, asLargest)
  if (most < largest || groupPpm === 0) return 0
  // Another market counts whole, so this one counts as a share.
  return Math.max(0, mulDivFloor(most - largest, million, groupPpm) - (total - largest) - own)
}

/** Orders of a day that the customer's own guard may void: `free`, or a share of the day's orders (rounded down) where that is more. */
export function guardVoidsMax(orders: number, free: number, sharePpm: Ppm): number {
  return Math.max(free, mulDivFloor(orders, sharePpm, million))
}
