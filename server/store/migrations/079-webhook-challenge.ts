import { type Kysely, sql } from 'kysely'

/**
 * Whether a webhook's address has answered a challenge, and what became of the last one. `challenge_due`: since when one is
 * to be sent. Webhooks from before that have taken a delivery with a 2xx go on; the others are asked at the next start and
 * get nothing until they answer.
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
