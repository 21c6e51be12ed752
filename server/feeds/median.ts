import { middle } from './price.ts'

export type Source = { readonly venue: string; readonly price: number; readonly ageMs: number }

export type IndexValue = {
  /** At 1e-8 of the quote. */
  readonly price: number
  /** Venues that agreed on it. */
  readonly sources: number
  /** At least three did: what settles by the index may go on. */
  readonly isGood: boolean
  /** Their prices, whose median `price` is. */
  readonly quotes: readonly Quote[]
}

export type Quote = { readonly venue: string; readonly price: number }

/** A price older than this is not used. */
export const staleMs = 3_000
/** 2 %, as the share of the median that a price may lie away from it: one fiftieth. */
const outlierShare = 50
export const sourcesMin = 3

/**
 * Index price of a market: the median of all fresh prices; those more than 2 % away from it are dropped; the median
 * of the rest. Of an even number, the mean of the middle two, rounded down. Undefined: no fresh price at all.
 */
export function indexOf(sources: readonly Source[]): IndexValue | undefined {
  const fresh = sources.filter((source) => source.ageMs <= staleMs)
  if (fresh.length === 0) return undefined
  const centre = median(fresh.map(({ price }) => price))
  const near = fresh.filter(({ price }) => Math.abs(price - centre) * outlierShare <= centre)
  // Two venues that contradict each other lie both away from their mean: neither is to be believed.
  if (near.length === 0) return undefined
  const quotes = near.map(({ venue, price }) => ({ venue, price }))
  return { price: median(near.map(({ price }) => price)), sources: near.length, isGood: near.length >= sourcesMin, quotes }
}

/** Of at least one price. */
export function median(prices: readonly number[]): number {
  const sorted = [...prices].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half] : middle(sorted[half - 1], sorted[half])
}
