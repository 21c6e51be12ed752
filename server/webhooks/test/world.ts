import { randomUUID } from 'node:crypto'
import type { WebhookKind, WireNewWebhook, WireWebhookMade } from '@candor/core/protocol/wire/webhooks.ts'
import { Seal } from '../../identity/seal.ts'
import { ServerKeys } from '../../identity/server-keys.ts'
import type { OwnerAction, Template } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import type { Store } from '../../store/open.ts'
import { startScratchServer } from '../../store/test/scratch.ts'
import { Challenger } from '../challenger.ts'
import { Deliverer, deliveryTimes, type DeliveryTimes } from '../deliverer.ts'
import { Sender } from '../sender.ts'
import { Webhooks, type WebhookHolder } from '../webhooks.ts'

export const password = 'river lamp forty-two'

export type World = AsyncDisposable & {
  readonly store: Store
  readonly webhooks: Webhooks
  readonly told: readonly { account: string; template: Template; values: Readonly<Record<string, string>> }[]
  readonly logged: readonly { account: string; action: OwnerAction; detail: object }[]
  /** Moves the clock forward. */
  pass(ms: number): void
  now(): number
  person(): Promise<WebhookHolder>
  /** Makes a webhook whose URL counts as having answered its challenge. */
  make(form: WireNewWebhook, who: WebhookHolder): Promise<WireWebhookMade>
  /** A challenger over the tables; the caller disposes of it. */
  challenger(timeoutMs?: number): Challenger
  /** A deliverer over the tables; the caller disposes of it. */
  deliverer(times?: Partial<DeliveryTimes>, timeoutMs?: number): Deliverer
  /** Writes the rows that the projector writes for an event: one delivery for each of these texts of data. */
  happened(webhook: string, kind: WebhookKind, ...data: readonly string[]): Promise<void>
}

/** Real PostgreSQL, a clock that tests move, and owners whose passwords need no argon. */
export async function startWorld(): Promise<World> {
  const server = await startScratchServer()
  const store = await server.store()
  const seal = new Seal(ServerKeys.of(Buffer.alloc(32, 7)), 'webhook')
  let moved = 0
  const clock = (): number => Date.now() + moved
  const told: World['told'][number][] = []
  const logged: World['logged'][number][] = []
  const webhooks = new Webhooks({
    store,
    rules: { hasLoopback: true },
    clock,
    seal: (secret, webhook) => seal.close(secret, webhook),
    onFault: (cause) => {
      throw cause
    },
    owners: {
      confirm: async (_account, given) => {
        if (given !== password) throw new Refused('CREDENTIALS_WRONG', { field: 'password' })
      },
      tell: async (account, template, values) => void told.push({ account, template, values }),
      warn: async (account, template, { ip }, values) =>
        void told.push({ account, template, values: { device: 'curl', ip, time: String(clock()), ...values } }),
      log: async (_db, { account, action, detail }) => void logged.push({ account, action, detail }),
    },
  })
  let people = 0
  return {
    store,
    webhooks,
    told,
    logged,
    pass: (ms) => {
      moved += ms
    },
    now: clock,
    async person() {
      const account = randomUUID()
      const user = ++people
      await store.pool.query(
        `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
         values ($1, $2, $3, $4, 'x', 0, 'en', $5, 'retail', 0)`,
        [account, String(100_000_000 + user), user, `person${user}@example.com`, String(user).padStart(8, '0')],
      )
      return { account, user, visitor: { ip: '203.0.113.7', userAgent: 'curl/8' } }
    },
    async make(form, who) {
      const made = await webhooks.create(form, who)
      await store.pool.query('update webhooks set confirmed_at = created_at, challenge_due = null where id = $1', [made.webhook.id])
      return made
    },
    challenger: (timeoutMs = 5_000) =>
      new Challenger({
        pool: store.pool,
        sender: new Sender({ rules: { hasLoopback: true }, timeoutMs }),
        openSecret: (sealed, webhook) => seal.open(sealed, webhook),
        clock,
        pollMs: 20,
        log: ({ message, cause }) => {
          throw new Error(message, { cause })
        },
      }),
    deliverer: (times = {}, timeoutMs = 5_000) =>
      new Deliverer({
        pool: store.pool,
        sender: new Sender({ rules: { hasLoopback: true }, timeoutMs }),
        openSecret: (sealed, webhook) => seal.open(sealed, webhook),
        clock,
        times: { ...deliveryTimes, ...times },
        log: ({ message, cause }) => {
          throw new Error(message, { cause })
        },
        onOff: () => void webhooks.tellOwners(),
      }),
    async happened(webhook, kind, ...data) {
      for (const one of data) {
        await store.pool.query(
          `with one as (update webhooks set sequence = sequence + 1 where id = $1 returning number, sequence)
           insert into webhook_deliveries (webhook, sequence, event_id, kind, created_at, data, state, since, next_at)
           select number, sequence, sequence || '-0', $2, $3, $4, 'waiting', $3, $3 from one`,
          [webhook, kind, clock(), one],
        )
      }
    },
    async [Symbol.asyncDispose]() {
      webhooks[Symbol.dispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}
