import type { Seq } from '@candor/core/protocol/ids.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import type pg from 'pg'

/** The last command whose rows are in the tables, and its time; 0 and 0 when there is none. */
export type Watermark = { readonly seq: Seq; readonly at: Millis }

/** The last command that has no receipts, because they came with a later version of the tables; 0 when all have. */
export async function readReceiptsAfter(queries: pg.Pool | pg.ClientBase): Promise<Seq> {
  const { rows } = await queries.query<{ after: Seq }>('select receipts_after as after from projection')
  return rows[0]!.after
}

export async function readWatermark(queries: pg.Pool | pg.ClientBase): Promise<Watermark> {
  const { rows } = await queries.query<Watermark>('select seq, at_ms as at from projection')
  return rows[0] as Watermark
}
