import type { Decimal } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { ConversionState } from '@candor/core/protocol/wire/convert.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type pg from 'pg'
import { decodeCursor, pageLimit, toPage } from './page.ts'

export type ConversionRow = {
  readonly id: number
  readonly from: string
  readonly to: string
  readonly give: Decimal
  readonly get: Decimal
  readonly value: Decimal
  readonly state: ConversionState
  readonly acceptedAt: number
  readonly decidesFrom: number
  readonly endedAt: number | null
}

export const conversionColumns = `id, from_asset as from, to_asset as to, give::text, get::text, value::text, state, accepted_at_ms as "acceptedAt",
  decides_from_ms as "decidesFrom", ended_at_ms as "endedAt"`

export type ConversionFilter = {
  readonly before?: string | undefined
  readonly limit?: number | undefined
  /** Accepted at or after, and before, these times. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

/** A user's accepted quotes, newest first. */
export async function conversionsOf<T>(
  pool: pg.Pool,
  user: UserId,
  { before, limit, since = 0, until = Number.MAX_SAFE_INTEGER }: ConversionFilter,
  toItem: (row: ConversionRow) => T,
): Promise<WirePage<T>> {
  const [at, id] = decodeCursor(before, 2)
  const most = pageLimit(limit)
  const { rows } = await pool.query<ConversionRow>(
    `select ${conversionColumns} from conversions
     where user_id = $1 and (accepted_at_ms, id) < ($2, $3) and accepted_at_ms >= $4 and accepted_at_ms < $5
     order by accepted_at_ms desc, id desc limit $6`,
    [user, at, id, since, until, most + 1],
  )
  return toPage(rows, most, toItem, (row) => [row.acceptedAt, row.id])
}

/** One of a user's accepted quotes; undefined for none of this number. */
export async function conversionOf(pool: pg.Pool, user: UserId, id: number): Promise<ConversionRow | undefined> {
  const { rows } = await pool.query<ConversionRow>(`select ${conversionColumns} from conversions where user_id = $1 and id = $2`, [
    user,
    id,
  ])
  return rows[0]
}
