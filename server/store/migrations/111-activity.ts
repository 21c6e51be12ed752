import { type Kysely, sql } from 'kysely'

/**
 * Who did what: for each command of a customer, the session or key, network and device of its request. The journal has no personal data, so
 * these tables stand beside it. A row has no reference to its origin, because rows are many: the gateway writes the origin first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table activity_origins (
      id bigint generated always as identity primary key,
      account uuid not null references accounts,
      session uuid,
      key bigint,
      ip text not null,
      device text not null,
      first_at bigint not null,
      last_at bigint not null,
      unique nulls not distinct (account, session, key, ip, device)
    )`.execute(db)
  await sql`
    create table activity (
      user_id bigint not null,
      at bigint not null,
      seq bigint not null,
      code smallint not null,
      market integer,
      order_id bigint,
      origin bigint not null,
      primary key (user_id, at, seq)
    )`.execute(db)
  await sql`create index audit_log_by_time on audit_log (account, at desc, id desc)`.execute(db)
}
