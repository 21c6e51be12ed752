import { type Kysely, sql } from 'kysely'

/**
 * The addresses to which customers withdraw. A new one waits for a day. Only its name can be changed, so the row says where a withdrawal
 * went and who gets it there, also after it was removed. `number`: by which the core knows it. `beneficiary`: sealed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table withdrawal_addresses (
      number bigint generated always as identity primary key,
      id uuid not null unique,
      account uuid not null references accounts,
      network text not null,
      address text not null,
      label text not null,
      owner text not null check (owner in ('own', 'exchange')),
      exchange text,
      beneficiary bytea,
      added_at bigint not null,
      usable_at bigint not null check (usable_at >= added_at + 86400000),
      removed_at bigint check (removed_at >= added_at),
      uses integer not null default 0 check (uses >= 0),
      last_used_at bigint check (last_used_at >= usable_at),
      check ((owner = 'exchange') = (exchange is not null)),
      check ((owner = 'exchange') = (beneficiary is not null)),
      check ((uses = 0) = (last_used_at is null))
    )`.execute(db)
  await sql`
    create unique index withdrawal_addresses_listed on withdrawal_addresses (account, network, address) where removed_at is null`.execute(
    db,
  )
  await sql`create index withdrawal_addresses_account on withdrawal_addresses (account, number)`.execute(db)
}
