/**
 * Computes the index of a market from its venues' quotes, so that a venue leaving or returning does not move it.
 *
 * A venue that is always 5 USDT higher than the others would move a plain median whenever it falls silent, and an observer who
 * sees it come back would know the next move. So each quote is corrected by the venue's mean distance from the median, and a shift,
 * which fades, absorbs the move that a change of venues would still cause. The core, the browser and the simulator's oracle follow
 * the same rule, and all its inputs and results are on the tape.
 */
import type { IndexPrice } from '../money/brand.ts'
import { mulDivFloor } from '../money/mul-div.ts'
import type { TapeTick } from './tape.ts'

/** A venue's quote, in 1e-8 of the quote asset. */
export type VenueQuote = { readonly venue: number; readonly price: number }

/** `correction`: how far the venue lies above the median on average, in 1/1024 of 1e-8 of the quote. */
export type CorrectedQuote = VenueQuote & { readonly correction: number }

/**
 * State that a good tick passes on to the next one.
 *
 * quotes   ascending by venue
 * shift    how far the index lies below the median of the corrected quotes, in the unit of corrections
 * away     the last corrections of venues that are not among the quotes, ascending by venue
 */
export type Composition = {
  readonly at: number
  readonly quotes: readonly CorrectedQuote[]
  readonly shift: number
  readonly away: readonly { readonly venue: number; readonly correction: number }[]
}

/** `price`: the index, in 1e-8 of the quote. */
export type CompositionTick = Composition & { readonly price: IndexPrice }

/** Parts of one unit (1e-8 of the quote) in which corrections are kept. */
export const correctionParts = 1024
/** Time constant of corrections and shift: in half an hour they lose 63 % of their error. */
export const correctionMs = 1_800_000
/** A gap counts at most this much, so that an outage does not change the corrections. */
const learnMaxMs = 10_000
/** A correction is at most this share of the median: one in 25. */
const correctionShare = 25
/** The shift is at most this share of the median, one in 4,000, so that nobody can push the index by making a venue come and go. */
export const shiftShare = 4_000
/** Correction and shift together, either way, are less than this share of the median: one in 20. */
export const distanceShare = 20

/**
 * Index price, corrections and shift at a tick.
 *
 *   1. Time: correction += (quote − median − correction) × ms ÷ 30 min of the tick before; shift −= shift × ms ÷ 30 min.
 *      Both rounded toward zero.
 *   2. A new venue starts level with the others: its correction is quote − median of the others' corrected quotes.
 *   3. The shift grows by as much as leaving venues would move the index before the tick, and joining venues after it. It
 *      is bounded.
 *   4. Index = median of quote − correction, less the shift.
 *
 * So the index follows the venues that stay. The median of an even number is the mean of the middle two, rounded down;
 * corrections and shift count in whole units, rounded down.
 *
 * before  the state after the last good tick; undefined: none
 * now     one quote of each venue, ascending by venue; at least one
 */
export function compose(before: Composition | undefined, at: number, now: readonly VenueQuote[]): CompositionTick {
  const centre = medianOf(now.map(({ price }) => price))
  const ms = Math.min(learnMaxMs, Math.max(0, at - (before?.at ?? at)))
  const old = learn(before?.quotes ?? [], ms)
  const known = new Map([...old, ...(before?.away ?? [])].map(({ venue, correction }) => [venue, correction]))
  const heard = now.flatMap((quote) => (known.has(quote.venue) ? [{ ...quote, correction: known.get(quote.venue)! }] : []))
  const level = heard.length === 0 ? centre : levelOf(heard)
  const quotes = now.map(({ venue, price }) => {
    const correction = known.get(venue) ?? (price - level) * correctionParts
    return { venue, price, correction: bounded(correction, Math.floor(centre / correctionShare)) }
  })
  const shift = bounded(faded(before?.shift ?? 0, ms) + changeOf(old, quotes) * correctionParts, Math.floor(centre / shiftShare))
  const away = [...known]
    .filter(([venue]) => !isIn(now, venue))
    .map(([venue, correction]) => ({ venue, correction }))
    .sort((a, b) => a.venue - b.venue)
  return { at, quotes, shift, away, price: (levelOf(quotes) - Math.floor(shift / correctionParts)) as IndexPrice }
}

/**
 * By how many units leaving and joining venues move the median of the corrected quotes: leaving with the old quotes, joining with
 * the new ones.
 */
function changeOf(old: readonly CorrectedQuote[], now: readonly CorrectedQuote[]): number {
  const stayed = old.filter(({ venue }) => isIn(now, venue))
  if (stayed.length === 0) return 0
  const staying = now.filter(({ venue }) => isIn(old, venue))
  // Nobody left or joined, as in most ticks.
  if (stayed.length === old.length && staying.length === now.length) return 0
  return levelOf(stayed) - levelOf(old) + levelOf(now) - levelOf(staying)
}

/** Each correction moves towards its quote's distance from the median. */
function learn(quotes: readonly CorrectedQuote[], ms: number): readonly CorrectedQuote[] {
  if (quotes.length === 0) return quotes
  const centre = medianOf(quotes.map(({ price }) => price))
  return quotes.map(({ venue, price, correction }) => {
    const off = (price - centre) * correctionParts - correction
    return { venue, price, correction: correction + partOf(off, ms) }
  })
}

function faded(shift: number, ms: number): number {
  return shift - partOf(shift, ms)
}

/** off × ms ÷ `correctionMs`, rounded toward zero. */
function partOf(off: number, ms: number): number {
  const part = mulDivFloor(Math.abs(off), ms, correctionMs)
  return off < 0 ? -part : part
}

/** Median of the corrected quotes, in units. */
function levelOf(quotes: readonly CorrectedQuote[]): number {
  return medianOf(quotes.map(({ price, correction }) => price - Math.floor(correction / correctionParts)))
}

/** Limits `parts` to `most` units in either direction. */
function bounded(parts: number, most: number): number {
  return Math.max(-most * correctionParts, Math.min(most * correctionParts, parts))
}

function isIn(quotes: readonly VenueQuote[], venue: number): boolean {
  return quotes.some((quote) => quote.venue === venue)
}

/** Ascending. For a handful of prices, inserting each takes a third of the time of `sort`. */
function sortedFew(prices: readonly number[]): readonly number[] {
  const sorted = [...prices]
  for (let n = 1; n < sorted.length; n++) {
    const price = sorted[n]!
    let at = n
    for (; at > 0 && sorted[at - 1]! > price; at--) sorted[at] = sorted[at - 1]!
    sorted[at] = price
  }
  return sorted
}

/** Median of at least one price; of an even number the mean of the middle two, rounded down. */
export function medianOf(prices: readonly number[]): number {
  const sorted = sortedFew(prices)
  const [low, high] = [sorted[(sorted.length - 1) >>> 1]!, sorted[sorted.length >>> 1]!]
  return low + Math.floor((high - low) / 2)
}

/**
 * Checks the prices of a piece of the tape: each is the median of its corrected quotes less the shift, and corrections
 * and shift follow from the market's last good tick where the piece has one. A venue that joins and was not seen in the
 * piece may bring any correction. Ticks of format 1 have no corrections: there the price is the plain median. Returns
 * the number of the first tick that is wrong, undefined when all are right.
 *
 * isWhole  the piece begins where the tape does, so that nothing comes before it
 */
export function compositionFault(ticks: readonly TapeTick[], isWhole = false): number | undefined {
  const known = new Map<number, Composition | undefined>()
  for (const { tick, at, format = 1, prices } of ticks) {
    for (const { market, price, isGood, quotes, shift = 0 } of prices) {
      const said = quotes.map((quote) => ({ ...quote, correction: quote.correction ?? 0 }))
      if (quotes.length > 0 && levelOf(said) - Math.floor(shift / correctionParts) !== price) return tick
      if (format === 1 || quotes.length === 0) {
        if (isGood) known.set(market, undefined)
        continue
      }
      let now: Composition = { at, quotes: said, shift, away: [] }
      if (known.has(market) || isWhole) {
        const before = known.get(market)
        const right = compose(isWhole ? before : withStrangers(before, said), at, quotes)
        if (right.shift !== shift || right.quotes.some(({ correction }, i) => correction !== said[i]!.correction)) return tick
        now = right
      }
      if (isGood) known.set(market, now)
    }
  }
  return undefined
}

/** The piece of the tape does not contain the venues' earlier state, so their corrections are taken as they come. */
function withStrangers(before: Composition | undefined, now: readonly CorrectedQuote[]): Composition | undefined {
  if (before === undefined) return undefined
  const strangers = now.filter(({ venue }) => !isIn(before.quotes, venue) && before.away.every((one) => one.venue !== venue))
  return { ...before, away: [...before.away, ...strangers] }
}
