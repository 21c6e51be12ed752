import type { MarginTerms } from '@candor/core/protocol/command/margin.ts'
import type { PoolChanged } from '@candor/core/protocol/event/margin.ts'
import { hourMs } from '../plans.ts'

/** `lent`: share of the pool since `since`; `sum`: shares × ms of the running hour before that; `mean`: of the hour before. */
type Pool = { lent: number; since: number; sum: number; mean: number }

/** What rounding of shares to 1e-9 and of rates to 1e-12 may add. */
const shareSlack = 3e-9
const rateSlack = 3

/**
 * What an hour costs, pool by pool: a point on the terms' curve, at the mean of what was lent out during the hour before.
 * What the pool has at the turn does not count, nor who supplied it. Of hours without a command the last one counts.
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

  /** The curve of the runs stays what it is, so it does not matter whether terms come before the turn or after it. */
  terms(terms: MarginTerms): void {
    this.#terms = terms
  }

  pool({ asset, supplied, borrowed }: PoolChanged): void {
    const pool = this.#pool(asset)
    pool.sum = sumUntil(pool, this.#at)
    pool.since = this.#at
    pool.lent = borrowed === 0 ? 0 : Math.min(1, borrowed / supplied)
  }

  /** The least and the most that the running hour's rate can be, in 1e-12; of a pool's first hour nothing is known. */
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
