import { type Kysely, sql } from 'kysely'

/**
 * The journal: one row per batch, whose `seq` is that of its last command. Payloads up to a page stay in the row, longer ones are
 * stored uncompressed beside it. The leader's epoch keeps out a former leader: an append reads it `for share` in its own
 * statement.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table journal (
      seq bigint primary key,
      epoch bigint not null,
      n integer not null check (n >= 0),
      first_at bigint not null,
      core_version integer not null,
      prev_hash bytea not null check (length(prev_hash) = 32),
      hash bytea not null check (length(hash) = 32),
      events_digest bytea not null check (length(events_digest) = 32),
      payload bytea not null
    ) with (toast_tuple_target = 8160)`.execute(db)
  await sql`alter table journal alter column payload set storage external`.execute(db)
  await sql`
    create table leader (
      only_row boolean primary key default true check (only_row),
      epoch bigint not null,
      since timestamptz not null default now()
    )`.execute(db)
  await sql`insert into leader (epoch) values (0)`.execute(db)
  await sql`
    create table snapshots (
      seq bigint primary key,
      core_version integer not null,
      state_hash bytea not null check (length(state_hash) = 32),
      journal_hash bytea not null check (length(journal_hash) = 32),
      bytes bigint not null,
      made_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table snapshot_chunks (
      seq bigint not null references snapshots on delete cascade,
      chunk integer not null,
      bytes bytea not null,
      primary key (seq, chunk)
    )`.execute(db)
  await sql`alter table snapshot_chunks alter column bytes set storage external`.execute(db)
}
