import type { Link } from '../../engine/link.ts'
import { Sequencer } from '../../engine/sequencer.ts'
import { ExplainJob } from '../../explain/job.ts'
import { venueNames } from '../../feeds/venue/names.ts'
import { topics } from '../../gateway/topics.ts'
import { HealthReport } from '../../live/process-health.ts'
import { Seal } from '../../identity/seal.ts'
import { readHead } from '../../journal/read.ts'
import { Seat } from '../../store/seat.ts'
import type { CoreAt } from '../../store/projector/standing.ts'
import { WarmCore } from '../../store/projector/warm.ts'
import { startProjector } from '../../store/projector/projector.ts'
import { TapeHours } from '../../store/projector/tape-hours.ts'
import { RatesJob } from '../../rates/job.ts'
import { headKeyFile } from '../../proof/head-key.ts'
import { HeadMaker } from '../../proof/head-maker.ts'
import { signReserves } from '../../proof/reserve-signer.ts'
import { LiabilityJob } from '../../proof/liabilities/job.ts'
import { Loop } from '../../chains/worker/loop.ts'
import { Challenger } from '../../webhooks/challenger.ts'
import { Deliverer } from '../../webhooks/deliverer.ts'
import { Sender } from '../../webhooks/sender.ts'
import { wordOf } from '../../programs/chains/networks.ts'
import { chainsOf } from '../chains/config.ts'
import { ProcessReport } from '../../watch/process.ts'
import type { Sample } from '../../watch/samples.ts'
import { type Ground, tapeKeptMs } from '../roles.ts'
import { serverKeysOf } from '../server-key.ts'
import { type Prices, startPrices } from './prices.ts'
import { webhookRules } from './webhook-rules.ts'

/** Between two looks whether a new minute has begun. */
const headPollMs = 1_000

/** Between two looks whether an explanation waits: somebody looks at the phone. */
const explainPollMs = 500

/** Between two looks whether there is a statement of reserves to sign. */
const reservePollMs = 5_000

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
 * out history and set prices themselves. Only one follower of an exchange works; the others wait, each with a core that follows, and one of them
 * goes on when the first is gone.
 */
export async function startFollower(
  ground: Ground,
  link: Link,
  onEnd: (reason: string) => void,
  { hasHistory = true, hasFeeds = true, ...options }: FollowerOptions = {},
): Promise<AsyncDisposable> {
  const { store, logger } = ground
  await using parts = new AsyncDisposableStack()
  let won = (): void => undefined
  const seat = parts.use(
    await Seat.open({
      url: store.url,
      name: 'follower',
      onWon: () => won(),
      onLost: () => logger.warn('the connection that makes this follower the one that writes is lost: it pauses'),
    }),
  )
  const mayWrite = (): boolean => seat.isHeld
  const samples = (): readonly Sample[] => prices?.samples() ?? []
  let prices: Prices | undefined
  if (mayWrite()) {
    parts.use(await lead(ground, link, onEnd, { ...options, mayWrite, samples }))
    if (hasFeeds) prices = parts.use(await startPrices(ground, link, { hasHistory }))
    return parts.move()
  }
  logger.info('another follower writes the tables: this one waits')
  const log = ({ message, cause }: { readonly message: string; readonly cause: unknown }): void => logger.warn({ err: cause }, message)
  const core = new WarmCore({ pool: store.pool, log, onFailed: (cause) => onEnd(`the waiting follower stopped: ${cause.message}`) })
  const led = new AsyncDisposableStack()
  let isEnding = false
  let taking = Promise.resolve()
  const take = async (): Promise<void> => {
    const warm = await core.take()
    if (isEnding) return
    logger.info({ seq: warm?.head.seq }, 'this follower writes the tables from here on')
    led.use(await lead(ground, link, onEnd, { ...options, mayWrite, samples, warm }))
  }
  won = () => {
    won = () => undefined
    taking = take().catch((cause: unknown) => onEnd(`the follower could not go on: ${String(cause)}`))
  }
  if (mayWrite()) won()
  if (hasFeeds) prices = parts.use(await startPrices(ground, link, { hasHistory: false }))
  parts.defer(async () => {
    isEnding = true
    await core[Symbol.asyncDispose]()
    await taking
    await led.disposeAsync()
  })
  return parts.move()
}

type Leading = Pick<FollowerOptions, 'hasStatements'> & {
  readonly mayWrite: () => boolean
  /** Of prices. */
  readonly samples: () => readonly Sample[]
  readonly warm?: CoreAt | undefined
}

/** What the follower does that holds the seat. */
async function lead(
  { settings, store, logger }: Ground,
  link: Link,
  onEnd: (reason: string) => void,
  { hasStatements = true, mayWrite, samples, warm }: Leading,
): Promise<AsyncDisposable> {
  await using parts = new AsyncDisposableStack()
  const keptMs = tapeKeptMs(settings)
  const projector = parts.use(
    await startProjector({
      ...{ store, link, mayWrite },
      ...(warm === undefined ? {} : { warm }),
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
  parts.use(
    new ProcessReport(
      'follower',
      () => samples(),
      (told) => link.publish(topics.followerMetrics, told),
    ),
  )
  const { deliverer, challenger } = startDeliverer({ settings, store, logger }, link, mayWrite)
  parts.use(deliverer)
  parts.use(challenger)
  parts.defer(projector.onNews(() => deliverer.poke()))
  parts.use(startTapeHours({ settings, store, logger }, link))
  const { ratesUrl } = settings
  if (ratesUrl !== undefined) {
    const onFault = (cause: unknown): void => logger.warn({ err: cause }, 'reference rates could not be fetched; the last ones stay')
    parts.use(new RatesJob({ pool: store.pool, url: ratesUrl, onFault }))
  }
  startProofs(parts, { settings, store, logger }, hasStatements)
  startExplaining(parts, { settings, store, logger })
  // From the database: a follower goes on also while no engine leads.
  await projector.reached((await readHead(store.pool)).seq)
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

/**
 * Sends challenges to new webhook URLs and due deliveries to the others. The projector reports new events, and owners' requests
 * are announced, too. Announces when a webhook was switched off.
 */
function startDeliverer({ settings, store, logger }: Ground, link: Link, mayWork: () => boolean) {
  const seal = new Seal(serverKeysOf(settings), 'webhook')
  const common = {
    ...{ pool: store.pool, mayWork },
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
  // A clock that follows the machine's at 2 %: a jump by years moves the times of what is signed by seconds until somebody mends it.
  const time = new Sequencer(0)
  const clock = (): number => time.now()
  const onAhead = (ms: number): void =>
    logger.warn(
      { aheadMs: ms },
      'the newest head of the journal is later than the clock of this machine: heads go on with times just behind it',
    )
  const maker = new HeadMaker({ pool: store.pool, keyFile: headKeyFile(settings.dataFolder), clock, onAhead })
  parts.use(new Loop({ turn: () => maker.turn(), pollMs: headPollMs, onFault: faults('no head of the journal could be signed') }))
  const turn = (): Promise<unknown> => signReserves(store.pool, headKeyFile(settings.dataFolder))
  parts.use(new Loop({ turn, pollMs: reservePollMs, onFault: faults('no statement of reserves could be signed') }))
  if (!hasStatements) return
  const job = new LiabilityJob(store, clock, { folder: settings.dataFolder })
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
