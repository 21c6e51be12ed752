import { type Kysely, sql } from 'kysely'

/**
 * Decisions about the terms of the exchange: one member of the staff proposes with a reason, another approves, and the core gets the
 * command with the numbers of both. The database checks that both may decide at that moment, and that a decided row stays as it is.
 * A decision that only closes needs one member. What somebody proposed lapses with their role or login.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await numberStaff(db)
  await sql`
    create table operations (
      id bigint generated always as identity primary key,
      area text not null check (area in ('markets', 'fees', 'countries', 'house')),
      kind text not null check (kind in ('spot', 'futures', 'margin', 'listing', 'fees', 'country', 'second')),
      subject text not null check (length(subject) <= 40),
      terms jsonb not null,
      base jsonb,
      payment jsonb,
      reason text not null check (reason ~ '^[ -~]{1,120}$'),
      is_closing boolean not null,
      proposed_by uuid not null references staff,
      proposer integer not null,
      proposed_at bigint not null,
      expires_at bigint not null,
      state text not null default 'open' check (state in ('open', 'approved', 'declined', 'expired', 'failed')),
      decided_by uuid references staff,
      approver integer,
      decided_at bigint,
      why text check (length(why) between 1 and 500),
      done_at bigint,
      seq bigint,
      refusal text,
      check ((state in ('open', 'expired')) = (decided_by is null)),
      check ((state in ('open', 'expired')) = (decided_at is null)),
      check ((decided_by is null) = (approver is null)),
      check (state in ('approved', 'failed') or (done_at is null and seq is null and refusal is null)),
      check ((state = 'failed') = (refusal is not null)),
      check (state <> 'failed' or done_at is not null),
      check (state not in ('approved', 'failed') or (is_closing = (proposed_by = decided_by) and decided_at < expires_at)),
      check (not is_closing or payment is null)
    )`.execute(db)
  await sql`create unique index operations_open on operations (kind, subject) where state = 'open' and not is_closing`.execute(db)
  await sql`create index operations_unsent on operations (id) where state = 'approved' and done_at is null`.execute(db)
  await sql`create index operations_done on operations (id) where state = 'approved' and done_at is not null`.execute(db)
  await decideOnce(db)
  await lapse(db)
}

/** Numbers by which the journal knows members: no personal data, and never those of another member. */
async function numberStaff(db: Kysely<unknown>): Promise<void> {
  await sql`alter table staff add column number integer generated always as identity unique`.execute(db)
  await sql`
    create function staff_keep_numbers() returns trigger language plpgsql as $$
      begin
        raise exception 'a member keeps the number';
      end
    $$`.execute(db)
  await sql`
    create trigger staff_keep_numbers before update on staff
    for each row when (new.number <> old.number) execute function staff_keep_numbers()`.execute(db)
}

async function decideOnce(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function operations_may(who uuid, member integer, about text) returns boolean language sql stable as $$
      select exists (
        select from staff
        where id = who and number = member and state = 'active'
          and role in ('administrator', case about when 'countries' then 'compliance' else 'risk' end)
      )
    $$`.execute(db)
  await sql`
    create function operations_end_once() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          if new.state <> 'open' then
            raise exception 'a decision begins open';
          end if;
          if not operations_may(new.proposed_by, new.proposer, new.area) then
            raise exception 'a decision needs a proposer whose role may';
          end if;
          return new;
        end if;
        if (new.area, new.kind, new.subject, new.terms, new.base, new.payment, new.reason, new.is_closing, new.proposed_by, new.proposer,
            new.proposed_at, new.expires_at)
          is distinct from (old.area, old.kind, old.subject, old.terms, old.base, old.payment, old.reason, old.is_closing,
            old.proposed_by, old.proposer, old.proposed_at, old.expires_at)
        then
          raise exception 'a decision does not change';
        end if;
        if old.state = 'approved' and old.done_at is null and new.done_at is not null and new.state in ('approved', 'failed')
          and (new.decided_by, new.approver, new.decided_at, new.why) is not distinct from (old.decided_by, old.approver, old.decided_at, old.why)
        then
          return new;
        end if;
        if old.state <> 'open' or new.state not in ('approved', 'declined', 'expired') or new.done_at is not null then
          raise exception 'a decision ends once';
        end if;
        if new.state <> 'expired' and not operations_may(new.decided_by, new.approver, new.area) then
          raise exception 'a decision needs a member whose role may';
        end if;
        if new.state = 'approved' and not operations_may(new.proposed_by, new.proposer, new.area) then
          raise exception 'a decision needs two members whose roles may';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger operations_end_once before insert or update on operations
    for each row execute function operations_end_once()`.execute(db)
}

async function lapse(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function operations_lapse() returns trigger language plpgsql as $$
      begin
        update operations set state = 'expired' where proposed_by = new.id and state = 'open';
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger operations_lapse after update on staff
    for each row when (new.proposal is distinct from old.proposal) execute function operations_lapse()`.execute(db)
}
