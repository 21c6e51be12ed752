import { sql } from 'kysely'
import type { StaffDb } from './tables.ts'

/** Decisions about the staff are few and depend on each other: of two at once, the second sees what the first did. */
export async function oneAtATime(tx: StaffDb): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('staff-decided'))`.execute(tx)
}
