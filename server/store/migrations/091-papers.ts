import { type Kysely, sql } from 'kysely'

/**
 * Identity checks. What a document says is encrypted with the server's key; photos lie outside the database, each encrypted with a
 * key of its own that is stored here under the server's key. `tag` finds the same document again without showing it. A check has a
 * row per sending, so that what was decided, about what and by whom stays.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table papers (
      id uuid primary key,
      account uuid not null references accounts,
      state text not null check (state in ('draft', 'waiting', 'rejected', 'certified', 'revoked')),
      fields bytea,
      tag bytea check (length(tag) = 32),
      created_at bigint not null,
      sent_at bigint,
      decided_at bigint,
      decided_by text,
      faults jsonb not null default '[]',
      claimed_by text,
      claimed_at bigint,
      check ((state in ('draft')) = (sent_at is null)),
      check ((state in ('draft', 'waiting')) = (decided_at is null)),
      check ((claimed_by is null) = (claimed_at is null))
    )`.execute(db)
  await sql`create unique index papers_open on papers (account) where state in ('draft', 'waiting')`.execute(db)
  await sql`create unique index papers_certified on papers (account) where state = 'certified'`.execute(db)
  await sql`create unique index papers_in_use on papers (tag) where state = 'certified'`.execute(db)
  await sql`create index papers_waiting on papers (sent_at, id) where state = 'waiting'`.execute(db)
  await sql`create index papers_decided on papers (decided_at) where decided_at is not null`.execute(db)
  await sql`create index papers_by_account on papers (account, created_at)`.execute(db)
  await sql`create index papers_by_tag on papers (tag) where tag is not null`.execute(db)
  await sql`
    create table paper_photos (
      id uuid primary key,
      papers uuid not null references papers,
      side text not null check (side in ('front', 'back')),
      object text not null,
      key bytea not null,
      bytes integer not null,
      width integer not null,
      height integer not null,
      created_at bigint not null,
      unique (papers, side)
    )`.execute(db)
  await sql`create index paper_photos_object on paper_photos (object)`.execute(db)
  // Objects whose row is gone; the row is written in the transaction that lets them go, and stays until they are deleted.
  await sql`create table paper_objects_gone (object text primary key, since bigint not null)`.execute(db)
  await sql`create table paper_tag_keys (name text primary key, key bytea not null)`.execute(db)
}
