import { type Kysely, sql } from 'kysely'

/**
 * Webhooks and the deliveries to them. The projector writes deliveries in the transaction that moves its watermark, but they are
 * not a projection: filling the tables again sends nothing again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // `kinds`: for each name of a kind, the position in the journal after which its events count. `sequence`: of the newest
  // delivery. A deleted webhook keeps its row, for the log, and loses its secret.
  await sql`
    create table webhooks (
      number bigint generated always as identity primary key,
      id uuid not null unique,
      account uuid not null references accounts,
      user_id bigint not null,
      url text not null,
      kinds jsonb not null,
      secret bytea,
      old_secret bytea,
      old_until bigint,
      sequence bigint not null default 0,
      created_at bigint not null,
      failing_since bigint,
      off_at bigint,
      off_by text check (off_by in ('owner', 'failing')),
      told_at bigint,
      deleted_at bigint,
      check ((off_at is null) = (off_by is null)),
      check ((deleted_at is null) = (secret is not null))
    )`.execute(db)
  await sql`create index webhooks_by_account on webhooks (account, number)`.execute(db)
  await sql`create index webhooks_by_user on webhooks (user_id) where deleted_at is null and off_at is null`.execute(db)

  // `since`: start of its tries; a replay starts them afresh. `data` is text, so that the signed bytes stay the same.
  await sql`
    create table webhook_deliveries (
      webhook bigint not null,
      sequence bigint not null,
      event_id text not null,
      kind text not null,
      created_at bigint not null,
      data text not null,
      state text not null check (state in ('waiting', 'delivered', 'failed')),
      tries integer not null default 0,
      since bigint not null,
      next_at bigint not null,
      last_at bigint,
      problem text,
      status integer,
      answer text,
      took_ms integer,
      primary key (webhook, sequence),
      unique (webhook, event_id)
    )`.execute(db)
  await sql`create index webhook_deliveries_due on webhook_deliveries (webhook, next_at, sequence) where state = 'waiting'`.execute(db)
  await sql`create index webhook_deliveries_age on webhook_deliveries (created_at)`.execute(db)

  // `version` grows with each change of webhooks or of the kinds that they want. `done_seq`: events up to there have been handed
  // over, even if the tables are emptied and their watermark starts again at 0.
  await sql`create table webhook_state (version bigint not null, done_seq bigint not null)`.execute(db)
  await sql`insert into webhook_state values (1, 0)`.execute(db)
}
