import { join } from 'node:path'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import type { WireFeed } from '@candor/core/protocol/wire/market.ts'
import { type Logger, pino } from 'pino'
import { connectLink } from '../engine/connect-link.ts'
import { Engine } from '../engine/engine.ts'
import type { Link } from '../engine/link.ts'
import { linkPath } from '../engine/link-path.ts'
import type { EngineOptions } from '../engine/options.ts'
import { localLink } from '../engine/local-link.ts'
import { Witness } from '../journal/witness.ts'
import { serveLink } from '../engine/serve-link.ts'
import { startFeeds } from '../feeds/feeds.ts'
import { venueNames } from '../feeds/venue/names.ts'
import { type Gateway, startGateway } from '../gateway/gateway.ts'
import type { Patience } from '../gateway/options.ts'
import { topics } from '../gateway/topics.ts'
import { Identity } from '../identity/identity.ts'
import { keyFor, Seal } from '../identity/seal.ts'
import { Inbox } from '../messages/inbox.ts'
import { openMessages } from '../messages/messages.ts'
import { openStore, type Store } from '../store/open.ts'
import { startProjector } from '../store/projector/projector.ts'
import { TapeHours } from '../store/projector/tape-hours.ts'
import { Challenger } from '../webhooks/challenger.ts'
import { Deliverer } from '../webhooks/deliverer.ts'
import { Sender } from '../webhooks/sender.ts'
import { Webhooks } from '../webhooks/webhooks.ts'
import { copyReferenceCandles, copyReferenceMarks, insertReferenceCandles } from '../store/query/market/reference.ts'
import { tellCertified } from './certified.ts'
import { faucetTerms } from './defaults.ts'
import { fillFirstPools, setFirstMargin } from './first-margin.ts'
import { setFirstOption } from './first-option.ts'
import { listFirstContracts } from './first-perp.ts'
import { listFirstMarkets } from './first-start.ts'
import { serverKeysOf } from './server-key.ts'
import { otherMode, readVersion, root, type Settings, SettingsFault, witnessFolderOf } from './settings.ts'

/** The sandbox keeps the index tape as long as its journal: seven days. Production keeps both for ever. */
const sandboxTapeMs = 7 * 86_400_000

/** How long ticks of the index tape stay in their table; undefined: for ever. */
export function tapeKeptMs({ mode }: Settings): number | undefined {
  return mode === 'sandbox' ? sandboxTapeMs : undefined
}

/** The parts that a role needs to run, in its own process or a shared one. */
export type Ground = { readonly settings: Settings; readonly store: Store; readonly logger: Logger }

export function makeLogger(settings: Settings, name: string): Logger {
  return pino({ name, level: settings.logLevel, redact: ['err.parameters', 'password', 'token', 'cookie'] }, pino.destination(1))
}

/**
 * Starts the engine, the only writer. It can be reached by the other processes of this data folder and, through `another`, by a
 * link in this process. Lists the assets and markets of a new exchange. `time`: a source of time for tests. `silenceMaxMs`: for
 * an exchange with feeds.
 */
export async function startEngine(
  { settings, store, logger }: Ground,
  onEnd: (reason: string) => void,
  { time, silenceMaxMs }: Pick<EngineOptions, 'time' | 'silenceMaxMs'> = {},
): Promise<AsyncDisposable & { readonly link: Link; another(): Link }> {
  await using parts = new AsyncDisposableStack()
  const folder = witnessFolderOf(settings)
  const witness = parts.use(await Witness.open(folder, (cause) => logger.error({ err: cause }, 'the witness could not be written')))
  const engine = await Engine.start({
    store,
    witness,
    ...(time === undefined ? {} : { time }),
    ...(silenceMaxMs === undefined ? {} : { silenceMaxMs }),
    diskFolder: settings.dataFolder,
    log: ({ message, cause }) => logger.warn(cause === undefined ? {} : { err: cause }, message),
  })
  engine.onState((state) => {
    logger.info({ state, reason: engine.reason }, 'engine state')
    if (state === 'fenced' || state === 'halted') onEnd(`the engine is ${state}: ${engine.reason}`)
  })
  await holdMode(engine, settings.mode)
  const link = localLink(engine)
  const tellClock = (): void => engine.hub.publish(topics.clock, engine.isClockSynced)
  tellClock()
  const clock = setInterval(tellClock, 1_000)
  await listFirstMarkets(link.submit, link.ask)
  await listFirstContracts(link.submit, link.ask, settings.mode, await insuredUsdt(engine))
  await setFirstMargin(link.submit, link.ask, settings.mode)
  if (settings.mode === 'sandbox') await fillFirstPools(link.submit, link.ask)
  await setFirstOption(link.submit, link.ask, settings.mode)
  const served = await serveLink(engine, linkPath(settings.dataFolder))
  const owned = parts.move()
  return {
    link,
    another: () => localLink(engine),
    async [Symbol.asyncDispose]() {
      clearInterval(clock)
      await served[Symbol.asyncDispose]()
      await link[Symbol.asyncDispose]()
      await engine.stop()
      await owned.disposeAsync()
    },
  }
}

/** Balance of the insurance fund, in USDT units. */
async function insuredUsdt(engine: Engine): Promise<number> {
  const [accounts, { assets }] = await engine.ask((exchange) => [exchange.accounts(), exchange.listing()] as const)
  const usdt = assets.find(({ symbol }) => symbol === 'USDT')
  const fund = accounts.find(({ account }) => 'system' in account && account.system === 'insurance' && account.asset === usdt?.id)
  return fund?.available ?? 0
}

/**
 * Sets the mode of new data, before any other command.
 *
 * throws  SettingsFault when the data has another mode; the engine is stopped then
 */
async function holdMode(engine: Engine, mode: Settings['mode']): Promise<void> {
  const own = await engine.ask((exchange) => exchange.mode)
  if (own === mode) return
  if (own === undefined) {
    await using link = localLink(engine)
    const { refusal } = await link.submit({ type: 'mode.set', mode })
    if (refusal === undefined) return
  }
  await engine.stop()
  throw new SettingsFault(otherMode(own ?? 'sandbox', mode))
}

export type FollowerOptions = { readonly hasHistory?: boolean; readonly hasFeeds?: boolean }

/**
 * Starts the follower, which keeps the query tables up to date with the journal and feeds outside prices into it. Tests may leave
 * out history and set prices themselves.
 */
export async function startFollower(
  { settings, store, logger }: Ground,
  link: Link,
  onEnd: (reason: string) => void,
  { hasHistory = true, hasFeeds = true }: FollowerOptions = {},
): Promise<AsyncDisposable> {
  // Feeds may fail to start (an unreadable recording); parts that already run must then be stopped.
  await using parts = new AsyncDisposableStack()
  const keptMs = tapeKeptMs(settings)
  const projector = parts.use(
    await startProjector({
      store,
      link,
      ...(keptMs === undefined ? {} : { tapeKeptMs: keptMs }),
      log: ({ message, cause }) => logger.warn(cause === undefined ? {} : { err: cause }, message),
    }),
  )
  link.onPublished(topics.wanted, () => projector.hurry())
  const watch = setInterval(() => {
    if (projector.failed) onEnd(`the projector stopped: ${projector.failed.message}`)
    else link.publish(topics.projected, projector.lag)
  }, 1_000)
  parts.defer(() => clearInterval(watch))
  const { deliverer, challenger } = startDeliverer({ settings, store, logger }, link)
  parts.use(deliverer)
  parts.use(challenger)
  parts.defer(projector.onNews(() => deliverer.poke()))
  parts.use(
    new TapeHours({
      pool: store.pool,
      names: async () => ({
        venues: venueNames,
        markets: (await link.ask.listing()).markets.filter(({ perp }) => perp === undefined).map(({ id, symbol }) => ({ id, symbol })),
      }),
      onFault: (cause) => logger.warn({ err: cause }, 'hours of the tape could not be made ready'),
    }),
  )
  await projector.reached((await link.ask.head()).seq)
  if (!hasFeeds) return parts.move()
  const { rows: reference } = await store.pool.query<{ has: boolean }>('select exists (select from candles_1h) as has')
  const listing = await link.ask.listing()
  const contractsOn = (index: MarketId) => listing.markets.filter(({ perp }) => perp?.index === index)
  for (const { id, perp } of reference[0]?.has ? listing.markets : []) {
    if (perp === undefined) continue
    await copyReferenceCandles(store.pool, perp.index, id)
    await copyReferenceMarks(store.pool, perp.index, id)
  }
  const feeds = parts.use(
    await startFeeds({
      mode: settings.feed,
      seed: settings.seed,
      submit: link.submit,
      // Only spot markets take prices; Futures markets follow them.
      listing: { ...listing, markets: listing.markets.filter(({ perp }) => perp === undefined) },
      publish: (status: WireFeed) => link.publish(topics.feed, status),
      ...(reference[0]?.has || !hasHistory
        ? {}
        : {
            insertReferenceCandles: async (market, interval, candles) => {
              for (const id of [market, ...contractsOn(market).map((contract) => contract.id)]) {
                await insertReferenceCandles(store.pool, id, interval, candles)
              }
              for (const { id } of contractsOn(market)) await copyReferenceMarks(store.pool, market, id)
            },
          }),
      startAt: await lastPrices(store),
      log: logger,
    }),
  )
  link.publish(topics.feed, feeds.status())
  return parts.move()
}

/**
 * Sends challenges to new webhook URLs and due deliveries to the others. The projector reports new events, and owners' requests
 * are announced, too. Announces when a webhook was switched off.
 */
function startDeliverer({ settings, store, logger }: Ground, link: Link) {
  const seal = new Seal(serverKeysOf(settings), 'webhook')
  const common = {
    pool: store.pool,
    openSecret: (sealed: Buffer, webhook: string) => seal.open(sealed, webhook),
    log: ({ message, cause }: { readonly message: string; readonly cause: unknown }) => logger.warn({ err: cause }, message),
  }
  const sender = () => new Sender({ rules: webhookRules(settings), timeoutMs: 10_000 })
  const deliverer = new Deliverer({ ...common, sender: sender(), onOff: () => link.publish(topics.webhooks, 'off') })
  const challenger = new Challenger({ ...common, sender: sender() })
  link.onPublished(topics.webhooks, (what) => {
    if (what !== 'waiting') return
    deliverer.poke()
    challenger.poke()
  })
  return { deliverer, challenger }
}

/** Webhooks may call this machine only where nobody but its owner can create them. */
function webhookRules({ mode, host, publicUrls }: Settings): { readonly hasLoopback: boolean } {
  const isOwn = (name: string): boolean => ['127.0.0.1', '::1', '[::1]', 'localhost'].includes(name)
  return { hasLoopback: mode === 'sandbox' && isOwn(host) && publicUrls.every((url) => isOwn(new URL(url).hostname)) }
}

/** Prices from which a simulated market continues: the last price of each market's chart, at 1e-8. */
async function lastPrices(store: Store): Promise<ReadonlyMap<string, number>> {
  const { rows } = await store.pool.query<{ market: string; price: number }>(
    `select distinct on (market) market, (close * 100000000)::bigint as price from candles_1m order by market, open_time desc`,
  )
  return new Map(rows.map(({ market, price }) => [market, price]))
}

/** Starts the gateway with its database access. */
export async function startDoor({ settings, store, logger }: Ground, link: Link, patience: Patience = {}): Promise<Gateway> {
  const inbox = settings.mode === 'sandbox' ? new Inbox(store) : undefined
  const messages = await openMessages({ smtpUrl: settings.smtpUrl, smsUrl: settings.smsUrl, from: settings.mailFrom, inbox })
  const identity = makeIdentity({ settings, store, logger }, link, messages)
  await tellCertified(store, link.submit, identity)
  const onFault = (cause: unknown): void => logger.warn({ err: cause }, 'a webhook could not be looked after')
  const seal = new Seal(serverKeysOf(settings), 'webhook')
  const webhooks = new Webhooks({
    store,
    rules: webhookRules(settings),
    owners: identity.owners,
    seal: (secret, webhook) => seal.close(secret, webhook),
    onFault,
  })
  link.onPublished(topics.webhooks, (what) => {
    if (what === 'off') webhooks.tellOwners().catch(onFault)
  })
  webhooks.tellOwners().catch(onFault)
  const gateway = await startGateway({
    host: settings.host,
    port: settings.port,
    mode: settings.mode,
    publicUrls: settings.publicUrls,
    trustedProxies: settings.trustedProxies ?? [],
    hosts: settings.hosts ?? [],
    metricsToken: settings.metricsToken,
    listenSecret: keyFor(serverKeysOf(settings).newest, 'listen-key'),
    ...readVersion(),
    webFolder: join(root, 'web', 'dist'),
    faucet: faucetTerms,
    link,
    store,
    identity,
    webhooks,
    inbox,
    logger,
    socketsPerAddress: settings.socketsPerAddress,
    patience,
  })
  return {
    url: gateway.url,
    port: gateway.port,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      webhooks[Symbol.dispose]()
      await identity[Symbol.asyncDispose]()
      await messages[Symbol.asyncDispose]()
    },
  }
}

export function makeIdentity(
  { settings, store, logger }: Ground,
  link: Pick<Link, 'submit'>,
  messages: ConstructorParameters<typeof Identity>[0]['messages'],
): Identity {
  return new Identity({
    store,
    submit: link.submit,
    messages,
    mode: settings.mode,
    serverKeys: serverKeysOf(settings),
    publicUrl: settings.publicUrls[0] ?? `http://${settings.host}:${settings.port}`,
    ...(settings.phoneCountries ? { phoneCountries: settings.phoneCountries } : {}),
    onFault: (cause) => logger.warn({ err: cause }, 'identity could not do what it was asked'),
  })
}

/** A link to the engine in another process. */
export function reachEngine(settings: Settings): Promise<Link> {
  return connectLink(linkPath(settings.dataFolder))
}

export function reachStore(settings: Settings): Promise<Store> {
  return openStore({ dataFolder: settings.dataFolder, databaseUrl: settings.databaseUrl })
}
