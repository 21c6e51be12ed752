import type { Millis } from '@candor/core/money/brand.ts'
import { formatFixed } from '@candor/core/money/units.ts'
import type { ConversionFacts } from '@candor/core/protocol/event/convert.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { QuoteNumber } from '@candor/core/protocol/ids.ts'
import { Columns, overwrite, type Statement } from './columns.ts'
import type { Known } from './known.ts'

/** Digits behind the point of an index price. */
const priceScale = 8

type Row = {
  readonly facts: ConversionFacts
  state: 'accepted' | 'filled' | 'moved' | 'no-index'
  accepted?: { readonly at: Millis; readonly decidesFrom: Millis }
  endedAt?: Millis
}

/** Accepted quotes and what became of them. The first event of each writes its row; the second changes its state and its end. */
export class ConvertProjection {
  readonly #known: Known
  readonly #rows = new Map<QuoteNumber, Row>()
  readonly #columns = new Columns(
    'conversions as old',
    {
      ...({ id: 'bigint', user_id: 'bigint', from_asset: 'text', to_asset: 'text', give: 'numeric', get: 'numeric' } as const),
      ...({ value: 'numeric', from_price: 'numeric', to_price: 'numeric', state: 'text', accepted_at_ms: 'bigint' } as const),
      ...({ decides_from_ms: 'bigint', ended_at_ms: 'bigint' } as const),
    },
    `(id) do update set ${overwrite('state')}, ended_at_ms = coalesce(excluded.ended_at_ms, old.ended_at_ms)`,
  )

  constructor(known: Known) {
    this.#known = known
  }

  get size(): number {
    return this.#rows.size
  }

  apply(event: Event, at: Millis): void {
    switch (event.type) {
      case 'convert.accepted':
        this.#row(event, 'accepted').accepted = { at, decidesFrom: event.decidesFrom }
        break
      case 'convert.filled':
        this.#row(event, 'filled').endedAt = at
        break
      case 'convert.ended':
        this.#row(event, event.why).endedAt = at
        break
      default:
    }
  }

  take(): readonly (Statement | undefined)[] {
    const usdtScale = this.#rows.size === 0 ? 0 : this.#known.scaleOf('USDT')
    for (const { facts, state, accepted, endedAt } of this.#rows.values()) {
      const { quote, user, give, get, value, fromPrice, toPrice } = facts
      const [from, to] = [this.#known.asset(facts.from), this.#known.asset(facts.to)]
      this.#columns.push(quote, user, from.symbol, to.symbol, formatFixed(give, from.scale), formatFixed(get, to.scale))
      this.#columns.push(formatFixed(value, usdtScale), formatFixed(fromPrice, priceScale))
      this.#columns.push(formatFixed(toPrice, priceScale), state, accepted?.at ?? 0, accepted?.decidesFrom ?? 0, endedAt ?? null)
    }
    this.#rows.clear()
    return [this.#columns.take()]
  }

  #row(facts: ConversionFacts, state: Row['state']): Row {
    const row = this.#rows.get(facts.quote) ?? { facts, state }
    row.state = state
    this.#rows.set(facts.quote, row)
    return row
  }
}
