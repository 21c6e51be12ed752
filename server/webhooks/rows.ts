import {
  type ChallengeProblem,
  type DeliveryProblem,
  type DeliveryState,
  type WebhookKind,
  webhookKinds,
  type WebhookPause,
  type WireDelivery,
  type WirePending,
  type WireWebhook,
} from '@candor/core/protocol/wire/webhooks.ts'
import { type ColumnType, type Generated, type GeneratedAlways, type Kysely, type Selectable, sql } from 'kysely'
import type { Store } from '../store/open.ts'

/** Migrations 066 and 079, as Kysely sees it. */
export type WebhookTables = { webhooks: WebhookTable; webhook_deliveries: DeliveryTable; webhook_state: StateTable }

export type WebhookTable = {
  number: GeneratedAlways<number>
  id: string
  account: string
  user_id: number
  url: string
  /** Written as JSON. */
  kinds: ColumnType<Readonly<Partial<Record<WebhookKind, number>>>, string, string>
  secret: Buffer | null
  old_secret: Buffer | null
  old_until: number | null
  sequence: Generated<number>
  created_at: number
  failing_since: number | null
  off_at: number | null
  off_by: WebhookPause | null
  told_at: number | null
  deleted_at: number | null
  confirmed_at: Generated<number | null>
  challenge_due: number | null
  challenged_at: Generated<number | null>
  challenge_problem: Generated<ChallengeProblem | null>
  challenge_status: Generated<number | null>
  challenge_answer: Generated<string | null>
  challenges: number
  challenges_since: number
}

export type DeliveryTable = {
  webhook: number
  sequence: number
  event_id: string
  kind: WebhookKind | 'test'
  created_at: number
  data: string
  state: DeliveryState
  tries: Generated<number>
  since: number
  next_at: number
  last_at: number | null
  problem: DeliveryProblem | null
  status: number | null
  answer: string | null
  took_ms: number | null
}

export type StateTable = { version: number; done_seq: number }

export type WebhookRow = Selectable<WebhookTable>
export type DeliveryRow = Selectable<DeliveryTable>
export type WebhookDb = Kysely<WebhookTables>

export function webhookDb(store: Store): WebhookDb {
  return store.db.withTables<WebhookTables>() as unknown as WebhookDb
}

/** Locks the account until the transaction ends, so that parallel requests can't exceed its limits. */
export async function lockAccount(db: WebhookDb, account: string): Promise<void> {
  await sql`select id from accounts where id = ${account} for update`.execute(db)
}

/** The body of a delivery: the same bytes at every try. */
export function bodyOf(row: Pick<DeliveryRow, 'event_id' | 'kind' | 'created_at' | 'sequence' | 'data'>): string {
  const head = JSON.stringify({ id: row.event_id, type: row.kind, createdAt: row.created_at, sequence: row.sequence })
  return `${head.slice(0, -1)},"data":${row.data}}`
}

export function wireWebhook(row: WebhookRow, now: number): WireWebhook {
  const { off_at: at, off_by: by, failing_since: failingSince, old_until: oldSecretUntil } = row
  return {
    id: row.id,
    url: row.url,
    kinds: webhookKinds.filter((kind) => row.kinds[kind] !== undefined),
    createdAt: row.created_at,
    ...(row.confirmed_at === null ? { pending: pendingOf(row) } : {}),
    ...(at === null || by === null ? {} : { off: { at, by } }),
    ...(failingSince === null ? {} : { failingSince }),
    ...(oldSecretUntil === null || oldSecretUntil <= now ? {} : { oldSecretUntil }),
  }
}

function pendingOf(row: WebhookRow): WirePending {
  const { challenge_due: due, challenged_at: triedAt, challenge_problem: problem, challenge_status: status, challenge_answer: answer } = row
  return {
    isDue: due !== null && row.off_at === null,
    ...(triedAt === null ? {} : { triedAt }),
    ...(problem === null ? {} : { problem }),
    ...(status === null ? {} : { status }),
    ...(answer === null || answer === '' ? {} : { answer }),
  }
}

export function wireDelivery(row: DeliveryRow): WireDelivery {
  return {
    sequence: row.sequence,
    eventId: row.event_id,
    type: row.kind,
    createdAt: row.created_at,
    state: row.state,
    tries: row.tries,
    ...(row.last_at === null ? {} : { lastTryAt: row.last_at }),
    ...(row.state === 'waiting' ? { nextTryAt: row.next_at } : {}),
    ...(row.problem === null ? {} : { problem: row.problem }),
    ...(row.status === null ? {} : { status: row.status }),
    ...(row.answer === null || row.answer === '' ? {} : { answer: row.answer }),
    ...(row.took_ms === null ? {} : { tookMs: row.took_ms }),
    body: bodyOf(row),
  }
}
