import { type Kysely, sql } from 'kysely'

/** Which member of a firm did what for its accounts: behind each command, and behind each API key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table activity_origins
      add column member uuid references firm_members,
      drop constraint activity_origins_account_session_key_ip_device_key,
      add constraint activity_origins_once unique nulls not distinct (account, member, session, key, ip, device)`.execute(db)
  await sql`alter table api_keys add column member uuid references firm_members`.execute(db)
  await sql`create index api_keys_by_member on api_keys (member) where deleted_at is null and member is not null`.execute(db)
  await sql`
    create function api_key_of_firm() returns trigger language plpgsql as $$
      declare
        owner uuid := (select firm from accounts where id = new.account);
      begin
        if tg_op = 'UPDATE' and new.member is distinct from old.member then
          raise exception 'a key stays that of its member';
        end if;
        if owner is distinct from (select firm from firm_members where id = new.member) then
          raise exception 'a key of a firm is made by a member of it, and any other by nobody else';
        end if;
        if owner is not null and 'withdraw' = any(new.scopes) then
          raise exception 'no key withdraws from an account of a firm';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger api_key_of_firm before insert or update of account, member, scopes on api_keys
    for each row execute function api_key_of_firm()`.execute(db)
}
