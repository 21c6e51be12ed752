/** The composition of an index whose venues come and go, as described in `docs/spec/option.md`, in exact fractions. */
import type { IndexPrice } from '@candor/core/money/brand.ts'

export type Quote = { readonly venue: number; readonly price: IndexPrice }
export type Corrected = Quote & { readonly correction: number }

const parts = 1024n
const constantMs = 1_800_000n

type Last = { readonly at: number; readonly quotes: readonly Corrected[]; readonly shift: bigint }
type Composed = { readonly price: IndexPrice; readonly quotes: readonly Corrected[]; readonly shift?: number }

/** Composes the index prices of all markets, tick by tick. */
export class OracleComposition {
  readonly #last = new Map<number, Last>()
  /** Corrections by market and venue, as long as prices come with quotes. */
  readonly #corrections = new Map<number, Map<number, bigint>>()

  /** Index price, corrections and shift of a market at a tick. Without quotes, the price of the tick is used. */
  compose(
    market: number,
    at: number,
    said: { readonly price: IndexPrice; readonly isGood: boolean; readonly quotes?: readonly Quote[] },
  ): Composed {
    const now = said.quotes ?? []
    if (now.length === 0) {
      if (said.isGood) {
        this.#last.delete(market)
        this.#corrections.delete(market)
      }
      return { price: said.price, quotes: [] }
    }
    const known = new Map(this.#corrections.get(market))
    const last = this.#last.get(market)
    const { quotes, shift } = follow(last, known, at, now)
    if (said.isGood) {
      for (const { venue, correction } of quotes) known.set(venue, BigInt(correction))
      this.#corrections.set(market, known)
      this.#last.set(market, { at, quotes, shift })
    }
    return { price: Number(median(quotes.map(net)) - floor(shift, parts)) as IndexPrice, quotes, shift: Number(shift) }
  }
}

/** Updates `known` for the venues of the last tick. */
function follow(last: Last | undefined, known: Map<number, bigint>, at: number, now: readonly Quote[]): Omit<Last, 'at'> {
  const ms = BigInt(Math.min(10_000, Math.max(0, at - (last?.at ?? at))))
  const old = last?.quotes ?? []
  const oldMiddle = old.length === 0 ? 0n : median(old.map(({ price }) => BigInt(price)))
  const aged = old.map((quote) => {
    const off = (BigInt(quote.price) - oldMiddle) * parts - BigInt(quote.correction)
    // Division of bigints rounds toward zero.
    const correction = BigInt(quote.correction) + (off * ms) / constantMs
    known.set(quote.venue, correction)
    return { ...quote, correction: Number(correction) }
  })
  const middle = median(now.map(({ price }) => BigInt(price)))
  const heard = now
    .filter(({ venue }) => known.has(venue))
    .map(({ venue, price }) => BigInt(price) - floor(known.get(venue) as bigint, parts))
  const level = heard.length === 0 ? middle : median(heard)
  const quotes = now.map((quote) => {
    const correction = known.get(quote.venue) ?? (BigInt(quote.price) - level) * parts
    return { ...quote, correction: Number(within(correction, (middle / 25n) * parts)) }
  })
  const fresh = (last?.shift ?? 0n) - ((last?.shift ?? 0n) * ms) / constantMs
  return { quotes, shift: within(fresh + moved(aged, quotes) * parts, (middle / 4_000n) * parts) }
}

/** The jump of the median caused by venues that left (by their old quotes) and came (by their new quotes). */
function moved(old: readonly Corrected[], now: readonly Corrected[]): bigint {
  const stayed = old.filter(({ venue }) => now.some((quote) => quote.venue === venue))
  const staying = now.filter(({ venue }) => old.some((quote) => quote.venue === venue))
  if (stayed.length === 0) return 0n
  return median(stayed.map(net)) - median(old.map(net)) + median(now.map(net)) - median(staying.map(net))
}

function within(value: bigint, most: bigint): bigint {
  return value > most ? most : value < -most ? -most : value
}

/** The quote less its correction, which is rounded down to a whole unit. */
function net({ price, correction }: Corrected): bigint {
  return BigInt(price) - floor(BigInt(correction), parts)
}

/** The median; for an even number of prices, the mean of the middle two, rounded down. */
function median(prices: readonly bigint[]): bigint {
  const sorted = [...prices].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return floor((sorted[(sorted.length - 1) >> 1] as bigint) + (sorted[sorted.length >> 1] as bigint), 2n)
}

function floor(a: bigint, b: bigint): bigint {
  return a / b - (a % b < 0n ? 1n : 0n)
}
