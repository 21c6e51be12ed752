import { type Kysely, sql } from 'kysely'

/** Terms of firms by contract are decisions of two administrators or members of compliance; nobody closes them alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operations drop constraint operations_area_check, drop constraint operations_kind_check`.execute(db)
  await sql`
    alter table operations
      add constraint operations_area_check
        check (area in ('markets', 'fees', 'countries', 'house', 'postings', 'networks', 'presales', 'firms')),
      add constraint operations_kind_check check (kind in
        ('spot', 'futures', 'margin', 'listing', 'futures-listing', 'fees', 'country', 'second', 'posting', 'withdrawal',
          'conversion', 'referral', 'presale', 'presale-cancel', 'firm')),
      add constraint operations_firm_check check ((kind = 'firm') = (area = 'firms') and not (kind = 'firm' and is_closing))`.execute(db)
  await sql`
    create or replace function operations_may(who uuid, member integer, about text) returns boolean language sql stable as $$
      select exists (
        select from staff
        where id = who and number = member and state = 'active'
          and role in (
            'administrator',
            case about when 'countries' then 'compliance' when 'firms' then 'compliance' when 'postings' then 'treasury' else 'risk' end)
      )
    $$`.execute(db)
}
