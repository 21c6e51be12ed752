import { type Kysely, sql } from 'kysely'

/** Approved withdrawals that are not paid: how they end, and what is kept of the signer's refusals. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await endings(db)
  await refusals(db)
}

/**
 * The engine's word that a withdrawal which two members ended fails, for the signer. `client_id`: the customer's request, where there is
 * one. `done_at`: the core knows that a withdrawal without a payout failed.
 */
async function endings(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payout_endings (
      withdrawal bigint primary key check (withdrawal > 0),
      user_no bigint not null,
      client_id text,
      engine text not null,
      signed_at bigint not null,
      done_at bigint
    )`.execute(db)
  await sql`
    create function payout_ending_decided() returns trigger language plpgsql as $$
      begin
        if not exists (select from chain_decisions where kind = 'ending' and withdrawal = new.withdrawal and state = 'approved') then
          raise exception 'no two members ended withdrawal %', new.withdrawal;
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger payout_ending_decided before insert or update on payout_endings
    for each row execute function payout_ending_decided()`.execute(db)
}

/**
 * `refusals`: how often in a row the signer refused the payment for the reason in `trouble`. The attempt of a refusal is used again, so that
 * a payment that is refused for days has one.
 */
async function refusals(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payouts add column refusals integer not null default 0 check (refusals >= 0)`.execute(db)
  await sql`
    delete from payout_attempts a where fate = 'void'
      and exists (select from payout_attempts later where later.withdrawal = a.withdrawal and later.n > a.n and later.fate = 'void')`.execute(
    db,
  )
  await sql`
    create or replace function payout_attempt_kept() returns trigger language plpgsql as $$
    begin
      if (new.slot is distinct from old.slot and old.fate <> 'void')
        or (old.raw is not null and (new.raw, new.txid) is distinct from (old.raw, old.txid))
      then
        raise exception 'attempt % of payout % keeps what was signed', old.n, old.withdrawal;
      end if;
      return new;
    end $$`.execute(db)
}
