import type { Millis, Units } from '@candor/core/money/brand.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import { Refused } from '../../refused.ts'
import { faucetSince } from '../../store/query/funds.ts'
import { type Context, dayStart } from '../../live/context.ts'

/**
 * Amounts that customers took from the faucet today. The tables have the amount as of this process's start; later amounts are
 * counted here before the command is sent, so that fifty equal requests can't all pass.
 */
export class FaucetBook {
  readonly #taken = new Map<string, Promise<{ sum: number }>>()
  readonly #read: (user: UserId, asset: AssetId, since: number) => Promise<Units>
  #day = 0

  /** read  units that the user got since a time, from the tables, including everything acknowledged */
  constructor(read: (user: UserId, asset: AssetId, since: number) => Promise<Units>) {
    this.#read = read
  }

  /**
   * Reserves an amount. Returns a function that gives it back if nothing was paid out.
   *
   * throws  Refused FAUCET_LIMIT with the seconds until midnight UTC
   */
  async take(user: UserId, asset: AssetId, amount: Units, dailyMax: Units, now: Millis): Promise<() => void> {
    const day = dayStart(now)
    if (day !== this.#day) {
      this.#day = day
      this.#taken.clear()
    }
    const key = `${user}:${asset}`
    let reading = this.#taken.get(key)
    if (!reading) {
      reading = this.#read(user, asset, day).then((sum) => ({ sum }))
      reading.catch(() => this.#taken.delete(key))
      this.#taken.set(key, reading)
    }
    const taken = await reading
    if (taken.sum + amount > dailyMax) throw new Refused('FAUCET_LIMIT', { retryAfter: Math.ceil((day + 86_400_000 - now) / 1_000) })
    taken.sum += amount
    return () => {
      taken.sum -= amount
    }
  }
}

/** The faucet book of this process, based on the query tables. */
export function faucetBookOf({ freshness, ask, listing, pool }: Pick<Context, 'freshness' | 'ask' | 'listing' | 'pool'>): FaucetBook {
  return new FaucetBook(async (user, asset, since) => {
    // Tables that lag would lack amounts that were given today.
    if (!(await freshness.reached(await ask.seq()))) throw new Refused('UNAVAILABLE', { retryAfter: 1 })
    const { symbol, scale } = listing.asset(asset)
    return (parseUnits(await faucetSince(pool, user, symbol, since), scale) ?? 0) as Units
  })
}
