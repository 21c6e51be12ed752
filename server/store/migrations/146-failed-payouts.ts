import { type Kysely, sql } from 'kysely'

/** Payments that the core was told had failed are few. The treasury looks for them on the chain in every turn. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index payouts_failed on payouts (network) where fate in ('reverted', 'refused')`.execute(db)
}
