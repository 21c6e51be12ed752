import { type Kysely, sql } from 'kysely'

/**
 * What several parts of chains hand to each other: the addresses that customers wait for, their wishes to withdraw with the proof that
 * they are theirs, the engine's signature of what was approved, and signatures of operators.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deposit_address_requests (
      network text not null,
      account uuid not null references accounts,
      asked_at bigint not null,
      primary key (network, account)
    )`.execute(db)
  // Written before the core is asked. `customer`: the passkey's assertion, or the login's word. `value`: what arrives, in the token's
  // smallest unit. `withdrawal`: its number, once the core took the request.
  await sql`
    create table withdrawal_wishes (
      user_no bigint not null check (user_no > 0),
      client_id text not null,
      account uuid not null references accounts,
      destination bigint not null references withdrawal_addresses (number),
      network text not null,
      chain_id bigint not null,
      asset text not null,
      contract text,
      recipient text not null,
      value numeric(78, 0) not null check (value > 0),
      customer jsonb not null,
      made_at bigint not null,
      withdrawal bigint unique,
      primary key (user_no, client_id)
    )`.execute(db)
  await sql`create index withdrawal_wishes_account on withdrawal_wishes (account, made_at)`.execute(db)
  // By the engine's process, after the core approved. `payment`: as it was signed.
  await sql`
    create table payout_warrants (
      withdrawal bigint primary key check (withdrawal > 0),
      network text not null,
      payment jsonb not null,
      engine text not null,
      signed_at bigint not null
    )`.execute(db)
  // Signatures of operators for payments above the signer's limit.
  await sql`
    create table payout_approvals (
      withdrawal bigint not null check (withdrawal > 0),
      operator text not null,
      approval jsonb not null,
      signed_at bigint not null,
      primary key (withdrawal, operator)
    )`.execute(db)
  // Passkeys that the signer is told of, with the engine's signature. `what`: added or removed.
  await sql`
    create table signer_keys (
      user_no bigint not null check (user_no > 0),
      id text not null,
      what text not null check (what in ('add', 'remove')),
      public_key text not null,
      engine text not null,
      signed_at bigint not null,
      told_at bigint,
      refusal text,
      primary key (id, what)
    )`.execute(db)
}
