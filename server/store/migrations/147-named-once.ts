import { type Kysely, sql } from 'kysely'

/** An inflow is written as a movement of the operator once, however many decisions about its transaction there are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function chain_movement_named() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        insert into treasury_movements (network, holder, contract, amount, kind, txid, block, note, first, second, made_at)
        select f.network, f.recipient, f.contract, f.value, 'operator', f.txid, f.block, new.reason, p.number, q.number, new.decided_at
        from treasury_flows f, staff p, staff q
        where f.network = new.network and f.txid = new.txid and f.what = 'inflow' and not f.is_done
          and p.id = new.proposed_by and q.id = new.decided_by
          and not exists (select from treasury_movements m where m.network = new.network and m.txid = new.txid and m.kind = 'operator');
        return new;
      end
    $$`.execute(db)
}
