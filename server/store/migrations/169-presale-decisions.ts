import { type Kysely, sql } from 'kysely'

/** Terms of presales, and their cancelling, are decisions of two administrators or members of risk; nobody closes one alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operations drop constraint operations_area_check, drop constraint operations_kind_check`.execute(db)
  await sql`
    alter table operations
      add constraint operations_area_check check (area in ('markets', 'fees', 'countries', 'house', 'postings', 'networks', 'presales')),
      add constraint operations_kind_check check (kind in
        ('spot', 'futures', 'margin', 'listing', 'futures-listing', 'fees', 'country', 'second', 'posting', 'withdrawal',
          'conversion', 'referral', 'presale', 'presale-cancel')),
      add constraint operations_presale_check check ((kind in ('presale', 'presale-cancel')) = (area = 'presales')
        and not (area = 'presales' and is_closing))`.execute(db)
}
