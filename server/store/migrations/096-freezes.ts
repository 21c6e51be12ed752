import { type Kysely, sql } from 'kysely'

/**
 * Frozen accounts. `freezes` has a row for each freeze: by its owner, by a link in a message, or by a member of the staff. Two members
 * lift it: one proposes with a reason, another approves. The database checks that both do so at that moment, and that no account is
 * opened again in another way. What somebody proposed lapses with their role or login. Of the links there are only hashes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table accounts add column frozen_at bigint`.execute(db)
  await sql`
    create table freeze_links (
      token bytea primary key check (length(token) = 32),
      account uuid not null references accounts,
      expires_at bigint not null
    )`.execute(db)
  await sql`create index freeze_links_by_account on freeze_links (account)`.execute(db)
  await sql`
    create table freezes (
      id bigint generated always as identity primary key,
      account uuid not null references accounts,
      frozen_at bigint not null,
      cause text not null check (cause in ('owner', 'link', 'staff')),
      staff uuid references staff,
      officer text,
      reason text check (length(reason) between 1 and 500),
      lifted_at bigint,
      check ((cause = 'staff') = (staff is not null)),
      check ((staff is null) = (officer is null) and (staff is null) = (reason is null))
    )`.execute(db)
  await sql`create unique index freezes_standing on freezes (account) where lifted_at is null`.execute(db)
  await sql`
    create table freeze_lifts (
      id bigint generated always as identity primary key,
      freeze_id bigint not null references freezes,
      reason text not null check (length(reason) between 1 and 500),
      proposed_by uuid not null references staff,
      proposer text not null,
      proposed_at bigint not null,
      expires_at bigint not null,
      state text not null default 'open' check (state in ('open', 'approved', 'declined', 'expired')),
      decided_by uuid references staff,
      decided_at bigint,
      check ((state in ('open', 'expired')) = (decided_by is null)),
      check ((state in ('open', 'expired')) = (decided_at is null)),
      check (state <> 'approved' or (proposed_by <> decided_by and decided_at < expires_at))
    )`.execute(db)
  await sql`create unique index freeze_lifts_open on freeze_lifts (freeze_id) where state = 'open'`.execute(db)
  await sql`create index freeze_lifts_approved on freeze_lifts (freeze_id) where state = 'approved'`.execute(db)
  await decideOnce(db)
  await keepFrozen(db)
  await lapse(db)
}

async function decideOnce(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function freeze_lifts_end_once() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          if new.state <> 'open' then
            raise exception 'a lift begins open';
          end if;
          return new;
        end if;
        if old.state <> 'open' or (new.freeze_id, new.reason, new.proposed_by, new.proposer, new.proposed_at, new.expires_at)
            is distinct from (old.freeze_id, old.reason, old.proposed_by, old.proposer, old.proposed_at, old.expires_at)
        then
          raise exception 'a lift does not change';
        end if;
        if new.state = 'approved' and (
          select count(*) from staff where id in (new.proposed_by, new.decided_by) and role = 'compliance' and state = 'active'
        ) < 2 then
          raise exception 'a lift needs two people';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger freeze_lifts_end_once before insert or update on freeze_lifts
    for each row execute function freeze_lifts_end_once()`.execute(db)
}

async function keepFrozen(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function freezes_stand() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          if new.lifted_at is not null then
            raise exception 'a freeze begins standing';
          end if;
          return new;
        end if;
        if (new.id, new.account, new.frozen_at, new.cause, new.staff, new.officer, new.reason)
            is distinct from (old.id, old.account, old.frozen_at, old.cause, old.staff, old.officer, old.reason)
          or old.lifted_at is not null
          or not exists (select from freeze_lifts l where l.freeze_id = old.id and l.state = 'approved')
        then
          raise exception 'a freeze ends by an approved lift';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger freezes_stand before insert or update on freezes
    for each row execute function freezes_stand()`.execute(db)
  await sql`
    create function accounts_stay_frozen() returns trigger language plpgsql as $$
      begin
        if new.frozen_at is not null or exists (select from freezes f where f.account = old.id and f.lifted_at is null) then
          raise exception 'an account opens again by an approved lift';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger accounts_stay_frozen before update on accounts
    for each row when (old.frozen_at is not null and new.frozen_at is distinct from old.frozen_at) execute function accounts_stay_frozen()`.execute(
    db,
  )
}

async function lapse(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function freeze_lifts_lapse() returns trigger language plpgsql as $$
      begin
        update freeze_lifts set state = 'expired' where proposed_by = new.id and state = 'open';
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger freeze_lifts_lapse after update on staff
    for each row when (new.proposal is distinct from old.proposal) execute function freeze_lifts_lapse()`.execute(db)
}
