import { type Kysely, sql } from 'kysely'

/**
 * What gateways must forget: ended sessions, changed or deleted API keys, deleted listen keys, and changed rights of members of firms. Triggers
 * write it within the transaction of each change, whoever makes it. A gateway reads what is new again and again, so that a lost message leaves
 * nothing open. `xid`: a reader that has seen all transactions before one reads everything from that one on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table revocations (
      number bigint generated always as identity primary key,
      xid xid8 not null default pg_current_xact_id(),
      account uuid,
      session uuid,
      key text,
      listen_key bytea,
      made_at timestamptz not null default now(),
      check (num_nonnulls(account, key, listen_key) = 1 and (session is null or account is not null))
    )`.execute(db)
  await sql`create index revocations_by_xid on revocations (xid)`.execute(db)
  await sql`
    create function session_revoked() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        insert into revocations (account, session) values (new.account, new.id);
        return null;
      end
    $$`.execute(db)
  await sql`
    create trigger session_revoked after update of revoked_at on sessions
    for each row when (old.revoked_at is null and new.revoked_at is not null) execute function session_revoked()`.execute(db)
  await sql`
    create function key_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        insert into revocations (key) values (old.key);
        return null;
      end
    $$`.execute(db)
  await sql`
    create trigger key_changed after update of scopes, ips, expires_at, deleted_at on api_keys
    for each row when ((old.scopes, old.ips, old.expires_at, old.deleted_at) is distinct from (new.scopes, new.ips, new.expires_at, new.deleted_at))
    execute function key_changed()`.execute(db)
  await sql`
    create function listen_key_deleted() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        insert into revocations (listen_key) values (old.hash);
        return null;
      end
    $$`.execute(db)
  await sql`
    create trigger listen_key_deleted after delete on listen_keys
    for each row execute function listen_key_deleted()`.execute(db)
  await members(db)
}

/** Rights of a member, an account of a firm, or a whole firm. */
async function members(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function acting_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        insert into revocations (account) values (new.account);
        return null;
      end
    $$`.execute(db)
  await sql`
    create trigger acting_changed after update of role, accounts, state on firm_members
    for each row when ((old.role, old.accounts, old.state) is distinct from (new.role, new.accounts, new.state))
    execute function acting_changed()`.execute(db)
  await sql`
    create trigger acting_changed after update of archived_at, is_open on firm_accounts
    for each row when ((old.archived_at, old.is_open) is distinct from (new.archived_at, new.is_open))
    execute function acting_changed()`.execute(db)
  await sql`
    create function firm_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        insert into revocations (account) select account from firm_accounts where firm = new.id;
        return null;
      end
    $$`.execute(db)
  await sql`
    create trigger firm_changed after update of state on firms
    for each row when (old.state is distinct from new.state) execute function firm_changed()`.execute(db)
}
