import type { IndexQuote } from '@candor/core/protocol/event/option.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { WireLiquidation } from '@candor/core/protocol/wire/perp.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type pg from 'pg'

type Step = WireLiquidation['steps'][number]
type StepRow = {
  seq: number
  line: number
  at_ms: number
  market: string
  order_id: number | null
  mark: string
  index_price: string
  sources: readonly IndexQuote[]
  equity: string
  maintenance: string
  maintenance_ppm: number
  asked: string
  closed: string
  average: string | null
  bankruptcy_price: string | null
  fee: string
  insured: string
  deleveraged: Step['deleveraged'] | null
  entries: Step['entries'] | null
}

const indexDigits = 8

/**
 * How one position of the user was liquidated, oldest step first: prices and their sources, equity and maintenance margin, the
 * closed quantity, and the ledger lines. Undefined when the position was not liquidated. A command's ledger lines are one sum per
 * account and reason: they are listed with the last step of that command.
 *
 * venues  names by number
 */
export async function liquidationOf(
  pool: pg.Pool,
  user: UserId,
  position: OrderId,
  venues: readonly string[],
): Promise<WireLiquidation | undefined> {
  const { rows } = await pool.query<StepRow>(
    `select step.seq, step.line, at_ms, market, order_id, mark, index_price, sources, trim_scale(equity) as equity,
       trim_scale(maintenance) as maintenance, maintenance_ppm, asked, closed,
       case when traded_quantity > 0 then trim_scale(round(traded_quote / traded_quantity, 8)) end as average,
       bankruptcy_price, trim_scale(fee) as fee, trim_scale(insured) as insured,
       (select jsonb_agg(jsonb_build_object('price', price::text, 'quantity', quantity::text) order by line)
         from deleverages taken where taken.seq = step.seq and taken.step = step.line) as deleveraged,
       case when step.line = max(step.line) over (partition by step.seq) then (
         select jsonb_agg(jsonb_build_object('account', kind, 'reason', reason, 'amount', trim_scale(delta + held_delta)::text,
           'balance', trim_scale(available + held)::text) order by line)
         from ledger_entries moved where moved.seq = step.seq and moved.user_id = $1 and delta + held_delta <> 0
       ) end as entries
     from liquidations step where position = $2 and user_id = $1 order by step.seq, step.line`,
    [user, position],
  )
  const [first] = rows
  if (first === undefined) return undefined
  return { positionId: String(position), symbol: first.market, steps: rows.map((row) => toStep(row, venues)) }
}

function toStep(row: StepRow, venues: readonly string[]): Step {
  return {
    seq: row.seq,
    time: row.at_ms,
    mark: row.mark,
    index: row.index_price,
    sources: row.sources.map(({ venue, price }) => ({ venue: venues[venue] ?? String(venue), price: formatUnits(price, indexDigits) })),
    equity: row.equity,
    maintenance: row.maintenance,
    maintenancePpm: row.maintenance_ppm,
    orderId: row.order_id === null ? null : String(row.order_id),
    askedQuantity: row.asked,
    closedQuantity: row.closed,
    averagePrice: row.average,
    bankruptcyPrice: row.bankruptcy_price,
    fee: row.fee,
    insured: row.insured,
    deleveraged: row.deleveraged ?? [],
    entries: row.entries ?? [],
  }
}
