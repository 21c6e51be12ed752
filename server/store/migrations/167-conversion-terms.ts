import { type Kysely, sql } from 'kysely'

/** Terms of conversions and of referral are decisions, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table operations drop constraint operations_kind_check,
      add constraint operations_kind_check check (kind in
        ('spot', 'futures', 'margin', 'listing', 'futures-listing', 'fees', 'country', 'second', 'posting', 'withdrawal',
          'conversion', 'referral'))`.execute(db)
}
