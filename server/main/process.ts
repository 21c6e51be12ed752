/**
 * Runs one role as a process of its own: `node server/main/process.ts engine|follower|gateway|chains`. Settings come from the
 * environment. The process tells its parent when it is ready, and ends when told to or when the parent is gone.
 */
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { compilerFlags } from '@candor/core/compiler-flags.ts'
import { readMode } from '../journal/mode.ts'
import { RolledBack } from '../journal/witness.ts'
import { roleProblem } from '../store/roles.ts'
import { failureText } from './command.ts'
import { refuseUnsafe } from './production.ts'
import { silenceMaxMs } from '../engine/silence.ts'
import { makeLogger, reachEngine, reachStore } from './roles.ts'
import { inModeOf, readSettings, type Settings, SettingsFault } from './settings.ts'
import { StoreFault } from '../store/fault.ts'
import type { Store } from '../store/open.ts'
import { setTimeout as sleep } from 'node:timers/promises'

export const processRoles = ['engine', 'follower', 'gateway', 'chains'] as const
export type ProcessRole = (typeof processRoles)[number]
/** A message of a role's process to its parent. */
export type RoleMessage = { readonly type: 'ready'; readonly url?: string; readonly port?: number }

/** With so few processors, all busy, a garbage collection that waits for its helper threads takes longer than one without them. */
const fewProcessors = 4

const lookAgainMs = 250

/** Waits for the database if it is down, instead of crashing and being restarted at growing intervals. */
async function awaitStore(settings: Settings, onAway: (cause: unknown) => void): Promise<Store> {
  for (;;) {
    try {
      return await reachStore(settings)
    } catch (cause) {
      if (!(cause instanceof StoreFault && cause.isRetryable)) throw cause
      onAway(cause)
      await sleep(lookAgainMs)
    }
  }
}

/** The database user of each process. That of chains is the follower's. */
const userOf = (role: ProcessRole) => (role === 'chains' ? 'follower' : role)

/** A process connects to the database as its own user, set by the parent or by the settings. */
function settingsOf(role: ProcessRole): Settings {
  const { roleUrls, ...settings } = readSettings()
  return { ...settings, databaseUrl: roleUrls?.[userOf(role)] ?? settings.databaseUrl }
}

export async function runRole(role: ProcessRole): Promise<void> {
  if (availableParallelism() <= fewProcessors) setFlagsFromString('--no-parallel-scavenge')
  if (role === 'engine' || role === 'follower') for (const flag of compilerFlags) setFlagsFromString(flag)
  const given = settingsOf(role)
  const logger = makeLogger(given, role)
  const parts = new AsyncDisposableStack()
  const ending = new AbortController()
  let isEnding = false
  const end = (code: number, reason: string): void => {
    if (isEnding) return
    isEnding = true
    logger.info({ reason }, 'ending')
    setTimeout(() => process.exit(code || 1), 8_000).unref()
    ending.abort()
    parts.disposeAsync().then(
      () => process.exit(code),
      (cause: unknown) => {
        logger.error({ err: cause }, 'could not end cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', () => end(0, 'told to'))
  // A terminal sends SIGINT to the whole process group; the parent decides the order in which roles end.
  process.on('SIGINT', () => (process.connected ? undefined : end(0, 'told to')))
  process.on('disconnect', () => end(0, 'the parent is gone'))
  process.on('uncaughtException', (cause) => {
    logger.fatal({ err: cause }, 'a bug ends this process')
    process.exit(1)
  })
  process.on('unhandledRejection', (cause) => {
    logger.fatal({ err: cause }, 'a bug ends this process')
    process.exit(1)
  })

  const store = parts.use(await awaitStore(given, (cause) => logger.warn({ err: cause }, 'the database is away: waiting for it')))
  // The gateway may not read the table that has the mode: it asks the engine.
  const onFault = (cause: unknown): void => {
    logger.error({ err: cause }, 'the witness objects, or could not be written')
    if (cause instanceof RolledBack) end(1, cause.message)
  }
  const witness = role === 'gateway' ? { witness: { pool: store.pool, onFault } } : {}
  const link = role === 'engine' ? undefined : parts.use(await reachEngine(given, { name: role, ...witness }))
  const settings = inModeOf(given, role === 'gateway' ? ((await link!.ask.mode()) ?? undefined) : await readMode(store.pool))
  refuseUnsafe(settings)
  if (settings.mode === 'production') {
    const problem = await roleProblem(store.pool, userOf(role))
    if (problem !== undefined) throw new SettingsFault(problem)
  }
  // The first role on a machine that keeps its witness elsewhere finds no folder.
  mkdirSync(settings.dataFolder, { recursive: true, mode: 0o700 })
  const ground = { settings, store, logger }
  let address: { url: string; port: number } | undefined
  if (link === undefined) {
    const { startEngine } = await import('./role/engine.ts')
    const onHot = (): void => void process.send?.({ type: 'ready' } satisfies RoleMessage)
    const starting = startEngine(ground, (reason) => end(1, reason), { silenceMaxMs, onHot, signal: ending.signal })
    // A standby that is told to end does not lead any more; `end` finishes the process.
    parts.use(await starting.catch((cause: unknown) => (isEnding ? new Promise<never>(() => undefined) : Promise.reject(cause))))
  } else if (role === 'follower') {
    const { startFollower } = await import('./role/follower.ts')
    parts.use(await startFollower(ground, link, (reason) => end(1, reason)))
  } else if (role === 'chains') {
    const { startChains } = await import('./role/chains.ts')
    parts.use(await startChains(ground, link))
  } else {
    const { startDoor } = await import('./role/gateway.ts')
    const gateway = parts.use(await startDoor(ground, link))
    address = { url: gateway.url, port: gateway.port }
  }
  process.send?.({ type: 'ready', ...address } satisfies RoleMessage)
  logger.info(address ?? {}, `${role} is ready`)
}

if (import.meta.main) {
  const role = process.argv[2] as ProcessRole
  if (!processRoles.includes(role)) throw new Error(`there is no role ${role}`)
  runRole(role).catch((cause: unknown) => {
    const isPlain = cause instanceof SettingsFault || !(cause instanceof Error)
    process.stderr.write(`${isPlain ? failureText(cause) : cause.stack}\n`)
    process.exit(1)
  })
}
