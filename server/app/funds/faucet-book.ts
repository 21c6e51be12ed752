import type { Millis, Units } from '@candor/core/money/brand.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import { Refused } from '../../refused.ts'
import { addToFaucetDay, beginFaucetDay, type FaucetDay, hasFaucetDay } from '../../store/query/faucet.ts'
import { faucetSince } from '../../store/query/funds.ts'
import { type Context, dayStart } from '../../live/context.ts'

/**
 * Amounts that customers took from the faucet today, in one row that all gateways share. It begins with the amount in the tables;
 * later amounts are counted before the command is sent, so that fifty equal requests can't all pass, wherever they are sent.
 */
export class FaucetBook {
  readonly #context: Pick<Context, 'freshness' | 'ask' | 'listing' | 'pool'>

  constructor(context: Pick<Context, 'freshness' | 'ask' | 'listing' | 'pool'>) {
    this.#context = context
  }

  /**
   * Reserves an amount. Returns a function that gives it back if nothing was paid out.
   *
   * throws  Refused FAUCET_LIMIT with the seconds until midnight UTC, UNAVAILABLE
   */
  async take(user: UserId, asset: AssetId, amount: Units, dailyMax: Units, now: Millis): Promise<() => Promise<void>> {
    const { pool } = this.#context
    const place = { user, asset, day: dayStart(now) }
    if (!(await hasFaucetDay(pool, place))) await beginFaucetDay(pool, place, await this.#takenBefore(place))
    if (!(await addToFaucetDay(pool, place, amount, dailyMax))) {
      throw new Refused('FAUCET_LIMIT', { retryAfter: Math.ceil((place.day + 86_400_000 - now) / 1_000) })
    }
    return async () => void (await addToFaucetDay(pool, place, -amount, dailyMax))
  }

  /** Tables that lag would lack amounts that were given today. */
  async #takenBefore({ user, asset, day }: FaucetDay): Promise<Units> {
    const { freshness, ask, listing, pool } = this.#context
    if (!(await freshness.reached(await ask.seq()))) throw new Refused('UNAVAILABLE', { retryAfter: 1 })
    const { symbol, scale } = listing.asset(asset)
    return (parseUnits(await faucetSince(pool, user, symbol, day), scale) ?? 0) as Units
  }
}
