import { type Kysely, sql } from 'kysely'

/** A customer's steps in the order of time, to find those that belong to one liquidation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index liquidations_of_user on liquidations (user_id, at_ms, seq, line)`.execute(db)
}
