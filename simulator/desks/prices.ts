import type { Random } from '../random.ts'
import type { Loose } from '../scripts.ts'
import { spotMarkets } from './plans.ts'
import type { DeskMarket } from './plans.ts'

/** Depth of the books. */
export const depths = ['deep', 'thin', 'bids', 'asks', 'empty'] as const
export type Depth = (typeof depths)[number]

type Phase = {
  readonly kind: keyof typeof kinds
  /** Remaining steps. */
  left: number
  /** Factor on the price per tick, before noise. */
  readonly drift: number
  readonly noise: number
  /** Average milliseconds between two steps. */
  readonly paceMs: number
  /** Probability that a tick is missing. */
  readonly silence: number
  /** Probability that a tick's sources are bad. */
  readonly badness: number
  readonly depth: Depth
}

/** Kinds of price phases and their weights. */
const kinds = { calm: 30, swing: 14, crash: 12, surge: 10, flat: 8, silent: 8, bad: 8, hours: 8 }

/**
 * The price script of a run: quiet phases, falls by up to 60 % and rises by up to 150 % within seconds, constant prices, silence for
 * seconds or minutes, failing sources, and passing hours.
 */
export class Prices {
  readonly #random: Random
  /** Price of each spot market in ticks, with fractions. The third follows from the others. */
  readonly #mids: number[] = spotMarkets.map(({ mid }) => mid)
  readonly #told = [0, 0, 0]
  #phase: Phase

  constructor(random: Random) {
    this.#random = random
    this.#phase = this.#phaseOf('calm')
  }

  get depth(): Depth {
    return this.#phase.depth
  }

  /** Largest interval between index ticks while sources are active: Second needs an index without gaps. */
  get tickEveryMs(): number {
    return this.#phase.silence > 0.5 || this.#phase.kind === 'hours' ? Number.POSITIVE_INFINITY : 1200
  }

  /** Price of a spot market, or of the futures market on it, in whole ticks. */
  mid(market: number): number {
    const at = market > 3 ? market - 4 : market - 1
    return Math.max(2, Math.round(this.#mids[at] as number))
  }

  /** Counts the phase down. Returns the milliseconds until the next step, and whether a new phase began. */
  pass(): { readonly pauseMs: number; readonly isNew: boolean } {
    const random = this.#random
    const phase = this.#phase
    const isNew = --phase.left <= 0
    if (isNew) this.#phase = this.#phaseOf(this.#nextKind())
    const pauseMs = random.chance(0.3) ? 0 : random.between(0, 2 * this.#phase.paceMs)
    if (this.#phase.kind === 'hours' && random.chance(0.25)) return { pauseMs: random.between(600_000, 5 * 3_600_000), isNew }
    if (this.#phase.kind === 'silent' && random.chance(0.1)) return { pauseMs: random.between(2000, 240_000), isNew }
    return { pauseMs, isNew }
  }

  /** The next index tick; undefined if the sources are silent. */
  tick(): Loose | undefined {
    const random = this.#random
    const phase = this.#phase
    if (random.chance(phase.silence)) return undefined
    if (phase.kind !== 'flat') for (const at of [0, 1]) this.#move(at, phase)
    this.#mids[2] = Math.max(2, ((this.#mids[1] as number) * 0.1 * 100_000) / (this.#mids[0] as number))
    const isBad = random.chance(phase.badness)
    const prices = spotMarkets.flatMap(({ market, indexPerTick }, i) => {
      const price = Math.max(indexPerTick, Math.round((this.#mids[i] as number) * indexPerTick))
      if (price === this.#told[i] && !isBad && random.chance(0.8)) return []
      this.#told[i] = price
      if (isBad) return [{ market, price, sources: random.pick([0, 1, 2, 3]), isGood: false }]
      if (random.chance(0.7)) return [{ market, price, sources: random.between(3, 5), isGood: true }]
      const quotes = [price - random.between(0, 9), price, price + random.between(0, 9)]
      return [{ market, price, sources: 3, isGood: true, quotes: quotes.map((quote, venue) => ({ venue, price: quote })) }]
    })
    return { type: 'index.tick', prices }
  }

  /** Multiplies the price of one spot market by `factor` at once. Returns the index tick for it. */
  jump(market: number, factor: number): Loose {
    const { indexPerTick } = spotMarkets[market - 1] as DeskMarket
    const mid = (this.#mids[market - 1] as number) * factor
    this.#mids[market - 1] = mid
    return {
      type: 'index.tick',
      prices: [{ market, price: Math.max(indexPerTick, Math.round(mid * indexPerTick)), sources: 4, isGood: true }],
    }
  }

  #move(at: number, phase: Phase): void {
    const random = this.#random
    const start = (spotMarkets[at] as { mid: number }).mid
    const part = phase.drift * (1 - phase.noise + 2 * phase.noise * random.unit())
    this.#mids[at] = Math.min(start * 8, Math.max(start / 25, (this.#mids[at] as number) * part))
  }

  #nextKind(): keyof typeof kinds {
    const height = (this.#mids[0] as number) / (spotMarkets[0] as { mid: number }).mid
    // A low price rises more often, and a high one falls more often.
    const crash = height < 0.4 ? 2 : height > 2 ? 25 : kinds.crash
    const surge = height < 0.4 ? 25 : height > 2 ? 2 : kinds.surge
    return this.#random.weighted({ ...kinds, crash, surge })
  }

  #phaseOf(kind: keyof typeof kinds): Phase {
    const random = this.#random
    const depth = random.weighted({ deep: 6, thin: 3, bids: 1, asks: 1, empty: 2 })
    const calm = {
      kind,
      left: random.between(50, 160),
      drift: 1,
      noise: 0.0008,
      paceMs: random.pick([100, 250, 600]),
      silence: 0,
      badness: 0.01,
    }
    switch (kind) {
      case 'calm':
        return { ...calm, depth: random.chance(0.7) ? 'deep' : depth }
      case 'swing':
        return { ...calm, noise: random.pick([0.01, 0.03, 0.08]), depth }
      case 'crash':
      case 'surge': {
        // The whole move takes this many ticks: a few seconds, or a single tick.
        const ticks = random.pick([1, 4, 8, 16])
        const whole = kind === 'crash' ? 1 - 0.6 * (0.3 + 0.7 * random.unit()) : 1 + 1.5 * (0.2 + 0.8 * random.unit())
        return { ...calm, left: 6 + ticks * 5, drift: whole ** (1 / ticks), noise: 0.004, paceMs: 80, silence: 0.05, depth }
      }
      case 'flat':
        return { ...calm, noise: 0, depth }
      case 'silent':
        return { ...calm, left: random.between(10, 50), silence: 0.8, depth }
      case 'bad':
        return { ...calm, left: random.between(20, 70), noise: 0.02, badness: 0.6, depth }
      case 'hours':
        return { ...calm, left: random.between(10, 40), noise: 0.01, depth }
    }
  }
}
