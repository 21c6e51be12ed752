import { randomBytes, randomUUID } from 'node:crypto'
import type {
  WebhookKind,
  WireNewWebhook,
  WireWebhook,
  WireWebhookChange,
  WireWebhookMade,
  WireWebhooks,
} from '@candor/core/protocol/wire/webhooks.ts'
import { sql } from 'kysely'
import type { Asker, Clock, OwnerAction, Owners } from '../ports.ts'
import { Refused } from '../refused.ts'
import { addNotice } from '../store/notices.ts'
import type { Store } from '../store/open.ts'
import type { AddressRules } from './address.ts'
import { Deliveries } from './deliveries.ts'
import { lockAccount, type WebhookDb, webhookDb, type WebhookRow, wireWebhook } from './rows.ts'
import { challengesPerHour, keptMs, kindsFrom, normalUrl, oldSecretMs, webhooksMax, webhooksPerDay } from './terms.ts'

const day = 86_400_000
const hour = 3_600_000
const tidyEveryMs = 3_600_000

/** The user who changes a webhook. `user`: the core's number. */
export type WebhookHolder = Asker & { readonly user: number }

export type WebhooksOptions = {
  readonly store: Store
  readonly rules: AddressRules
  readonly owners: Owners
  /** Encrypts a secret for its webhook. */
  readonly seal: (secret: string, webhook: string) => Buffer
  readonly onFault: (cause: unknown) => void
  readonly clock?: Clock
}

/** Users' webhook URLs. */
export class Webhooks implements Disposable {
  readonly deliveries: Deliveries
  readonly #db: WebhookDb
  readonly #clock: Clock
  readonly #rules: AddressRules
  readonly #owners: Owners
  readonly #seal: WebhooksOptions['seal']
  readonly #tidier: NodeJS.Timeout

  constructor({ store, rules, owners, seal, onFault, clock = Date.now }: WebhooksOptions) {
    this.#db = webhookDb(store)
    this.#clock = clock
    this.#rules = rules
    this.#owners = owners
    this.#seal = seal
    this.deliveries = new Deliveries(this.#db, clock)
    this.#tidier = setInterval(() => void this.#tidy().catch(onFault), tidyEveryMs).unref()
  }

  async list(account: string): Promise<WireWebhooks> {
    const rows = await this.#living(account).orderBy('number').execute()
    return { webhooks: rows.map((row) => wireWebhook(row, this.#clock())), max: webhooksMax, hasLoopback: this.#rules.hasLoopback }
  }

  /**
   * Creates a webhook. Only this answer contains its secret. Its URL is asked to confirm.
   *
   * throws  Refused WEBHOOK_URL_REFUSED, FIELD_INVALID, WEBHOOK_LIMIT, TOO_MANY_TRIES; CREDENTIALS_WRONG
   */
  async create({ url, kinds, password }: WireNewWebhook, who: WebhookHolder): Promise<WireWebhookMade> {
    const address = normalUrl(url, this.#rules)
    kindsFrom(kinds, {}, 0)
    await this.#refuseMore(this.#db, who.account)
    await this.#owners.confirm(who, password, 'webhook-create')
    const [id, secret] = [randomUUID(), newSecret()]
    const row = await this.#db.transaction().execute(async (db) => {
      await lockAccount(db, who.account)
      await this.#refuseMore(db, who.account)
      const added = await db
        .insertInto('webhooks')
        .values({
          id,
          account: who.account,
          user_id: who.user,
          url: address,
          kinds: JSON.stringify(kindsFrom(kinds, {}, await headOf(db))),
          secret: this.#seal(secret, id),
          old_secret: null,
          old_until: null,
          created_at: this.#clock(),
          failing_since: null,
          off_at: null,
          off_by: null,
          told_at: null,
          deleted_at: null,
          ...this.#asked(0),
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await this.#changed(db, 'webhook-created', added, who)
      return added
    })
    this.deliveries.announce()
    await this.#owners.warn(who.account, 'webhook-created', who.visitor, { url: address })
    return { webhook: wireWebhook(row, this.#clock()), secret }
  }

  /**
   * Changes the kinds, or switches it on or off. Events while it was off are not sent later; deliveries that were given up can
   * be sent again.
   *
   * throws  Refused NOT_FOUND, FIELD_INVALID
   */
  async change(id: string, { kinds, isOn }: WireWebhookChange, who: Asker): Promise<WireWebhook> {
    const row = await this.#db.transaction().execute(async (db) => {
      const before = await this.#living(who.account, db).where('id', '=', id).forUpdate().executeTakeFirst()
      if (!before) throw new Refused('NOT_FOUND')
      const isWaking = isOn === true && before.off_at !== null
      const head = await headOf(db)
      const named = kinds ?? (Object.keys(before.kinds) as WebhookKind[])
      const after = await db
        .updateTable('webhooks')
        .set({
          kinds: JSON.stringify(kindsFrom(named, isWaking ? {} : before.kinds, head)),
          ...(isWaking ? { off_at: null, off_by: null, failing_since: null } : {}),
          ...(isOn === false && before.off_at === null ? { off_at: this.#clock(), off_by: 'owner' as const } : {}),
        })
        .where('number', '=', before.number)
        .returningAll()
        .executeTakeFirstOrThrow()
      if (isOn === false) {
        await db
          .updateTable('webhook_deliveries')
          .set({ state: 'failed' })
          .where('webhook', '=', before.number)
          .where('state', '=', 'waiting')
          .execute()
      }
      await this.#changed(db, 'webhook-changed', after, who)
      return after
    })
    return wireWebhook(row, this.#clock())
  }

  /**
   * Asks the URL of a pending webhook once more; does nothing for a confirmed one.
   *
   * throws  Refused NOT_FOUND, WEBHOOK_OFF, or RATE_LIMITED after too many in an hour
   */
  async challenge(id: string, account: string): Promise<WireWebhook> {
    const row = await this.#db.transaction().execute(async (db) => {
      await lockAccount(db, account)
      const before = await this.#living(account, db).where('id', '=', id).forUpdate().executeTakeFirst()
      if (!before) throw new Refused('NOT_FOUND')
      if (before.off_at !== null) throw new Refused('WEBHOOK_OFF')
      if (before.confirmed_at !== null || before.challenge_due !== null) return before
      const since = this.#clock() - hour
      const { asked } = await db
        .selectFrom('webhooks')
        .select(({ fn }) => fn.sum<string | null>('challenges').as('asked'))
        .where('account', '=', account)
        .where('challenges_since', '>', since)
        .executeTakeFirstOrThrow()
      if (Number(asked) >= challengesPerHour) throw new Refused('RATE_LIMITED', { retryAfter: hour / 1_000 })
      return db
        .updateTable('webhooks')
        .set(this.#asked(before.challenges_since > since ? before.challenges : 0, before.challenges_since))
        .where('number', '=', before.number)
        .returningAll()
        .executeTakeFirstOrThrow()
    })
    this.deliveries.announce()
    return wireWebhook(row, this.#clock())
  }

  /**
   * Makes a new secret. For one day deliveries are also signed with the previous one.
   *
   * throws  Refused NOT_FOUND, CREDENTIALS_WRONG
   */
  async renewSecret(id: string, password: string, who: Asker): Promise<WireWebhookMade> {
    if (!(await this.#living(who.account).where('id', '=', id).executeTakeFirst())) throw new Refused('NOT_FOUND')
    await this.#owners.confirm(who, password, 'webhook-secret-renew')
    const secret = newSecret()
    const row = await this.#db.transaction().execute(async (db) => {
      const after = await db
        .updateTable('webhooks')
        .set(({ ref }) => ({ old_secret: ref('secret'), old_until: this.#clock() + oldSecretMs, secret: this.#seal(secret, id) }))
        .where('account', '=', who.account)
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returningAll()
        .executeTakeFirst()
      if (!after) throw new Refused('NOT_FOUND')
      await this.#changed(db, 'webhook-secret-renewed', after, who)
      return after
    })
    return { webhook: wireWebhook(row, this.#clock()), secret }
  }

  /** Deletes a webhook: nothing more is sent to it, and its deliveries are deleted. */
  async delete(id: string, who: Asker): Promise<void> {
    await this.#db.transaction().execute(async (db) => {
      const row = await db
        .updateTable('webhooks')
        .set({ deleted_at: this.#clock(), secret: null, old_secret: null, old_until: null })
        .where('account', '=', who.account)
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returningAll()
        .executeTakeFirst()
      if (!row) throw new Refused('NOT_FOUND')
      await db.deleteFrom('webhook_deliveries').where('webhook', '=', row.number).execute()
      await this.#changed(db, 'webhook-deleted', row, who)
    })
  }

  /** Tells each owner once that a webhook was switched off because nothing could be delivered. */
  async tellOwners(): Promise<void> {
    const rows = await this.#db.transaction().execute(async (db) => {
      const at = this.#clock()
      const untold = await db
        .updateTable('webhooks')
        .set({ told_at: at })
        .where('off_by', '=', 'failing')
        .where('told_at', 'is', null)
        .where('deleted_at', 'is', null)
        .returning(['id', 'account', 'url', 'failing_since', 'off_at'])
        .execute()
      for (const { id, account, url, off_at: since } of untold)
        await addNotice(db, { account, kind: 'webhook-off', values: { url }, event: `webhook-${id}-${since}`, at })
      return untold
    })
    for (const { account, url, failing_since: since, off_at: at } of rows)
      await this.#owners.tell(account, 'webhook-off', { url, time: String(since ?? at) })
  }

  [Symbol.dispose](): void {
    clearInterval(this.#tidier)
  }

  async #tidy(): Promise<void> {
    await this.tellOwners()
    await this.#db
      .deleteFrom('webhook_deliveries')
      .where('created_at', '<', this.#clock() - keptMs)
      .where('since', '<', this.#clock() - keptMs)
      .execute()
    // Catches a delivery that was written while its webhook was being deleted.
    await sql`delete from webhook_deliveries where webhook in (select number from webhooks where deleted_at is not null)`.execute(this.#db)
  }

  /** Counts one more challenge on top of `before` since a time. */
  #asked(before: number, since = 0) {
    const now = this.#clock()
    return { challenge_due: now, challenges: before + 1, challenges_since: before === 0 ? now : since }
  }

  /** throws  Refused WEBHOOK_LIMIT, or TOO_MANY_TRIES when the daily number is used up */
  async #refuseMore(db: WebhookDb, account: string): Promise<void> {
    const now = this.#clock()
    const { living, today, since } = await db
      .selectFrom('webhooks')
      .select(({ fn }) => [
        fn.countAll<number>().filterWhere('deleted_at', 'is', null).as('living'),
        fn
          .countAll<number>()
          .filterWhere('created_at', '>', now - day)
          .as('today'),
        fn
          .min('created_at')
          .filterWhere('created_at', '>', now - day)
          .as('since'),
      ])
      .where('account', '=', account)
      .executeTakeFirstOrThrow()
    if (living >= webhooksMax) throw new Refused('WEBHOOK_LIMIT')
    if (today >= webhooksPerDay)
      throw new Refused('TOO_MANY_TRIES', { retryAfter: Math.max(1, Math.ceil(((since ?? now) + day - now) / 1_000)) })
  }

  #living(account: string, db: WebhookDb = this.#db) {
    return db.selectFrom('webhooks').selectAll().where('account', '=', account).where('deleted_at', 'is', null)
  }

  /** Done for every change: the projector reads the list again, and the log gets an entry. */
  async #changed(db: WebhookDb, action: OwnerAction, row: WebhookRow, who: Asker): Promise<void> {
    await sql`update webhook_state set version = version + 1`.execute(db)
    const detail = { id: row.id, url: row.url, kinds: Object.keys(row.kinds).join(','), isOn: row.off_at === null }
    await this.#owners.log(db, { ...who, action, detail })
  }
}

/** Makes a secret of 256 random bits. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

/** The journal's last position: everything executed from now on comes after it. */
async function headOf(db: WebhookDb): Promise<number> {
  const { rows } = await sql<{ seq: number | null }>`select max(seq) as seq from journal`.execute(db)
  return rows[0]?.seq ?? 0
}
