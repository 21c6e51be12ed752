import { type Kysely, sql } from 'kysely'

/**
 * The engine's word that a withdrawal which two members ended fails, for the signer. `client_id`: the customer's request, where there is
 * one. `done_at`: the core knows that a withdrawal without a payout failed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
