/** Sums of Second: the profit of an order, the possible loss of the house. The ticket uses the same functions. */
import type { Ppm, Units } from '../money/brand.ts'
import { mulDivCeil, mulDivFloor } from '../money/mul-div.ts'

const million = 1_000_000

/** Stakes and possible profits of the open orders of one market, in USDT units, by direction. */
export type OptionSides = { upStake: number; upProfit: number; downStake: number; downProfit: number }

/** Profit of a won order on top of its stake: stake × rate, rounded down. */
export function optionProfit(stake: Units, profitPpm: Ppm): Units {
  return mulDivFloor(stake, profitPpm, million) as Units
}

/**
 * Break-even share of wins, in thousandths, for a customer who always stakes the same amount: 1 ÷ (1 + rate), rounded to the
 * nearest (half up). At a rate of 84 %: 543, which is 54.3 %.
 */
export function breakEvenPermille(profitPpm: Ppm): number {
  const divisor = million + profitPpm
  return Math.floor((2 * 1000 * million + divisor) / (2 * divisor))
}

/**
 * Net loss of the house, in USDT units, if a market moves in the direction that costs more: the profits of one direction less the
 * stakes of the other, at least 0.
 */
export function worstCase(sides: OptionSides): number {
  return Math.max(0, sides.upProfit - sides.downStake, sides.downProfit - sides.upStake)
}

/** Highest allowed worst case: a share of the house fund, rounded down. */
export function exposureMax(fund: Units, exposurePpm: Ppm): number {
  return mulDivFloor(fund, exposurePpm, million)
}

/**
 * Net cost for the house of an upward and of a downward move of one market: profits of one side less stakes of the other. May be
 * negative.
 */
export function directionNets(sides: OptionSides): { readonly up: number; readonly down: number } {
  return { up: sides.upProfit - sides.downStake, down: sides.downProfit - sides.upStake }
}

/**
 * Exposure of markets that move together. Each market counts its own sum in full plus a share of all others', and the largest
 * result is taken:
 *
 *   max over markets of own + groupPpm × Σ others, rounded up; at least 0
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
 * Amount by which `own` may grow before the group's exposure passes `most`: the largest sum with
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
  if (most < largest) return 0
  // The largest result comes from another market, of which this one counts only a share.
  return Math.max(0, mulDivFloor(most - largest, million, groupPpm) - (total - largest) - own)
}

/** Orders per day that the customer's own guard may void: `free`, or a share of the day's orders (rounded down) if that is more. */
export function guardVoidsMax(orders: number, free: number, sharePpm: Ppm): number {
  return Math.max(free, mulDivFloor(orders, sharePpm, million))
}
