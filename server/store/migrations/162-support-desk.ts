import { type Kysely, sql } from 'kysely'

/** Texts that members insert into answers, and who of the staff has the page of tickets open. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table support_answers (
      id bigint generated always as identity primary key,
      lang text not null,
      title text not null,
      text text not null check (length(text) between 1 and 4000),
      changed_by uuid not null references staff,
      changed_at bigint not null,
      removed_at bigint
    )`.execute(db)
  await sql`create table support_presence (staff uuid primary key references staff, seen_at bigint not null)`.execute(db)
}
