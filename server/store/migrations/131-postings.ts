import { type Kysely, sql } from 'kysely'

/** Postings by hand are decisions, too: of treasurers and administrators. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operations drop constraint operations_area_check, drop constraint operations_kind_check`.execute(db)
  await sql`
    alter table operations
      add constraint operations_area_check check (area in ('markets', 'fees', 'countries', 'house', 'postings')),
      add constraint operations_kind_check
        check (kind in ('spot', 'futures', 'margin', 'listing', 'futures-listing', 'fees', 'country', 'second', 'posting')),
      add constraint operations_posting_check check ((kind = 'posting') = (area = 'postings') and not (kind = 'posting' and is_closing))`.execute(
    db,
  )
  await sql`
    create or replace function operations_may(who uuid, member integer, about text) returns boolean language sql stable as $$
      select exists (
        select from staff
        where id = who and number = member and state = 'active'
          and role in ('administrator', case about when 'countries' then 'compliance' when 'postings' then 'treasury' else 'risk' end)
      )
    $$`.execute(db)
}
