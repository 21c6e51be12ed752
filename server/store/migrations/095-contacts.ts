import { type Kysely, sql } from 'kysely'

/**
 * Until when no withdrawal leaves an account after a change of its protection, and payment passwords: six digits, stored as an argon2id
 * PHC string. `tries` are those that were counted since the last right one; `locked_until` ends the lock after the fifth.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table accounts add column withdrawals_closed_until bigint not null default 0`.execute(db)
  await sql`
    create table payment_passwords (
      account uuid primary key references accounts,
      hash text not null,
      set_at bigint not null,
      tries integer not null default 0 check (tries between 0 and 5),
      locked_until bigint not null default 0
    )`.execute(db)
}
