import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { audit } from '../../journal/audit.ts'
import { startInProcess } from '../../main/exchange.ts'
import { readSettings, root } from '../../main/settings.ts'
import { logIn } from '../../main/test/exchange.ts'
import { makeIdentity } from '../../main/roles.ts'
import { openStore } from '../../store/open.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import type { Units } from '@candor/core/money/brand.ts'
import { cheapArgon } from '../../identity/test/cheap-argon.ts'

/** The newest server of Debian's package; undefined: none is installed. */
const binaries = (existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [])
  .toSorted((a, b) => Number(b) - Number(a))
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .find((folder) => existsSync(join(folder, 'initdb')))
const skip = binaries === undefined || !existsSync('/usr/bin/pgbackrest') ? 'PostgreSQL and pgBackRest are not installed' : false

/** PostgreSQL refuses to run as root: its package's user runs it then. */
const user = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const id = (which: string): number => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** A server of the distribution with the settings of docs/backup.md, whose backups go to a folder. */
class OwnServer implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'candor-pgbackrest-'))
  readonly #data = join(this.folder, 'pg')
  readonly #config = join(this.folder, 'pgbackrest.conf')
  readonly #user = user()
  #process: ChildProcess | undefined
  #port = 0

  static async start(): Promise<OwnServer> {
    const server = new OwnServer()
    chmodSync(server.folder, 0o755)
    for (const name of ['repo', 'log', 'lock', 'pg']) {
      mkdirSync(join(server.folder, name), { mode: 0o700 })
      if (server.#user.uid !== undefined) chownSync(join(server.folder, name), server.#user.uid, server.#user.gid!)
    }
    const [backrest, postgres] = configurations()
    const s3 = /^repo1-(type|s3-.*)=.*\n/gm
    const places = { 'repo1-path': 'repo', 'log-path': 'log', 'lock-path': 'lock', 'pg1-path': 'pg' }
    let text = backrest.replace(s3, '').replace('[global]', '[global]\nlog-path=\nlock-path=')
    for (const [name, path] of Object.entries(places))
      text = text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${join(server.folder, path)}`)
    server.#port = await freePort()
    writeFileSync(server.#config, `${text}pg1-port=${server.#port}\npg1-socket-path=${server.#data}\npg1-user=candor\n`, { mode: 0o644 })
    server.#run(
      join(binaries!, 'initdb'),
      '-D',
      server.#data,
      '-U',
      'candor',
      '--auth=trust',
      '--data-checksums',
      '-E',
      'UTF8',
      '--locale=C',
    )
    const command = `pgbackrest --config=${server.#config} --stanza=candor archive-push %p`
    const more = `port = ${server.#port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${server.#data}'\nmax_connections = 80\n`
    const settings = postgres.replace(/^archive_command = .*$/m, `archive_command = '${command}'`)
    writeFileSync(join(server.#data, 'postgresql.conf'), settings + more, { flag: 'a' })
    await server.up()
    return server
  }

  get url(): string {
    return `postgres://candor:secret@127.0.0.1:${this.#port}/postgres`
  }

  async up(): Promise<void> {
    this.#process = spawn(join(binaries!, 'postgres'), ['-D', this.#data], { ...this.#user, cwd: '/', stdio: 'ignore' })
    for (;;) {
      const client = new pg.Client({ connectionString: this.url })
      try {
        await client.connect()
        const { rows } = await client.query('select pg_is_in_recovery() as recovers')
        if (!rows[0].recovers) return
      } catch {
        assert.equal(this.#process.exitCode, null, 'the server ended')
      } finally {
        await client.end().catch(() => undefined)
      }
      await sleep(100)
    }
  }

  async down(): Promise<void> {
    const server = this.#process
    this.#process = undefined
    if (server === undefined || server.exitCode !== null) return
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGINT')
    await ended
  }

  backrest(...words: string[]): void {
    this.#run('/usr/bin/pgbackrest', `--config=${this.#config}`, '--stanza=candor', '--log-level-console=off', ...words)
  }

  /** The label of the first backup. */
  get first(): string {
    const words = [`--config=${this.#config}`, '--stanza=candor', '--output=json', 'info']
    const text = execFileSync('/usr/bin/pgbackrest', words, { ...this.#user, cwd: '/', encoding: 'utf8' })
    return JSON.parse(text)[0].backup[0].label
  }

  /** On a bare folder. */
  async restore(...words: string[]): Promise<void> {
    await this.down()
    for (const name of readdirSync(this.#data)) rmSync(join(this.#data, name), { recursive: true })
    this.backrest(...words, 'restore')
    await this.up()
  }

  #run(program: string, ...words: string[]): void {
    execFileSync(program, words, { ...this.#user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** The two files of settings in docs/backup.md. */
function configurations(): readonly [string, string] {
  const page = readFileSync(join(root, 'docs', 'backup.md'), 'utf8')
  const blocks = [...page.matchAll(/```ini\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  assert.equal(blocks.length, 2)
  return blocks as [string, string]
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('BACKUP-OWN-001: a PostgreSQL of one’s own is restored with pgBackRest to the newest state and to a command, with the same audit', {
  skip,
}, async () => {
  await using server = await OwnServer.start()
  const dataFolder = join(server.folder, 'data')
  const settings = {
    ...readSettings(
      { CANDOR_DATA: dataFolder, DATABASE_URL: server.url, PORT: '0', CANDOR_FEED: 'simulated', CANDOR_BOTS: 'off' },
      server.folder,
    ),
    ...{ hasTestChains: false, logLevel: 'silent' },
  }
  const start = () => startInProcess(settings, { hasHistory: false, hasFeeds: false, reservesTables: false, argon: cheapArgon() })
  server.backrest('stanza-create')
  server.backrest('check')
  let wanted: number
  {
    await using exchange = await start()
    const { submit } = exchange.link
    const give = async (user: number, clientId: string): Promise<void> => {
      const { refusal } = await submit({
        type: 'funds.faucet',
        user: user as UserId,
        clientId,
        asset: 1 as AssetId,
        amount: 1_000 as Units,
      })
      assert.equal(refusal, undefined)
    }
    await using identity = makeIdentity(exchange.ground, exchange.link, { send: () => Promise.resolve() }, cheapArgon())
    const { user } = await identity.createUser({
      email: 'ann@test.example',
      password: 'correct horse battery',
      class: 'retail',
      country: 'DE',
    })
    await give(user as number, 'one')
    server.backrest('--type=full', 'backup')
    await give(user as number, 'two')
    wanted = (await exchange.link.ask.head()).seq
    await give(user as number, 'three')
    server.backrest('--type=incr', 'backup')
    await give(user as number, 'four')
  }
  const audited = async () => {
    await using store = await openStore({ dataFolder, databaseUrl: server.url })
    const report = await audit({ pool: store.pool })
    assert.deepEqual(report.problems, [])
    const { rows } = await store.pool.query('select xmin::text as xid from journal where seq = $1', [wanted])
    return { ...report, projected: 0, xid: rows[0].xid as string }
  }
  const before = await audited()
  // A server that ends hands over its log to the end.
  await server.restore()
  const { xid, ...newest } = await audited()
  assert.deepEqual({ ...newest, xid }, before)
  await server.restore(`--set=${server.first}`, '--type=xid', `--target=${xid}`, '--target-action=promote')
  assert.equal((await audited()).seq, wanted)
  rmSync(join(dataFolder, 'witness'))
  await using exchange = await start()
  assert.match(await logIn(exchange.url, 'ann@test.example', 'correct horse battery'), /=/)
})
