import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseUnits } from '@candor/core/money/units.ts'
import type { Units } from '@candor/core/money/brand.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireFeed } from '@candor/core/protocol/wire/market.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Link } from '../engine/link.ts'
import type { Identity } from '../identity/identity.ts'
import type { Inbox } from '../messages/inbox.ts'
import { inboxRoutes } from '../messages/inbox-routes.ts'
import { Refused } from '../refused.ts'
import type { Store } from '../store/open.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import { faucetSince } from '../store/query/funds.ts'
import { ApiAuth } from './api/auth.ts'
import { apiServer } from './api/frame.ts'
import { KeyRing } from './api/key-ring.ts'
import { OrderCounts } from './api/order-counts.ts'
import { preflightLimit } from './api/preflight.ts'
import { apiRoutes } from './api/routes.ts'
import { CancelNames } from './api/socket/cancel-names.ts'
import { KeyedStreams } from './api/socket/keyed-streams.ts'
import { listenKeyRoutes } from './api/socket/listen-key-routes.ts'
import { ListenKeys } from './api/socket/listen-keys.ts'
import { UserData } from './api/socket/user-data.ts'
import { WsApi } from './api/socket/ws-api.ts'
import { Weights } from './api/weights.ts'
import { buildApp } from './app.ts'
import type { Context, FaucetTerms } from './context.ts'
import { FeedStatus } from './feed-status.ts'
import { Freshness } from './freshness.ts'
import { gateOf } from './http/gate.ts'
import { front } from './http/front.ts'
import { Hosts } from './http/hosts.ts'
import { capConnections } from './http/connections.ts'
import { Proxies } from './http/proxies.ts'
import { isLoopback, Limits } from './http/limits.ts'
import { servePages } from './http/pages.ts'
import { serveFirst } from './http/raw.ts'
import { Sessions } from './http/sessions.ts'
import { Shut } from './http/shut.ts'
import { MarketData } from './market/data.ts'
import { MemoryAsk } from './market/memory-ask.ts'
import { Followed } from './market/followed.ts'
import { type ProjectionLag, ProjectionStatus } from './projection-status.ts'
import { OldIds } from './requests/old-ids.ts'
import { FaucetBook } from './routes/funds/faucet-book.ts'
import { fundsRoutes } from './routes/funds/routes.ts'
import { lendRoutes } from './routes/lend/routes.ts'
import { marginRoutes } from './routes/margin/routes.ts'
import { marketRoutes } from './routes/market/routes.ts'
import { optionRoutes } from './routes/option/routes.ts'
import { perpRoutes } from './routes/perp/routes.ts'
import { proofRoutes } from './routes/proof/routes.ts'
import { spotRoutes } from './routes/spot/routes.ts'
import { Cookies } from './routes/user/cookies.ts'
import { recentRoutes } from './routes/user/recent-routes.ts'
import { userRoutes } from './routes/user/routes.ts'
import { webhookRoutes } from './routes/user/webhook-routes.ts'
import { Staleness } from './staleness.ts'
import { Publisher } from './socket/publisher.ts'
import { makeDoors } from './socket/doors.ts'
import { OpenSockets } from './socket/open-sockets.ts'
import { crowdOf } from './socket/crowd.ts'
import { guessesOf } from './socket/guesses.ts'
import { StreamSockets } from './socket/stream-sockets.ts'
import { makeUpgrade } from './socket/upgrade.ts'
import { UserStreams } from './socket/user-streams.ts'
import { WssSockets } from './socket/wss.ts'
import { collectSchemas, documentRoutes } from './system/documents.ts'
import { healthRoute, metricsRoute } from './system/health.ts'

export type GatewayOptions = {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  readonly mode: 'sandbox' | 'production'
  /** Addresses that people reach the exchange at, when it is not the one it listens on. The first one https: cookies are secure. */
  readonly publicUrls: readonly string[]
  /** Networks of the operator's own proxies. */
  readonly trustedProxies: readonly string[]
  /** Names of this exchange besides those of its public addresses. */
  readonly hosts?: readonly string[]
  readonly metricsToken: string | undefined
  /** 32 bytes that listen keys are drawn from. */
  readonly listenSecret: Buffer
  readonly version: string
  readonly commit: string
  readonly webFolder: string
  readonly consoleFolder?: string
  readonly faucet: readonly FaucetTerms[]
  readonly link: Link
  readonly store: Store
  readonly identity: Identity
  readonly webhooks: Webhooks
  readonly inbox: Inbox | undefined
  readonly logger: FastifyBaseLogger
  /** Sockets that one address may have open at a time. Default: 200. */
  readonly socketsPerAddress?: number | undefined
  readonly patience?: Patience
}

/**
 * Test only: how long `/wss` may be silent, how long somebody may read nothing of an answer, and how long a reader waits
 * for tables that lag behind what they wrote.
 */
export type Patience = { readonly wssSilentMs?: number; readonly unreadMs?: number; readonly lagMs?: number }

/** Sockets that one address may have open at a time, unless the operator says otherwise. */
const socketsPerAddress = 200

export type Gateway = AsyncDisposable & { readonly url: string; readonly port: number }

/** The user whom an event changes without a request of theirs. Their next read of the tables must contain it. */
function newsTo(event: Event): UserId | undefined {
  switch (event.type) {
    case 'traded':
      return event.makerUser
    case 'option.settled':
    case 'perp.closed':
    case 'perp.liquidated':
    case 'perp.fundingPaid':
    case 'margin.loan':
    case 'margin.liquidated':
    case 'lend.claim':
      return event.user
    default:
      return undefined
  }
}

/** Topics that linked processes tell each other. */
export const topics = {
  feed: 'feed',
  projected: 'projected',
  sessions: 'sessions',
  keys: 'keys',
  listenKeys: 'listenKeys',
  clock: 'clock',
  webhooks: 'webhooks',
  /** A gateway lets more requests of a user pass: see `OldIds`. */
  looked: 'looked',
  /** Somebody waits for the query tables. */
  wanted: 'wanted',
} as const

/** Everything that the world reaches the exchange through. Resolves when it listens and its picture of the markets is complete. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { link, store, identity, mode, patience = {} } = options
  const log = (message: string, cause?: unknown) => options.logger.warn(cause === undefined ? {} : { err: cause }, message)
  const now = () => Date.now()

  let isLinkUp = false
  const staleness = new Staleness(() => data.isReady)
  link.onState((state) => {
    isLinkUp = state === 'up'
    staleness.hearState(isLinkUp)
  })
  const feed = new FeedStatus()
  const projection = new ProjectionStatus()
  link.onPublished(topics.projected, (value) => projection.hear(value as ProjectionLag))
  let isClockSynced = true
  link.onPublished(topics.clock, (value) => {
    isClockSynced = value === true
  })
  link.onPublished(topics.feed, (value) => feed.hear(value as WireFeed))
  const freshness = new Freshness(
    async () => {
      const { rows } = await store.pool.query<{ seq: number }>('select seq from projection')
      return rows[0]?.seq ?? 0
    },
    () => link.publish(topics.wanted, true),
    patience.lagMs,
  )
  const followed = new Followed()
  const data = new MarketData({ ask: link.ask, pool: store.pool, freshness, followed, log })
  const publisher = new Publisher(data, now)
  const users = new UserStreams(data, link.ask)
  const cancelNames = new CancelNames()
  const userData = new UserData(data, link.ask, cancelNames)
  users.tap(userData)
  const memory = new MemoryAsk({ ask: link.ask, orders: data.orders, followed, freshness })
  data.onReset(() => memory.forget())
  data.onCommand((events, { seq }) => {
    for (const event of events) {
      memory.heard(event)
      const user = newsTo(event)
      if (user !== undefined) freshness.wrote(user, seq)
    }
  })
  link.onReleased((batch) => {
    staleness.heard()
    data.released(batch)
  })
  await data.start()

  const faucetBook = new FaucetBook(async (user, asset, since) => {
    // Tables that lag would forget what was given today.
    if (!(await freshness.reached(await link.ask.seq()))) throw new Refused('UNAVAILABLE', { retryAfter: 1 })
    const { symbol, scale } = data.listing.asset(asset)
    return (parseUnits(await faucetSince(store.pool, user, symbol, since), scale) ?? 0) as Units
  })
  const oldIds = new OldIds({
    ...{ submit: link.submit, ask: link.ask, freshness, pool: store.pool },
    tell: (user) => link.publish(topics.looked, user),
  })
  link.onPublished(topics.looked, (user) => oldIds.heard(user as UserId))
  link.onState(() => oldIds.doubtAll())
  link.onReleased(({ lastSeq }) => oldIds.reached(lastSeq))
  // The ring of the house's programs has no end.
  data.onCommand((events) => {
    for (const event of events) if (event.type === 'user.housed') oldIds.doubt(event.user)
  })
  const context: Context = {
    mode,
    version: options.version,
    commit: options.commit,
    submit: (command, keyId) => {
      if (command.type === 'spot.cancel' && userData.isListening(command.user)) cancelNames.note(command)
      return oldIds.submit(command, keyId)
    },
    ask: memory.ask,
    pool: store.pool,
    listing: data.listing,
    orders: data.orders,
    followed,
    data,
    freshness,
    faucet: options.faucet,
    faucetBook,
    feed: () => feed.now(),
    now,
    staleness,
    orderCounts: { spot: new OrderCounts(), futures: new OrderCounts() },
  }

  const isSecure = options.publicUrls[0]?.startsWith('https:') ?? false
  const cookies = new Cookies(isSecure)
  const sessions = new Sessions((token) => identity.session(token))
  const limits = new Limits()
  const crowd = crowdOf(limits, mode)
  const wss = new WssSockets(context, publisher, crowd, patience.wssSilentMs)
  const endSessions = (account: string, ids: readonly string[]): void => {
    sessions.forgetAccount(account)
    streams.endSessions(account, ids)
  }
  const stopHearing = identity.sessions.onRevoked(({ account, sessions: ids }) => {
    endSessions(account, ids)
    link.publish(topics.sessions, { account, sessions: ids })
  })
  link.onPublished(topics.sessions, (value) => {
    const { account, sessions: ids } = value as { account: string; sessions: readonly string[] }
    endSessions(account, ids)
  })
  const ring = new KeyRing({ keys: identity.keys, now, onFault: (cause) => log('the last use of a key could not be noted', cause) })
  const auth = new ApiAuth(ring, now)
  const listenKeys = new ListenKeys({
    pool: store.pool,
    secret: options.listenSecret,
    now,
    onDeleted: (hash) => {
      keyed.listenKeyDeleted(hash)
      link.publish(topics.listenKeys, hash)
    },
  })
  const keyed = new KeyedStreams({
    users: userData,
    ring,
    listenKeys,
    now,
    onFault: (cause) => log('a user stream could not be looked after', cause),
  })
  link.onPublished(topics.listenKeys, (hash) => keyed.listenKeyDeleted(String(hash)))
  const streams = new StreamSockets({ listing: data.listing, publisher, users, keyed, crowd, guesses: guessesOf(limits, mode) })
  const weights = new Weights()
  const routes = [...apiRoutes(context), ...listenKeyRoutes(context, listenKeys)]
  const wsApi = new WsApi({
    ...{ routes, auth, weights, keyed, now, staleness },
    onFault: (cause, method) => options.logger.error({ err: cause, method }, 'a request failed'),
  })
  const keyChanged = (key: string): void => {
    ring.forget(key)
    void Promise.all([keyed.keyChanged(key), wsApi.keyChanged(key)]).catch((cause) => log('a changed key could not be looked up', cause))
  }
  const stopHearingKeys = identity.keys.onChanged((key) => {
    keyChanged(key)
    link.publish(topics.keys, key)
  })
  link.onPublished(topics.keys, (key) => keyChanged(String(key)))
  const stopHearingWebhooks = options.webhooks.deliveries.onWaiting(() => link.publish(topics.webhooks, 'waiting'))

  const { publicUrls, logger } = options
  const proxies = new Proxies(options.trustedProxies)
  const mark = randomBytes(4).toString('hex')
  let requests = 0
  const requestId = () => `${mark}-${(++requests).toString(36)}`
  const gate = gateOf({ mode, publicUrls, sessions, limits, tokenOf: cookies.tokenOf })
  const unread = patience.unreadMs === undefined ? {} : { unreadMs: patience.unreadMs }
  const app = buildApp({ gate, proxies, isSecure, tokenOf: cookies.tokenOf, requestId, logger, staleness, ...unread })
  await collectSchemas(app, options.version, isSecure ? '__Host-candor' : 'candor')
  const onEnded = metricsRoute(app, options.metricsToken, {
    wss_sockets: { help: 'Open sockets of /wss', read: () => wss.size },
    stream_sockets: { help: 'Open sockets of /ws, /stream and the app', read: () => streams.size },
    ws_api_sockets: { help: 'Open sockets of the WebSocket API', read: () => wsApi.size },
    followed_seq: { help: 'Last journal position seen here', read: () => followed.seq },
    projection_lag_commands: { help: 'Commands that the query tables are behind', read: () => projection.commands },
  })
  healthRoute(app, options.metricsToken, [
    { name: 'engine', problem: () => (isLinkUp ? undefined : 'the engine is not reachable or not taking commands') },
    { name: 'market data', problem: () => (data.isReady ? undefined : 'starting over') },
    { name: 'database', problem: async () => void (await store.pool.query('select 1')) },
    { name: 'clock', problem: () => (isClockSynced ? undefined : 'the wall clock is more than a second away: new orders wait') },
    { name: 'projections', problem: () => projection.problem() },
    { name: 'prices', problem: () => (feed.now().venues.some(({ isUp }) => isUp) ? undefined : 'no price venue is up') },
  ])
  await app.register(
    async (scope) => {
      const api = scope.withTypeProvider() as unknown as typeof app
      marketRoutes(api, context)
      spotRoutes(api, context)
      perpRoutes(api, context)
      marginRoutes(api, context)
      lendRoutes(api, context)
      optionRoutes(api, context)
      proofRoutes(api, context)
      fundsRoutes(api, context)
      userRoutes(api, context, identity, cookies)
      webhookRoutes(api, options.webhooks, cookies)
      recentRoutes(api, identity, options.webhooks, cookies)
    },
    { prefix: '/app/v1' },
  )
  if (mode === 'sandbox' && options.inbox) await app.register(inboxRoutes(options.inbox))
  const api = apiServer({ routes, auth, weights, mode, proxies, isSecure, now, logger, requestId, onEnded, staleness })
  documentRoutes(app, routes, options.version)
  servePages(app as never, '/', options.webFolder)
  if (options.consoleFolder) servePages(app as never, '/console/', options.consoleFolder)

  const doors = makeDoors({
    ...{ mode, publicUrls: options.publicUrls, proxies },
    ...{ limits, weights, now, wss, streams, wsApi },
    sockets: new OpenSockets(options.socketsPerAddress ?? socketsPerAddress),
    isReady: () => data.isReady,
    session: async (request) => {
      const token = cookies.tokenOf(request)
      return token === undefined ? undefined : sessions.find(token)
    },
  })
  const hosts = new Hosts({ mode, publicUrls, host: options.host, hosts: options.hosts ?? [] })
  capConnections(app.server, { proxies, mode })

  const knownAs = (request: IncomingMessage): string | undefined => {
    const token = cookies.tokenOf(request)
    if (token !== undefined && sessions.wasGood(token)) return token
    const key = String(request.headers['x-mbx-apikey'] ?? '')
    return auth.isKnown(key) ? key : undefined
  }
  const shut = new Shut({ limits, knownAs })
  const upgrade = makeUpgrade(doors, hosts, (request, status) => shut.note(request, proxies.addressOf(request), status))
  app.server.on('upgrade', (request, socket, head) => {
    const ip = proxies.addressOf(request)
    if ((mode === 'production' || !isLoopback(ip)) && shut.takes(request, ip)) return void socket.on('error', () => socket.destroy())
    upgrade(request, socket, head)
  })
  const first = front({ hosts, proxies, mode, requestId, shut })
  serveFirst(app.server, [first, preflightLimit({ weights, mode, proxies, now }), api])
  publisher.start()
  const mender = setInterval(() => {
    void data.mend().catch(() => undefined)
    const stale = staleness.seconds()
    if (stale !== undefined) publisher.fanout.publish('quotes', JSON.stringify({ code: 200, data: { list: [] }, stale }))
  }, 1_000)
  await app.listen({ host: options.host, port: options.port })
  const { port } = app.server.address() as AddressInfo
  const host = options.host.includes(':') ? `[${options.host}]` : options.host === '0.0.0.0' ? '127.0.0.1' : options.host
  return {
    url: `http://${host}:${port}`,
    port,
    async [Symbol.asyncDispose]() {
      clearInterval(mender)
      publisher.stop()
      stopHearing()
      stopHearingKeys()
      stopHearingWebhooks()
      keyed.close()
      streams.close()
      wsApi.close()
      wss.close()
      limits.close()
      weights.close()
      await app.close()
    },
  }
}
