import type { Millis, Units } from '@candor/core/money/brand.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import { formatFixed, formatUnits } from '@candor/core/money/units.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { PoolChanged } from '@candor/core/protocol/event/margin.ts'
import { utilization } from '@candor/core/risk/margin-rate.ts'
import { Columns, overwrite, type Statement } from './columns.ts'
import type { Known } from './known.ts'

const hourMs = 3_600_000
/** Decimals of percent values that keep every digit: rates are in 1e-12, shares of the pool in 1e-9. */
const rateDigits = 10
const shareDigits = 7

type Claim = { readonly user: UserId; readonly asset: AssetId; claim: Units; earned: Units }

/** Claims and earnings of lenders, and hourly rates of pools. */
export class LendingProjection {
  readonly #known: Known
  readonly #claims = new Map<string, Claim>()
  readonly #pools = new Map<string, { readonly pool: PoolChanged; readonly hour: number }>()
  readonly #claimRows = new Columns(
    'lend_claims as old',
    { user_id: 'bigint', asset: 'text', claim: 'numeric', earned: 'numeric' },
    `(user_id, asset) do update set ${overwrite('claim')}, earned = old.earned + excluded.earned`,
  )
  readonly #rateRows = new Columns(
    'lend_rates',
    { asset: 'text', hour_ms: 'bigint', rate: 'numeric', utilization: 'numeric' },
    `(asset, hour_ms) do update set ${overwrite('rate', 'utilization')}`,
  )

  constructor(known: Known) {
    this.#known = known
  }

  get size(): number {
    return this.#claims.size + this.#pools.size
  }

  apply(event: Event, at: Millis): void {
    if (event.type === 'lend.claim') {
      const { user, asset, claim, earned } = event
      const key = `${user} ${asset}`
      const before = this.#claims.get(key)?.earned ?? 0
      this.#claims.set(key, { user, asset, claim, earned: (before + earned) as Units })
    } else if (event.type === 'lend.pool') {
      const hour = at - (at % hourMs)
      this.#pools.set(`${event.asset} ${hour}`, { pool: event, hour })
    }
  }

  take(): readonly (Statement | undefined)[] {
    for (const { user, asset, claim, earned } of this.#claims.values()) {
      const { symbol, scale } = this.#known.asset(asset)
      this.#claimRows.push(user, symbol, formatFixed(claim, scale), formatFixed(earned, scale))
    }
    this.#claims.clear()
    for (const { pool, hour } of this.#pools.values()) {
      const { symbol } = this.#known.asset(pool.asset)
      this.#rateRows.push(symbol, hour, formatUnits(pool.rate, rateDigits), formatUnits(utilization(pool), shareDigits))
    }
    this.#pools.clear()
    return [this.#claimRows.take(), this.#rateRows.take()]
  }
}
