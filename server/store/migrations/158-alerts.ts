import { type Kysely, sql } from 'kysely'

/**
 * Price alerts of customers. `state` says whether the next crossing is told, so that a restart neither repeats nor forgets one.
 * `version` rises with each change by the owner; `count` is how many crossings were told.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table alerts (
      id uuid primary key,
      account uuid not null references accounts,
      symbol text not null,
      condition text not null check (condition in ('above', 'below', 'rise', 'fall')),
      source text not null check (source in ('last', 'index', 'mark')),
      level text not null,
      rearm text,
      note text not null check (length(note) <= 80),
      state text not null check (state in ('armed', 'waiting', 'paused', 'done')),
      version integer not null default 1,
      count integer not null default 0 check (count >= 0),
      last_at bigint,
      last_value text,
      created_at bigint not null,
      check ((count = 0) = (last_at is null) and (last_at is null) = (last_value is null))
    )`.execute(db)
  await sql`create index alerts_account on alerts (account, created_at desc)`.execute(db)
  await sql`create index alerts_watched on alerts (id) where state in ('armed', 'waiting')`.execute(db)
}
