import { randomUUID } from 'node:crypto'
import type { DeliveryState, WireDeliveries, WireDelivery } from '@candor/core/protocol/wire/webhooks.ts'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import { lockAccount, type WebhookDb, type WebhookRow, wireDelivery } from './rows.ts'
import { testsPerHour } from './terms.ts'

const pageMax = 50
const hour = 3_600_000
/** Limits on resending: deliveries of one account that may wait, and single ones within an hour. */
export const replaysMax = 5_000

/** Lists deliveries of webhooks and sends them again. */
export class Deliveries {
  readonly #db: WebhookDb
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()

  constructor(db: WebhookDb, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Calls the listener when an owner asked to send something again. Returns a function that stops the calls. */
  onWaiting(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Deliveries of a webhook, newest first. `before`: a sequence, as `next` of the previous page.
   *
   * throws  Refused NOT_FOUND
   */
  async list(
    account: string,
    id: string,
    { before, limit = pageMax, state }: { readonly before?: number; readonly limit?: number; readonly state?: DeliveryState } = {},
  ): Promise<WireDeliveries> {
    const { number } = await this.#own(account, id)
    const count = Math.min(limit, pageMax)
    const rows = await this.#db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('webhook', '=', number)
      .$if(before !== undefined, (query) => query.where('sequence', '<', before as number))
      .$if(state !== undefined, (query) => query.where('state', '=', state as DeliveryState))
      .orderBy('sequence', 'desc')
      .limit(count + 1)
      .execute()
    const shown = rows.slice(0, count)
    return { deliveries: shown.map(wireDelivery), ...(rows.length > count ? { next: String(shown.at(-1)?.sequence) } : {}) }
  }

  /**
   * Sends one delivery again, whatever its state: same id, sequence and body.
   *
   * throws  Refused NOT_FOUND, WEBHOOK_OFF, WEBHOOK_PENDING, or RATE_LIMITED while too many replays wait
   */
  async again(account: string, id: string, sequence: number): Promise<WireDelivery> {
    const row = await this.#within(account, id, (db, number) =>
      db
        .updateTable('webhook_deliveries')
        .set(this.#anew())
        .where('webhook', '=', number)
        .where('sequence', '=', sequence)
        .returningAll()
        .executeTakeFirst(),
    )
    if (!row) throw new Refused('NOT_FOUND')
    this.announce()
    return wireDelivery(row)
  }

  /**
   * Sends again the events of this time (milliseconds) or later that are not waiting already: oldest first, as many as the
   * account's quota allows. Returns their count.
   *
   * throws  Refused NOT_FOUND, WEBHOOK_OFF, WEBHOOK_PENDING, or RATE_LIMITED when the quota is used up
   */
  async againSince(account: string, id: string, since: number): Promise<number> {
    const { numUpdatedRows } = await this.#within(account, id, (db, number, room) =>
      db
        .updateTable('webhook_deliveries')
        .set(this.#anew())
        .where('webhook', '=', number)
        .where('sequence', 'in', (query) =>
          query
            .selectFrom('webhook_deliveries')
            .select('sequence')
            .where('webhook', '=', number)
            .where('created_at', '>=', since)
            .where('state', '!=', 'waiting')
            .where('kind', '!=', 'test')
            .orderBy('sequence')
            .limit(room),
        )
        .executeTakeFirstOrThrow(),
    )
    this.announce()
    return Number(numUpdatedRows)
  }

  /**
   * Sends a test delivery.
   *
   * throws  Refused NOT_FOUND, WEBHOOK_OFF, WEBHOOK_PENDING, or RATE_LIMITED after too many in an hour
   */
  async test(account: string, id: string): Promise<WireDelivery> {
    const now = this.#clock()
    const { number } = await this.#on(account, id)
    const row = await this.#db.transaction().execute(async (db) => {
      const { sequence } = await db
        .updateTable('webhooks')
        .set(({ eb }) => ({ sequence: eb('sequence', '+', 1) }))
        .where('number', '=', number)
        .returning('sequence')
        .executeTakeFirstOrThrow()
      const { sent } = await db
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.countAll<number>().as('sent'))
        .where('webhook', '=', number)
        .where('kind', '=', 'test')
        .where('created_at', '>', now - hour)
        .executeTakeFirstOrThrow()
      if (sent >= testsPerHour) throw new Refused('RATE_LIMITED', { retryAfter: hour / 1_000 })
      return db
        .insertInto('webhook_deliveries')
        .values({
          ...{ webhook: number, sequence, event_id: `test-${randomUUID()}`, kind: 'test', created_at: now, data: '{}' },
          ...{ state: 'waiting', since: now, next_at: now, last_at: null, problem: null, status: null, answer: null, took_ms: null },
        })
        .returningAll()
        .executeTakeFirstOrThrow()
    })
    this.announce()
    return wireDelivery(row)
  }

  /**
   * Sends again within the account's quota. The account is locked, so that parallel requests share the quota.
   *
   * send  gets the webhook's number, and the count of deliveries that the quota still allows: at least 1
   */
  async #within<T>(account: string, id: string, send: (db: WebhookDb, number: number, room: number) => Promise<T>): Promise<T> {
    const { number } = await this.#on(account, id)
    return this.#db.transaction().execute(async (db) => {
      await lockAccount(db, account)
      return await send(db, number, await this.#roomOf(db, account))
    })
  }

  #anew() {
    const now = this.#clock()
    return { state: 'waiting' as const, tries: 0, since: now, next_at: now }
  }

  async #own(account: string, id: string): Promise<Pick<WebhookRow, 'number' | 'off_at' | 'confirmed_at'>> {
    const row = await this.#db
      .selectFrom('webhooks')
      .select(['number', 'off_at', 'confirmed_at'])
      .where('account', '=', account)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!row) throw new Refused('NOT_FOUND')
    return row
  }

  async #on(account: string, id: string): Promise<Pick<WebhookRow, 'number'>> {
    const row = await this.#own(account, id)
    if (row.off_at !== null) throw new Refused('WEBHOOK_OFF')
    if (row.confirmed_at === null) throw new Refused('WEBHOOK_PENDING')
    return row
  }

  /**
   * Count of further deliveries of this account that may be sent again. It includes all deliveries whose tries restarted within
   * the hour, even finished ones, so that a receiver that accepts them at once is limited, too.
   *
   * throws  Refused RATE_LIMITED when there is none
   */
  async #roomOf(db: WebhookDb, account: string): Promise<number> {
    const { again } = await db
      .selectFrom('webhook_deliveries')
      .innerJoin('webhooks', 'webhooks.number', 'webhook_deliveries.webhook')
      .select(({ fn }) => fn.countAll<number>().as('again'))
      .where('webhooks.account', '=', account)
      .where('webhooks.deleted_at', 'is', null)
      .where('webhook_deliveries.since', '>', this.#clock() - hour)
      .whereRef('webhook_deliveries.since', '>', 'webhook_deliveries.created_at')
      .executeTakeFirstOrThrow()
    const room = replaysMax - again
    if (room < 1) throw new Refused('RATE_LIMITED', { retryAfter: hour / 1_000 })
    return room
  }

  /** Tells the sender that a delivery waits. */
  announce(): void {
    for (const listener of this.#listeners) listener()
  }
}
