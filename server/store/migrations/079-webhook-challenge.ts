import { type Kysely, sql } from 'kysely'

/**
 * Whether a webhook's URL has answered a challenge, and the result of the last one. `challenge_due`: time since which one is to
 * be sent. Existing webhooks that have answered a delivery with a 2xx stay active; the others are challenged at the next start
 * and get nothing until they answer.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table webhooks
      add column confirmed_at bigint,
      add column challenge_due bigint,
      add column challenged_at bigint,
      add column challenge_problem text,
      add column challenge_status integer,
      add column challenge_answer text,
      add column challenges integer not null default 0,
      add column challenges_since bigint not null default 0`.execute(db)
  await sql`
    update webhooks set confirmed_at = created_at
    where exists (select from webhook_deliveries where webhook = number and status between 200 and 299)`.execute(db)
  await sql`update webhooks set challenge_due = created_at where confirmed_at is null and deleted_at is null`.execute(db)
  await sql`update webhook_state set version = version + 1`.execute(db)
  await sql`create index webhooks_to_challenge on webhooks (challenge_due) where challenge_due is not null`.execute(db)
}
