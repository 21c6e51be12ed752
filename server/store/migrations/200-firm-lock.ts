import { type Kysely, sql } from 'kysely'

/**
 * The lock of a firm keeps two steps apart only while each sees what was committed before it: with the snapshot of an isolated transaction,
 * a withdrawal would not count another that was approved meanwhile.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function firm_lock(which uuid) returns void language plpgsql set search_path = public, pg_temp as $$
      begin
        if current_setting('transaction_isolation') <> 'read committed' then
          raise exception 'a step of a firm sees what was committed before it';
        end if;
        perform from firms where id = which and state = 'active' for no key update;
        if not found then
          raise exception 'the firm is not active';
        end if;
      end
    $$`.execute(db)
}
