import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compose, compositionFault, correctionMs, correctionParts, medianOf, shiftShare } from './composition.ts'
import type { Composition, CompositionTick, VenueQuote } from './composition.ts'
import type { TapeTick } from './tape.ts'

const middle = 6_000_000_000_000
const far = fc.integer({ min: -middle / 100, max: middle / 100 })
/** Distances of six venues from the middle; `speaking` is the mask of the venues that send a price. */
const venues = fc.array(far, { minLength: 6, maxLength: 6 })
const speaking = fc.integer({ min: 1, max: 63 })

function quotesOf(distances: readonly number[], mask: number): VenueQuote[] {
  return distances.flatMap((distance, venue) => ((mask >> venue) & 1 ? [{ venue, price: middle + distance }] : []))
}

/** The composition after ticks 250 ms apart, each with its quotes. */
function run(ticks: readonly (readonly VenueQuote[])[], from?: Composition): CompositionTick {
  let last: Composition | undefined = from
  let tick: CompositionTick | undefined
  for (const quotes of ticks) {
    tick = compose(last, (last?.at ?? 0) + 250, quotes)
    last = tick
  }
  return tick!
}

/** Quotes close to each other, so that the shift stays within its bound. */
const near = fc.array(fc.integer({ min: -100_000_000, max: 100_000_000 }), { minLength: 6, maxLength: 6 })

test('INDEX-COMPOSE-001: the first index is the median of the quotes; later ones are the median of the corrected quotes less the shift', () => {
  fc.assert(
    fc.property(venues, speaking, venues, speaking, (first, mask, second, then) => {
      const last = run([quotesOf(first, mask)])
      assert.equal(last.price, medianOf(quotesOf(first, mask).map(({ price }) => price)))
      const next = compose(last, last.at + 250, quotesOf(second, then))
      const corrected = next.quotes.map(({ price, correction }) => price - Math.floor(correction / correctionParts))
      assert.equal(next.price, medianOf(corrected) - Math.floor(next.shift / correctionParts))
    }),
  )
})

test('INDEX-COMPOSE-002: while no quote moves, venues that leave or return do not move the index', () => {
  fc.assert(
    fc.property(
      venues,
      near,
      fc.array(near, { maxLength: 20 }),
      fc.array(speaking, { minLength: 1, maxLength: 12 }),
      (apart, end, path, masks) => {
        // Lasting differences between venues are large; at each moment a small one is added.
        const at = (moment: readonly number[]): number[] => apart.map((distance, n) => distance + moment[n]!)
        const begin = run([apart, ...path.map(at), at(end)].map((distances) => quotesOf(distances, 63)))
        let known = begin
        for (const mask of masks) {
          // All ticks have the same time, so that no correction changes; one venue always stays.
          known = compose(known, begin.at, quotesOf(at(end), mask | 4))
          assert.equal(known.price, begin.price)
        }
      },
    ),
  )
})

test('INDEX-COMPOSE-003: the index follows the venues that stay, whichever others leave or return in the same tick', () => {
  fc.assert(
    fc.property(near, fc.integer({ min: -middle / 200, max: middle / 200 }), speaking, speaking, (begin, move, mask, then) => {
      const last = run([quotesOf(begin, 63), quotesOf(begin, mask | 1)])
      const moved = begin.map((distance) => distance + move)
      assert.equal(compose(last, last.at, quotesOf(moved, then | 1)).price, compose(last, last.at, quotesOf(begin, mask | 1)).price + move)
    }),
  )
})

test('INDEX-COMPOSE-004: a correction reaches 63 % of a lasting difference in half an hour, and 95 % in one and a half', () => {
  const quotes = [0, 10_000, 25_000].map((distance, venue) => ({ venue, price: middle + distance }))
  const flat: Composition = { at: 0, quotes: quotes.map((quote) => ({ ...quote, correction: 0 })), shift: 0, away: [] }
  const share = (ms: number): number => {
    const tick = run(
      Array.from({ length: ms / 250 }, () => quotes),
      flat,
    )
    return tick.quotes[2]!.correction / correctionParts / 15_000
  }
  assert.ok(Math.abs(share(correctionMs) - 0.632) < 0.001)
  assert.ok(Math.abs(share(3 * correctionMs) - 0.95) < 0.001)
})

test('INDEX-COMPOSE-005: an outage changes corrections no more than ten seconds do', () => {
  const quotes = [0, 10_000, 25_000].map((distance, venue) => ({ venue, price: middle + distance }))
  const flat: Composition = { at: 0, quotes: quotes.map((quote) => ({ ...quote, correction: 0 })), shift: 0, away: [] }
  assert.deepEqual(compose(flat, 3_600_000, quotes).quotes, compose(flat, 10_000, quotes).quotes)
})

test('INDEX-COMPOSE-006: one dishonest venue of four moves the index at most one part in 4,000 beyond the honest quotes', () => {
  const random = seeded(3)
  const basis = [0, 0, 0]
  let last: CompositionTick | undefined
  let farthest = 0
  for (let n = 0; n < 20_000; n++) {
    const honest = basis.map((_, venue) => {
      basis[venue] = basis[venue]! * 0.998 + (random() - 0.5) * 100_000_000
      return { venue, price: middle + Math.round(basis[venue]!) }
    })
    // The venue returns with an honest price, then quotes a higher one, leaves, and returns: pushing in one direction is the worst lie.
    const isThere = n % 8 < 4
    const lie = { venue: 3, price: n % 8 === 0 ? middle : middle + Math.floor(middle / 60) }
    last = compose(last, n * 250, isThere ? [...honest, lie] : honest)
    const highest = Math.max(
      ...last.quotes.filter(({ venue }) => venue < 3).map(({ price, correction }) => price - correction / correctionParts),
    )
    farthest = Math.max(farthest, last.price - highest)
  }
  assert.ok(farthest <= (middle / shiftShare) * 1.001, `${farthest} units above the highest honest quote`)
})

/** A tape of one market; each entry has the venues' distances and the mask of those that send a price. */
function tapeOf(list: readonly { readonly distances: readonly number[]; readonly mask: number }[]): TapeTick[] {
  let last: Composition | undefined
  return list.map(({ distances, mask }, n) => {
    const at = 1_000 + n * 250
    const tick = compose(last, at, quotesOf(distances, mask))
    const { price, quotes, shift } = tick
    const isGood = quotes.length >= 3
    if (isGood) last = tick
    return { tick: n + 1, at, format: 2, prices: [{ market: 1, price, sources: quotes.length, isGood, quotes, shift }] }
  })
}

test('TAPE-CORRECTION-001: prices and corrections follow from the tape alone; a made-up one is found', () => {
  const piece = fc.array(fc.record({ distances: venues, mask: speaking }), { minLength: 2, maxLength: 20 })
  fc.assert(
    fc.property(piece, fc.nat(), fc.integer({ min: 1, max: 2 ** 30 }), (list, which, more) => {
      const tape = tapeOf(list)
      assert.equal(compositionFault(tape, true), undefined)
      for (let n = 1; n < tape.length; n++) assert.equal(compositionFault(tape.slice(n)), undefined)
      const at = which % tape.length
      const [price] = tape[at]!.prices
      const altered = (change: object): number | undefined =>
        compositionFault(
          tape.map((tick, n) => (n === at ? { ...tick, prices: [{ ...price!, ...change }] } : tick)),
          true,
        )
      assert.equal(altered({ price: price!.price + 1 }), at + 1)
      const shifted = price!.quotes.map((quote) => ({ ...quote, correction: quote.correction! + more * correctionParts }))
      assert.equal(altered({ price: price!.price - more, quotes: shifted }), at + 1)
      assert.equal(altered({ price: price!.price - more, shift: price!.shift! + more * correctionParts }), at + 1)
    }),
    { numRuns: 60 },
  )
})

test('TAPE-CORRECTION-002: on a tape of format 1 the price is the plain median, and corrections start anew after it', () => {
  const quotes = [5, 0, 9].map((distance, venue) => ({ venue, price: middle + distance }))
  const old = { tick: 1, at: 1_000, prices: [{ market: 1, price: middle + 5, sources: 3, isGood: true, quotes }] }
  const { price, quotes: corrected, shift } = compose(undefined, 1_250, quotes)
  const now = { tick: 2, at: 1_250, format: 2 as const, prices: [{ market: 1, price, sources: 3, isGood: true, quotes: corrected, shift }] }
  assert.equal(compositionFault([old, now], true), undefined)
  assert.equal(compositionFault([{ ...old, prices: [{ ...old.prices[0]!, price: middle + 6 }] }]), 1)
})

/** A seeded number source. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
