import type { RequestHashes } from '@candor/core/exchange/request-kept.ts'
import type pg from 'pg'

/** What became of a request that the core may have forgotten. `number`: its order, 0 for none. `refusal`: its number, 0 for none. */
export type RecordedRequest = {
  readonly bodyLow: number
  readonly bodyHigh: number
  readonly number: number
  readonly refusal: number
  readonly seq: number
  readonly at: number
}

/** The hash of a recorded request's client id. */
export type RecordedId = { readonly low: number; readonly high: number }

export async function recordedRequest(
  pool: pg.Pool,
  { user, idLow, idHigh }: Pick<RequestHashes, 'user' | 'idLow' | 'idHigh'>,
): Promise<RecordedRequest | undefined> {
  const { rows } = await pool.query<RecordedRequest>({
    name: 'recorded-request',
    text: `select body_low as "bodyLow", body_high as "bodyHigh", number, refusal, seq, at_ms as at
           from request_ids where user_id = $1 and id_low = $2 and id_high = $3`,
    values: [user, idLow, idHigh],
  })
  return rows[0]
}

const pageMax = 20_000

/** All of one user, in pages. */
export async function* recordedIds(pool: pg.Pool, user: number): AsyncGenerator<readonly RecordedId[]> {
  let after = [-(2 ** 31), -(2 ** 31)]
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await pool.query<RecordedId>(
      `select id_low as low, id_high as high from request_ids
       where user_id = $1 and (id_low, id_high) ${isFirst ? '>=' : '>'} ($2, $3) order by id_low, id_high limit ${pageMax}`,
      [user, ...after],
    )
    yield rows
    const last = rows.at(-1)
    if (rows.length < pageMax || last === undefined) return
    after = [last.low, last.high]
  }
}

/** The client ids of one user: when the newest came, and their hashes as pairs of big-endian 32-bit words, low before high. */
export type RecordedHashes = { readonly user: number; readonly at: number; readonly hashes: Buffer }

/** Those of all users since this time. Packed, because a row of its own for each costs the reader many times what it says. */
export async function recordedSince(pool: pg.Pool, at: number): Promise<readonly RecordedHashes[]> {
  const text = `select user_id as "user", max(at_ms) as at, string_agg(int4send(id_low) || int4send(id_high), ''::bytea) as hashes
                from request_ids where at_ms >= $1 group by user_id`
  return (await pool.query<RecordedHashes>({ name: 'recorded-since', text, values: [at] })).rows
}
