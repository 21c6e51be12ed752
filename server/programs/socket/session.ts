import type { MarketId } from '@candor/core/protocol/ids.ts'
import type { Family } from '../../live/program-names.ts'
import type { Connection } from '../../sockets/connection.ts'
import { isListenKey } from '../../sockets/listen-key.ts'
import type { ApiAuth } from '../auth.ts'
import { ApiError, missing } from '../errors.ts'
import type { ApiUser } from '../key-ring.ts'
import type { Route } from '../route.ts'
import type { Attached, KeyedStreams } from './keyed-streams.ts'

const notEd25519 = () => new ApiError(-4056, 'HMAC_SHA256 API key is not supported.', 401)
const notLoggedOn = () => new ApiError(-2015, 'Invalid API-key, IP, or permissions for action.', 401)
const isActive = () => new ApiError(-2035, 'User Data Stream subscription already active.')
const isInactive = () => new ApiError(-2036, 'User Data Stream subscription not active.')

const subscriptionsMax = 100

/** Methods that the socket answers itself: logging on, and subscriptions to user streams. */
const sessionMethods: ReadonlySet<string> = new Set(['session.logon', 'session.status', 'session.logout'])
const streamMethods: ReadonlySet<string> = new Set([
  'session.subscriptions',
  'userDataStream.subscribe',
  'userDataStream.subscribe.signature',
  'userDataStream.subscribe.listenToken',
  'userDataStream.unsubscribe',
])

export function isSessionMethod(method: string, family: Family): boolean {
  return sessionMethods.has(bare(method)) || (family === 'spot' && streamMethods.has(bare(method)))
}

const bare = (method: string): string => method.replace(/^v[13]\//, '')

type Subscription = {
  readonly id: number
  readonly stream: string
  readonly isOfSession: boolean
  attached: Attached | undefined
  /** Events that came before the answer with the subscription's id; undefined once that answer is sent. */
  early: string[] | undefined
}

type Params = Readonly<Record<string, unknown>>

type Parts = {
  readonly family: Family
  readonly ip: string
  readonly returnsRateLimits: boolean
  readonly connection: Connection
  readonly auth: ApiAuth
  readonly keyed: KeyedStreams
  readonly now: () => number
  readonly say: (text: string) => void
}

export type Session = Pick<SocketSession, 'key' | 'userOf' | 'answer' | 'answered' | 'check' | 'close'>

/** The key that is logged on to a socket of the WebSocket API, and the user streams it is subscribed to. */
export class SocketSession {
  readonly #parts: Parts
  readonly #connectedAt: number
  readonly #subscriptions = new Map<number, Subscription>()
  #next = 0
  #logon: { readonly key: string; readonly at: number } | undefined
  #isClosed = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#connectedAt = parts.now()
  }

  /** The API key that is logged on. */
  get key(): string | undefined {
    return this.#logon?.key
  }

  /** The caller of this route; undefined for a public route. throws  see ApiAuth, or rejects with it */
  userOf(route: Route, params: Params): ApiUser | Promise<ApiUser> | undefined {
    const { auth, ip } = this.#parts
    const { scope } = route
    if (scope === undefined) return undefined
    const key = Object.hasOwn(params, 'apiKey') ? params['apiKey'] : undefined
    if (!route.isSigned) return auth.known(typeof key === 'string' ? key : this.key, ip, scope)
    if (key === undefined && this.key !== undefined) return auth.loggedOn(this.key, params, ip, { scope, mandatory: route.mandatory })
    return auth.signedParams(params, ip, { scope, mandatory: route.mandatory })
  }

  /** throws  ApiError */
  async answer(method: string, params: Params): Promise<object> {
    switch (bare(method)) {
      case 'session.logon':
        return this.#logOn(params)
      case 'session.logout':
        this.#logOut()
        return this.#status()
      case 'session.status':
        await this.check()
        return this.#status()
      case 'session.subscriptions':
        return [...this.#subscriptions.values()].filter(({ early }) => early === undefined).map(({ id }) => ({ subscriptionId: id }))
      case 'userDataStream.subscribe':
        await this.check()
        if (this.key === undefined) throw notLoggedOn()
        return this.#subscribe(await this.#parts.auth.known(this.key, this.#parts.ip), true)
      case 'userDataStream.subscribe.signature':
        return this.#subscribe(await this.#parts.auth.signedParams(params, this.#parts.ip, { scope: 'read' }), false)
      case 'userDataStream.subscribe.listenToken':
        return this.#subscribeByToken(params)
      default:
        return this.#unsubscribe(params)
    }
  }

  /** Called when an answer has been sent: events that belong after it may follow. */
  answered(result: { readonly subscriptionId?: number }): void {
    const subscription = result.subscriptionId === undefined ? undefined : this.#subscriptions.get(result.subscriptionId)
    if (!subscription?.early) return
    const { early } = subscription
    subscription.early = undefined
    for (const event of early) this.#tell(subscription, event)
  }

  /** Ends a session whose key is no longer valid. */
  async check(): Promise<void> {
    const { key } = this
    if (key === undefined) return
    try {
      await this.#parts.auth.known(key, this.#parts.ip)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (this.key === key) this.#logOut()
    }
  }

  close(): void {
    this.#isClosed = true
    for (const { attached } of this.#subscriptions.values()) attached?.leave()
    this.#subscriptions.clear()
  }

  async #logOn(params: Params): Promise<object> {
    const { auth, ip, now } = this.#parts
    const owner = await auth.signedParams(params, ip, { scope: 'read' })
    if (owner.kind !== 'ed25519') throw notEd25519()
    if (this.key !== owner.key) this.#logOut()
    this.#logon = { key: owner.key, at: now() }
    return this.#status()
  }

  #logOut(): void {
    this.#logon = undefined
    for (const subscription of this.#subscriptions.values()) if (subscription.isOfSession) this.#end(subscription)
  }

  #status(): object {
    const { now, returnsRateLimits } = this.#parts
    return {
      apiKey: this.key ?? null,
      authorizedSince: this.#logon?.at ?? null,
      connectedSince: this.#connectedAt,
      returnRateLimits: returnsRateLimits,
      serverTime: now(),
      userDataStream: [...this.#subscriptions.values()].some(({ isOfSession }) => isOfSession),
    }
  }

  async #subscribe({ user, key }: ApiUser, isOfSession: boolean): Promise<object> {
    const { keyed, ip } = this.#parts
    const stream = { user, kind: 'spot' as const, market: 0 as MarketId | 0 }
    const subscription = this.#begin(`${user} spot 0`, isOfSession)
    await this.#attach(subscription, keyed.follow(stream, key, ip, this.#follower(subscription)))
    return { subscriptionId: subscription.id }
  }

  async #subscribeByToken(params: Params): Promise<object> {
    const { keyed, ip } = this.#parts
    const token = params['listenToken']
    if (typeof token !== 'string' || token === '') throw missing('listenToken')
    const refused = new ApiError(-1125, 'This listenToken does not exist.')
    if (!isListenKey(token)) throw refused
    const subscription = this.#begin(token, false)
    const { expiresAt } = await this.#attach(subscription, keyed.attach(token, ip, this.#follower(subscription)), refused)
    return { subscriptionId: subscription.id, expirationTime: expiresAt }
  }

  /** throws  ApiError -2035, or -1003 for too many */
  #begin(stream: string, isOfSession: boolean): Subscription {
    for (const known of this.#subscriptions.values()) if (known.stream === stream) throw isActive()
    if (this.#subscriptions.size >= subscriptionsMax) throw new ApiError(-1003, `At most ${subscriptionsMax} subscriptions.`, 429)
    const subscription: Subscription = { id: this.#next++, stream, isOfSession, attached: undefined, early: [] }
    this.#subscriptions.set(subscription.id, subscription)
    return subscription
  }

  async #attach(subscription: Subscription, attaching: Promise<Attached | undefined>, refused = notLoggedOn()): Promise<Attached> {
    const { id } = subscription
    const attached = await attaching.catch((cause: unknown) => {
      this.#subscriptions.delete(id)
      throw cause
    })
    // The socket closed, or the session ended, while the stream was prepared.
    if (attached === undefined || this.#isClosed || !this.#subscriptions.has(id)) {
      attached?.leave()
      this.#subscriptions.delete(id)
      throw refused
    }
    subscription.attached = attached
    return attached
  }

  #follower(subscription: Subscription) {
    return {
      say: (event: string) => this.#tell(subscription, event),
      flush: () => undefined,
      onEnd: () => this.#end(subscription),
      onLost: () => this.#parts.connection.close(1012, 'events were missed'),
    }
  }

  #tell(subscription: Subscription, event: string): void {
    if (subscription.early) subscription.early.push(event)
    else this.#parts.say(`{"subscriptionId":${subscription.id},"event":${event}}`)
  }

  /** throws  ApiError -2036 */
  #unsubscribe(params: Params): object {
    const wanted = params['subscriptionId']
    const chosen = [...this.#subscriptions.values()].filter(({ id }) => wanted === undefined || id === Number(wanted))
    if (chosen.length === 0) throw isInactive()
    for (const subscription of chosen) this.#end(subscription)
    return {}
  }

  #end(subscription: Subscription): void {
    if (!this.#subscriptions.delete(subscription.id)) return
    subscription.attached?.leave()
    this.#tell(subscription, `{"e":"eventStreamTerminated","E":${this.#parts.now()}}`)
  }
}
