import { mulDivFloor } from '../money/mul-div.ts'
import { RollingSum } from './rolling-sum.ts'
import type { AssetId } from '../protocol/ids.ts'
import type { Market } from '../protocol/market.ts'
import type { Millis, Ticks, Units } from '../money/brand.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Traded value of the whole site, in units of the reference asset (USDT). Exact sums; they can exceed 2^53. */
export type SiteVolume = { readonly h24: bigint; readonly d7: bigint; readonly d30: bigint }

/** Sums of real trades: 24 hours by minute, 7 and 30 days by hour. */
export class VolumeCounter {
  readonly #h24 = new RollingSum(minuteMs, 1440)
  readonly #d7 = new RollingSum(hourMs, 168)
  readonly #d30 = new RollingSum(hourMs, 720)

  /** Also used to restore: the value traded in one past minute or hour, oldest first. */
  add(at: Millis, amount: bigint): void {
    this.#h24.add(at, amount)
    this.#d7.add(at, amount)
    this.#d30.add(at, amount)
  }

  read(at: Millis): SiteVolume {
    return { h24: this.#h24.total(at), d7: this.#d7.total(at), d30: this.#d30.total(at) }
  }
}

/**
 * Value of quote units of a market in the reference asset, rounded down: the units themselves if they are of that asset,
 * otherwise at the last price of the market that trades them against it (`price` in its ticks); 0 while that has no price.
 *
 *   units × price × quotePerTickLot ÷ basePerLot
 */
export function valueOf(units: Units, asset: AssetId, reference: AssetId, bridge: { market: Market; price: Ticks } | undefined): Units {
  if (asset === reference) return units
  if (bridge === undefined) return 0 as Units
  return mulDivFloor(units, bridge.price * bridge.market.quotePerTickLot, bridge.market.basePerLot) as Units
}
