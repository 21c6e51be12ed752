/** The coins of a red-team run: three with a spot and a futures market each, and one that never had an index price. */
export type Coin = {
  readonly symbol: string
  readonly asset: number
  readonly scale: number
  readonly spot: number
  readonly perp: number
  readonly tick: string
  readonly lot: string
  /** Quote units of one lot at one tick. */
  readonly q: number
  /** Index units of one tick. */
  readonly indexPerTick: number
  /** Base units of one lot. */
  readonly basePerLot: number
  /** Price at the start, in USDT. */
  readonly start: number
  /** Size of its moves relative to those of BTC. */
  readonly swing: number
}

export const BTC: Coin = {
  symbol: 'BTC',
  asset: 2,
  scale: 8,
  spot: 1,
  perp: 4,
  tick: '0.1',
  lot: '0.00001',
  q: 1,
  indexPerTick: 1e7,
  basePerLot: 1000,
  start: 60_000,
  swing: 1,
}
export const ETH: Coin = {
  ...{ symbol: 'ETH', asset: 3, scale: 8, spot: 2, perp: 5, tick: '0.01', lot: '0.0001', q: 1 },
  ...{ indexPerTick: 1e6, basePerLot: 10_000, start: 3000, swing: 1.4 },
}
export const DOGE: Coin = {
  ...{ symbol: 'DOGE', asset: 4, scale: 4, spot: 3, perp: 6, tick: '0.00001', lot: '1', q: 10 },
  ...{ indexPerTick: 1000, basePerLot: 10_000, start: 0.2, swing: 2.5 },
}
export const coins: readonly Coin[] = [BTC, ETH, DOGE]
export const USDT = 1
/** A coin with a spot market that no venue quotes. */
export const unquoted = { asset: 5, scale: 6, spot: 7 } as const

/** The price in USDT in whole ticks, rounded to the nearest. */
export function ticks(coin: Coin, price: number): number {
  return Math.max(1, Math.round((price * 1e8) / coin.indexPerTick))
}

/** Whole lots, rounded down, that this many USDT buy at a price. */
export function lotsFor(coin: Coin, usdt: number, price: number): number {
  return Math.max(1, Math.floor((usdt * 1e6) / (ticks(coin, price) * coin.q)))
}

/** Quantity of coins in this many lots. */
export function coinsOf(coin: Coin, lots: number): number {
  return (lots * coin.basePerLot) / 10 ** coin.scale
}
