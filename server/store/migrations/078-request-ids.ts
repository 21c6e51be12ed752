import { type Kysely, sql } from 'kysely'

/**
 * Requests with a client id that the core may forget within a day: hashes of id and body, and the first outcome. This is not a
 * projection that a replay must reproduce: rows are deleted after a day.
 *
 * `recorded_users`: users whose requests are recorded; −1 for all users.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table request_ids (
      user_id bigint not null,
      id_low integer not null,
      id_high integer not null,
      body_low integer not null,
      body_high integer not null,
      number bigint not null,
      refusal integer not null,
      seq bigint not null,
      at_ms bigint not null,
      primary key (user_id, id_low, id_high)
    )`.execute(db)
  await sql`create index request_ids_age on request_ids (at_ms)`.execute(db)
  await sql`create table recorded_users (user_id bigint primary key)`.execute(db)
}
