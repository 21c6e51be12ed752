import { type Kysely, sql } from 'kysely'

/**
 * Time since which a login's browser no longer counts as a known device, because the password was reset or was changed elsewhere;
 * null while it counts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions add column device_forgotten_at bigint`.execute(db)
}
