import type { Coin } from './coins.ts'
import type { Random } from './random.ts'

const yearSeconds = 365 * 86_400
/** Annual volatility of the factor that moves all coins, in ordinary times. */
const marketVolatility = 0.3

/** Pulls a price back towards its start over weeks, so that a long-running exchange stays realistic. */
export const homewardSeconds = 20 * 86_400

/** Market moods: volatility as a multiple of the ordinary one, and the average duration. */
const regimes = [
  { name: 'calm', multiple: 0.45, meanSeconds: 2_400, next: [1, 1, 1, 2] },
  { name: 'ordinary', multiple: 1, meanSeconds: 3_600, next: [0, 0, 2] },
  { name: 'wild', multiple: 2.3, meanSeconds: 700, next: [1, 1, 0] },
] as const

/**
 * Log returns of all coins, step by step:
 *
 *   r = β × (drift × dt + σ_market × √dt × z₀ + jump₀) + σ_coin × √dt × z₁ + jump₁
 *
 * σ follows the regime and, within it, a slow wave of its own. Drift wanders and returns, which makes trends of minutes to hours.
 * Jumps are rare and long-tailed, which makes gaps.
 */
export class Returns {
  readonly #random: Random
  readonly #coins: readonly Coin[]
  readonly #waves: number[]
  #regime = 1
  #wave = 0
  /** Annual drift of the whole market. */
  #drift = 0

  constructor(random: Random, coins: readonly Coin[]) {
    this.#random = random
    this.#coins = coins
    this.#waves = coins.map(() => 0)
  }

  /** One log return per coin, in the given order. */
  step(seconds: number): number[] {
    const random = this.#random
    const regime = regimes[this.#regime]
    if (random.chance(seconds / regime.meanSeconds)) this.#regime = regime.next[Math.floor(random.next() * regime.next.length)]
    this.#wave = reverting(this.#wave, seconds, { meanSeconds: 900, spread: 0.35 }, random.normal())
    this.#drift = reverting(this.#drift, seconds, { meanSeconds: 2_700, spread: 18 }, random.normal())

    const root = Math.sqrt(seconds / yearSeconds)
    const multiple = regimes[this.#regime].multiple
    const market =
      (this.#drift * seconds) / yearSeconds +
      marketVolatility * multiple * Math.exp(this.#wave) * root * random.normal() +
      (random.chance(seconds / 9_000) ? random.laplace(0.003) : 0)

    return this.#coins.map((coin, index) => {
      this.#waves[index] = reverting(this.#waves[index], seconds, { meanSeconds: 600, spread: 0.4 }, random.normal())
      const own = coin.volatility * Math.sqrt(multiple) * Math.exp(this.#waves[index]) * root * random.normal()
      const jump = random.chance(seconds / 14_000) ? random.laplace(0.006) : 0
      return coin.beta * market + own + jump
    })
  }
}

type Wander = { readonly meanSeconds: number; readonly spread: number }

/**
 * One step of a value that wanders with deviation `spread` and returns to 0 within about `meanSeconds` (Ornstein-Uhlenbeck, exact
 * step).
 */
export function reverting(value: number, seconds: number, { meanSeconds, spread }: Wander, normal: number): number {
  const keep = Math.exp(-seconds / meanSeconds)
  return value * keep + spread * Math.sqrt(1 - keep * keep) * normal
}
