import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WebhookKind } from '@candor/core/protocol/wire/webhooks.ts'
import type pg from 'pg'
import type { WebhookUsers } from '../projection/webhooks.ts'

/** The events that each user wants, and the version of that list. */
export type WebhookList = { readonly version: number; readonly users: WebhookUsers }

/** Returns undefined while `version` is still the newest. */
export async function readWebhookUsers(pool: pg.Pool, version: number): Promise<WebhookList | undefined> {
  const { rows } = await pool.query<{ version: number }>('select version from webhook_state')
  const newest = rows[0]?.version ?? 0
  if (newest === version) return undefined
  // Read after the version, so that the list may be newer than it but never older.
  const found = await pool.query<{ user: UserId; kinds: readonly WebhookKind[] }>(
    `select user_id as "user", array_agg(distinct kind) as kinds from webhooks, jsonb_object_keys(kinds) as kind
     where deleted_at is null and off_at is null and confirmed_at is not null group by user_id`,
  )
  return { version: newest, users: new Map(found.rows.map(({ user, kinds }) => [user, new Set(kinds)])) }
}
