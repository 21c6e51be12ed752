import type pg from 'pg'

export const hourMs = 3_600_000

/** A complete hour of the tape, prepared for download: `bytes` is its compressed length. */
export type TapeHour = { readonly hour: number; readonly firstTick: number; readonly lastTick: number; readonly bytes: number }

/** The prepared hours, newest first. */
export async function tapeHours(pool: pg.Pool, before: number | undefined, limit: number): Promise<readonly TapeHour[]> {
  const { rows } = await pool.query<{ hour_ms: number; first_tick: number; last_tick: number; bytes: number }>(
    `select hour_ms, first_tick, last_tick, octet_length(body) as bytes from tape_hours
     where $1::bigint is null or hour_ms < $1 order by hour_ms desc limit $2`,
    [before ?? null, limit],
  )
  return rows.map((row) => ({ hour: row.hour_ms, firstTick: row.first_tick, lastTick: row.last_tick, bytes: row.bytes }))
}

/** The gzip of an hour; undefined when it is not prepared, or no longer kept. */
export async function tapeHour(pool: pg.Pool, hour: number): Promise<Buffer | undefined> {
  const { rows } = await pool.query<{ body: Buffer }>('select body from tape_hours where hour_ms = $1', [hour])
  return rows[0]?.body
}

/**
 * The oldest complete hour of the tape that is not prepared yet; undefined when there is none. An hour is complete once a later
 * tick exists.
 */
export async function nextTapeHour(pool: pg.Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ hour: number | null }>(
    `with done as (select max(hour_ms) as hour from tape_hours), ends as (select max(at_ms) as last from index_tape)
     select min(at_ms) - min(at_ms) % ${hourMs} as hour from index_tape, done, ends
     where (done.hour is null or at_ms >= done.hour + ${hourMs}) and at_ms < ends.last - ends.last % ${hourMs}`,
  )
  return rows[0]?.hour ?? undefined
}

export async function keepTapeHour(pool: pg.Pool, { hour, firstTick, lastTick }: Omit<TapeHour, 'bytes'>, body: Buffer): Promise<void> {
  await pool.query(
    'insert into tape_hours (hour_ms, first_tick, last_tick, body) values ($1, $2, $3, $4) on conflict (hour_ms) do nothing',
    [hour, firstTick, lastTick, body],
  )
}
