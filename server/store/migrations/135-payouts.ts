import { type Kysely, sql } from 'kysely'

/** Payouts: approved withdrawals on their way to a chain, and each transaction that was signed for one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The intent and its proofs are those that were approved. `trouble`: why it does not move now, for the staff.
  // `fate` is known once a final block decided; `done`: the core knows it too.
  await sql`
    create table payouts (
      withdrawal bigint primary key check (withdrawal > 0),
      network text not null,
      chain_id bigint not null,
      user_no bigint not null,
      client_id text not null,
      contract text,
      recipient text not null,
      value numeric(78, 0) not null check (value > 0),
      proofs jsonb not null,
      state text not null check (state in ('taken', 'bound', 'signed', 'settled', 'done')),
      nonce bigint check (nonce >= 0),
      fate text check (fate in ('paid', 'reverted')),
      txid text,
      block bigint,
      fee numeric(78, 0),
      trouble text,
      retry_at bigint not null default 0,
      taken_at bigint not null,
      settled_at bigint,
      done_at bigint,
      unique (network, nonce),
      check (state <> 'taken' or nonce is null),
      check ((state in ('settled', 'done')) = (fate is not null)),
      check ((fate is null) = (txid is null)),
      check ((state = 'done') = (done_at is not null))
    )`.execute(db)
  await sql`create index payouts_open on payouts (network, state, withdrawal) where state <> 'done'`.execute(db)

  // A slot is stored before the signer is asked, and the signed transaction before it touches the network.
  // `void`: the signer refused the slot, so nothing was signed. `dead`: proved to be in no block for ever.
  await sql`
    create table payout_attempts (
      withdrawal bigint not null references payouts,
      n integer not null check (n > 0),
      slot jsonb not null,
      raw text,
      txid text unique,
      fate text not null check (fate in ('open', 'void', 'dead', 'replaced', 'paid', 'reverted')),
      planned_at bigint not null,
      signed_at bigint,
      sent_at bigint,
      sends integer not null default 0,
      hint text,
      primary key (withdrawal, n),
      check ((raw is null) = (txid is null)),
      check (raw is null or fate <> 'void'),
      check (raw is not null or fate in ('open', 'void'))
    )`.execute(db)
  // Two transactions of TRON with the same content are one: they differ by their timestamps.
  await sql`
    create unique index payout_attempts_differ on payout_attempts ((slot ->> 'timestamp')) where slot ->> 'kind' = 'tron'`.execute(db)
  await guards(db)
}

/** States go forward only, and a nonce stays for ever once something was signed for it, whoever writes to the tables. */
async function guards(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function payout_forward() returns trigger language plpgsql as $$
    declare
      places text[] := array['taken', 'bound', 'signed', 'settled', 'done'];
      back boolean := array_position(places, new.state) < array_position(places, old.state);
    begin
      if back and not (old.state = 'bound' and new.state = 'taken') then
        raise exception 'payout % cannot go from % back to %', old.withdrawal, old.state, new.state;
      end if;
      if new.nonce is distinct from old.nonce
        and exists (select from payout_attempts where withdrawal = old.withdrawal and raw is not null) then
        raise exception 'payout % keeps its nonce %', old.withdrawal, old.nonce;
      end if;
      if old.fate is not null and (new.fate, new.txid) is distinct from (old.fate, old.txid) then
        raise exception 'payout % keeps its fate', old.withdrawal;
      end if;
      return new;
    end $$`.execute(db)
  await sql`create trigger payout_forward before update on payouts for each row execute function payout_forward()`.execute(db)
  await sql`
    create function payout_attempt_kept() returns trigger language plpgsql as $$
    begin
      if new.slot is distinct from old.slot or (old.raw is not null and (new.raw, new.txid) is distinct from (old.raw, old.txid)) then
        raise exception 'attempt % of payout % keeps what was signed', old.n, old.withdrawal;
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger payout_attempt_kept before update on payout_attempts for each row execute function payout_attempt_kept()`.execute(db)
}
