import type { MarketId, Seq } from '@candor/core/protocol/ids.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import { formatFixed, formatUnits } from '@candor/core/money/units.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { LoanChanged, MarginLiquidated } from '@candor/core/protocol/event/margin.ts'
import { Columns, type Statement } from './columns.ts'
import type { Known } from './known.ts'

/** Levels are assets ÷ debt in millionths. */
const levelDigits = 6

/** Changes of Margin accounts' debts, one by one, and the steps of their liquidations. Market '' is the cross account. */
export class LoanProjection {
  readonly #known: Known
  readonly #loans = new Columns('loan_changes', {
    seq: 'bigint',
    line: 'integer',
    at_ms: 'bigint',
    user_id: 'bigint',
    market: 'text',
    asset: 'text',
    cause: 'text',
    delta: 'numeric',
    principal: 'numeric',
    interest: 'numeric',
  })
  readonly #liquidations = new Columns('margin_liquidations', {
    seq: 'bigint',
    line: 'integer',
    at_ms: 'bigint',
    user_id: 'bigint',
    market: 'text',
    order_id: 'bigint',
    level: 'numeric',
    liquidation_level: 'numeric',
    assets: 'numeric',
    debt: 'numeric',
    fee: 'numeric',
    insured: 'numeric',
  })

  constructor(known: Known) {
    this.#known = known
  }

  get size(): number {
    return this.#loans.length + this.#liquidations.length
  }

  /** Processes all events of one command. Each kind of row has a `line` that counts from 1 in every command. */
  applyCommand(events: readonly Event[], seq: Seq, at: Millis): void {
    let line = 0
    for (const event of events) {
      if (event.type === 'margin.loan') this.#change(event, seq, ++line, at)
      else if (event.type === 'margin.liquidated') this.#liquidate(event, seq, ++line, at)
    }
  }

  take(): readonly (Statement | undefined)[] {
    return [this.#loans.take(), this.#liquidations.take()]
  }

  #change({ user, market, asset, cause, delta, principal, interest }: LoanChanged, seq: Seq, line: number, at: Millis): void {
    const { symbol, scale } = this.#known.asset(asset)
    const sums = [delta, principal, interest].map((sum) => formatFixed(sum, scale))
    this.#loans.push(seq, line, at, user, this.#market(market), symbol, cause, ...sums)
  }

  #liquidate(event: MarginLiquidated, seq: Seq, line: number, at: Millis): void {
    const scale = this.#known.scaleOf('USDT')
    const values = [event.assets, event.debt, event.fee, event.insured].map((value) => formatFixed(value, scale))
    this.#liquidations.push(
      ...[seq, line, at, event.user, this.#market(event.market), event.order === 0 ? null : event.order],
      ...[formatUnits(event.levelPpm, levelDigits), formatUnits(event.liquidationPpm, levelDigits), ...values],
    )
  }

  #market(id: MarketId): string {
    return id === 0 ? '' : this.#known.market(id).market.symbol
  }
}
