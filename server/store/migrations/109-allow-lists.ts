import { type Kysely, sql } from 'kysely'

/**
 * Whether withdrawals of an account go only to the addresses on its list. `ends_at`: the time from which the list no longer counts, for
 * one that is being switched off. Accounts without a row have no list.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table allow_lists (
      account uuid primary key references accounts,
      is_on boolean not null,
      changed_at bigint not null,
      ends_at bigint,
      check (is_on or ends_at is null),
      check (ends_at is null or ends_at > changed_at)
    )`.execute(db)
}
