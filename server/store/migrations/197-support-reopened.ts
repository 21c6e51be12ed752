import { type Kysely, sql } from 'kysely'

/** Finds how often a customer opened closed tickets again of late: each time leaves rows that stay for ever. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index support_messages_reopened on support_messages (account, at) where author = 'event' and text = 'reopened'`.execute(
    db,
  )
}
