import { type Kysely, sql } from 'kysely'

/** Pictures that customers add to messages. One without a message was uploaded and not sent yet. The files lie with those of documents. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table support_images (
      id uuid primary key,
      account uuid not null references accounts,
      message bigint references support_messages,
      object text not null unique,
      key bytea not null,
      bytes integer not null,
      width integer not null,
      height integer not null,
      created_at bigint not null
    )`.execute(db)
  await sql`create index support_images_by_message on support_images (message) where message is not null`.execute(db)
  await sql`create index support_images_by_account on support_images (account, created_at)`.execute(db)
}
