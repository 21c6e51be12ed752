import type { AddressInfo } from 'node:net'
import type { Millis } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { type AlertParts, Alerts } from '../alerts/alerts.ts'
import { ActivityWriter } from '../activity/writer.ts'
import { submitTo } from './commands.ts'
import { actingFor } from '../firms/acting.ts'
import type { Context } from '../live/context.ts'
import { type Entrance, guard, makeEntrance } from './entrance.ts'
import { excessMax } from '../counters/counts.ts'
import { Gossip } from '../counters/gossip.ts'
import { ticketIn } from './facts.ts'
import { Live } from './live.ts'
import { ConsoleDoor } from './console-door.ts'
import { type GatewayOptions, isSecure, logOf } from './options.ts'
import { openPeople, type People } from './people.ts'
import { openPrograms, type Programs } from './programs.ts'
import { buildServer } from './server.ts'
import type { TicketChanged } from '../support/desk.ts'
import { Revocations } from './revocations.ts'
import { openSockets, openTellers, type Tellers } from './sockets.ts'
import { openMetrics } from './metrics/metrics.ts'
import { topics } from './topics.ts'

export type Gateway = AsyncDisposable & { readonly url: string; readonly port: number }

/** Starts everything through which clients reach the exchange. Resolves when it listens and its market data is complete. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const now = () => Date.now() as Millis
  const live = new Live(options)
  const tellers = openTellers(live, options, now)
  await live.start()

  const log = logOf(options)
  const activity = new ActivityWriter({ pool: options.store.pool, onFault: (cause) => log('activity could not be written', cause) })
  const alerts = await new Alerts({
    ...{ store: options.store, data: live.data, now, others: otherAlerts(options) },
    onFault: (cause) => log('a price alert could not be written', cause),
  }).start()
  const context = contextOf(options, live, tellers, activity, now)
  const entrance = makeEntrance(options)
  const { limits } = entrance
  const programs = openPrograms(options, context, tellers.userData)
  const sockets = openSockets(options, context, tellers, { limits, keyed: programs.keyed })
  const { db: firms } = options.firms
  const gossip = shareCounts(options, entrance, programs)
  live.hasOthers = () => gossip.others > 0
  const people = openPeople({ ...options, actingFor: (session, uid) => actingFor(firms, session, uid) }, sockets.streams)
  const revocations = await hearRevocations(options, people, programs)
  const stopHearingWebhooks = options.webhooks.deliveries.onWaiting(() => options.link.publish(topics.webhooks, 'waiting'))

  const stopHearingTickets = tellTickets(options, tellers, now)

  const { host, consolePort } = options
  const door = new ConsoleDoor({ port: consolePort, host, isSecure: isSecure(options), requestId: entrance.requestId })
  const metrics = await openMetrics({ options, live, context, programs, sockets })
  const app = await buildServer({ options, entrance, live, context, programs, people, door, alerts, metrics })
  guard(app.server, { options, entrance, context, programs, sockets, people, door, requests: metrics.requests })
  const stopTelling = tell(live, tellers)
  await app.listen({ host, port: options.port })
  await door.open(app.server)
  const { port } = app.server.address() as AddressInfo
  return {
    url: `http://${reachable(options.host)}:${port}`,
    port,
    async [Symbol.asyncDispose]() {
      stopTelling()
      gossip[Symbol.dispose]()
      await revocations[Symbol.asyncDispose]()
      stopHearingWebhooks()
      stopHearingTickets()
      people.close()
      programs.close()
      sockets.close()
      limits.close()
      const closing = door[Symbol.asyncDispose]()
      await app.close()
      await closing
      await metrics[Symbol.asyncDispose]()
      await alerts[Symbol.asyncDispose]()
      await activity[Symbol.asyncDispose]()
    },
  }
}

/** Parts that routes and sockets work with. */
function contextOf(
  options: GatewayOptions,
  live: Live,
  { userData, cancelNames }: Tellers,
  activity: ActivityWriter,
  now: () => Millis,
): Context {
  const { mode, version, commit, store, faucet, support } = options
  const { data, memory, followed, freshness, staleness, feed } = live
  return {
    ...{ mode, version, commit, faucet, support, now, unservedCountries: options.unservedCountries ?? [] },
    submit: submitTo(options, live, userData, cancelNames, activity),
    ask: memory.ask,
    pool: store.pool,
    listing: data.listing,
    orders: data.orders,
    ...{ followed, data, freshness, staleness },
    feed: () => feed.now(),
  }
}

/**
 * Sends market messages at each tick. Once a second, repairs books that missed an update, and reports the age of the data.
 * Returns a function that stops it.
 */
function tell({ data, staleness }: Live, { publisher }: Tellers): () => void {
  publisher.start()
  const mender = setInterval(() => {
    void data.mend().catch(() => undefined)
    const stale = staleness.seconds()
    if (stale !== undefined) publisher.fanout.publish('quotes', JSON.stringify({ code: 200, data: { list: [] }, stale }))
  }, 1_000)
  return () => {
    clearInterval(mender)
    publisher.stop()
  }
}

/** Tells customers that one of their tickets changed, here or in another gateway. Returns a function that stops it. */
function tellTickets({ tickets, link }: GatewayOptions, { users }: Tellers, now: () => Millis): () => void {
  const tell = ({ user, ticket }: TicketChanged): void => users.report(user as UserId, { e: 'support', E: now(), ticket })
  link.onPublished(topics.support, (fact) => {
    const change = ticketIn(fact)
    if (change !== undefined) tell(change)
  })
  return tickets.onChanged((change) => {
    tell(change)
    link.publish(topics.support, change)
  })
}

/** `beyond`: by how many requests a client that sends a hundred a second to each gateway can exceed a limit. */
const sharing = 'limits hold for the sum of this gateway and others'

/** Enforces the sums of what all gateways count. */
function shareCounts({ link, logger }: GatewayOptions, { limits, sockets }: Entrance, { counts }: Programs): Gossip {
  const gossip = new Gossip({
    publish: (value) => link.publish(topics.counts, value),
    onPublished: (listener) => link.onPublished(topics.counts, listener),
    kinds: { limits, sockets: sockets.counts, ...counts },
    onOthers: (others) => logger.info({ others, beyond: excessMax(others + 1, Infinity, 100, 0) }, sharing),
  })
  link.onState(() => gossip.look())
  return gossip
}

/** Forgets what was revoked, also when the message about it is lost. */
function hearRevocations(options: GatewayOptions, people: People, { keyed, keyChanged }: Programs): Promise<Revocations> {
  const log = logOf(options)
  return Revocations.start({
    pool: options.store.pool,
    onRevoked({ account, session, key, listenKey }) {
      if (key !== null) keyChanged(key)
      if (listenKey !== null) keyed.listenKeyDeleted(listenKey)
      if (account !== null) people.end(session === null ? { account, sessions: [], isActing: true } : { account, sessions: [session] })
    },
    onFault: (cause) => log('what was revoked elsewhere cannot be read', cause),
  })
}

/** How gateways learn of each other's changes of alerts. */
function otherAlerts({ link }: GatewayOptions): NonNullable<AlertParts['others']> {
  return {
    tell: (id) => link.publish(topics.alerts, id),
    hear: (listener) => link.onPublished(topics.alerts, (id) => void listener(String(id))),
  }
}

/** The address, as seen from this machine, of a server that listens on `host`. */
function reachable(host: string): string {
  if (host.includes(':')) return `[${host}]`
  return host === '0.0.0.0' ? '127.0.0.1' : host
}
