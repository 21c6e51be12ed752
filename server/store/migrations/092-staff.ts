import { type Kysely, sql } from 'kysely'

/**
 * Staff: people who work for the exchange, apart from customers. Passwords are stored as hashes, tokens too; the secret of an
 * authenticator app is encrypted with the server's key. A change of a role needs two administrators, and the database checks it:
 * the row of the member names the proposal, and the proposal's row names both people.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPeople(db)
  await createFactors(db)
  await createProposals(db)
  await demandTwo(db)
  await createLog(db)
}

async function createPeople(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table staff (
      id uuid primary key,
      email text not null unique,
      name text not null,
      role text not null check (role in ('administrator', 'compliance', 'treasury', 'risk', 'support', 'auditor')),
      state text not null check (state in ('invited', 'active', 'deactivated')),
      password text,
      created_at bigint not null,
      proposal bigint,
      check ((state = 'active') <= (password is not null))
    )`.execute(db)
  await sql`
    create table staff_enrolments (
      staff uuid primary key references staff,
      token bytea not null unique check (length(token) = 32),
      expires_at bigint not null
    )`.execute(db)
  await sql`
    create table staff_sessions (
      id uuid primary key,
      staff uuid not null references staff,
      token bytea not null unique check (length(token) = 32),
      device text not null,
      ip text not null,
      created_at bigint not null,
      last_seen_at bigint not null,
      revoked_at bigint
    )`.execute(db)
  await sql`create index staff_sessions_by_staff on staff_sessions (staff, last_seen_at)`.execute(db)
}

/** The same columns as the customers' factors, so that the same code looks after both. */
async function createFactors(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table staff_authenticators (
      account uuid primary key references staff,
      secret bytea,
      confirmed_at bigint,
      last_step bigint not null default 0,
      next_secret bytea,
      next_at bigint,
      check ((secret is null) = (confirmed_at is null)),
      check ((next_secret is null) = (next_at is null))
    )`.execute(db)
  await sql`
    create table staff_passkeys (
      id uuid primary key,
      account uuid not null references staff,
      credential text not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      label text not null,
      is_synced boolean not null,
      created_at bigint not null,
      last_used_at bigint
    )`.execute(db)
  await sql`create index staff_passkeys_by_account on staff_passkeys (account, created_at)`.execute(db)
  await sql`
    create table staff_passkey_challenges (
      challenge bytea primary key check (length(challenge) = 32),
      account uuid references staff,
      expires_at bigint not null
    )`.execute(db)
}

async function createProposals(db: Kysely<unknown>): Promise<void> {
  // `role`: that the subject gets. Invitations name somebody who has no row yet.
  await sql`
    create table staff_proposals (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('invitation', 'enrolment', 'role', 'deactivation')),
      subject uuid not null,
      email text not null,
      name text not null,
      role text not null,
      reason text not null check (length(reason) between 1 and 500),
      proposed_by uuid references staff,
      proposed_at bigint not null,
      expires_at bigint not null,
      state text not null default 'open' check (state in ('open', 'approved', 'declined', 'expired')),
      decided_by uuid references staff,
      decided_at bigint,
      check ((state in ('open', 'expired')) = (decided_by is null)),
      check ((state in ('open', 'expired')) = (decided_at is null)),
      constraint staff_proposals_two_people check (state <> 'approved' or (proposed_by is not null and proposed_by <> decided_by))
    )`.execute(db)
  await sql`create unique index staff_proposals_open on staff_proposals (email, kind) where state = 'open'`.execute(db)
  await sql`create index staff_proposals_newest on staff_proposals (id desc) where state = 'open'`.execute(db)
  // What was decided stays decided, and both people were administrators at that moment.
  await sql`
    create function staff_proposals_end_once() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          if new.state <> 'open' then
            raise exception 'a proposal begins open';
          end if;
          return new;
        end if;
        if old.state <> 'open' or (old.proposed_by is not null and new.proposed_by is distinct from old.proposed_by)
          or (new.kind, new.subject, new.email, new.name, new.role, new.reason, new.proposed_at, new.expires_at)
            is distinct from (old.kind, old.subject, old.email, old.name, old.role, old.reason, old.proposed_at, old.expires_at)
        then
          raise exception 'a proposal does not change';
        end if;
        if new.state = 'approved' and (
          select count(*) from staff where id in (new.proposed_by, new.decided_by) and role = 'administrator' and state = 'active'
        ) < 2 then
          raise exception 'a proposal needs two administrators';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger staff_proposals_end_once before insert or update on staff_proposals
    for each row execute function staff_proposals_end_once()`.execute(db)
}

/** A member's row changes only by a proposal that was approved, and by a newer one each time. */
async function demandTwo(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function staff_needs_two() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and new.id = old.id and new.email = old.email and new.role = old.role
          and (new.state = old.state or (old.state = 'invited' and new.state = 'active')) and new.proposal is not distinct from old.proposal
        then
          return new;
        end if;
        if tg_op = 'UPDATE' and (new.id <> old.id or new.email <> old.email or new.proposal <= coalesce(old.proposal, 0)) then
          raise exception 'a change of the staff needs a proposal';
        end if;
        if tg_op = 'INSERT' and new.proposal is null and new.state = 'invited'
          and (select count(*) from staff where role = 'administrator' and state = 'active') < 2
        then
          return new;
        end if;
        if not exists (
          select from staff_proposals p
          where p.id = new.proposal and p.subject = new.id and p.state = 'approved' and p.email = new.email
            and case p.kind
              when 'invitation' then tg_op = 'INSERT' and new.role = p.role and new.state = 'invited'
              when 'enrolment' then tg_op = 'UPDATE' and new.role = old.role and new.state = old.state
              when 'role' then tg_op = 'UPDATE' and new.role = p.role and new.state = old.state
              else tg_op = 'UPDATE' and new.role = old.role and new.state = 'deactivated'
            end
        ) then
          raise exception 'a change of the staff needs an approved proposal';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger staff_needs_two before insert or update on staff
    for each row execute function staff_needs_two()`.execute(db)
}

async function createLog(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table staff_log (
      id bigint generated always as identity primary key,
      at bigint not null,
      staff uuid,
      session uuid,
      ip text not null,
      device text not null,
      action text not null,
      subject text,
      why text,
      before jsonb,
      after jsonb
    )`.execute(db)
  await sql`create index staff_log_by_staff on staff_log (staff, id desc)`.execute(db)
  await sql`create index staff_log_by_action on staff_log (action, id desc)`.execute(db)
  await sql`
    create function staff_log_only_grows() returns trigger language plpgsql as $$
      begin
        raise exception 'the log of the staff only grows';
      end
    $$`.execute(db)
  await sql`
    create trigger staff_log_only_grows before update or delete or truncate on staff_log
    for each statement execute function staff_log_only_grows()`.execute(db)
}
