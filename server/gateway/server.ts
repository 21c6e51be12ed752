import type { UserId } from '@candor/core/protocol/ids.ts'
import type { FastifyInstance } from 'fastify'
import { inboxRoutes } from '../messages/inbox-routes.ts'
import { apiDocument } from '../programs/describe/document.ts'
import { methodNames } from '../programs/describe/methods.ts'
import type { App } from '../app/app.ts'
import { buildApp } from '../app/app.ts'
import type { Context } from '../live/context.ts'
import type { CustomersDesk } from '../console/customers/routes.ts'
import { consoleRoutes } from '../console/routes.ts'
import { Customers } from '../customers/customers.ts'
import { moneyOf } from '../customers/money.ts'
import { customersDb } from '../customers/tables.ts'
import { HealthReport } from '../live/process-health.ts'
import { SumsJob } from '../console/ledger/sums-job.ts'
import { watchedOf } from './watched.ts'
import { gateOf } from '../http/gate.ts'
import { servePages } from '../http/pages.ts'
import { Refused } from '../refused.ts'
import type { ConsoleDoor } from './console-door.ts'
import type { Entrance } from './entrance.ts'
import type { Live } from './live.ts'
import { chainsDoor } from './chains-door.ts'
import { type GatewayOptions, isSecure } from './options.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { People } from './people.ts'
import type { Programs } from './programs.ts'
import type { Alerts } from '../alerts/alerts.ts'
import { carryOwnWrites } from '../app/own-writes.ts'
import { appRoutes } from '../app/routes.ts'
import { collectSchemas, documentRoutes } from '../app/system/documents.ts'
import { type Check, healthRoute, metricsRoute } from '../app/system/health.ts'
import { landingRoutes } from '../app/system/landing.ts'

export type ServerParts = {
  readonly options: GatewayOptions
  readonly entrance: Entrance
  readonly live: Live
  readonly context: Context
  readonly programs: Programs
  readonly people: People
  readonly door: ConsoleDoor
  readonly alerts: Alerts
  readonly metrics: Metrics
}

/** The framework's server: the app's routes, documents, pages and operators' endpoints. */
export async function buildServer(parts: ServerParts): Promise<App> {
  const { options, entrance, live, context, programs, people, door, metrics } = parts
  const { mode, publicUrls, logger, version, metricsToken, inbox, patience = {} } = options
  const { proxies, limits, requestId } = entrance
  const { deviceOf, cookies } = people
  const { staleness } = live

  const gate = gateOf({ mode, publicUrls, sessions: people.sessions, acting: people.acting, limits, tokenOf: cookies.tokenOf, deviceOf })
  const unread = patience.unreadMs === undefined ? {} : { unreadMs: patience.unreadMs }
  const app = buildApp({
    gate,
    proxies,
    isSecure: isSecure(options),
    tokenOf: cookies.tokenOf,
    requestId,
    logger,
    staleness,
    newClock: metrics.requests.clock,
    ...unread,
  })
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    if (!door.isOpen(raw, routeOptions.url)) throw new Refused('NOT_FOUND')
  })
  carryOwnWrites(app, { ...context, cookies, hasOthers: live.hasOthers })
  await collectSchemas(app, version, isSecure(options) ? '__Host-candor' : 'candor')
  const checks = checksOf(parts)
  metricsRoute(app, metricsToken, checks, metrics)
  healthRoute(app, metricsToken, checks)
  const { identity, deletions, webhooks, book, papers, own, notices, push, staff, desk, changes, announcements } = options
  const { surveillance, withdrawals, deposits, networks, store, tickets } = options
  const told = { notices, push, changes, announcements }
  await appRoutes(app, {
    context,
    identity,
    deletions,
    webhooks,
    book,
    chains: chainsDoor(options),
    papers: papers.papers,
    regains: papers.regains,
    own,
    ...told,
    tickets,
    firms: options.firms,
    alerts: parts.alerts,
    cookies,
  })
  const report = new HealthReport('gateway')
  const sums = new SumsJob(options.store.pool, (cause) => logger.warn({ err: cause }, 'sums of the ledger could not be stored'))
  app.addHook('onClose', async () => {
    report[Symbol.dispose]()
    await sums[Symbol.asyncDispose]()
  })
  const watched = watchedOf({ options, live, context, report })
  const treasury = { pool: store.pool, ask: context.ask, networks }
  const rooms = {
    staff,
    papers,
    identity,
    desk,
    announcements,
    watched,
    people: customersOf(parts),
    surveillance,
    withdrawals,
    deposits,
    treasury,
    tickets,
    firms: options.firms,
  }
  const addresses = options.consoleUrl === undefined ? publicUrls : [options.consoleUrl]
  const console = { mode, publicUrls: addresses, isSecure: isSecure(options), limits, ...rooms }
  await consoleRoutes(app as unknown as FastifyInstance, console)
  if (mode === 'sandbox' && inbox) await app.register(inboxRoutes(inbox))
  documentRoutes(app, () => apiDocument(programs.routes, version, methodNames))
  landingRoutes(app, publicUrls[0])
  servePages(app, '/', options.webFolder)
  if (options.consoleFolder) servePages(app, '/console/', options.consoleFolder, { hasPaths: true })
  return app
}

function customersOf({ options: { store, staff, marks }, context }: ServerParts): CustomersDesk {
  const parts = { db: customersDb(store), clock: Date.now, log: staff.log, moneyOf: (user: UserId) => moneyOf(context, user) }
  return { customers: new Customers(parts), marks }
}

function checksOf({ live, options: { store } }: ServerParts): readonly Check[] {
  const { data, projection, feed } = live
  return [
    { name: 'engine', problem: () => (live.isLinkUp ? undefined : 'the engine cannot be reached or accepts no commands') },
    { name: 'market data', problem: () => (data.isReady ? undefined : 'starting over') },
    { name: 'database', problem: async () => void (await store.pool.query('select 1')) },
    {
      name: 'clock',
      problem: () => (live.isClockSynced ? undefined : 'the wall clock differs by more than a second: new orders are refused'),
    },
    { name: 'projections', problem: () => projection.problem() },
    { name: 'prices', problem: () => (feed.now().venues.some(({ isUp }) => isUp) ? undefined : 'no price venue is up') },
  ]
}
