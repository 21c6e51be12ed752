import { type Kysely, sql } from 'kysely'

/**
 * Requests with a client id that the core may forget within a day: a row holds many of one user, see `request-block.ts`. `seq`,
 * `at_ms`: of the newest. This is not a projection that a replay must reproduce: rows are deleted after a day.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table request_blocks (
      user_id bigint not null,
      seq bigint not null,
      at_ms bigint not null,
      ids bytea not null,
      outcomes bytea not null
    )`.execute(db)
  // Hashes can't be compressed.
  await sql`alter table request_blocks alter column ids set storage external, alter column outcomes set storage external`.execute(db)
  await sql`
    insert into request_blocks
    select user_id, max(seq), max(at_ms),
      string_agg(int4send(id_low) || int4send(id_high), ''::bytea order by n),
      string_agg(int4send(body_low) || int4send(body_high) || int8send(number) || int4send(refusal), ''::bytea order by n)
    from (select *, row_number() over (partition by user_id order by seq) as n from request_ids) rows
    group by user_id, (n - 1) / 2048`.execute(db)
  await sql`create index request_blocks_user on request_blocks (user_id, seq)`.execute(db)
  await sql`create index request_blocks_age on request_blocks (at_ms)`.execute(db)
  await sql`drop table request_ids`.execute(db)
}
