import { type Kysely, sql } from 'kysely'

/**
 * Invited customers, and the commission that inviters got, projected from the core's events. Those who were invited before have no
 * commission yet.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table referral_invitees (
      user_id bigint primary key,
      inviter bigint not null,
      is_severed boolean not null,
      value numeric not null
    )`.execute(db)
  await sql`create index referral_invitees_inviter on referral_invitees (inviter)`.execute(db)
  await sql`
    insert into referral_invitees (user_id, inviter, is_severed, value)
    select user_id, referrer, false, 0 from core_users where referrer <> 0`.execute(db)
  await sql`
    create table referral_days (
      inviter bigint not null,
      day_ms bigint not null,
      level integer not null check (level in (1, 2)),
      asset text not null,
      amount numeric not null,
      value numeric not null,
      payments bigint not null,
      primary key (inviter, day_ms, level, asset)
    )`.execute(db)
}
