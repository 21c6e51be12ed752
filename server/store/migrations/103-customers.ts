import { type Kysely, sql } from 'kysely'

/**
 * For the staff's pages about customers: lists of accounts, newest first, by what they are filtered by; entries of the staff's log by
 * what they are about; and notes, which are added and never changed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index accounts_newest on accounts (created_at desc, uid desc)`.execute(db)
  await sql`create index accounts_by_certification on accounts (certification, created_at desc, uid desc)`.execute(db)
  await sql`create index accounts_by_class on accounts (class, created_at desc, uid desc)`.execute(db)
  await sql`create index accounts_frozen on accounts (created_at desc, uid desc) where frozen_at is not null`.execute(db)
  await sql`create index freezes_by_account on freezes (account, id desc)`.execute(db)
  await sql`create index staff_log_by_subject on staff_log (subject, id desc) where subject is not null`.execute(db)
  await sql`
    create table customer_notes (
      id bigint generated always as identity primary key,
      account uuid not null references accounts,
      at bigint not null,
      staff uuid not null references staff,
      author text not null,
      text text not null check (length(text) between 1 and 2000)
    )`.execute(db)
  await sql`create index customer_notes_by_account on customer_notes (account, id desc)`.execute(db)
  await sql`
    create function customer_notes_only_grow() returns trigger language plpgsql as $$
      begin
        raise exception 'notes about customers only grow';
      end
    $$`.execute(db)
  await sql`
    create trigger customer_notes_only_grow before update or delete or truncate on customer_notes
    for each statement execute function customer_notes_only_grow()`.execute(db)
}
