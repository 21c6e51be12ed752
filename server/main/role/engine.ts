import { openBus } from '../../bus/bus.ts'
import { serveBus } from '../../engine/bus/serve-bus.ts'
import { busPeers } from '../../engine/bus/witness-peers.ts'
import { Engine } from '../../engine/engine.ts'
import type { Link } from '../../engine/link.ts'
import { linkPath } from '../../engine/link-path.ts'
import type { EngineOptions } from '../../engine/options.ts'
import { localLink } from '../../engine/local-link.ts'
import { serveLink } from '../../engine/serve-link.ts'
import { topics } from '../../gateway/topics.ts'
import { HealthReport } from '../../live/process-health.ts'
import { Witness } from '../../journal/witness.ts'
import { EngineMeter } from '../../watch/engine-meter.ts'
import { ProcessReport } from '../../watch/process.ts'
import { sample } from '../../watch/samples.ts'
import { setFirstConvert } from '../first-convert.ts'
import { setFirstReferral } from '../first/referral.ts'
import { fillFirstPools, setFirstMargin } from '../first-margin.ts'
import { setFirstOption } from '../first-option.ts'
import { openFirstPresales } from '../first/presale.ts'
import { openWithdrawals } from '../first-withdrawals.ts'
import { listFirstContracts } from '../first-perp.ts'
import { listFirstMarkets } from '../first-start.ts'
import type { Ground } from '../roles.ts'
import { startNotary } from './notary.ts'
import { otherMode, type Settings, SettingsFault, witnessFolderOf } from '../settings.ts'

type RoleOptions = Pick<EngineOptions, 'time' | 'silenceMaxMs' | 'reservesTables' | 'standby' | 'peers' | 'times'> & {
  /** Called when a standby is hot: it can take over from then on. */
  readonly onHot?: () => void
  /** Ends a standby that waits. */
  readonly signal?: AbortSignal
}

/**
 * Starts the engine, the only writer. It can be reached by the other processes of this data folder and, through `another`, by a
 * link in this process. Lists the assets and markets of a new exchange. A standby resolves when it leads. `time`, `times` and
 * `reservesTables` are for tests, `silenceMaxMs` is for an exchange with feeds.
 */
export async function startEngine(
  { settings, store, logger }: Ground,
  onEnd: (reason: string) => void,
  { onHot, signal, ...options }: RoleOptions = {},
): Promise<AsyncDisposable & { readonly link: Link; another(): Link }> {
  await using parts = new AsyncDisposableStack()
  const folder = witnessFolderOf(settings)
  const witness = parts.use(await Witness.open(folder, (cause) => logger.error({ err: cause }, 'the witness could not be written')))
  const bus = settings.natsUrl === undefined ? undefined : parts.use(await openBus({ url: settings.natsUrl, name: 'engine' }))
  const peers = bus && busPeers(bus)
  peers?.answer(() => witness.seen)
  const meter = new EngineMeter(settings.traces === undefined ? undefined : (times) => engine.hub.publish(topics.commits, times))
  const engine = new Engine({
    store,
    witness,
    meter,
    ...(peers === undefined ? {} : { standby: true, peers }),
    ...options,
    // On several machines the database's disk is not this one.
    ...(bus === undefined ? { diskFolder: settings.dataFolder } : {}),
    log: ({ message, cause }) => logger.warn(cause === undefined ? {} : { err: cause }, message),
  })
  parts.use(engine)
  engine.onState((state) => {
    logger.info({ state, reason: engine.reason }, 'engine state')
    if (state === 'standby') onHot?.()
    if (state === 'fenced' || state === 'halted') onEnd(`the engine is ${state}: ${engine.reason}`)
  })
  parts.use(measured(engine, meter))
  signal?.addEventListener('abort', () => void engine.stop())
  await engine.begin()
  await holdMode(engine, settings.mode)
  const link = localLink(engine)
  const tellClock = (): void => engine.hub.publish(topics.clock, engine.isClockSynced)
  tellClock()
  const clock = setInterval(tellClock, 1_000)
  parts.use(new HealthReport('engine', (health) => engine.hub.publish(topics.engineHealth, health)))
  await listFirstMarkets(link.submit, link.ask)
  await listFirstContracts(link.submit, link.ask, settings.mode, await insuredUsdt(engine))
  await setFirstMargin(link.submit, link.ask, settings.mode)
  if (settings.mode === 'sandbox') await fillFirstPools(link.submit, link.ask)
  await setFirstOption(link.submit, link.ask, settings.mode)
  await openWithdrawals(link.submit, link.ask, settings.mode)
  await setFirstConvert(link.submit, link.ask, settings.mode)
  await setFirstReferral(link.submit, link.ask, settings.mode)
  if (settings.mode === 'sandbox') await openFirstPresales(link.submit, link.ask, store.pool)
  if (settings.chainsFolder !== undefined) parts.use(startNotary({ settings, store, logger }, engine, settings.chainsFolder))
  const served = await serveLink(engine, linkPath(settings.dataFolder))
  if (bus !== undefined) parts.use(serveBus(engine, bus))
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

/** Publishes the metrics of the engine and its process. */
function measured(engine: Engine, meter: EngineMeter): ProcessReport {
  const samples = () => [
    ...meter.samples(),
    sample('candor_engine_up', engine.state === 'up' ? 1 : 0),
    sample('candor_engine_standby', engine.state === 'standby' ? 1 : 0),
    sample('candor_engine_clock_synced', engine.isClockSynced ? 1 : 0),
    sample('candor_engine_waiting_commands', engine.waiting),
    sample('candor_engine_seq', engine.seq),
  ]
  return new ProcessReport('engine', samples, (told) => engine.hub.publish(topics.engineMetrics, told))
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
