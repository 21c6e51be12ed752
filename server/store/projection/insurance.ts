import { formatFixed } from '@candor/core/money/units.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import { Columns, overwrite, type Statement } from './columns.ts'
import type { Known } from './known.ts'

const dayMs = 86_400_000

/** What the insurance fund held of each asset at the end of each UTC day on which it changed. */
export class InsuranceProjection {
  readonly #known: Known
  readonly #balances = new Map<string, { readonly asset: number; readonly day: number; readonly balance: number }>()
  readonly #rows = new Columns(
    'insurance_days',
    { asset: 'text', day_ms: 'bigint', balance: 'numeric' },
    `(asset, day_ms) do update set ${overwrite('balance')}`,
  )

  constructor(known: Known) {
    this.#known = known
  }

  get size(): number {
    return this.#balances.size
  }

  apply(event: Event, at: number): void {
    if (event.type !== 'entry' || !('system' in event.account) || event.account.system !== 'insurance') return
    const { asset } = event.account
    const day = at - (at % dayMs)
    this.#balances.set(`${asset} ${day}`, { asset, day, balance: event.available + event.held })
  }

  take(): readonly (Statement | undefined)[] {
    for (const { asset, day, balance } of this.#balances.values()) {
      const { symbol, scale } = this.#known.asset(asset)
      this.#rows.push(symbol, day, formatFixed(balance, scale))
    }
    this.#balances.clear()
    return [this.#rows.take()]
  }
}
