import type { Millis, Units } from '@candor/core/money/brand.ts'
import type { AssetId } from '@candor/core/protocol/ids.ts'
import { formatFixed } from '@candor/core/money/units.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { FundInventory } from '@candor/core/protocol/event/perp.ts'
import { Columns, overwrite, type Statement } from './columns.ts'
import type { Known } from './known.ts'

const dayMs = 86_400_000

/** Assets of the Futures insurance fund at the end of each UTC day on which they changed, and its inventory of positions. */
export class InsuranceProjection {
  readonly #known: Known
  readonly #balances = new Map<string, { readonly asset: AssetId; readonly day: number; readonly balance: Units }>()
  readonly #inventories = new Map<string, { readonly event: FundInventory; readonly at: Millis }>()
  readonly #balanceRows = new Columns(
    'insurance_days',
    { asset: 'text', day_ms: 'bigint', balance: 'numeric' },
    `(asset, day_ms) do update set ${overwrite('balance')}`,
  )
  readonly #inventoryRows = new Columns(
    'fund_inventory',
    { market: 'text', at_ms: 'bigint', quantity: 'numeric', cost: 'numeric' },
    `(market, at_ms) do update set ${overwrite('quantity', 'cost')}`,
  )

  constructor(known: Known) {
    this.#known = known
  }

  get size(): number {
    return this.#balances.size + this.#inventories.size
  }

  apply(event: Event, at: Millis): void {
    if (event.type === 'perp.inventory') this.#inventories.set(`${event.market} ${at}`, { event, at })
    if (event.type !== 'entry' || !('system' in event.account) || event.account.system !== 'insurance') return
    const { asset } = event.account
    const day = at - (at % dayMs)
    this.#balances.set(`${asset} ${day}`, { asset, day, balance: (event.available + event.held) as Units })
  }

  take(): readonly (Statement | undefined)[] {
    for (const { asset, day, balance } of this.#balances.values()) {
      const { symbol, scale } = this.#known.asset(asset)
      this.#balanceRows.push(symbol, day, formatFixed(balance, scale))
    }
    for (const { event, at } of this.#inventories.values()) {
      const view = this.#known.market(event.market)
      this.#inventoryRows.push(view.market.symbol, at, view.quantity(event.lots), view.quoteSum(event.cost))
    }
    this.#balances.clear()
    this.#inventories.clear()
    return [this.#balanceRows.take(), this.#inventoryRows.take()]
  }
}
