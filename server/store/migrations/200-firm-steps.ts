import { type Kysely, sql } from 'kysely'

/**
 * Only members who use the main account ask for its withdrawals and addresses.
 *
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
  await sql`
    create or replace function firm_can_ask(who uuid, about text) returns boolean language sql volatile set search_path = public, pg_temp as $$
      select firm_can_approve(who) and exists (
        select from firm_members m where m.id = who
          and case when about in ('withdrawal', 'address') then m.role in ('owner', 'treasurer')
            and (m.accounts is null
              or exists (select from firm_accounts a where a.firm = m.firm and a.kind = 'main' and a.account = any(m.accounts)))
            else m.role in ('owner', 'admin') end)
    $$`.execute(db)
}
