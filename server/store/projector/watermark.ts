import type pg from 'pg'

/** The last command whose rows are in the tables, and its time; 0 and 0 when there is none. */
export type Watermark = { readonly seq: number; readonly at: number }

export async function readWatermark(queries: pg.Pool | pg.ClientBase): Promise<Watermark> {
  const { rows } = await queries.query<Watermark>('select seq, at_ms as at from projection')
  return rows[0] as Watermark
}
