/**
 * Decides an order of Second, using only the tape and the terms fixed when the order was opened. The core and the browser call the
 * same functions.
 */
import { mulDivCeil, mulDivFloor } from '../money/mul-div.ts'
import type { Direction } from '../protocol/command/option.ts'
import type { OptionResult, VoidReason } from '../protocol/event/option.ts'
import type { TapeTick } from './tape.ts'

/** One tick of the tape from the point of view of one market: its number, its time, and the price from then on. */
/** A tick with its prices, but without the quotes that they come from. */
export type TapeGlance = Pick<TapeTick, 'tick' | 'at'> & {
  readonly prices: readonly Pick<TapeTick['prices'][number], 'market' | 'price' | 'isGood'>[]
}

export type TapePoint = { readonly tick: number; readonly at: number; readonly price: number; readonly isGood: boolean }

/** Terms of an order that are fixed at opening. */
export type SecondTerms = {
  readonly direction: Direction
  readonly strikeFrom: number
  readonly expiresAt: number
  readonly windowMs: number
  readonly gapMaxMs: number
  readonly guardPpm: number
  /** Index at acceptance. */
  readonly reference: number
}

export type SecondStrike = { readonly point: TapePoint | undefined; readonly reason: VoidReason }
export type SecondSettlement = { readonly price: number; readonly reason: VoidReason }
export type SecondOutcome = {
  readonly result: OptionResult
  readonly reason: VoidReason
  readonly strike: TapePoint | undefined
  /** 0 when void. */
  readonly price: number
}

const million = 1_000_000

/** Length of the settlement window: a share of the duration, rounded down, and `windowMaxMs` at most. */
export function windowMsOf(seconds: number, windowPpm: number, windowMaxMs: number): number {
  return Math.min(windowMaxMs, mulDivFloor(seconds * 1000, windowPpm, million))
}

/**
 * The strike is the price at the first tick at `strikeFrom` or later. Void: that tick comes more than `gapMaxMs` later
 * (gap), the market is not good there (sources), or the price lies more than `guardPpm` away from the index at
 * acceptance (guard; 0: no limit). Undefined: no such tick yet.
 *
 * points  ascending
 */
export function strikeOf(points: readonly TapePoint[], terms: SecondTerms): SecondStrike | undefined {
  const point = points[firstAt(points, terms.strikeFrom)]
  if (point === undefined) return undefined
  if (point.at > terms.strikeFrom + terms.gapMaxMs) return { point: undefined, reason: 'gap' }
  if (!point.isGood) return { point: undefined, reason: 'sources' }
  const isOutside = terms.guardPpm > 0 && mulDivCeil(Math.abs(point.price - terms.reference), million, terms.reference) > terms.guardPpm
  return { point, reason: isOutside ? 'guard' : 'none' }
}

/**
 * The settlement price: the lower weighted median over [expiresAt − windowMs, expiresAt). A price weighs as many
 * milliseconds as it stands inside the window, from its tick to the next; the one that stands at the start counts from
 * there. The median is the smallest price that, together with all smaller ones, stands for at least half the window:
 *
 *   min { p : 2 × Σ time of prices ≤ p ≥ windowMs }
 *
 * Void: two neighbouring ticks, with at least part of the time between them inside the window, are more than `gapMaxMs` apart
 * (gap), or the market is not good at a time in the window (sources; both: gap). Undefined: no tick at `expiresAt` or later
 * yet. Throws when the points begin inside the window.
 */
export function settlementOf(points: readonly TapePoint[], terms: SecondTerms): SecondSettlement | undefined {
  const from = terms.expiresAt - terms.windowMs
  const end = firstAt(points, terms.expiresAt)
  if (end === points.length) return undefined
  const start = firstAt(points, from + 1) - 1
  if (start < 0) throw new Error(`the tape begins after ${from}`)
  const times: { readonly price: number; readonly ms: number }[] = []
  let isWhole = true
  let isGood = true
  for (let n = start; n < end; n++) {
    const point = points[n]!
    const next = points[n + 1]!
    const ms = Math.min(next.at, terms.expiresAt) - Math.max(point.at, from)
    if (ms <= 0) continue
    if (next.at - point.at > terms.gapMaxMs) isWhole = false
    if (!point.isGood) isGood = false
    times.push({ price: point.price, ms })
  }
  if (!isWhole) return { price: 0, reason: 'gap' }
  if (!isGood) return { price: 0, reason: 'sources' }
  return { price: lowerMedian(times, terms.windowMs), reason: 'none' }
}

/** Result of an order at a settlement price. A tie returns the stake. */
export function resultOf(direction: Direction, strike: number, price: number): OptionResult {
  if (price === strike) return 'tie'
  return price > strike === (direction === 'up') ? 'win' : 'lose'
}

/** The complete result of an order from its tape. Undefined while the tape does not reach far enough. */
export function outcomeOf(points: readonly TapePoint[], terms: SecondTerms): SecondOutcome | undefined {
  const strike = strikeOf(points, terms)
  if (strike === undefined) return undefined
  if (strike.reason !== 'none') return { result: 'void', reason: strike.reason, strike: strike.point, price: 0 }
  const settled = settlementOf(points, terms)
  if (settled === undefined) return undefined
  const { price, reason } = settled
  const point = strike.point!
  return { result: reason === 'none' ? resultOf(terms.direction, point.price, price) : 'void', reason, strike: point, price }
}

/**
 * The tape from the point of view of one market. Ticks before the first that names the market are left out, because this piece
 * does not contain its earlier price.
 */
export function pointsOf(ticks: readonly TapeGlance[], market: number): TapePoint[] {
  const points: TapePoint[] = []
  let price = 0
  let isGood = false
  for (const { tick, at, prices } of ticks) {
    const named = prices.findLast((one) => one.market === market)
    if (named !== undefined) ({ price, isGood } = named)
    if (price > 0) points.push({ tick, at, price, isGood })
  }
  return points
}

/** Index of the first point at a time or later; the length when there is none. */
function firstAt(points: readonly TapePoint[], at: number): number {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (points[middle]!.at < at) low = middle + 1
    else high = middle
  }
  return low
}

function lowerMedian(times: { readonly price: number; readonly ms: number }[], windowMs: number): number {
  times.sort((a, b) => a.price - b.price)
  let sum = 0
  for (const { price, ms } of times) {
    sum += ms
    if (2 * sum >= windowMs) return price
  }
  throw new Error('the prices do not fill the window')
}
