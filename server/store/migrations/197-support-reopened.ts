import { type Kysely, sql } from 'kysely'

/**
 * Finds how often a customer opened closed tickets again of late, for each time leaves rows that stay for ever; and the answers of the
 * last day that may need a notice, which are looked for twice a minute.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index support_messages_answered on support_messages (at) where author = 'member'`.execute(db)
  await sql`create index support_messages_reopened on support_messages (account, at) where author = 'event' and text = 'reopened'`.execute(
    db,
  )
}
