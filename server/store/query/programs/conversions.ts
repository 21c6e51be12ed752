import type { UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import { conversionColumns, type ConversionRow } from '../convert.ts'

/** A span of time, both ends included. */
export type ConversionSpan = { readonly startTime: number; readonly endTime: number; readonly limit: number }

/** A user's accepted quotes of a span, oldest first. `hasMore`: whether the span has more than these. */
export async function conversionsIn(
  pool: pg.Pool,
  user: UserId,
  { startTime, endTime, limit }: ConversionSpan,
): Promise<{ readonly rows: readonly ConversionRow[]; readonly hasMore: boolean }> {
  const { rows } = await pool.query<ConversionRow>(
    `select ${conversionColumns} from conversions
     where user_id = $1 and accepted_at_ms between $2 and $3
     order by accepted_at_ms, id limit $4`,
    [user, startTime, endTime, limit + 1],
  )
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit }
}
