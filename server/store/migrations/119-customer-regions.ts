import { type Kysely, sql } from 'kysely'

/** The staff's list of customers by declared country, newest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index accounts_by_residence on accounts (residence, created_at desc, uid desc) where residence is not null`.execute(db)
}
