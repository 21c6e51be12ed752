import { type Kysely, sql } from 'kysely'

/**
 * Firms, their accounts and their members. Nobody logs in to a firm's account: it has no mail address, no phone and no password that
 * could be right. Members use it through their own logins. What members did is in a log that only grows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await firms(db)
  await accounts(db)
  await members(db)
  await log(db)
}

async function firms(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table firms (
      id uuid primary key,
      number bigint generated always as identity unique,
      name text not null check (length(name) between 2 and 60),
      registration text not null check (length(registration) between 2 and 60),
      country text not null check (country ~ '^[A-Z]{2}$'),
      applied_by uuid not null references accounts,
      applied_at bigint not null,
      state text not null default 'applied' check (state in ('applied', 'active', 'refused')),
      decided_by uuid references staff,
      decided_at bigint,
      why text check (length(why) between 1 and 500),
      check ((state = 'applied') = (decided_by is null)),
      check ((state = 'applied') = (decided_at is null)),
      check ((state = 'refused') = (why is not null))
    )`.execute(db)
  await sql`create index firms_waiting on firms (number) where state = 'applied'`.execute(db)
  await sql`create unique index firms_one_application on firms (applied_by) where state = 'applied'`.execute(db)
  await sql`create unique index firms_once on firms (country, lower(registration)) where state = 'active'`.execute(db)
}

async function accounts(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table accounts
      add column firm uuid references firms,
      drop constraint accounts_reachable,
      add constraint accounts_reachable check (email is not null or phone is not null or erased_at is not null or firm is not null),
      add constraint accounts_of_firms check (firm is null or (email is null and phone is null and password = ''))`.execute(db)
  await sql`
    create table firm_accounts (
      account uuid primary key references accounts,
      firm uuid not null references firms,
      kind text not null check (kind in ('main', 'sub')),
      label text not null check (length(label) between 1 and 60),
      made_by uuid not null references accounts,
      made_at bigint not null,
      -- Whether the core has it as an account of the firm, with everything that belongs to it.
      is_open boolean not null default false,
      archived_at bigint,
      check (archived_at is null or kind = 'sub')
    )`.execute(db)
  await sql`create unique index firm_accounts_main on firm_accounts (firm) where kind = 'main'`.execute(db)
  await sql`create index firm_accounts_by_firm on firm_accounts (firm)`.execute(db)
  await sql`
    create function firm_account_fits() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and (new.account, new.firm, new.kind, new.made_by, new.made_at)
          is distinct from (old.account, old.firm, old.kind, old.made_by, old.made_at)
        then
          raise exception 'an account of a firm stays what it is';
        end if;
        if not exists (select from accounts where id = new.account and firm = new.firm) then
          raise exception 'a firm has its own accounts only';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger firm_account_fits before insert or update on firm_accounts
    for each row execute function firm_account_fits()`.execute(db)
  await sql`
    create function accounts_firm_stays() returns trigger language plpgsql as $$
      begin
        raise exception 'an account never changes its firm';
      end
    $$`.execute(db)
  await sql`
    create trigger accounts_firm_stays before update on accounts
    for each row when (new.firm is distinct from old.firm) execute function accounts_firm_stays()`.execute(db)
}

/** `accounts`: null for all accounts of the firm. */
async function members(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table firm_members (
      id uuid primary key,
      firm uuid not null references firms,
      account uuid not null references accounts,
      label text not null check (length(label) between 1 and 60),
      role text not null check (role in ('owner', 'admin', 'treasurer', 'trader', 'viewer')),
      accounts uuid[],
      state text not null check (state in ('invited', 'active', 'ended')),
      invited_by uuid references firm_members,
      invited_at bigint not null,
      joined_at bigint,
      ended_at bigint,
      check ((state = 'ended') = (ended_at is not null)),
      check (state <> 'active' or joined_at is not null),
      check (role <> 'owner' or (state = 'active' and accounts is null))
    )`.execute(db)
  await sql`create unique index firm_members_once on firm_members (firm, account) where state <> 'ended'`.execute(db)
  await sql`create unique index firm_members_owner on firm_members (firm) where role = 'owner'`.execute(db)
  await sql`create index firm_members_by_account on firm_members (account) where state <> 'ended'`.execute(db)
  await sql`
    create function firm_member_fits() returns trigger language plpgsql as $$
      begin
        if exists (select from accounts where id = new.account and firm is not null) then
          raise exception 'members are people';
        end if;
        if tg_op = 'UPDATE' and ((new.id, new.firm, new.account) is distinct from (old.id, old.firm, old.account) or old.state = 'ended') then
          raise exception 'a member stays who it is';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger firm_member_fits before insert or update on firm_members
    for each row execute function firm_member_fits()`.execute(db)
}

async function log(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table firm_log (
      id bigint generated always as identity primary key,
      firm uuid not null references firms,
      member uuid references firm_members,
      account uuid references accounts,
      action text not null check (action ~ '^[a-z-]{1,40}$'),
      detail jsonb not null,
      ip text,
      device text,
      at bigint not null
    )`.execute(db)
  await sql`create index firm_log_by_firm on firm_log (firm, id desc)`.execute(db)
}
