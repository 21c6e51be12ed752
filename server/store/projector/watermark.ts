import type { Seq } from '@candor/core/protocol/ids.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import type pg from 'pg'

/** The last command whose rows are in the tables, and its time; 0 and 0 when there is none. */
export type Watermark = { readonly seq: Seq; readonly at: Millis }

export async function readWatermark(queries: pg.Pool | pg.ClientBase): Promise<Watermark> {
  const { rows } = await queries.query<Watermark>('select seq, at_ms as at from projection')
  return rows[0] as Watermark
}
