import { type Kysely, sql } from 'kysely'

/** The treasury: transfers of own addresses, what they are known to have, differences, sweeps, and what the signer's journal was. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await flows(db)
  await books(db)
  await jobs(db)
}

/** Transfers from and to own addresses, and from deposit addresses. `what` is null until the reconciliation knows it. */
async function flows(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table treasury_flows (
      network text not null,
      txid text not null,
      ordinal integer not null check (ordinal >= 0),
      contract text not null,
      sender text not null,
      recipient text not null,
      value numeric(78, 0) not null check (value > 0),
      block bigint not null,
      block_hash text not null,
      block_at bigint not null,
      what text check (what in ('payout', 'sweep', 'internal', 'inflow', 'movement', 'fee', 'settled', 'unexplained')),
      is_done boolean not null default false,
      primary key (network, txid, ordinal)
    )`.execute(db)
  await sql`create index treasury_flows_block on treasury_flows (network, block)`.execute(db)
  await sql`create index treasury_flows_open on treasury_flows (network) where what is null or what = 'unexplained' or (what = 'inflow' and not is_done)`.execute(
    db,
  )
  await sql`create index treasury_flows_sender on treasury_flows (network, sender, contract) where not is_done`.execute(db)
  // A deposit that a sweep took is not looked for at its address any more.
  await sql`alter table deposits add column swept_block bigint`.execute(db)
  await sql`
    create index deposits_unswept on deposits (network, contract, address) where swept_block is null and asset is not null`.execute(db)
  await sql`create index payouts_block on payouts (network, block)`.execute(db)
}

/**
 * `treasury_checkpoints`: what an address had at a final block; later blocks are added up from there. `treasury_movements`: what came or
 * went besides deposits and withdrawals, found on the chain or named by two people. `treasury_balances`: the newest comparison.
 */
async function books(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table treasury_checkpoints (
      network text not null,
      holder text not null,
      contract text not null,
      block bigint not null,
      balance numeric(78, 0) not null check (balance >= 0),
      made_at bigint not null,
      primary key (network, holder, contract, block)
    )`.execute(db)
  await sql`
    create table treasury_movements (
      id bigint generated always as identity primary key,
      network text not null,
      holder text not null,
      contract text not null,
      amount numeric(78, 0) not null check (amount <> 0),
      kind text not null check (kind in ('opening', 'inflow', 'operator')),
      txid text,
      block bigint,
      note text not null default '',
      first bigint,
      second bigint,
      made_at bigint not null,
      check (kind <> 'operator' or (txid is not null and first is not null and second is not null and first <> second))
    )`.execute(db)
  await sql`create index treasury_movements_txid on treasury_movements (network, txid) where txid is not null`.execute(db)
  await sql`
    create table treasury_findings (
      id bigint generated always as identity primary key,
      network text not null,
      kind text not null,
      holder text not null,
      contract text not null,
      txid text not null,
      amount numeric(78, 0) not null,
      stops boolean not null,
      found_at bigint not null,
      seen_at bigint not null,
      closed_at bigint
    )`.execute(db)
  await sql`
    create unique index treasury_findings_open on treasury_findings (network, kind, holder, contract, txid) where closed_at is null`.execute(
    db,
  )
  await sql`
    create table treasury_balances (
      network text not null,
      role text not null check (role in ('hot', 'gas', 'sink', 'deposits')),
      contract text not null,
      balance numeric(78, 0) not null,
      block bigint not null,
      at bigint not null,
      primary key (network, role, contract)
    )`.execute(db)
  // The newest line of the signer's journal that was seen: an older copy of it is not believed.
  await sql`
    create table treasury_signer (
      id boolean primary key default true check (id),
      seq bigint not null,
      head text not null,
      seen_at bigint not null
    )`.execute(db)
  await sql`
    create table treasury_beats (
      id boolean primary key default true check (id),
      at bigint not null,
      is_match boolean not null,
      refusal text
    )`.execute(db)
}

/** Sweeps and fuel, and each transaction that was signed for one. The rules are those of payouts. */
async function jobs(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table treasury_jobs (
      job bigint generated always as identity primary key,
      network text not null,
      kind text not null check (kind in ('sweep', 'fuel')),
      contract text not null,
      places integer[] not null check (cardinality(places) between 1 and 50),
      value numeric(78, 0) check (value > 0),
      state text not null check (state in ('planned', 'bound', 'signed', 'settled', 'void')),
      nonce bigint check (nonce >= 0),
      fate text check (fate in ('done', 'reverted', 'dead')),
      txid text,
      block bigint,
      fee numeric(78, 0),
      trouble text,
      retry_at bigint not null default 0,
      made_at bigint not null,
      settled_at bigint,
      unique (network, nonce),
      check ((state = 'settled') = (fate is not null))
    )`.execute(db)
  await sql`create index treasury_jobs_open on treasury_jobs (network) where state in ('planned', 'bound', 'signed')`.execute(db)
  await sql`create index treasury_jobs_block on treasury_jobs (network, block)`.execute(db)
  await sql`
    create table treasury_attempts (
      job bigint not null references treasury_jobs,
      n integer not null check (n > 0),
      slot jsonb not null,
      raw text,
      txid text unique,
      planned_at bigint not null,
      signed_at bigint,
      sent_at bigint,
      sends integer not null default 0,
      hint text,
      primary key (job, n),
      check ((raw is null) = (txid is null))
    )`.execute(db)
  await sql`
    create function treasury_attempt_kept() returns trigger language plpgsql as $$
    begin
      if new.slot is distinct from old.slot or (old.raw is not null and (new.raw, new.txid) is distinct from (old.raw, old.txid)) then
        raise exception 'attempt % of job % keeps what was signed', old.n, old.job;
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger treasury_attempt_kept before update on treasury_attempts for each row execute function treasury_attempt_kept()`.execute(
    db,
  )
  // An address whose sweep moved nothing: a person must look.
  await sql`
    create table treasury_stuck (
      network text not null,
      place integer not null,
      contract text not null,
      why text not null,
      at bigint not null,
      primary key (network, place, contract)
    )`.execute(db)
}
