import { createHash, randomUUID } from 'node:crypto'
import type { WirePush, WirePushTarget } from '@candor/core/protocol/wire/notices.ts'
import webPush from 'web-push'
import type { Seal } from '../identity/seal.ts'
import type { Clock, Session } from '../ports.ts'
import { Refused } from '../refused.ts'
import type { Store } from '../store/open.ts'
import { type AddressRules, isLoopbackAddress } from '../webhooks/address.ts'
import type { Sender } from '../webhooks/sender.ts'
import { normalUrl } from '../webhooks/terms.ts'
import type { PushTo, Sent } from './dispatcher.ts'
import { type NoticeDb, noticeDb } from './tables.ts'

/** Browsers of one account that get push messages. */
export const subscriptionsMax = 10
/**
 * The push services of the browsers' makers (Chrome and its relatives, Firefox, Edge, Safari), with all names below them. Any other
 * address is no browser's: the exchange would send what a customer's fills cause to a machine that never asked for it.
 */
const pushServices = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  'push.services.mozilla.com',
  'notify.windows.com',
  'push.apple.com',
] as const
/** How long a push service keeps a message for a browser that is not reachable. */
const keptSeconds = 86_400
const keyName = 'vapid'

export type PushOptions = {
  readonly store: Store
  /** Encrypts addresses and keys of browsers, and the private key of the exchange. */
  readonly seals: { readonly target: Seal; readonly key: Seal }
  readonly sender: Sender
  readonly rules: AddressRules
  /** Where push services reach the operator: a mailto: or https: URL. */
  readonly contact: string
  readonly clock?: Clock
}

type KeyPair = { readonly publicKey: string; readonly privateKey: string }

/** Web push (RFC 8030, 8291 and 8292): encrypted messages to browsers, through the push services of their makers. */
export class Push {
  readonly #options: PushOptions
  readonly #db: NoticeDb
  readonly #clock: Clock
  #keys: Promise<KeyPair> | undefined

  constructor(options: PushOptions) {
    this.#options = options
    this.#db = noticeDb(options.store)
    this.#clock = options.clock ?? Date.now
  }

  /** The exchange's public key, and whether the browser of this session is subscribed. */
  async of(session: Session): Promise<WirePush> {
    const [{ publicKey }, own] = await Promise.all([
      this.#keysOnce(),
      this.#db.selectFrom('push_subscriptions').select('id').where('session', '=', session.id).limit(1).executeTakeFirst(),
    ])
    return { publicKey, isOn: own !== undefined }
  }

  /**
   * Subscribes the browser of this session, in place of what it had before.
   *
   * throws  Refused PUSH_REFUSED for an address or keys to which nothing can be sent, PUSH_LIMIT
   */
  async subscribe(session: Session, { endpoint, keys }: WirePushTarget): Promise<WirePush> {
    const refused = new Refused('PUSH_REFUSED', { field: 'endpoint' })
    const address = normalUrl(endpoint, this.#options.rules, refused)
    if (!isOfService(new URL(address), this.#options.rules)) throw refused
    if (bytesOf(keys.p256dh) !== 65 || bytesOf(keys.auth) !== 16) throw new Refused('PUSH_REFUSED', { field: 'keys' })
    const hash = createHash('sha256').update(address).digest()
    const id = randomUUID()
    const target = this.#options.seals.target.close(JSON.stringify({ endpoint: address, keys }), id)
    await this.#db.transaction().execute(async (db) => {
      // Locks the account, so that parallel requests can't exceed the limit.
      await db
        .withTables<{ accounts: { id: string } }>()
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', session.account)
        .forUpdate()
        .execute()
      // A browser has one address: whoever uses it now gets its messages.
      await db
        .deleteFrom('push_subscriptions')
        .where((where) => where.or([where('endpoint', '=', hash), where('session', '=', session.id)]))
        .execute()
      const { count } = await db
        .selectFrom('push_subscriptions')
        .select((row) => row.fn.countAll<number>().as('count'))
        .where('account', '=', session.account)
        .executeTakeFirstOrThrow()
      if (count >= subscriptionsMax) throw new Refused('PUSH_LIMIT')
      const own = { id, account: session.account, session: session.id, endpoint: hash, target, created_at: this.#clock() }
      await db.insertInto('push_subscriptions').values(own).execute()
    })
    return this.of(session)
  }

  /** Ends what this session's browser gets. */
  async unsubscribe(session: Session): Promise<void> {
    await this.endOf([session.id])
  }

  /** Part of the end of sessions. */
  async endOf(sessions: readonly string[]): Promise<void> {
    if (sessions.length > 0) await this.#db.deleteFrom('push_subscriptions').where('session', 'in', sessions).execute()
  }

  /** Sends one message. A browser that has withdrawn is forgotten. */
  async send({ subscription, target, payload, isUrgent }: PushTo): Promise<Sent> {
    const { seals, sender, contact } = this.#options
    const { endpoint, keys } = JSON.parse(seals.target.open(target, subscription)) as WirePushTarget
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, JSON.stringify(payload), {
      vapidDetails: { subject: contact, ...(await this.#keysOnce()) },
      ...{ TTL: keptSeconds, urgency: isUrgent ? 'high' : 'normal', contentEncoding: 'aes128gcm' },
    })
    const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    const { problem, status } = await sender.post(endpoint, texts, body as Buffer)
    if (problem === undefined) return 'sent'
    if (status !== 404 && status !== 410 && problem !== 'refused') return 'failed'
    await this.#db.deleteFrom('push_subscriptions').where('id', '=', subscription).execute()
    return 'gone'
  }

  #keysOnce(): Promise<KeyPair> {
    this.#keys ??= this.#readKeys().catch((cause: unknown) => {
      // A database that was away for a moment must not be remembered.
      this.#keys = undefined
      throw cause
    })
    return this.#keys
  }

  /** The key pair, made once for all time by whoever comes first: subscriptions belong to it. */
  async #readKeys(): Promise<KeyPair> {
    const { key: seal } = this.#options.seals
    const made = webPush.generateVAPIDKeys()
    await this.#db
      .insertInto('push_keys')
      .values({ name: keyName, public_key: made.publicKey, key: seal.close(made.privateKey, keyName) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const kept = await this.#db.selectFrom('push_keys').select(['public_key', 'key']).where('name', '=', keyName).executeTakeFirstOrThrow()
    return { publicKey: kept.public_key, privateKey: seal.open(kept.key, keyName) }
  }
}

function isOfService({ hostname, port, protocol }: URL, { hasLoopback }: AddressRules): boolean {
  if (hasLoopback && isLoopbackAddress(hostname)) return true
  return protocol === 'https:' && port === '' && pushServices.some((name) => hostname === name || hostname.endsWith(`.${name}`))
}

/** Length of base64url text in bytes; -1 for any other text. */
function bytesOf(text: string): number {
  return /^[A-Za-z0-9_-]{1,200}={0,2}$/.test(text) ? Buffer.from(text, 'base64url').length : -1
}
