import { type Kysely, sql } from 'kysely'

/**
 * Explanations that customers asked for. `subject`: what it is about, in the words of its kind. `seq`: the command that it is about; those
 * that wait are worked out in this order, in one pass over the journal.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table explanations (
      id bigint generated always as identity primary key,
      user_id bigint not null check (user_id > 0),
      kind text not null,
      subject text not null check (length(subject) between 1 and 64),
      seq bigint not null,
      asked_at_ms bigint not null,
      state text not null default 'waiting' check (state in ('waiting', 'ready', 'refused')),
      percent smallint not null default 0 check (percent between 0 and 100),
      tries smallint not null default 0,
      fault text,
      body jsonb,
      unique (user_id, kind, subject),
      check ((state = 'ready') = (body is not null) and (state = 'refused') = (fault is not null))
    )`.execute(db)
  await sql`create index explanations_waiting on explanations (seq) where state = 'waiting'`.execute(db)
  await sql`create index explanations_of_user on explanations (user_id, asked_at_ms)`.execute(db)
}
