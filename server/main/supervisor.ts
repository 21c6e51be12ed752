import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readMode } from '../journal/mode.ts'
import { keepEmbedded } from '../store/keep-embedded.ts'
import { checkUpgrade } from '../journal/upgrade.ts'
import { checkWitness, demandWitness } from '../journal/witness.ts'
import { migrate } from '../store/migrate.ts'
import { backUpBeforeUpgrade } from './backup-settings.ts'
import { prepareBots, prepareHedger } from './bots.ts'
import { takeLock } from './lock.ts'
import { type ProcessRole, processRoles, type RoleMessage } from './process.ts'
import { announced, refuseUnsafe } from './production.ts'
import { programOf } from './role/tuning.ts'
import { type OwnAddresses, type Places, placesIn, prepareKeys, type TestChainsReady, writeSettings } from './chains/sandbox.ts'
import { makeLogger, namedUrl, reachEngine, reachStore } from './roles.ts'
import { environmentOf, inModeOf, root, type Settings, witnessFolderOf } from './settings.ts'
import { settingOf, type RoleUrls } from '../store/roles.ts'
import { databaseRoles } from '../store/rights.ts'
import { separateRoles } from './database-roles.ts'

/** Each process gets only its own database address, and none the backups. */
const othersSecrets = {
  ...Object.fromEntries(databaseRoles.map((role) => [settingOf(role), undefined])),
  ...{ CANDOR_BACKUP_TO: undefined, CANDOR_BACKUP_KEY: undefined },
}

type Role = ProcessRole | 'bots' | 'test-chains' | 'signer'
type DatabaseUser = keyof RoleUrls

/** An exchange that runs as a tree of processes below this one. */
export type Running = AsyncDisposable & {
  readonly url: string
  /** The settings of the start, in the mode of the data. */
  readonly settings: Settings
  /** Process ids by role, for tests that kill them. */
  pids(): Readonly<Record<string, number>>
}

const startMaxMs = 120_000
const endMaxMs = 10_000
const logMax = 20 * 1024 * 1024
/**
 * Starts the database, then engine, follower, gateway and bots, each when the previous one is ready. Restarts any of them that
 * dies. Stops them in reverse order, but the follower last.
 *
 * say  prints progress for people
 */
export async function startTree(given: Settings, say: (line: string) => void): Promise<Running> {
  const parts = new AsyncDisposableStack()
  try {
    // An explicitly requested mode is checked before a database is created; the mode of existing data is checked after it is
    // read.
    refuseUnsafe(given)
    parts.use(await takeLock(given.dataFolder))
    await checkPort(given)
    say(given.databaseUrl ? 'Opening the database …' : 'Starting the embedded database …')
    const store = parts.use(await reachStore(given))
    if (!given.databaseUrl) parts.use(keepEmbedded(store, given.dataFolder, say))
    await checkUpgrade(store.pool)
    await checkWitness(store.pool, witnessFolderOf(given))
    await backUpBeforeUpgrade(store, given, say)
    await migrate(store)
    const inMode = inModeOf(given, await readMode(store.pool))
    const places = inMode.mode === 'sandbox' && inMode.hasTestChains === true ? placesIn(inMode.dataFolder) : undefined
    const settings = places === undefined ? inMode : { ...inMode, chainsFolder: places.folder }
    refuseUnsafe(settings)
    if (settings.mode === 'production') await demandWitness(store.pool, witnessFolderOf(settings))
    for (const line of announced(settings)) say(line)
    const urls = await separateRoles(store, settings, say)
    const tree = parts.use(new Tree(settings, (role) => urls?.[role] ?? store.url, say))

    // Beside the rest of the start, of which the engine and all after it need the keys.
    const own = places === undefined ? undefined : await prepareKeys(places)
    const testChains = places === undefined ? undefined : startTestChains(tree, places, own!, settings)
    testChains?.catch(() => undefined)
    say('Starting the engine …')
    await tree.start('engine')
    // All that follow read the file of networks.
    if (testChains !== undefined) say('Starting the test chains …')
    await testChains
    say('Starting prices and projections …')
    await tree.start('follower')
    say('Opening the gateway …')
    const { url } = await tree.start('gateway')
    if (settings.chainsFolder !== undefined) await tree.start('chains')
    if (settings.hasBots) {
      say('Starting the liquidity bots …')
      const link = parts.use(await reachEngine(settings))
      const ground = { settings, store, logger: makeLogger({ ...settings, logLevel: 'silent' }, 'bots') }
      const [credentials, hedger] = [await prepareBots(ground, link), await prepareHedger(ground, link)]
      const hedging = hedger === undefined ? {} : { CANDOR_HEDGER_CREDENTIALS: JSON.stringify(hedger) }
      await tree.start('bots', { CANDOR_URL: url!, CANDOR_BOT_CREDENTIALS: JSON.stringify(credentials), ...hedging })
    }
    const note = join(settings.dataFolder, 'running.json')
    writeFileSync(note, JSON.stringify({ url, pid: process.pid }), { mode: 0o600 })
    parts.defer(() => rmSync(note, { force: true }))
    const owned = parts.move()
    return { url: url!, settings, pids: () => tree.pids(), [Symbol.asyncDispose]: () => owned.disposeAsync() }
  } catch (cause) {
    await parts.disposeAsync()
    throw cause
  }
}

/** Test chains, then the signer, which needs to know them. */
async function startTestChains(tree: Tree, places: Places, own: OwnAddresses, settings: Settings): Promise<void> {
  const { blocks, signer, door, credentials } = places
  const ready = await tree.start('test-chains', {}, [blocks, JSON.stringify(own)])
  const origins = settings.publicUrls.length > 0 ? settings.publicUrls : [namedUrl(`http://127.0.0.1:${settings.port}`)]
  await writeSettings(places, own, ready as TestChainsReady, origins)
  await tree.start('signer', { CREDENTIALS_DIRECTORY: credentials }, [signer, door])
}

/** Checked first, so that no database is created in vain. */
async function checkPort({ host, port }: Settings): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(cause.code === 'EADDRINUSE' ? new Error(`port ${port} on ${host} is in use; set PORT to another one`) : cause),
    )
    server.listen(port, host, resolve)
  })
  await new Promise((resolve) => server.close(resolve))
}

/** `readyAt`: time by this process's clock; undefined until the role is ready. */
type Member = {
  child: ChildProcess
  extra: Readonly<Record<string, string>>
  args: readonly string[]
  crashes: number
  readyAt: number | undefined
}

/** Programs that are none of `process.ts`. */
const programs: Readonly<Record<Exclude<Role, ProcessRole>, readonly string[]>> = {
  bots: ['simulator', 'bots', 'main.ts'],
  'test-chains': ['simulator', 'chains', 'main.ts'],
  signer: ['server', 'chains', 'signer', 'main.ts'],
}

const isProcessRole = (role: Role): role is ProcessRole => (processRoles as readonly string[]).includes(role)

class Tree implements AsyncDisposable {
  readonly #settings: Settings
  readonly #databaseUrl: (user: DatabaseUser) => string
  readonly #say: (line: string) => void
  readonly #members = new Map<Role, Member>()
  readonly #log: number | undefined
  #port: number | undefined
  #isEnding = false

  constructor(settings: Settings, databaseUrl: (user: DatabaseUser) => string, say: (line: string) => void) {
    this.#settings = settings
    this.#databaseUrl = databaseUrl
    this.#say = say
    this.#log = settings.mode === 'sandbox' ? openLog(settings.dataFolder) : undefined
  }

  pids(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#members].map(([role, { child }]) => [role, child.pid ?? 0]))
  }

  /** Resolves when the role is ready; bots count as ready once they run. */
  async start(
    role: Role,
    extra: Readonly<Record<string, string>> = {},
    args: readonly string[] = [],
    crashes = 0,
  ): Promise<{ url?: string }> {
    const output = this.#log ?? 'inherit'
    const words = isProcessRole(role) ? programOf(role).words : [join(root, ...programs[role]), ...args]
    const child = spawn(process.execPath, words, {
      cwd: root,
      env: this.#environment(role, extra),
      stdio: ['ignore', output, output, 'ipc'],
    })
    const member: Member = { child, extra, args, crashes, readyAt: undefined }
    this.#members.set(role, member)
    // Roles that callers wait for have priority: projections may lag, and bots come last.
    if (child.pid !== undefined && role in priorities) lowerPriority(child.pid, priorities[role]!)
    const ready = role === 'bots' ? Promise.resolve({}) : readyOf(child, role)
    child.on('exit', (code, signal) => void this.#ended(role, child, code, signal))
    const message = await ready
    member.readyAt = performance.now()
    if (role === 'gateway') this.#port = (message as RoleMessage).port
    return message
  }

  /** Only the roles of this exchange get its settings, and each only its own database user. */
  #environment(role: Role, extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
    const cache = { NODE_COMPILE_CACHE: join(root, '.cache', 'compile') }
    if (role === 'signer' || role === 'test-chains') return { PATH: process.env['PATH'], ...cache, ...extra }
    return {
      ...process.env,
      ...cache,
      ...(isProcessRole(role) ? programOf(role).environment : {}),
      ...environmentOf(this.#settings),
      ...othersSecrets,
      // Bots act as customers and get no database access.
      DATABASE_URL: role === 'bots' ? undefined : this.#databaseUrl(role === 'chains' ? 'follower' : role),
      ...(role === 'gateway' && this.#port !== undefined ? { PORT: String(this.#port) } : {}),
      ...extra,
    }
  }

  async #ended(role: Role, child: ChildProcess, code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    const member = this.#members.get(role)
    if (this.#isEnding || member?.child !== child) return
    const ranMs = member.readyAt === undefined ? 0 : performance.now() - member.readyAt
    const crashes = crashesAfter(member.crashes, ranMs)
    const waitMs = backOffMs(crashes)
    this.#say(`The ${role} ended (${signal ?? `code ${code}`}) and is started again in ${waitMs / 1_000} s.`)
    await sleep(waitMs)
    if (this.#isEnding || this.#members.get(role)?.child !== child) return
    await this.start(role, member.extra, member.args, crashes).catch((cause: unknown) =>
      this.#say(`The ${role} did not start: ${(cause as Error).message}`),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true
    // The follower stops last: it brings the tables up to the end of the journal, which no longer grows.
    for (const role of ['bots', 'gateway', 'chains', 'signer', 'test-chains', 'engine', 'follower'] as const) {
      const child = this.#members.get(role)?.child
      if (child) await end(child)
    }
    if (this.#log !== undefined) closeSync(this.#log)
  }
}

/** Wait before a role is restarted, in ms: doubled with each crash in a row, at most ten seconds. */
export const backOffMs = (crashes: number): number => (crashes === 0 ? 0 : Math.min(200 * 2 ** Math.min(crashes, 6), 10_000))

/**
 * Number of crashes in a row, including the latest. A role that was ready for ten times its wait, or for a minute, counts as
 * recovered; so a role that keeps crashing is away for at most a tenth of the time, or waits longer each time.
 *
 * before  crashes in a row when it was started
 * ranMs   how long it was ready; 0: never
 */
export function crashesAfter(before: number, ranMs: number): number {
  const hasRecovered = ranMs > 0 && ranMs >= Math.min(10 * backOffMs(before), 60_000)
  return hasRecovered ? 1 : before + 1
}

function readyOf(child: ChildProcess, role: Role): Promise<{ url?: string }> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`the ${role} was not ready within ${startMaxMs / 1_000} s`)), startMaxMs)
    const settle = (act: () => void): void => {
      clearTimeout(limit)
      act()
    }
    child.once('message', (message: RoleMessage) => settle(() => resolve(message as { url?: string })))
    child.once('error', (cause) => settle(() => reject(cause)))
    child.once('exit', (code, signal) => settle(() => reject(new Error(`the ${role} ended (${signal ?? `code ${code}`}); see the log`))))
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const limit = setTimeout(() => child.kill('SIGKILL'), endMaxMs)
  await ended
  clearTimeout(limit)
}

const priorities: Readonly<Partial<Record<Role, number>>> = {
  follower: 10,
  chains: 10,
  'test-chains': 15,
  bots: constants.priority.PRIORITY_BELOW_NORMAL,
}

function lowerPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, priority)
  } catch {
    // Some systems do not allow this; bots then have normal priority.
  }
}

/** One log file for all roles, started afresh after 20 MB. */
function openLog(dataFolder: string): number {
  const folder = join(dataFolder, 'logs')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'candor.log')
  try {
    if (statSync(file).size > logMax) rmSync(file)
  } catch {
    // The log file does not exist yet.
  }
  return openSync(file, 'a', 0o600)
}
