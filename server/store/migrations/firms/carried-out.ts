import { type Kysely, sql } from 'kysely'

/**
 * A withdrawal of a firm is written only as its approved request says, under the request's id, so that each pays once. It is looked for by
 * account and by the core's number: a row that names a firm's money in either way is a firm's.
 */
export async function wishesFollow(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function firm_wish_follows() returns trigger language plpgsql set search_path = public, pg_temp as $$
      declare
        owner accounts;
        asked firm_requests;
      begin
        select * into owner from accounts where firm is not null and (id = new.account or core_user = new.user_no) limit 1;
        if not found then
          return new;
        end if;
        perform firm_lock(owner.firm);
        select * into asked from firm_requests where id::text = new.client_id and firm = owner.firm;
        if asked.kind is distinct from 'withdrawal' or asked.state <> 'approved' or not firm_holds(asked)
          or asked.account <> new.account or owner.id <> new.account or owner.core_user is distinct from new.user_no
          or owner.frozen_at is not null
        then
          raise exception 'a withdrawal of a firm needs an approved request';
        end if;
        if asked.payment is distinct from jsonb_build_object('destination', new.destination, 'network', new.network,
            'chainId', new.chain_id, 'asset', new.asset, 'contract', new.contract, 'recipient', new.recipient,
            'value', new.value::text, 'decimals', asked.payment->'decimals')
          or not exists (
            select from withdrawal_addresses a
            where a.number = new.destination and a.id::text = asked.payload->>'address' and a.account = new.account
              and a.network = new.network and a.address = new.recipient and a.removed_at is null and a.usable_at <= firm_now())
        then
          raise exception 'a withdrawal of a firm is what was approved';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger firm_wish_follows before insert on withdrawal_wishes
    for each row execute function firm_wish_follows()`.execute(db)
}

/** An address of a firm has the id of its approved request, and waits a day by the clock of the database. */
export async function addressesFollow(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function firm_address_follows() returns trigger language plpgsql set search_path = public, pg_temp as $$
      declare
        owner accounts;
      begin
        select * into owner from accounts where id = new.account and firm is not null;
        if not found then
          return new;
        end if;
        perform firm_lock(owner.firm);
        update firm_requests r set state = 'done', done_at = firm_now()
          where r.id = new.id and r.firm = owner.firm and r.account = new.account and r.kind = 'address' and r.state = 'approved'
            and firm_holds(r) and owner.frozen_at is null
            and r.payload - 'middle' = jsonb_strip_nulls(jsonb_build_object('network', new.network, 'address', new.address, 'label', new.label,
              'owner', new.owner, 'exchange', new.exchange))
            and r.sealed is not distinct from new.beneficiary;
        if not found then
          raise exception 'an address of a firm needs an approved request';
        end if;
        new.added_at := firm_now();
        new.usable_at := new.added_at + 86400000;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger firm_address_follows before insert on withdrawal_addresses
    for each row execute function firm_address_follows()`.execute(db)
}

/**
 * Nobody gets, changes or loses a role that approves without an approved request. Without one: the owner, as the firm is applied for;
 * somebody invited accepts or declines, or the invitation ends. Whoever stops approving leaves as many approvers as the rule asks for.
 */
export async function membersFollow(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function firm_role_approves(role text) returns boolean language sql immutable as $$
      select role in ('owner', 'admin', 'treasurer')
    $$`.execute(db)
  await sql`
    create function firm_approver_follows() returns trigger language plpgsql set search_path = public, pg_temp as $$
      declare
        wished text := case when new.state = 'ended' then null else new.role end;
      begin
        if tg_op = 'INSERT' then
          if not firm_role_approves(new.role) or new.role = 'owner'
            and exists (select from firms where id = new.firm and applied_by = new.account)
          then
            return new;
          end if;
          if new.state <> 'invited' then
            raise exception 'approvers of a firm begin invited';
          end if;
        else
          if not firm_role_approves(old.role) and not firm_role_approves(new.role) then
            return new;
          end if;
          if new.role = 'owner' or old.role = 'owner' then
            if new.role <> old.role or new.state <> old.state then
              raise exception 'the owner of a firm stays';
            end if;
            return new;
          end if;
          if new.role = old.role and (new.state = old.state or old.state = 'invited') then
            return new;
          end if;
          if new.role <> old.role and new.state <> old.state or new.state = 'invited' and old.state <> 'invited' then
            raise exception 'a member of a firm changes one thing at a time';
          end if;
        end if;
        perform firm_lock(new.firm);
        update firm_requests r set state = 'done', done_at = firm_now()
          where r.id = (
            select id from firm_requests w
            where w.firm = new.firm and w.kind = 'member' and w.state = 'approved' and firm_holds(w)
              and w.payload->>'role' is not distinct from wished
              and case when tg_op = 'UPDATE' then w.payload->>'member' = new.id::text
                else w.payload->>'uid' = (select uid from accounts where id = new.account) and w.payload->>'label' = new.label
                  and w.payload->'member' is null end
              and (wished is null or w.payload->'accounts' is null and tg_op = 'UPDATE'
                or coalesce(w.payload->'accounts', 'null') = coalesce(to_jsonb(new.accounts), 'null'))
            order by w.number limit 1);
        if not found then
          raise exception 'a role that approves needs an approved request';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger firm_approver_follows before insert or update on firm_members
    for each row execute function firm_approver_follows()`.execute(db)
  await sql`
    create function firm_approvers_stay() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        if firm_approvers(new.firm) < (select most from firm_rules where firm = new.firm order by version desc limit 1) then
          raise exception 'a firm keeps as many approvers as its rule asks for';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger firm_approvers_stay after update on firm_members
    for each row when (old.state = 'active' and old.role in ('admin', 'treasurer')
      and (new.state = 'ended' or new.role not in ('admin', 'treasurer')))
    execute function firm_approvers_stay()`.execute(db)
}
