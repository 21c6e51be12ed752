import { type Kysely, sql } from 'kysely'

/**
 * Presales and their subscriptions, projected from the core's events. Sums are in units of the token and of the pay asset, which the terms
 * name. `terms` are those of the core.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table presales (
      number bigint primary key,
      terms jsonb not null,
      subscribed bigint not null,
      subscribers integer not null,
      outcome text check (outcome in ('allocated', 'missed', 'cancelled')),
      sold bigint,
      proceeds bigint,
      decided_at_ms bigint,
      unlocked_at_ms bigint
    )`.execute(db)
  await sql`
    create table presale_subscriptions (
      presale bigint not null,
      user_id bigint not null,
      amount bigint not null,
      first_at_ms bigint not null,
      last_at_ms bigint not null,
      allocated bigint,
      cost bigint,
      refunded bigint,
      released bigint,
      decided_at_ms bigint,
      primary key (presale, user_id)
    )`.execute(db)
  await sql`create index presale_subscriptions_user on presale_subscriptions (user_id, presale)`.execute(db)
}
