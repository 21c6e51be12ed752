import type { Millis } from '@candor/core/money/brand.ts'
import { formatFixed } from '@candor/core/money/units.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { LoanChanged } from '@candor/core/protocol/event/margin.ts'
import { Columns, overwrite, type Statement } from './columns.ts'
import type { Known } from './known.ts'

const dayMs = 86_400_000

/** Debts of Margin accounts at the end of each UTC day: daily profits deduct them. Market '' is the cross account. */
export class DebtDays {
  readonly #known: Known
  readonly #debts = new Map<string, { readonly loan: LoanChanged; readonly day: number }>()
  readonly #rows = new Columns(
    'debt_days',
    { user_id: 'bigint', market: 'text', asset: 'text', day_ms: 'bigint', owed: 'numeric' },
    `(user_id, market, asset, day_ms) do update set ${overwrite('owed')}`,
  )

  constructor(known: Known) {
    this.#known = known
  }

  get size(): number {
    return this.#debts.size
  }

  apply(event: Event, at: Millis): void {
    if (event.type !== 'margin.loan') return
    const day = at - (at % dayMs)
    this.#debts.set(`${event.user} ${event.market} ${event.asset} ${day}`, { loan: event, day })
  }

  take(): readonly (Statement | undefined)[] {
    for (const { loan, day } of this.#debts.values()) {
      const { symbol, scale } = this.#known.asset(loan.asset)
      const market = (loan.market as number) === 0 ? '' : this.#known.market(loan.market).market.symbol
      this.#rows.push(loan.user, market, symbol, day, formatFixed(loan.principal + loan.interest, scale))
    }
    this.#debts.clear()
    return [this.#rows.take()]
  }
}
