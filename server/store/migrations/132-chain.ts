import { type Kysely, sql } from 'kysely'

/** Deposits as the core credited them, and withdrawals, projected from its events. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table core_credits (
      network integer not null,
      credit bigint not null,
      user_id bigint not null,
      asset text not null,
      amount numeric not null,
      repaid numeric not null,
      state text not null check (state in ('unfinal', 'final', 'orphaned')),
      taken numeric,
      credited_at_ms bigint not null,
      ended_at_ms bigint,
      primary key (network, credit)
    )`.execute(db)
  await sql`create index core_credits_user on core_credits (user_id, credited_at_ms)`.execute(db)
  await sql`
    create table core_withdrawals (
      id bigint primary key,
      user_id bigint not null,
      asset text not null,
      network integer not null,
      amount numeric not null,
      fee numeric not null,
      destination bigint not null,
      people integer not null,
      state text not null check (state in ('requested', 'approved', 'rejected', 'cancelled', 'paid', 'failed')),
      requested_at_ms bigint not null,
      decided_at_ms bigint,
      ended_at_ms bigint,
      first_staff integer,
      second_staff integer,
      reason text
    )`.execute(db)
  await sql`create index core_withdrawals_user on core_withdrawals (user_id, id)`.execute(db)
  await sql`create index core_withdrawals_open on core_withdrawals (id) where state in ('requested', 'approved')`.execute(db)
}
