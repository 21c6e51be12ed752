import type { Side } from './ladder.ts'
import { levels, sizeAt, termsOf } from './terms.ts'

/** Leverage of the bots in futures; a market with a lower maximum uses that. */
export const botLeverage = 5

/** Largest value of a position in USDT, long or short: half as much again as one side of the book. */
export function positionLimit(symbol: string): number {
  let side = 0
  for (let level = 0; level < levels; level += 1) side += sizeAt(level)
  return 1.5 * side * termsOf(symbol).sizeUsdt
}

/** Size of a position relative to the limit, from −1 (short) to 1 (long). */
export function fullness(positionUsdt: number, limitUsdt: number): number {
  return Math.max(-1, Math.min(1, positionUsdt / limitUsdt))
}

/** The price to quote around: two rungs lower at a full long position, two higher at a full short one. */
export function skewed(indexTicks: number, rungTicks: number, full: number): number {
  return Math.max(1, Math.round(indexTicks - 2 * full * rungTicks))
}

/** Share of the full size for a side: quotes that would enlarge a position fade out, quotes that reduce it stay whole. */
export function roomFor(side: Side, full: number): number {
  return side === 'buy' ? 1 - Math.max(0, full) : 1 + Math.min(0, full)
}

/** From −1 to 1: the direction in which the taker should lean so that both positions return towards zero. */
export function leanOfPositions(makerFull: number, takerFull: number): number {
  return Math.max(-1, Math.min(1, (makerFull - takerFull) / 2))
}

/** Amount to move into (+) or out of (−) a futures account that has `total` USDT; 0 for none. */
export function topUp(total: number, spot: number): number {
  const [floor, target, ceiling] = [100_000, 200_000, 400_000]
  if (total < floor) return Math.max(0, Math.min(target - total, Math.floor(spot / 2)))
  return total > ceiling ? target - total : 0
}
