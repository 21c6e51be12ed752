import type { OrderId } from '@candor/core/protocol/ids.ts'
import { formatFixed, formatUnits } from '@candor/core/money/units.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { OptionSettled, OptionStruck } from '@candor/core/protocol/event/option.ts'
import type { RunningOption } from '@candor/core/protocol/port.ts'
import { Columns, overwrite, type Statement } from './columns.ts'
import type { Known } from './known.ts'

export type LiveOption = {
  readonly opened: RunningOption
  struck: Pick<OptionStruck, 'strike' | 'tick' | 'at'> | undefined
  settled: OptionSettled | undefined
}

const indexDigits = 8

/** Second orders: kept in memory while the core keeps them, and written whole whenever they change. */
export class OptionProjection {
  readonly #known: Known
  readonly #live = new Map<OrderId, LiveOption>()
  readonly #changed = new Set<LiveOption>()
  readonly #rows = new Columns(
    'options',
    {
      id: 'bigint',
      user_id: 'bigint',
      client_id: 'text',
      market: 'text',
      direction: 'text',
      stake: 'numeric',
      profit_ppm: 'integer',
      profit: 'numeric',
      accepted_at_ms: 'bigint',
      strike_from_ms: 'bigint',
      expires_at_ms: 'bigint',
      window_ms: 'integer',
      gap_max_ms: 'integer',
      guard_ppm: 'integer',
      reference: 'numeric',
      strike: 'numeric',
      strike_tick: 'bigint',
      strike_at_ms: 'bigint',
      result: 'text',
      void_reason: 'text',
      price: 'numeric',
      payout: 'numeric',
      settled_at_ms: 'bigint',
    },
    `(id) do update set ${overwrite('strike', 'strike_tick', 'strike_at_ms', 'result', 'void_reason', 'price', 'payout', 'settled_at_ms')}`,
  )

  constructor(known: Known, open: Iterable<RunningOption>) {
    this.#known = known
    for (const opened of open) this.#live.set(opened.order, { opened, struck: opened.struck, settled: undefined })
  }

  get size(): number {
    return this.#changed.size
  }

  /** throws  when the core does not hold this order */
  live(order: OrderId): LiveOption {
    const live = this.#live.get(order)
    if (live === undefined) throw new Error(`Order ${order} of Second is in an event but neither open nor just opened`)
    return live
  }

  apply(event: Event): void {
    if (event.type === 'option.opened') {
      const live = { opened: event, struck: undefined, settled: undefined }
      this.#live.set(event.order, live)
      this.#changed.add(live)
    } else if (event.type === 'option.struck') this.#touch(event.order).struck = event
    else if (event.type === 'option.settled') {
      this.#touch(event.order).settled = event
      this.#live.delete(event.order)
    }
  }

  take(): readonly (Statement | undefined)[] {
    for (const live of this.#changed) this.#push(live)
    this.#changed.clear()
    return [this.#rows.take()]
  }

  #touch(order: OrderId): LiveOption {
    const live = this.live(order)
    this.#changed.add(live)
    return live
  }

  #push({ opened, struck, settled }: LiveOption): void {
    const view = this.#known.market(opened.market)
    const { scale } = view.quote
    this.#rows.push(
      opened.order,
      opened.user,
      opened.clientId,
      view.market.symbol,
      opened.direction,
      formatFixed(opened.stake, scale),
      opened.profitPpm,
      formatFixed(opened.profit, scale),
      opened.acceptedAt,
      opened.strikeFrom,
      opened.expiresAt,
      opened.windowMs,
      opened.gapMaxMs,
      opened.guardPpm,
      formatUnits(opened.reference, indexDigits),
      struck === undefined ? null : formatUnits(struck.strike, indexDigits),
      struck?.tick ?? null,
      struck?.at ?? null,
      settled?.result ?? null,
      settled?.reason ?? null,
      settled === undefined || settled.price === 0 ? null : formatUnits(settled.price, indexDigits),
      settled === undefined ? null : formatFixed(settled.payout, scale),
      settled?.at ?? null,
    )
  }
}
