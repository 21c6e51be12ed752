import { type Kysely, sql } from 'kysely'

/**
 * Announcements to everybody, in each language of the app. One member of support or an administrator publishes one, and it ends only by
 * being withdrawn.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table announcements (
      id bigint generated always as identity primary key,
      texts jsonb not null,
      shown_from bigint not null,
      shown_until bigint not null check (shown_until > shown_from),
      published_by uuid not null references staff,
      published_at bigint not null,
      withdrawn_by uuid references staff,
      withdrawn_at bigint,
      check ((withdrawn_by is null) = (withdrawn_at is null))
    )`.execute(db)
  await sql`create index announcements_shown on announcements (shown_from, id) where withdrawn_at is null`.execute(db)
  await sql`
    create function announcements_stay() returns trigger language plpgsql as $$
      declare
        member uuid := case tg_op when 'INSERT' then new.published_by else new.withdrawn_by end;
      begin
        if tg_op = 'INSERT' then
          if new.withdrawn_by is not null then
            raise exception 'an announcement begins published';
          end if;
        elsif old.withdrawn_by is not null or (new.id, new.texts, new.shown_from, new.shown_until, new.published_by, new.published_at)
            is distinct from (old.id, old.texts, old.shown_from, old.shown_until, old.published_by, old.published_at)
        then
          raise exception 'an announcement does not change';
        end if;
        if not exists (select from staff where id = member and role in ('support', 'administrator') and state = 'active') then
          raise exception 'an announcement needs a member whose role may';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger announcements_stay before insert or update on announcements
    for each row execute function announcements_stay()`.execute(db)
}
