import { readMode } from '../journal/mode.ts'
import { checkUpgrade } from '../journal/upgrade.ts'
import { checkWitness, demandWitness } from '../journal/witness.ts'
import { migrate } from '../store/migrate.ts'
import { openStore } from '../store/open.ts'
import { separateRoles } from './database-roles.ts'
import type { Argon } from '../identity/argon.ts'
import type { TimeSource } from '../engine/sequencer.ts'
import type { Link } from '../engine/link.ts'
import { silenceMaxMs } from '../engine/silence.ts'
import type { Patience } from '../gateway/options.ts'
import type { Store } from '../store/open.ts'
import { backUpBeforeUpgrade } from './backup-settings.ts'
import { takeLock } from './lock.ts'
import { type Ground, makeLogger, reachStore } from './roles.ts'
import { startChains } from './role/chains.ts'
import { startDoor } from './role/gateway.ts'
import { startEngine } from './role/engine.ts'
import { startFollower } from './role/follower.ts'
import { inModeOf, type Settings, witnessFolderOf } from './settings.ts'

/**
 * A whole exchange in this process: engine, follower and gateway on one database, each as its own database user. `store`:
 * connected as the owner.
 */
export type InProcess = AsyncDisposable & { readonly url: string; readonly link: Link; readonly store: Store; readonly ground: Ground }

export type InProcessOptions = {
  /** Whether to fill a new exchange's charts with reference history. Default: true; tests switch it off. */
  readonly hasHistory?: boolean
  /** Whether index prices come from the feed in the settings. Default: true; tests that set prices themselves switch it off. */
  readonly hasFeeds?: boolean
  /** Whether the follower makes statements of liabilities. Default: no. */
  readonly hasStatements?: boolean
  /** Whether the core takes all its memory before the first command. Default: true; tests switch it off. */
  readonly reservesTables?: boolean
  /** The engine's source of time. Default: the machine. */
  readonly time?: TimeSource
  readonly patience?: Patience
  /** Hashes passwords and codes. */
  readonly argon?: Argon
}

export async function startInProcess(given: Settings, options: InProcessOptions = {}): Promise<InProcess> {
  const { hasHistory = true, hasFeeds = true, hasStatements = false, reservesTables = true, time, patience, argon } = options
  await using parts = new AsyncDisposableStack()
  parts.use(await takeLock(given.dataFolder))
  const store = parts.use(await reachStore(given))
  await checkUpgrade(store.pool)
  await checkWitness(store.pool, witnessFolderOf(given))
  await backUpBeforeUpgrade(store, given, (line) => makeLogger(given, 'exchange').info(line))
  await migrate(store)
  const settings = inModeOf(given, await readMode(store.pool))
  if (settings.mode === 'production') await demandWitness(store.pool, witnessFolderOf(settings))
  const logger = makeLogger(settings, 'exchange')
  const urls = await separateRoles(store, settings, (line) => logger.warn(line))
  const groundOf = async (role: 'engine' | 'follower' | 'gateway'): Promise<Ground> => ({
    ...{ settings, logger },
    store: urls === undefined ? store : parts.use(await openStore({ dataFolder: settings.dataFolder, databaseUrl: urls[role] })),
  })
  const onEnd = (reason: string): void => logger.fatal(reason)
  const engineOptions = { reservesTables, ...(time && { time }), ...(hasFeeds && { silenceMaxMs }) }
  const engine = parts.use(await startEngine(await groundOf('engine'), onEnd, engineOptions))
  const { link } = engine
  // A link does not receive its own messages, and the gateway must hear the follower: hence a second link.
  parts.use(await startFollower(await groundOf('follower'), parts.use(engine.another()), onEnd, { hasHistory, hasFeeds, hasStatements }))
  const gateway = parts.use(await startDoor(await groundOf('gateway'), link, { patience, argon }))
  if (settings.chainsFolder !== undefined) parts.use(await startChains(await groundOf('follower'), parts.use(engine.another())))
  const owned = parts.move()
  return { url: gateway.url, link, store, ground: { settings, store, logger }, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
