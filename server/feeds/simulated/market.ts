import type { Pair } from '../board.ts'
import { priceScale } from '../price.ts'
import { coinOf, type Coin } from './coins.ts'
import { Random } from './random.ts'
import { homewardSeconds, Returns, reverting } from './returns.ts'

export const simulatedVenues = ['simulated-1', 'simulated-2', 'simulated-3', 'simulated-4'] as const

/** Coins that are always worth one dollar. */
const dollars = ['USDT', 'USD']

export type SimulatedQuote = { readonly venue: string; readonly pair: Pair; readonly price: number }

type VenueState = {
  readonly name: string
  readonly basis: Map<string, number>
  silentSteps: number
  oddSteps: number
  odd: number
  oddPair: string
}

export type SimulatedOptions = {
  readonly seed: string
  readonly markets: readonly Pair[]
  /** Known USDT values of coins to start from. */
  readonly startAt?: ReadonlyMap<string, number>
  /** Length of a step. */
  readonly stepMs?: number
}

/**
 * A fictional market, the same for the same seed: coins move together and apart, and four venues each see them slightly
 * differently, are silent now and then, and are sometimes wrong.
 */
export class SimulatedMarket {
  readonly #random: Random
  readonly #coins: readonly Coin[]
  readonly #returns: Returns
  readonly #markets: readonly Pair[]
  readonly #stepSeconds: number
  readonly #home: readonly number[]
  readonly #values: Map<string, number>
  readonly #pinned = new Map<string, number>()
  readonly #venues: readonly VenueState[]

  constructor(options: SimulatedOptions) {
    this.#random = new Random(options.seed)
    this.#markets = options.markets
    this.#stepSeconds = (options.stepMs ?? 250) / 1_000
    const symbols = [...new Set(options.markets.flatMap(({ base, quote }) => [base, quote]))]
      .filter((symbol) => !dollars.includes(symbol))
      .sort()
    this.#coins = symbols.map(coinOf)
    this.#values = new Map(this.#coins.map((coin) => [coin.symbol, options.startAt?.get(coin.symbol) ?? coin.price]))
    this.#home = this.#coins.map((coin) => this.value(coin.symbol))
    this.#returns = new Returns(this.#random, this.#coins)
    this.#venues = simulatedVenues.map((name) => ({ name, basis: new Map(), silentSteps: 0, oddSteps: 0, odd: 0, oddPair: '' }))
  }

  /** USDT value of one coin. */
  value(symbol: string): number {
    return this.#pinned.get(symbol) ?? this.#values.get(symbol) ?? 1
  }

  /** Sets a coin's value from outside: its own market is no longer quoted, and other markets with the coin follow. */
  pin(symbol: string, value: number): void {
    this.#pinned.set(symbol, value)
  }

  /** Advances by one step and returns the venues' quotes. */
  step(): readonly SimulatedQuote[] {
    const seconds = this.#stepSeconds
    const returns = this.#returns.step(seconds)
    for (const [index, coin] of this.#coins.entries()) {
      const value = this.#values.get(coin.symbol) ?? coin.price
      const homeward = (Math.log(this.#home[index] / value) * seconds) / homewardSeconds
      this.#values.set(coin.symbol, value * Math.exp(returns[index] + homeward))
    }
    const quotes: SimulatedQuote[] = []
    for (const venue of this.#venues) {
      this.#disturb(venue, seconds)
      for (const pair of this.#markets) {
        const price = this.#priceAt(venue, pair, seconds)
        if (venue.silentSteps > 0 || (pair.quote === 'USDT' && this.#pinned.has(pair.base))) continue
        quotes.push({ venue: venue.name, pair, price })
      }
    }
    return quotes
  }

  /**
   * Silence: about every 20 minutes, for 1 to 15 s. A wrong price for one pair: about every 30 minutes, for up to 3 s, off by 3
   * to 9 %.
   */
  #disturb(venue: VenueState, seconds: number): void {
    const random = this.#random
    if (venue.silentSteps > 0) venue.silentSteps -= 1
    else if (random.chance(seconds / 1_200)) venue.silentSteps = Math.ceil((1 + 14 * random.next()) / seconds)
    if (venue.oddSteps > 0) venue.oddSteps -= 1
    else if (random.chance(seconds / 1_800)) {
      const pair = this.#markets[Math.floor(random.next() * this.#markets.length)]
      venue.oddSteps = Math.ceil((3 * random.next()) / seconds)
      venue.odd = (random.chance(0.5) ? 1 : -1) * (0.03 + 0.06 * random.next())
      venue.oddPair = `${pair.base}/${pair.quote}`
    }
  }

  /** The fair price, plus a slow deviation of the venue (standard deviation 0.012 %), plus noise of 0.15 hundredths of a percent. */
  #priceAt(venue: VenueState, pair: Pair, seconds: number): number {
    const key = `${pair.base}/${pair.quote}`
    const basis = reverting(venue.basis.get(key) ?? 0, seconds, { meanSeconds: 120, spread: 0.000_12 }, this.#random.normal())
    venue.basis.set(key, basis)
    const odd = venue.oddSteps > 0 && venue.oddPair === key ? venue.odd : 0
    const fair = this.value(pair.base) / (pair.quote === 'USDT' ? 1 : this.value(pair.quote))
    return Math.max(1, Math.round(fair * (1 + basis + odd + 0.000_015 * this.#random.normal()) * priceScale))
  }
}
