import { type Kysely, sql } from 'kysely'

/**
 * How requests for withdrawals, and deposits that were held, are decided. The engine knows people by their numbers only; the database
 * checks that a decision names members who said so, whose roles allow it at that moment, and whose own money it is not.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await terms(db)
  await reviews(db)
  await verdictsCount(db)
  await decisionsFollow(db)
  await deposits(db)
  await onlyTwoRelease(db)
}

/** Terms of withdrawals are decisions, too: of administrators and of members of risk. */
async function terms(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operations drop constraint operations_area_check, drop constraint operations_kind_check`.execute(db)
  await sql`
    alter table operations
      add constraint operations_area_check check (area in ('markets', 'fees', 'countries', 'house', 'postings', 'networks')),
      add constraint operations_kind_check check (kind in
        ('spot', 'futures', 'margin', 'listing', 'futures-listing', 'fees', 'country', 'second', 'posting', 'withdrawal')),
      add constraint operations_withdrawal_check check ((kind = 'withdrawal') = (area = 'networks'))`.execute(db)
}

/**
 * `flags`: what was found when the request arrived. `people`: how many have to approve, at least as many as the core asks for.
 * `round`: begins again after the core refused a decision, for example about a customer who was frozen.
 */
async function reviews(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table withdrawal_reviews (
      withdrawal bigint primary key check (withdrawal > 0),
      account uuid not null references accounts,
      people integer not null check (people between 0 and 2),
      flags jsonb not null,
      made_at bigint not null
    )`.execute(db)
  await sql`create index withdrawal_addresses_by_address on withdrawal_addresses (network, address)`.execute(db)
  await sql`
    create table withdrawal_claims (
      withdrawal bigint primary key references withdrawal_reviews,
      staff uuid not null references staff,
      claimed_at bigint not null
    )`.execute(db)
  await sql`
    create table withdrawal_verdicts (
      withdrawal bigint not null references withdrawal_reviews,
      round integer not null check (round >= 0),
      staff uuid not null references staff,
      member integer not null,
      is_approved boolean not null,
      reason text check (reason ~ '^[a-z-]{1,40}$'),
      note text check (length(note) between 1 and 500),
      at bigint not null,
      primary key (withdrawal, round, staff),
      check (is_approved = (reason is null)),
      check (is_approved or note is not null)
    )`.execute(db)
  await sql`
    create table withdrawal_decisions (
      withdrawal bigint not null references withdrawal_reviews,
      round integer not null check (round >= 0),
      is_approved boolean not null,
      first integer not null check (first >= 0),
      second integer not null check (second >= 0),
      reason text not null check (reason ~ '^[ -~]{1,120}$'),
      decided_at bigint not null,
      done_at bigint,
      seq bigint,
      refusal text,
      primary key (withdrawal, round),
      check (first > 0 or second = 0),
      check (first <> second or first = 0),
      check (done_at is not null or (seq is null and refusal is null))
    )`.execute(db)
  await sql`create index withdrawal_decisions_unsent on withdrawal_decisions (withdrawal) where done_at is null`.execute(db)
  await onlyGrow(db, 'withdrawal_reviews', 'withdrawal_verdicts')
}

async function onlyGrow(db: Kysely<unknown>, ...tables: readonly string[]): Promise<void> {
  await sql`
    create function withdrawal_reviews_only_grow() returns trigger language plpgsql as $$
      begin
        raise exception 'reviews of withdrawals only grow';
      end
    $$`.execute(db)
  for (const table of tables)
    await sql`
      create trigger ${sql.id(`${table}_only_grow`)} before update or delete or truncate on ${sql.table(table)}
      for each statement execute function withdrawal_reviews_only_grow()`.execute(db)
}

async function verdictsCount(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function withdrawals_may(who uuid) returns boolean language sql stable as $$
      select exists (select from staff where id = who and state = 'active' and role in ('compliance', 'treasury', 'risk'))
    $$`.execute(db)
  await sql`
    create function withdrawal_review_enough() returns trigger language plpgsql as $$
      begin
        if not exists (select from core_withdrawals where id = new.withdrawal and people <= new.people) then
          raise exception 'a review asks for as many people as the terms of the withdrawal';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger withdrawal_review_enough before insert on withdrawal_reviews
    for each row execute function withdrawal_review_enough()`.execute(db)
  await sql`
    create function withdrawal_verdict_counts() returns trigger language plpgsql as $$
      begin
        if not withdrawals_may(new.staff) or not exists (select from staff where id = new.staff and number = new.member) then
          raise exception 'a verdict needs a member whose role may';
        end if;
        if exists (
          select from withdrawal_reviews r join staff_marks m on m.account = r.account
          where r.withdrawal = new.withdrawal and m.staff = new.staff
        ) then
          raise exception 'nobody decides about the own withdrawal';
        end if;
        if exists (select from withdrawal_decisions where withdrawal = new.withdrawal and round >= new.round) then
          raise exception 'the withdrawal is decided';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger withdrawal_verdict_counts before insert on withdrawal_verdicts
    for each row execute function withdrawal_verdict_counts()`.execute(db)
}

/** Nobody stands behind an approval only where the review asks for nobody; otherwise each named member has said so. */
async function decisionsFollow(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function withdrawal_decision_follows() returns trigger language plpgsql as $$
      declare
        named integer;
        wanted integer;
      begin
        if tg_op = 'UPDATE' then
          if old.done_at is not null or new.done_at is null
            or (new.withdrawal, new.round, new.is_approved, new.first, new.second, new.reason, new.decided_at)
              is distinct from (old.withdrawal, old.round, old.is_approved, old.first, old.second, old.reason, old.decided_at)
          then
            raise exception 'a decision about a withdrawal gets its outcome once and does not change';
          end if;
          return new;
        end if;
        if new.done_at is not null then
          raise exception 'a decision about a withdrawal begins without an outcome';
        end if;
        if new.round <> (select count(*) from withdrawal_decisions where withdrawal = new.withdrawal)
          or exists (select from withdrawal_decisions where withdrawal = new.withdrawal and refusal is null)
        then
          raise exception 'a withdrawal is decided once';
        end if;
        select count(distinct v.member) into named from withdrawal_verdicts v
          where v.withdrawal = new.withdrawal and v.round = new.round and v.is_approved = new.is_approved
            and v.member in (new.first, new.second) and withdrawals_may(v.staff);
        select case when new.is_approved then people else 1 end into wanted from withdrawal_reviews where withdrawal = new.withdrawal;
        if new.first > 0 or not new.is_approved or new.round > 0 then
          wanted := greatest(wanted, 1);
        end if;
        if named < wanted or named <> (new.first > 0)::integer + (new.second > 0)::integer then
          raise exception 'a decision about a withdrawal needs the verdicts of its members';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger withdrawal_decision_follows before insert or update on withdrawal_decisions
    for each row execute function withdrawal_decision_follows()`.execute(db)
}

/** A held deposit is released or refused by two members. `released_at`: the screening, and the question for a second node, are answered. */
async function deposits(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deposits drop constraint deposits_state_check, add column released_at bigint`.execute(db)
  await sql`
    alter table deposits add constraint deposits_state_check check (state in
      ('confirming', 'credited', 'final', 'orphaned', 'small', 'held', 'wrong-token', 'failed', 'refused'))`.execute(db)
  await sql`create index deposits_odd on deposits (id desc) where state in ('held', 'wrong-token', 'failed', 'orphaned', 'refused')`.execute(
    db,
  )
  await sql`
    create table deposit_decisions (
      id bigint generated always as identity primary key,
      deposit bigint not null references deposits,
      is_released boolean not null,
      reason text not null check (length(reason) between 1 and 500),
      proposed_by uuid not null references staff,
      proposed_at bigint not null,
      expires_at bigint not null,
      state text not null default 'open' check (state in ('open', 'approved', 'declined', 'expired')),
      decided_by uuid references staff,
      decided_at bigint,
      why text check (length(why) between 1 and 500),
      check ((state in ('open', 'expired')) = (decided_by is null)),
      check ((state in ('open', 'expired')) = (decided_at is null)),
      check (state <> 'approved' or (proposed_by <> decided_by and decided_at < expires_at))
    )`.execute(db)
  await sql`create unique index deposit_decisions_open on deposit_decisions (deposit) where state = 'open'`.execute(db)
  await sql`create index deposit_decisions_deposit on deposit_decisions (deposit, id desc)`.execute(db)
}

async function onlyTwoRelease(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function deposits_may(who uuid, held bigint) returns boolean language sql stable as $$
      select exists (select from staff where id = who and state = 'active' and role in ('compliance', 'treasury'))
        and not exists (select from deposits d join staff_marks m on m.account = d.account where d.id = held and m.staff = who)
    $$`.execute(db)
  await sql`
    create function deposit_decisions_end_once() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          if new.state <> 'open' or not deposits_may(new.proposed_by, new.deposit) then
            raise exception 'a decision about a deposit begins open, by a member whose role may';
          end if;
          return new;
        end if;
        if old.state <> 'open' or (new.deposit, new.is_released, new.reason, new.proposed_by, new.proposed_at, new.expires_at)
          is distinct from (old.deposit, old.is_released, old.reason, old.proposed_by, old.proposed_at, old.expires_at)
        then
          raise exception 'a decision about a deposit does not change';
        end if;
        if new.state in ('approved', 'declined') and not deposits_may(new.decided_by, new.deposit)
          or new.state = 'approved' and not deposits_may(new.proposed_by, new.deposit)
        then
          raise exception 'a decision about a deposit needs two members whose roles may';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger deposit_decisions_end_once before insert or update on deposit_decisions
    for each row execute function deposit_decisions_end_once()`.execute(db)
  await sql`
    create function deposit_decisions_lapse() returns trigger language plpgsql as $$
      begin
        update deposit_decisions set state = 'expired' where proposed_by = new.id and state = 'open';
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger deposit_decisions_lapse after update on staff
    for each row when (new.proposal is distinct from old.proposal) execute function deposit_decisions_lapse()`.execute(db)
  // A process that may not add deposits, as the gateway, changes nothing of them but this.
  await sql`
    create function deposits_released() returns trigger language plpgsql as $$
      declare
        answer deposit_decisions;
      begin
        if new.state = 'orphaned' then
          new.released_at := null;
        end if;
        if old.state = 'held' and new.state in ('confirming', 'refused') then
          select * into answer from deposit_decisions where deposit = old.id order by id desc limit 1;
          if answer.state is distinct from 'approved' or answer.is_released <> (new.state = 'confirming')
            or answer.decided_at <= coalesce(old.released_at, 0)
          then
            raise exception 'a held deposit needs the decision of two members';
          end if;
          new.released_at := answer.decided_at;
        elsif new.state = 'refused' and old.state <> 'refused' or not has_table_privilege('deposits', 'insert') then
          raise exception 'only a held deposit is released or refused';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`create trigger deposits_released before update on deposits for each row execute function deposits_released()`.execute(db)
}
