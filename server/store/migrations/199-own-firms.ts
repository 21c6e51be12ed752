import { type Kysely, sql } from 'kysely'

/**
 * A firm's account is the own account of each member of the staff who has been one of the firm: nobody decides about the money of a firm in
 * which they take part. An invitation that was never accepted keeps nobody from deciding.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function account_is_own(who uuid, which uuid) returns boolean language sql stable as $$
      select exists (select from staff_marks where account = which and staff = who)
        or exists (
          select from accounts a join firm_members m on m.firm = a.firm join staff_marks s on s.account = m.account
          where a.id = which and m.joined_at is not null and s.staff = who)
    $$`.execute(db)
  await withdrawals(db)
  await sql`
    create or replace function deposits_may(who uuid, held bigint) returns boolean language sql stable as $$
      select exists (select from staff where id = who and state = 'active' and role in ('compliance', 'treasury'))
        and not exists (select from deposits d where d.id = held and account_is_own(who, d.account))
    $$`.execute(db)
  await findings(db)
}

async function withdrawals(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function withdrawal_is_own(who uuid, which bigint) returns boolean language sql stable as $$
      select exists (
        select from core_withdrawals w join accounts a on a.core_user = w.user_id where w.id = which and account_is_own(who, a.id)
      )
    $$`.execute(db)
  await sql`
    create or replace function withdrawal_verdict_counts() returns trigger language plpgsql as $$
      begin
        if not withdrawals_may(new.staff) or not exists (select from staff where id = new.staff and number = new.member) then
          raise exception 'a verdict needs a member whose role may';
        end if;
        if exists (select from withdrawal_reviews where withdrawal = new.withdrawal and account_is_own(new.staff, account)) then
          raise exception 'nobody decides about the own withdrawal';
        end if;
        if exists (select from withdrawal_decisions where withdrawal = new.withdrawal and round >= new.round) then
          raise exception 'the withdrawal is decided';
        end if;
        return new;
      end
    $$`.execute(db)
}

async function findings(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function surveillance_settle_well() returns trigger language plpgsql as $$
      begin
        if not exists (select from staff where id = new.staff and state = 'active' and role in ('compliance', 'risk')) then
          raise exception 'a finding needs a member whose role may settle it';
        end if;
        if exists (
          select from surveillance_findings f join accounts a on a.uid = any(f.accounts)
          where f.id = new.finding and account_is_own(new.staff, a.id)
        ) then
          raise exception 'nobody settles a finding about the own account';
        end if;
        return new;
      end
    $$`.execute(db)
}
