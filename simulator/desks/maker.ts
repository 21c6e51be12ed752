import type { Random } from '../random.ts'
import type { Known } from './known.ts'
import { stranger } from './plans.ts'
import type { Prices } from './prices.ts'

/** Shared by all generators of commands. */
export class Maker {
  readonly random: Random
  readonly known: Known
  readonly prices: Prices
  #clientIds = 0

  constructor(random: Random, known: Known, prices: Prices) {
    this.random = random
    this.known = known
    this.prices = prices
  }

  clientId(): string {
    return this.random.chance(0.6) ? '' : `d${++this.#clientIds}`
  }

  /** Any user; now and then one who does not exist. */
  anybody(): number {
    return this.random.between(1, this.random.chance(0.1) ? stranger + 1 : stranger)
  }
}
