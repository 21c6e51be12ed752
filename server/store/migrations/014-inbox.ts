import { type Kysely, sql } from 'kysely'

/**
 * Mail that the sandbox's own mail server received, and the sandbox's short messages, which go to no phone. The writer limits the
 * count.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table inbox (
      id bigint generated always as identity primary key,
      channel text not null,
      recipient text not null,
      sender text not null,
      subject text not null,
      body text not null,
      received_at bigint not null
    )`.execute(db)
  await sql`create index inbox_by_recipient on inbox (recipient, id desc)`.execute(db)
}
