import { coins } from './coins.ts'
import type { Coin } from './coins.ts'
import type { Random } from '../random.ts'

export const stepMs = 250
/**
 * Moves of BTC in a quarter of a second, as in the recorded trades of 8 August 2024 and the minutes of 1 June 2025: mostly a
 * normal step, sometimes a jump with a two-sided exponential size. `test/harness.test.ts` recomputes them from the recordings.
 */
export const stepSigma = 2.2e-5
export const jumpChance = 0.015
export const jumpMean = 3e-4

/**
 * The outside prices. The attacker knows them at every moment; the exchange learns them from its venues. Each is as likely to rise
 * as to fall by the same part, so that holding a coin earns nothing on average.
 */
export class Path {
  readonly #random: Random
  readonly #prices = new Map<Coin, number>(coins.map((coin) => [coin, coin.start]))

  constructor(random: Random) {
    this.#random = random
  }

  of(coin: Coin): number {
    return this.#prices.get(coin)!
  }

  /** Moves all prices by a quarter of a second. Half of BTC's moves are shared by all coins. */
  step(): void {
    const all = this.#move()
    for (const coin of coins) this.shock(coin, coin.swing * (Math.SQRT1_2 * all + Math.SQRT1_2 * this.#move()))
  }

  /** Moves a coin's price by this part at once. Strategies rise and fall by the same part with equal probability. */
  shock(coin: Coin, part: number): void {
    this.#prices.set(coin, this.of(coin) * (1 + Math.max(-0.9, part)))
  }

  #move(): number {
    const random = this.#random
    const normal = Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit())
    const jump = random.chance(jumpChance) ? -Math.log(1 - random.unit()) * jumpMean * (random.chance(0.5) ? 1 : -1) : 0
    return stepSigma * normal + jump
  }
}
