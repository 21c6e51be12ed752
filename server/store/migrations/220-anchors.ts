import { type Kysely, sql } from 'kysely'

/** Heads of the journal that are written to a chain, one a day, and each transaction that was signed for one. The rules are those of payouts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table anchors (
      network text not null,
      day text not null check (day ~ '^2[0-9]{3}-[0-9]{2}-[0-9]{2}$'),
      head bigint not null references proof_heads,
      state text not null check (state in ('planned', 'bound', 'signed', 'settled', 'void')),
      nonce bigint check (nonce >= 0),
      txid text,
      block bigint,
      block_hash text,
      fee numeric(78, 0),
      trouble text,
      retry_at bigint not null default 0,
      made_at bigint not null,
      settled_at bigint,
      primary key (network, day),
      unique (network, nonce),
      check ((state = 'settled') = (block is not null))
    )`.execute(db)
  await sql`
    create table anchor_attempts (
      network text not null,
      day text not null,
      n integer not null check (n > 0),
      slot jsonb not null,
      raw text,
      txid text unique,
      planned_at bigint not null,
      signed_at bigint,
      sent_at bigint,
      sends integer not null default 0,
      hint text,
      primary key (network, day, n),
      foreign key (network, day) references anchors,
      check ((raw is null) = (txid is null))
    )`.execute(db)
  await sql`
    create function anchor_attempt_kept() returns trigger language plpgsql as $$
    begin
      if new.slot is distinct from old.slot or (old.raw is not null and (new.raw, new.txid) is distinct from (old.raw, old.txid)) then
        raise exception 'attempt % of the anchor of % keeps what was signed', old.n, old.day;
      end if;
      return new;
    end $$`.execute(db)
  await sql`create trigger anchor_attempt_kept before update on anchor_attempts for each row execute function anchor_attempt_kept()`.execute(
    db,
  )
}
