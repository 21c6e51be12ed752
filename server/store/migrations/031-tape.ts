import { type Kysely, sql } from 'kysely'

/**
 * The public index tape. `payload` holds a tick's canonical slots from the count of prices on, deflated: 8 bytes each,
 * little-endian float64 (`core/proof/tape`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table index_tape (
      tick bigint primary key,
      at_ms bigint not null,
      hash bytea not null,
      payload bytea not null
    )`.execute(db)
  await sql`create index index_tape_at on index_tape (at_ms, tick)`.execute(db)
}
