import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { syncFolder, writeDurably } from './durable-file.ts'
import { type Binaries, findBinaries } from './embedded-binaries.ts'
import { chooseNewUser, chooseUser, giveTo, type RunAs } from './embedded-user.ts'
import { StoreFault } from './fault.ts'

/** Our own PostgreSQL server in `<dataFolder>/postgres`, reachable on loopback with a generated password. */
export type Embedded = {
  readonly url: string
  /**
   * Stops the server, unless another process is still connected to it: then the last one to leave stops it. `isForced` stops it
   * in any case.
   */
  stop(options?: { readonly isForced?: boolean }): Promise<void>
}

type Place = { readonly folder: string; readonly data: string; readonly binaries: Binaries; readonly user: RunAs }

const database = 'candor'
/** Time limit for recovery after a crash, and for retries: a killed server's memory is held for a moment. */
const startSeconds = 60
/** A backup that nobody continues keeps at most this much of the log. */
const heldLogMax = '8GB'

/** Creates the server on first use, adopts one that is still running, starts it otherwise. Returns when a real query succeeds. */
export async function startEmbedded(dataFolder: string): Promise<Embedded> {
  const binaries = findBinaries()
  mkdirSync(dataFolder, { recursive: true, mode: 0o755 })
  const folder = join(dataFolder, 'postgres')
  const place = { folder, data: join(folder, 'data'), binaries, user: chooseUser(folder, binaries.folder) }
  if (!existsSync(folder)) await initialize(place)
  await startOrAdopt(place)
  await ensureDatabase(place)
  return { url: urlOf(place, database), stop: (options) => stop(place, options?.isForced ?? false) }
}

/**
 * Lets the server of a restored folder replay its log up to a target, and stops it. From then on the folder is like any other.
 *
 * target  PostgreSQL's settings for where the recovery ends; none: at the end of the log
 * use     reads the recovered database
 * throws  StoreFault when the log does not reach the target
 */
export async function recoverEmbedded<T>(dataFolder: string, target: readonly string[], use: (url: string) => Promise<T>): Promise<T> {
  const binaries = findBinaries()
  const folder = join(dataFolder, 'postgres')
  const place = { folder, data: join(folder, 'data'), binaries, user: chooseNewUser(folder, binaries.folder) }
  const port = await freePort(0)
  const log = join(folder, 'log')
  writeFileSync(log, '', { mode: 0o600 })
  writeDurably(join(folder, 'port'), String(port))
  // The log lies where the server writes its own: there is nothing to fetch.
  const recovery = ["restore_command = 'exit 1'", 'hot_standby = off', "recovery_target_action = 'promote'", ...target]
  writeFileSync(join(place.data, 'candor.conf'), `${settings(port)}${recovery.join('\n')}\n`, { mode: 0o600 })
  writeFileSync(join(place.data, 'recovery.signal'), '', { mode: 0o600 })
  giveTo(place.user, folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
  await run(place.user, log, binaries.pgCtl, ['-D', place.data, '-W', '-l', log, '-s', 'start'])
  const begunAt = Date.now()
  while (!(await answers(place))) {
    const isGone = !existsSync(join(place.data, 'postmaster.pid'))
    if (isGone && Date.now() - begunAt > startSeconds * 1000) throw new StoreFault(`The restored database does not recover: ${endOf(log)}`)
    if (/FATAL/.test(readFileSync(log, 'utf8')) && isGone) throw new StoreFault(`The restored database does not recover: ${endOf(log)}`)
    await sleep(100)
  }
  try {
    return await use(urlOf(place, database))
  } finally {
    await stop(place, true)
    // Settings of the recovery are of no use any more.
    writeDurably(join(place.data, 'candor.conf'), settings(port))
    giveTo(place.user, join(place.data, 'candor.conf'))
  }
}

const endOf = (log: string): string => readFileSync(log, 'utf8').trim().split('\n').slice(-5).join(' | ')

/** Built beside its place and moved there when complete: a crash half-way leaves nothing, and of two builders one wins. */
async function initialize(place: Place): Promise<void> {
  const draft = `${place.folder}.new-${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  const password = randomBytes(24).toString('hex')
  writeDurably(join(draft, 'password'), password)
  writeFileSync(join(draft, 'log'), '', { mode: 0o600 })
  giveTo(place.user, draft, join(draft, 'password'), join(draft, 'log'))
  await run(place.user, join(draft, 'log'), place.binaries.initdb, [
    ...['-D', join(draft, 'data'), '--username=candor', `--pwfile=${join(draft, 'password')}`, '--auth=scram-sha-256'],
    ...['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', '--data-checksums'],
  ])
  writeFileSync(join(draft, 'data', 'postgresql.conf'), "include 'candor.conf'\n", { flag: 'a', flush: true })
  syncFolder(draft)
  try {
    renameSync(draft, place.folder)
    syncFolder(dirname(place.folder))
  } catch (cause) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(place.folder)) throw new StoreFault(`The database folder ${place.folder} can't be created`, { cause })
  }
}

async function startOrAdopt(place: Place): Promise<void> {
  const deadline = Date.now() + startSeconds * 1000
  let failure: unknown
  for (;;) {
    if (existsSync(join(place.data, 'postmaster.pid')) && (await answers(place))) return
    failure = await start(place).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    if (await answers(place)) return
    if (Date.now() > deadline) throw new StoreFault('The embedded PostgreSQL does not start', { cause: failure })
    // A killed server's last processes hold its memory for a moment; another process of ours may be starting it.
    await sleep(200)
  }
}

async function start(place: Place): Promise<void> {
  const port = await freePort(rememberedPort(place))
  writeDurably(join(place.folder, 'port'), String(port))
  writeDurably(join(place.data, 'candor.conf'), settings(port))
  giveTo(place.user, join(place.data, 'candor.conf'))
  const log = join(place.folder, 'log')
  await run(place.user, log, place.binaries.pgCtl, ['-D', place.data, '-w', '-t', String(startSeconds), '-l', log, '-s', 'start'])
}

/**
 * Settings for two cores shared with three Node processes; those that make an acknowledgement true are never tuned. Nobody streams the log:
 * that right, which the user of backups has for its slots, would otherwise be one to read everything.
 */
function settings(port: number): string {
  return `listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = ''
max_connections = 80
password_encryption = 'scram-sha-256'
timezone = 'UTC'
log_timezone = 'UTC'
fsync = on
synchronous_commit = on
full_page_writes = on
shared_buffers = 256MB
effective_cache_size = 1GB
wal_buffers = 16MB
max_wal_size = 2GB
min_wal_size = 256MB
checkpoint_timeout = 15min
jit = off
io_method = sync
max_parallel_workers_per_gather = 0
random_page_cost = 1.1
log_checkpoints = off
max_slot_wal_keep_size = ${heldLogMax}
max_wal_senders = 0
`
}

async function answers(place: Place): Promise<boolean> {
  const client = new pg.Client({ connectionString: urlOf(place, 'postgres'), connectionTimeoutMillis: 3000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    // A copied folder remembers the port of the original server.
    const { rows } = await client.query("select current_setting('data_directory') as folder")
    return realpathSync(rows[0].folder) === realpathSync(place.data)
  } catch (cause) {
    // 57P03: it is starting, recovering or shutting down. 28P01: something else listens on our port.
    if ((cause as { code?: string }).code === '57P03') {
      await sleep(100)
      return answers(place)
    }
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function ensureDatabase(place: Place): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(place, 'postgres') })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${database}`)
  } catch (cause) {
    // Another process of ours may have created it in between: duplicate_database, or the same seen by the unique index.
    if (!['42P04', '23505'].includes((cause as { code?: string }).code ?? '')) throw cause
  } finally {
    await client.end()
  }
}

async function stop(place: Place, isForced: boolean): Promise<void> {
  for (let tries = 0; !isForced; tries++) {
    const others = await countOthers(place).catch(() => undefined)
    // A server that was killed is nobody's to stop, and the number that it noted may be another process by now.
    if (others === undefined) return
    if (others === 0) break
    if (tries === 20) return
    await sleep(100)
  }
  await (process.platform === 'win32' ? stopByTool(place) : stopBySignal(place))
}

const stopMaxMs = 60_000

/**
 * Needs no child process: the system may refuse one to an engine, whose tables reserve more memory than a small machine has.
 *
 * throws  StoreFault when the server still runs after `stopMaxMs`
 */
async function stopBySignal({ folder, data }: Place): Promise<void> {
  const note = join(data, 'postmaster.pid')
  if (!existsSync(note)) return
  const pid = Number(readFileSync(note, 'utf8').split('\n')[0])
  // A negative number would be a group of processes. PostgreSQL notes one when it runs without a postmaster.
  if (!Number.isInteger(pid) || pid <= 1) throw new StoreFault(`${note} names no server`)
  const deadline = Date.now() + stopMaxMs
  if (!signal(pid, 'SIGINT')) return
  while (existsSync(note)) {
    if (!signal(pid, 0)) return
    if (Date.now() > deadline) throw new StoreFault(`The database in ${folder} does not stop`)
    await sleep(20)
  }
}

/** Whether there is such a process. */
function signal(pid: number, name: 'SIGINT' | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ESRCH') return false
    throw cause
  }
}

function stopByTool({ data, folder, user, binaries }: Place): Promise<void> {
  return run(user, join(folder, 'log'), binaries.pgCtl, ['-D', data, '-w', '-t', '60', '-m', 'fast', '-s', 'stop'])
}

/** Returns zero, too, when the server is already gone: `pg_ctl` then reports a quick failure. */
async function countOthers(place: Place): Promise<number> {
  const client = new pg.Client({ connectionString: urlOf(place, 'postgres'), connectionTimeoutMillis: 3000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query(
      "select count(*)::int as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    )
    return rows[0].others
  } finally {
    await client.end()
  }
}

function run(user: RunAs, log: string, program: string, args: readonly string[]): Promise<void> {
  const [command, ...rest] = [...user.prefix, program, ...args] as [string, ...string[]]
  const output = openSync(log, 'a')
  const { uid, gid } = user
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, {
      cwd: '/',
      stdio: ['ignore', output, output],
      env: { ...process.env, LC_ALL: 'C', PGDATA: undefined, PGPORT: undefined },
      ...(uid === undefined || gid === undefined ? {} : { uid, gid }),
    })
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      closeSync(output)
      if (code === 0) resolve()
      else reject(new StoreFault(`${program} ended with ${signal ?? code}: ${endOf(log)}`))
    })
  })
}

function urlOf(place: Place, name: string): string {
  return `postgres://candor:${readFileSync(join(place.folder, 'password'), 'utf8')}@127.0.0.1:${rememberedPort(place)}/${name}`
}

function rememberedPort(place: Place): number {
  const path = join(place.folder, 'port')
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
}

async function freePort(wanted: number): Promise<number> {
  const server = createServer()
  const listening = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
    })
  const port = await listening(wanted).catch(() => listening(0))
  await new Promise((resolve) => server.close(resolve))
  return port
}
