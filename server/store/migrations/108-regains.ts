import { type Kysely, sql } from 'kysely'

/**
 * Requests of customers who lost their second factors. A certified customer's request begins as a draft and needs photos of the certified
 * document, which two members of the staff compare; any other begins to wait at once. Then the waiting time runs, a link goes out, and the
 * link ends the request. The database checks each step: nobody gets a link before the time or without two people. Of tokens and links
 * there are only hashes; what the document says is encrypted like the identity check's.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table login_steps add column proven text[] not null default '{}'`.execute(db)
  await sql`
    create table regains (
      id uuid primary key,
      account uuid not null references accounts,
      state text not null
        check (state in ('draft', 'sent', 'waiting', 'ready', 'done', 'confirmed', 'rejected', 'stopped', 'expired')),
      has_papers boolean not null,
      token bytea not null unique check (length(token) = 32),
      ip text not null,
      device text not null,
      created_at bigint not null,
      told_at bigint not null,
      photos_added int not null default 0,
      fields bytea,
      tag bytea check (length(tag) = 32),
      sent_at bigint,
      proposed_by uuid references staff,
      proposer text,
      proposed_at bigint,
      reason text check (length(reason) between 1 and 500),
      decided_by uuid references staff,
      decider text,
      decided_at bigint,
      due_at bigint,
      link bytea unique check (length(link) = 32),
      link_sent_at bigint,
      link_expires_at bigint,
      ended_at bigint,
      ended_by text check (ended_by in ('asker', 'owner', 'login', 'freeze', 'staff', 'time', 'link')),
      check ((sent_at is null) = (fields is null) and (fields is null) = (tag is null)),
      check ((proposed_by is null) = (proposed_at is null) and (proposed_by is null) = (proposer is null)),
      check ((decided_by is null) = (decided_at is null) and (decided_by is null) = (decider is null)),
      check ((state in ('waiting', 'ready')) <= (due_at is not null)),
      check ((state = 'ready') <= (link is not null)),
      check ((link is null) = (link_expires_at is null) and (link is null) = (link_sent_at is null)),
      check ((state in ('draft', 'sent', 'waiting', 'ready')) = (ended_at is null)),
      check ((ended_at is null) = (ended_by is null))
    )`.execute(db)
  await sql`create unique index regains_open on regains (account) where state in ('draft', 'sent', 'waiting', 'ready')`.execute(db)
  await sql`create index regains_by_account on regains (account, created_at)`.execute(db)
  await sql`create index regains_sent on regains (sent_at, id) where state = 'sent'`.execute(db)
  await sql`create index regains_due on regains (due_at) where state = 'waiting'`.execute(db)
  await sql`
    create table regain_photos (
      id uuid primary key,
      regain uuid not null references regains,
      side text not null check (side in ('front', 'back')),
      object text not null unique,
      key bytea not null,
      bytes integer not null,
      width integer not null,
      height integer not null,
      created_at bigint not null,
      unique (regain, side)
    )`.execute(db)
  await checkSteps(db)
  await lapse(db)
}

async function checkSteps(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function regains_go_on() returns trigger language plpgsql as $$
      declare
        certified bytea := (select p.tag from papers p where p.account = new.account and p.state = 'certified');
        is_certified boolean := exists (select from papers p where p.account = new.account and p.state = 'certified');
      begin
        if tg_op = 'INSERT' then
          if new.has_papers <> is_certified or new.state <> (case when is_certified then 'draft' else 'waiting' end)
            or new.sent_at is not null or new.proposed_by is not null or new.decided_by is not null or new.link is not null
            or (new.state = 'waiting' and new.due_at <= new.created_at)
          then
            raise exception 'a request begins as a draft, or waits';
          end if;
          return new;
        end if;
        if (new.id, new.account, new.has_papers, new.created_at) is distinct from (old.id, old.account, old.has_papers, old.created_at)
          or (old.due_at is not null and new.due_at is distinct from old.due_at)
        then
          raise exception 'a request does not change';
        end if;
        if old.ended_at is not null then
          if (new.state, new.ended_at, new.ended_by, new.proposed_by, new.decided_by, new.link, new.tag)
            is distinct from (old.state, old.ended_at, old.ended_by, old.proposed_by, old.decided_by, old.link, old.tag)
          then
            raise exception 'a request ends once';
          end if;
          return new;
        end if;
        if old.state <> 'draft' and (new.tag, new.sent_at) is distinct from (old.tag, old.sent_at) then
          raise exception 'what was sent does not change';
        end if;
        if old.state = new.state or new.state in ('stopped', 'expired') then
          return new;
        end if;
        if old.state = 'draft' and new.state = 'sent' or old.state = 'sent' and new.state = 'rejected' then
          return new;
        end if;
        if old.state = 'sent' and new.state in ('waiting', 'confirmed') then
          if new.proposed_by is null or new.decided_by is null or new.proposed_by = new.decided_by
            or (new.proposed_by, new.proposed_at) is distinct from (old.proposed_by, old.proposed_at)
            or (select count(*) from staff where id in (new.proposed_by, new.decided_by) and role = 'compliance' and state = 'active') < 2
          then
            raise exception 'a request needs two reviewers';
          end if;
          if certified is null or new.tag is distinct from certified then
            raise exception 'a request needs the certified document';
          end if;
          if new.state = 'waiting' and new.due_at <= new.decided_at then
            raise exception 'a request waits';
          end if;
          return new;
        end if;
        if old.state = 'waiting' and new.state = 'ready' and new.link_sent_at >= old.due_at then
          return new;
        end if;
        if old.state = 'ready' and new.state = 'done' and new.ended_at < old.link_expires_at then
          return new;
        end if;
        raise exception 'a request can not go from % to %', old.state, new.state;
      end
    $$`.execute(db)
  await sql`
    create trigger regains_go_on before insert or update on regains
    for each row execute function regains_go_on()`.execute(db)
}

async function lapse(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function regains_lapse() returns trigger language plpgsql as $$
      begin
        update regains set proposed_by = null, proposer = null, proposed_at = null, reason = null
        where proposed_by = new.id and state = 'sent';
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger regains_lapse after update on staff
    for each row when (new.proposal is distinct from old.proposal) execute function regains_lapse()`.execute(db)
}
