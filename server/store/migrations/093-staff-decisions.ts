import { type Kysely, sql } from 'kysely'

/**
 * Decisions about the staff, stricter: the machine's owner invites the first administrator only, and counts as the second person
 * where there is no other; a new address needs two administrators; a decision comes before its proposal expires.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table staff_proposals
      drop constraint staff_proposals_kind_check,
      add constraint staff_proposals_kind_check check (kind in ('invitation', 'enrolment', 'role', 'address', 'deactivation')),
      drop constraint staff_proposals_two_people,
      add constraint staff_proposals_two_people check (state <> 'approved' or proposed_by is null or proposed_by <> decided_by)`.execute(db)
  await decideOnce(db)
  await demandTwo(db)
}

/** `proposed_by is null`: of the machine's owner, by the command line, which connects as the tables' owner. */
async function decideOnce(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function staff_proposals_end_once() returns trigger language plpgsql as $$
      declare
        is_owner boolean := pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member');
      begin
        if tg_op = 'INSERT' then
          if new.state <> 'open' then
            raise exception 'a proposal begins open';
          end if;
          if new.proposed_by is null and not is_owner then
            raise exception 'a proposal needs a proposer';
          end if;
          return new;
        end if;
        if old.state <> 'open' or (old.proposed_by is not null and new.proposed_by is distinct from old.proposed_by)
          or (new.kind, new.subject, new.email, new.name, new.role, new.reason, new.proposed_at, new.expires_at)
            is distinct from (old.kind, old.subject, old.email, old.name, old.role, old.reason, old.proposed_at, old.expires_at)
        then
          raise exception 'a proposal does not change';
        end if;
        if new.state <> 'approved' then
          return new;
        end if;
        if new.decided_at >= new.expires_at then
          raise exception 'a proposal has expired';
        end if;
        if (
          select count(*) from staff where id in (new.proposed_by, new.decided_by) and role = 'administrator' and state = 'active'
        ) = 2 then
          return new;
        end if;
        -- The only administrator besides the subject decides with the machine's owner, so that there can be a second one again.
        if new.proposed_by is null and (new.kind = 'enrolment' or (new.kind = 'invitation' and new.role = 'administrator'))
          and (
            select array_agg(id) from staff where id <> new.subject and role = 'administrator' and state = 'active'
          ) = array[new.decided_by]
        then
          return new;
        end if;
        raise exception 'a proposal needs two administrators';
      end
    $$`.execute(db)
}

async function demandTwo(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function staff_needs_two() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and (new.id, new.email, new.name, new.role) = (old.id, old.email, old.name, old.role)
          and (new.state = old.state or (old.state = 'invited' and new.state = 'active')) and new.proposal is not distinct from old.proposal
        then
          return new;
        end if;
        if tg_op = 'UPDATE' and (new.id <> old.id or new.name <> old.name or new.proposal <= coalesce(old.proposal, 0)) then
          raise exception 'a change of the staff needs a proposal';
        end if;
        if tg_op = 'INSERT' and new.proposal is null and new.state = 'invited' and new.role = 'administrator'
          and pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member')
          and not exists (select from staff where role = 'administrator' and state = 'active')
        then
          return new;
        end if;
        if not exists (
          select from staff_proposals p
          where p.id = new.proposal and p.subject = new.id and p.state = 'approved' and p.email = new.email
            and case p.kind
              when 'invitation' then tg_op = 'INSERT' and new.role = p.role and new.state = 'invited'
              when 'address' then tg_op = 'UPDATE' and new.role = old.role and new.state = old.state
              when 'enrolment' then tg_op = 'UPDATE' and new.email = old.email and new.role = old.role and new.state = old.state
              when 'role' then tg_op = 'UPDATE' and new.email = old.email and new.role = p.role and new.state = old.state
              else tg_op = 'UPDATE' and new.email = old.email and new.role = old.role and new.state = 'deactivated'
            end
        ) then
          raise exception 'a change of the staff needs an approved proposal';
        end if;
        return new;
      end
    $$`.execute(db)
}
