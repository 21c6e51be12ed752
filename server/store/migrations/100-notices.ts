import { type Kysely, sql } from 'kysely'

/**
 * Notices of customers, the switches of their channels, and what is still to be sent of them by mail, message or push. The projector
 * writes those of trading in the transaction that moves its watermark, but they are not a projection: filling the tables again
 * writes nothing again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // `event_id`: what happened; it makes at most one notice of an account.
  await sql`
    create table notices (
      number bigint generated always as identity primary key,
      account uuid not null references accounts,
      kind text not null,
      data jsonb not null,
      event_id text not null,
      created_at bigint not null,
      read_at bigint,
      in_inbox boolean not null,
      unique (account, event_id)
    )`.execute(db)
  await sql`create index notices_by_account on notices (account, number desc)`.execute(db)
  await sql`create index notices_unread on notices (account) where read_at is null and in_inbox`.execute(db)

  // Only what a customer has switched; anything else is as the catalogue says.
  await sql`
    create table notice_preferences (
      account uuid not null references accounts,
      kind text not null,
      channel text not null check (channel in ('inbox', 'mail', 'sms', 'push')),
      is_on boolean not null,
      primary key (account, kind, channel)
    )`.execute(db)
  await sql`create index notice_preferences_on on notice_preferences (kind) where is_on`.execute(db)

  // `version` grows with each switch. `done_seq`: events up to there made their notices, even if the watermark starts again at 0.
  await sql`create table notice_state (version bigint not null, done_seq bigint not null)`.execute(db)
  await sql`insert into notice_state values (1, 0)`.execute(db)

  // A browser that asked for push messages. It ends with the session in which it asked. `target`: its address and keys, encrypted.
  await sql`
    create table push_subscriptions (
      id uuid primary key,
      account uuid not null references accounts,
      session uuid not null references sessions on delete cascade,
      endpoint bytea not null unique,
      target bytea not null,
      created_at bigint not null
    )`.execute(db)
  await sql`create index push_subscriptions_by_account on push_subscriptions (account)`.execute(db)
  await sql`create index push_subscriptions_by_session on push_subscriptions (session)`.execute(db)

  // A subscription may end while an event names it, and must not stop the event: so there is no reference. What it has left is dropped when it is due.
  await sql`
    create table notice_sends (
      number bigint generated always as identity primary key,
      notice bigint not null references notices on delete cascade,
      channel text not null check (channel in ('mail', 'sms', 'push')),
      subscription uuid,
      tries integer not null default 0,
      next_at bigint not null,
      check ((channel = 'push') = (subscription is not null))
    )`.execute(db)
  await sql`create index notice_sends_due on notice_sends (next_at)`.execute(db)
  await sql`create index notice_sends_by_notice on notice_sends (notice)`.execute(db)

  // The key by which push services know this exchange: `key` is its private half, encrypted.
  await sql`create table push_keys (name text primary key, public_key text not null, key bytea not null)`.execute(db)
}
