import type { MarketId } from '@candor/core/protocol/ids.ts'
import type { WireFeed } from '@candor/core/protocol/wire/market.ts'
import type { Link } from '../../engine/link.ts'
import { ExplainJob } from '../../explain/job.ts'
import { type Feeds, startFeeds } from '../../feeds/feeds.ts'
import { venueNames } from '../../feeds/venue/names.ts'
import { topics } from '../../gateway/topics.ts'
import { HealthReport } from '../../live/process-health.ts'
import { Seal } from '../../identity/seal.ts'
import type { Store } from '../../store/open.ts'
import { startProjector } from '../../store/projector/projector.ts'
import { TapeHours } from '../../store/projector/tape-hours.ts'
import { copyReferenceCandles, copyReferenceMarks, insertReferenceCandles } from '../../store/query/market/reference.ts'
import { RatesJob } from '../../rates/job.ts'
import { headKeyFile } from '../../proof/head-key.ts'
import { HeadMaker } from '../../proof/head-maker.ts'
import { LiabilityJob } from '../../proof/liabilities/job.ts'
import { Loop } from '../../chains/worker/loop.ts'
import { Challenger } from '../../webhooks/challenger.ts'
import { Deliverer } from '../../webhooks/deliverer.ts'
import { Sender } from '../../webhooks/sender.ts'
import { wordOf } from '../../programs/chains/networks.ts'
import { chainsOf } from '../chains/config.ts'
import { ProcessReport } from '../../watch/process.ts'
import { type Sample, sample } from '../../watch/samples.ts'
import { type Ground, tapeKeptMs } from '../roles.ts'
import { serverKeysOf } from '../server-key.ts'
import { webhookRules } from './webhook-rules.ts'

/** Between two looks whether a new minute has begun. */
const headPollMs = 1_000

/** Between two looks whether an explanation waits: somebody looks at the phone. */
const explainPollMs = 500

/** Between two looks whether a statement of liabilities is due. */
const statementPollMs = 30_000

export type FollowerOptions = {
  readonly hasHistory?: boolean
  readonly hasFeeds?: boolean
  /** Whether it makes statements of liabilities, each in a process of its own. */
  readonly hasStatements?: boolean
}

/**
 * Starts the follower, which keeps the query tables up to date with the journal and feeds outside prices into it. Tests may leave
 * out history and set prices themselves.
 */
export async function startFollower(
  { settings, store, logger }: Ground,
  link: Link,
  onEnd: (reason: string) => void,
  { hasHistory = true, hasFeeds = true, hasStatements = true }: FollowerOptions = {},
): Promise<AsyncDisposable> {
  // Feeds may fail to start (an unreadable recording); parts that already run must then be stopped.
  await using parts = new AsyncDisposableStack()
  const keptMs = tapeKeptMs(settings)
  const projector = parts.use(
    await startProjector({
      store,
      link,
      ...(keptMs === undefined ? {} : { tapeKeptMs: keptMs }),
      networks: new Map(chainsOf(settings)?.networks.map((network) => [network.number, { label: network.label, word: wordOf(network) }])),
      log: ({ message, cause }) => logger.warn(cause === undefined ? {} : { err: cause }, message),
    }),
  )
  link.onPublished(topics.wanted, () => projector.hurry())
  const watch = setInterval(() => {
    if (projector.failed) onEnd(`the projector stopped: ${projector.failed.message}`)
    else link.publish(topics.projected, projector.lag)
  }, 1_000)
  parts.defer(() => clearInterval(watch))
  parts.use(new HealthReport('follower', (health) => link.publish(topics.followerHealth, health)))
  let feedSamples = (): readonly Sample[] => []
  parts.use(
    new ProcessReport(
      'follower',
      () => feedSamples(),
      (told) => link.publish(topics.followerMetrics, told),
    ),
  )
  const { deliverer, challenger } = startDeliverer({ settings, store, logger }, link)
  for (const part of [deliverer, challenger]) parts.use(part)
  parts.defer(projector.onNews(() => deliverer.poke()))
  parts.use(startTapeHours({ settings, store, logger }, link))
  const { ratesUrl } = settings
  if (ratesUrl !== undefined) {
    const onFault = (cause: unknown): void => logger.warn({ err: cause }, 'reference rates could not be fetched; the last ones stay')
    parts.use(new RatesJob({ pool: store.pool, url: ratesUrl, onFault }))
  }
  startProofs(parts, { settings, store, logger }, hasStatements)
  startExplaining(parts, { settings, store, logger })
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
  feedSamples = () => samplesOf(feeds)
  return parts.move()
}

function startTapeHours({ store, logger }: Ground, link: Link): TapeHours {
  return new TapeHours({
    pool: store.pool,
    names: async () => ({
      venues: venueNames,
      markets: (await link.ask.listing()).markets.filter(({ perp }) => perp === undefined).map(({ id, symbol }) => ({ id, symbol })),
    }),
    onFault: (cause) => logger.warn({ err: cause }, 'hours of the tape could not be made ready'),
  })
}

function samplesOf(feeds: Feeds): readonly Sample[] {
  return feeds
    .distances()
    .flatMap(({ venue, market, ageMs, distance }) => [
      sample('candor_feed_price_age_seconds', ageMs / 1e3, { venue, market }),
      sample('candor_feed_distance_ratio', distance, { venue, market }),
    ])
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

/**
 * Signs a head of the journal each minute, and makes a statement of liabilities every ten. Whatever fails, the exchange goes on, and the
 * next look tries again.
 */
function startProofs(parts: AsyncDisposableStack, { settings, store, logger }: Ground, hasStatements: boolean): void {
  const faults = (message: string) => (cause: unknown) => logger.warn({ err: cause }, message)
  const maker = new HeadMaker({ pool: store.pool, keyFile: headKeyFile(settings.dataFolder) })
  parts.use(new Loop({ turn: () => maker.turn(), pollMs: headPollMs, onFault: faults('no head of the journal could be signed') }))
  if (!hasStatements) return
  const job = new LiabilityJob(store)
  const onFault = faults('no statement of liabilities could be made')
  parts.use(new Loop({ turn: () => job.turn(), pollMs: statementPollMs, onFault }))
  // Ended first: the loop waits for its process.
  parts.use(job)
}

/** Works out the explanations that customers wait for. */
function startExplaining(parts: AsyncDisposableStack, { store, logger }: Ground): void {
  const job = new ExplainJob(store)
  const onFault = (cause: unknown): void => logger.warn({ err: cause }, 'results could not be explained')
  parts.use(new Loop({ turn: () => job.turn(), pollMs: explainPollMs, onFault }))
  // Ended first: the loop waits for its process.
  parts.use(job)
}

/** Prices from which a simulated market continues: the last price of each market's chart, at 1e-8. */
async function lastPrices(store: Store): Promise<ReadonlyMap<string, number>> {
  const { rows } = await store.pool.query<{ market: string; price: number }>(
    `select distinct on (market) market, (close * 100000000)::bigint as price from candles_1m order by market, open_time desc`,
  )
  return new Map(rows.map(({ market, price }) => [market, price]))
}
