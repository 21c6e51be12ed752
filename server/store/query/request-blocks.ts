import type { Seq } from '@candor/core/protocol/ids.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import type pg from 'pg'
import type { Watermark } from '../projector/watermark.ts'
import { type BlockedOutcome, idBytes, inBlock } from '../request-block.ts'

/** `seq`, `at`: of the row that contains the request. */
export type RecordedRequest = BlockedOutcome & { readonly seq: number; readonly at: number }

/** Hashes of client ids of one user, packed as in `request-block.ts`, in journal order. */
export type RecordedIds = { readonly user: number; readonly seq: number; readonly ids: Buffer }

/** The newest request of a user with this client id's hash in these spans of the journal, both ends included. */
export async function recordedRequest(
  pool: pg.Pool,
  user: number,
  id: Buffer,
  spans: readonly { readonly from: number; readonly to: number }[],
): Promise<RecordedRequest | undefined> {
  const { rows } = await pool.query<{ seq: number; at: number; ids: Buffer; outcomes: Buffer }>({
    name: 'recorded-request',
    text: `select seq, at_ms as at, ids, outcomes from unnest($2::bigint[], $3::bigint[]) as span (first, last)
           join request_blocks on seq between first and last
           where user_id = $1 and position($4 in ids) > 0 order by seq desc`,
    values: [user, spans.map(({ from }) => from), spans.map(({ to }) => to), id],
  })
  for (const { seq, at, ...block } of rows) {
    const found = inBlock(block, id)
    if (found !== undefined) return { ...found, seq, at }
  }
  return undefined
}

/** A page's blocks may have tens of kilobytes each. */
const pageMin = 200

/** Rows with at least the last `kept` ids of one user, in journal order; all rows if there are fewer. */
export async function recordedIds(pool: pg.Pool, user: number, kept: number): Promise<readonly RecordedIds[]> {
  const found: RecordedIds[] = []
  for (let [count, before] = [0, Number.MAX_SAFE_INTEGER]; count < kept; ) {
    const { rows } = await pool.query<RecordedIds>(
      `select user_id as "user", seq, ids from request_blocks where user_id = $1 and seq < $2
       order by seq desc fetch first ${pageMin} rows with ties`,
      [user, before],
    )
    found.push(...rows)
    if (rows.length < pageMin) break
    count += rows.reduce((sum, { ids }) => sum + ids.length / idBytes, 0)
    before = rows.at(-1)!.seq
  }
  return found.reverse()
}

/** Ids of all users recorded since a position, and the watermark up to which they were read. */
export async function recordedSince(
  pool: pg.Pool,
  { seq, at }: Watermark,
): Promise<{ readonly upTo: Watermark; readonly rows: readonly RecordedIds[] }> {
  const { rows } = await pool.query<{ upToSeq: Seq; upToAt: Millis; user: number | null; seq: number; ids: Buffer }>({
    name: 'recorded-since',
    text: `select p.seq as "upToSeq", p.at_ms as "upToAt", b.user_id as "user", b.seq, b.ids from projection p
           left join (select * from request_blocks where at_ms >= $2 and seq > $1) b on true order by b.seq`,
    values: [seq, at],
  })
  const { upToSeq, upToAt } = rows[0]!
  return { upTo: { seq: upToSeq, at: upToAt }, rows: rows.filter((row): row is typeof row & RecordedIds => row.user !== null) }
}
