import { type Kysely, sql } from 'kysely'

/**
 * Requests to delete an account. One stands at a time; a login cancels it. After `due_at` the account loses its addresses, which others can
 * then use, and everything that identifies its owner but what must be kept. An erased account stays, without an address and frozen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deletions (
      id bigint generated always as identity primary key,
      account uuid not null references accounts,
      asked_at bigint not null,
      due_at bigint not null check (due_at > asked_at),
      gives_up boolean not null,
      session uuid not null,
      ip text not null,
      cancelled_at bigint,
      erased_at bigint check (erased_at >= due_at),
      check (cancelled_at is null or erased_at is null)
    )`.execute(db)
  await sql`create unique index deletions_standing on deletions (account) where cancelled_at is null`.execute(db)
  await sql`create index deletions_due on deletions (due_at) where cancelled_at is null and erased_at is null`.execute(db)
  await sql`alter table accounts add column erased_at bigint, drop constraint accounts_check`.execute(db)
  await sql`
    alter table accounts
      add constraint accounts_reachable check (email is not null or phone is not null or erased_at is not null),
      add constraint accounts_erased check (erased_at is null or (email is null and phone is null and frozen_at is not null))`.execute(db)
}
