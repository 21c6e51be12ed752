import { levels, sizeAt, termsOf } from './terms.ts'
import type { Grid } from './units.ts'

/** Share of an account's holdings that its quotes may hold; the rest is room for fills. */
const usableShare = 0.8

/**
 * Relative size of quotes for each asset of an account, 1 for full size: the account's balance compared with the amount that its
 * markets would hold at full size. Markets share an asset in proportion.
 *
 * made       markets that the account quotes
 * valueOf    USDT for one coin; 0: unknown
 */
export function scales(
  made: readonly Grid[],
  totalOf: (asset: string) => number,
  valueOf: (asset: string) => number,
): ReadonlyMap<string, number> {
  const wanted = new Map<string, number>()
  for (const grid of made) {
    const usdt = fullUsdt(grid.symbol)
    for (const asset of [grid.base, grid.quote]) wanted.set(asset, (wanted.get(asset) ?? 0) + usdt)
  }
  return new Map([...wanted].map(([asset, usdt]) => [asset, Math.min(1, (usableShare * totalOf(asset) * valueOf(asset)) / usdt)]))
}

/** USDT held by all levels of one side of a market at full size. */
function fullUsdt(symbol: string): number {
  let usdt = 0
  for (let level = 0; level < levels; level += 1) usdt += termsOf(symbol).sizeUsdt * sizeAt(level)
  return usdt
}

/** From −1 (the taker has all of it) to 1 (the maker has all): the direction in which trades should lean so that both can continue. */
export function leanOf(makerTotal: number, takerTotal: number): number {
  return makerTotal + takerTotal > 0 ? (makerTotal - takerTotal) / (makerTotal + takerTotal) : 0
}
