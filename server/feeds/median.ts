import { middle } from './price.ts'

export type Source = { readonly venue: string; readonly price: number; readonly ageMs: number }

export type IndexValue = {
  /** Price at 1e-8 of the quote. */
  readonly price: number
  /** Number of venues that agreed on it. */
  readonly sources: number
  /** True when at least three venues agreed: settlement by the index may continue. */
  readonly isGood: boolean
  /** The prices whose median is `price`. */
  readonly quotes: readonly Quote[]
}

export type Quote = { readonly venue: string; readonly price: number }

/** A price older than this is not used. */
export const staleMs = 3_000
/** Outliers: prices further from the median than one fiftieth of it, 2 %. */
const outlierShare = 50
export const sourcesMin = 3

/**
 * Index price of a market: the median of all fresh prices is computed, prices more than 2 % away from it are dropped, and the
 * median of the rest is the index. For an even number, the mean of the middle two, rounded down. Undefined: no fresh price.
 */
export function indexOf(sources: readonly Source[]): IndexValue | undefined {
  const fresh = sources.filter((source) => source.ageMs <= staleMs)
  if (fresh.length === 0) return undefined
  const centre = median(fresh.map(({ price }) => price))
  const near = fresh.filter(({ price }) => Math.abs(price - centre) * outlierShare <= centre)
  // When two venues contradict each other, both are far from their mean, and neither is trusted.
  if (near.length === 0) return undefined
  const quotes = near.map(({ venue, price }) => ({ venue, price }))
  return { price: median(near.map(({ price }) => price)), sources: near.length, isGood: near.length >= sourcesMin, quotes }
}

/** Median of at least one price. */
export function median(prices: readonly number[]): number {
  const sorted = [...prices].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half] : middle(sorted[half - 1], sorted[half])
}
