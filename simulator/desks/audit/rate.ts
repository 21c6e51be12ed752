import type { MarginTerms } from '@candor/core/protocol/command/margin.ts'
import type { PoolChanged } from '@candor/core/protocol/event/margin.ts'
import { hourMs } from '../plans.ts'

/** `lent`: lent share of the pool since `since`; `sum`: shares × ms of the current hour before that; `mean`: mean of the last hour. */
type Pool = { lent: number; since: number; sum: number; mean: number }

/** Largest rounding errors: shares are rounded to 1e-9, rates to 1e-12. */
const shareSlack = 3e-9
const rateSlack = 3

/**
 * The interest rate of an hour for each pool: the point on the terms' curve at the mean lent share of the last hour. The state of the
 * pool at the turn of the hour does not matter. After hours without a command, the last share counts.
 */
export class RateAudit {
  readonly #pools = new Map<number, Pool>()
  #at = 0
  #terms: MarginTerms | undefined

  begin(at: number): void {
    const [before, hour] = [Math.floor(this.#at / hourMs), Math.floor(at / hourMs)]
    this.#at = at
    if (hour === before) return
    for (const pool of this.#pools.values()) {
      pool.mean = hour > before + 1 ? pool.lent : sumUntil(pool, hour * hourMs) / hourMs
      pool.sum = 0
      pool.since = hour * hourMs
    }
  }

  /** Stores new terms. The curve never changes in these runs, so the moment does not matter. */
  terms(terms: MarginTerms): void {
    this.#terms = terms
  }

  pool({ asset, supplied, borrowed }: PoolChanged): void {
    const pool = this.#pool(asset)
    pool.sum = sumUntil(pool, this.#at)
    pool.since = this.#at
    pool.lent = borrowed === 0 ? 0 : Math.min(1, borrowed / supplied)
  }

  /** Lower and upper bound of the current hour's rate, in 1e-12. Nothing is known of a pool's first hour. */
  bounds(asset: number): readonly [number, number] {
    const known = this.#pools.get(asset)
    if (known === undefined || this.#terms === undefined) return [0, Infinity]
    const { mean } = known
    return [rateOf(this.#terms, mean) - rateSlack, rateOf(this.#terms, Math.min(1, mean + shareSlack)) + rateSlack]
  }

  #pool(asset: number): Pool {
    const known = this.#pools.get(asset)
    if (known !== undefined) return known
    const pool = { lent: 0, since: this.#at, sum: 0, mean: 0 }
    this.#pools.set(asset, pool)
    return pool
  }
}

function sumUntil({ sum, lent, since }: Pool, until: number): number {
  return sum + lent * (until - since)
}

function rateOf({ rateZero, rateKink, rateFull, kinkPpm }: MarginTerms, lent: number): number {
  const kink = kinkPpm / 1e6
  if (lent <= kink) return rateZero + ((rateKink - rateZero) * lent) / kink
  return rateKink + ((rateFull - rateKink) * (lent - kink)) / (1 - kink)
}
