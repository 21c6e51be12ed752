import type { Millis } from '@candor/core/money/brand.ts'
import type { AlgoEnded, AlgoPlaced } from '@candor/core/protocol/event/algo.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { OrderId } from '@candor/core/protocol/ids.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { arrayLiteral, Columns, type Statement } from '../columns.ts'
import type { Known } from '../known.ts'

/** What the events of a batch tell of an order in parts that was placed in an earlier one. */
type Steps = { partsLeft?: number; nextAt?: Millis; missed: number; refusal?: Refusal; end?: AlgoEnded['reason']; endedAt?: Millis }

/** A row that is there already: only what the events tell is changed. */
const update = `update algo_orders as old set
    parts_left = coalesce(steps.parts_left, old.parts_left), missed = old.missed + steps.missed,
    last_refusal = coalesce(steps.last_refusal, old.last_refusal),
    next_at_ms = case when steps.end_reason is not null then null else coalesce(nullif(steps.next_at_ms, 0), old.next_at_ms) end,
    end_reason = coalesce(steps.end_reason, old.end_reason), ended_at_ms = coalesce(steps.ended_at_ms, old.ended_at_ms)
  from (select unnest($1::bigint[]) as id, unnest($2::integer[]) as parts_left, unnest($3::integer[]) as missed,
    unnest($4::text[]) as last_refusal, unnest($5::bigint[]) as next_at_ms, unnest($6::text[]) as end_reason,
    unnest($7::bigint[]) as ended_at_ms) as steps
  where old.id = steps.id`

/** Orders that the exchange carries out in parts: a row when one is placed, and what becomes of it. */
export class AlgoProjection {
  readonly #known: Known
  readonly #placed: { readonly event: AlgoPlaced; readonly at: Millis }[] = []
  readonly #steps = new Map<OrderId, Steps>()
  readonly #rows = new Columns('algo_orders', {
    ...({ id: 'bigint', user_id: 'bigint', client_id: 'text', market: 'text', kind: 'text', side: 'text', position: 'text' } as const),
    ...({ reduce_only: 'boolean', quantity: 'numeric', parts: 'integer', every_ms: 'bigint', from_price: 'numeric' } as const),
    ...({ to_price: 'numeric', shape: 'text', placed_at_ms: 'bigint', parts_left: 'integer', missed: 'integer' } as const),
  })

  constructor(known: Known) {
    this.#known = known
  }

  get size(): number {
    return this.#placed.length + this.#steps.size
  }

  apply(event: Event, at: Millis): void {
    switch (event.type) {
      case 'algo.placed':
        this.#placed.push({ event, at })
        return
      case 'algo.part':
        Object.assign(this.#step(event.algo), { partsLeft: event.partsLeft, nextAt: event.nextAtMs })
        return
      case 'algo.missed': {
        const step = this.#step(event.algo)
        Object.assign(step, { partsLeft: event.partsLeft, nextAt: event.nextAtMs, refusal: event.refusal, missed: step.missed + 1 })
        return
      }
      case 'algo.ended':
        Object.assign(this.#step(event.algo), { end: event.reason, endedAt: at })
        return
      default:
    }
  }

  take(): readonly (Statement | undefined)[] {
    for (const { event, at } of this.#placed) this.#add(event, at)
    this.#placed.length = 0
    return [this.#rows.take(), this.#takeSteps()]
  }

  #add(event: AlgoPlaced, at: Millis): void {
    const market = this.#known.market(event.market)
    const isScaled = event.kind === 'scaled'
    const rows = this.#rows
    rows.add(event.algo).add(event.user).add(event.clientId).add(market.market.symbol)
    rows
      .add(event.kind)
      .add(event.side)
      .add(event.position ?? null)
      .add(event.isReduceOnly)
    market.addQuantity(rows, event.lots)
    rows.add(event.parts).add(event.everyMs)
    if (event.from === 0) rows.add(null)
    else market.addPrice(rows, event.from)
    if (event.to === 0) rows.add(null)
    else market.addPrice(rows, event.to)
    rows
      .add(isScaled ? event.shape : null)
      .add(at)
      .add(isScaled ? 0 : event.parts)
      .add(0)
  }

  #takeSteps(): Statement | undefined {
    if (this.#steps.size === 0) return undefined
    const all = [...this.#steps]
    this.#steps.clear()
    const numbers = (of: (steps: Steps) => number | undefined): string =>
      arrayLiteral(
        all.map(([, steps]) => of(steps) ?? null),
        'bigint',
      )
    const texts = (of: (steps: Steps) => string | undefined): string =>
      arrayLiteral(
        all.map(([, steps]) => of(steps) ?? null),
        'text',
      )
    const batch = [
      ...[
        arrayLiteral(
          all.map(([id]) => id),
          'bigint',
        ),
        numbers(({ partsLeft }) => partsLeft),
        numbers(({ missed }) => missed),
      ],
      ...[texts(({ refusal }) => refusal), numbers(({ nextAt }) => nextAt), texts(({ end }) => end), numbers(({ endedAt }) => endedAt)],
    ]
    return { text: update, name: 'steps of algo_orders', batches: [batch] }
  }

  #step(algo: OrderId): Steps {
    const step = this.#steps.get(algo) ?? { missed: 0 }
    this.#steps.set(algo, step)
    return step
  }
}
