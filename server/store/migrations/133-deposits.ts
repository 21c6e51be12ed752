import { type Kysely, sql } from 'kysely'

/** Deposits: how far each chain was read, the addresses of customers, the transfers to them, and their postings for the core. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await chains(db)
  await addresses(db)
  await deposits(db)
  await postings(db)
}

/**
 * `block`: the last one that was read. `final`: the last of these that can't vanish. `audited`: the last one that was read on the
 * second way. `chain_blocks`: the last final block, and all read ones above it.
 */
async function chains(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chain_cursors (
      network text primary key,
      block bigint not null check (block >= 0),
      final bigint not null check (final between 0 and block),
      audited bigint not null check (audited between 0 and final)
    )`.execute(db)
  await sql`
    create table chain_blocks (
      network text not null references chain_cursors,
      number bigint not null,
      hash text not null,
      parent text not null,
      at bigint not null,
      primary key (network, number)
    )`.execute(db)
}

/** One address of each customer on each network. `signature`: of the wallet service, over network, address and UID. */
async function addresses(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deposit_addresses (
      network text not null,
      address text not null,
      account uuid not null references accounts,
      user_no bigint not null check (user_no > 0),
      place bigint not null check (place between 1 and 2147483647),
      signature bytea not null check (length(signature) = 64),
      made_at bigint not null,
      primary key (network, address),
      unique (network, account),
      unique (network, place)
    )`.execute(db)
}

/**
 * `raw`: in the token's smallest unit. `amount`: what the core credits, in its own unit. `rest`: raw minus amount, in the token's
 * unit; it counts with the next deposit, and is below zero for a deposit that took more of earlier rests than it left. `asset` is null
 * for a token that is not listed.
 */
async function deposits(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deposits (
      id bigint generated always as identity primary key,
      network text not null,
      txid text not null,
      ordinal integer not null check (ordinal >= 0),
      asset text,
      contract text not null,
      sender text not null,
      address text not null,
      account uuid not null references accounts,
      user_no bigint not null,
      raw numeric(78, 0) not null check (raw > 0),
      rest numeric(78, 0) not null default 0,
      amount bigint check (amount > 0),
      block_number bigint not null,
      block_hash text not null,
      block_at bigint not null,
      state text not null check (state in ('confirming', 'credited', 'final', 'orphaned', 'small', 'held', 'wrong-token', 'failed')),
      why text,
      credit bigint unique,
      seen_at bigint not null,
      credited_at bigint,
      final_at bigint,
      unique (network, txid, ordinal),
      foreign key (network, address) references deposit_addresses,
      check ((credit is not null) = (state in ('credited', 'final'))),
      check ((amount is not null) = (state in ('credited', 'final'))),
      check ((asset is null) = (state = 'wrong-token') or state = 'orphaned')
    )`.execute(db)
  await sql`create index deposits_by_block on deposits (network, block_number)`.execute(db)
  await sql`create index deposits_by_user on deposits (user_no, id desc)`.execute(db)
  await sql`create index deposits_open on deposits (network, state, block_number) where state in ('confirming', 'credited')`.execute(db)
  await sql`create index deposits_small on deposits (network, user_no, asset) where state = 'small'`.execute(db)
  await sql`create index deposits_rests on deposits (network, user_no, asset) where rest <> 0`.execute(db)
  await sql`create index deposits_wrong on deposits (network, address) where state = 'wrong-token'`.execute(db)
}

/** Commands for the core in the order in which they are sent; written with the change that they carry out. They only grow. */
async function postings(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deposit_postings (
      id bigint generated always as identity primary key,
      network text not null,
      kind text not null check (kind in ('credit', 'final', 'orphan')),
      credit bigint not null,
      deposit bigint not null references deposits,
      user_no bigint not null,
      asset text not null,
      amount bigint not null check (amount > 0),
      is_final boolean not null,
      made_at bigint not null,
      done_at bigint,
      refusal text,
      unique (credit, kind)
    )`.execute(db)
  await sql`create index deposit_postings_undone on deposit_postings (id) where done_at is null`.execute(db)
}
