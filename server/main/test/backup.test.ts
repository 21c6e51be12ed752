import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { lastDeeds } from '../../backup/last.ts'
import { environmentOf, readSettings, root, type Settings } from '../settings.ts'
import { startInProcess } from '../exchange.ts'
import { logIn, request, startExchange, type TestExchange, type TestUser } from './exchange.ts'

const run = promisify(execFile)
const program = join(root, 'server/main/candor.ts')

/** An exchange whose data folder, witness and backups lie in one temporary folder. Prices stand still, so that nothing happens by itself. */
class Place implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'candor-backup-cli-'))
  readonly dataFolder = join(this.folder, 'data')
  readonly witnessFolder = join(this.folder, 'witness')
  readonly url = `file://${join(this.folder, 'store')}`
  exchange!: TestExchange
  alice!: TestUser
  #placed = 0

  static async start(): Promise<Place> {
    const place = new Place()
    mkdirSync(place.dataFolder)
    const settings = { dataFolder: place.dataFolder, witnessFolder: place.witnessFolder }
    place.exchange = await startExchange({ hasFeeds: false, settings })
    place.alice = await place.exchange.user({ class: 'bench', funds: { USDT: '100000', BTC: '10' } })
    return place
  }

  settings(dataFolder = this.dataFolder): Settings {
    const names = { CANDOR_DATA: dataFolder, CANDOR_WITNESS: this.witnessFolder, PORT: '0', CANDOR_BOTS: 'off', CANDOR_TEST_CHAINS: 'off' }
    return { ...readSettings({ ...names, CANDOR_FEED: 'simulated' }, this.folder), logLevel: 'silent' }
  }

  environment(dataFolder = this.dataFolder): NodeJS.ProcessEnv {
    const key = `${this.dataFolder}.backup-key`
    return {
      ...process.env,
      ...environmentOf(this.settings(dataFolder)),
      CANDOR_BACKUP_TO: this.url,
      ...(existsSync(key) ? { CANDOR_BACKUP_KEY: readFileSync(key, 'utf8').trim() } : {}),
    }
  }

  async candor(words: readonly string[], dataFolder = this.dataFolder) {
    const { stdout } = await run(process.execPath, [program, ...words, '--json'], { cwd: this.folder, env: this.environment(dataFolder) })
    return JSON.parse(stdout)
  }

  /** Orders that are placed and cancelled, four at a time, until `until` resolves. Returns their count. */
  async trade(until: Promise<unknown>): Promise<number> {
    let isOver = false
    void until.finally(() => (isOver = true)).catch(() => undefined)
    const before = this.#placed
    while (!isOver) await Promise.all([1, 2, 3, 4].map(() => this.order(this.alice, `load-${this.#placed++}`)))
    return this.#placed - before
  }

  async order({ call }: Pick<TestUser, 'call'>, clientId: string): Promise<string> {
    const price = String(20_000 + (Buffer.from(clientId).reduce((sum, byte) => sum + byte, 0) % 100))
    const body = { clientId, symbol: 'BTCUSDT', side: 'buy', type: 'limit', price, quantity: '0.001' }
    const { status, body: answer } = await call('POST', '/spot/orders', body)
    assert.equal(status, 200, JSON.stringify(answer))
    const cancelled = await call('DELETE', `/spot/orders/${answer.order.id}?symbol=BTCUSDT`)
    assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body))
    return answer.order.id
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.exchange[Symbol.asyncDispose]()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

test('BACKUP-MAKE-001: a backup under load is restored on a bare folder: the audit is the same, and customers log in and trade', async () => {
  await using place = await Place.start()
  const { alice, exchange } = place
  const photos = join(place.dataFolder, 'photos', 'ab')
  mkdirSync(photos, { recursive: true })
  writeFileSync(join(photos, 'one'), 'an encrypted photo')
  const first = place.candor(['backup'])
  const during = await place.trade(first)
  const second = place.candor(['backup'])
  await place.trade(second)
  writeFileSync(join(photos, 'two'), 'another one')
  const { body: open } = await alice.call('POST', '/spot/orders', {
    ...{ clientId: 'rests', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '20000', quantity: '0.5', timeInForce: 'GTC' },
  })
  const head = await exchange.link.ask.head()
  const { seq, ...last } = await place.candor(['backup'])
  assert.deepEqual([(await first).isFull, (await second).isFull, last.isFull, seq], [true, false, false, head.seq])
  assert.ok(during > 0)
  const { runs } = await place.candor(['backup', 'list'])
  assert.deepEqual(
    runs.map((one: { number: number }) => one.number),
    [1, 2, 3],
  )

  const bare = join(place.folder, 'bare')
  const restored = await place.candor(['restore', '--data', bare])
  assert.equal(restored.seq, seq)
  const [here, there] = [await place.candor(['audit']), await place.candor(['audit'], bare)]
  assert.equal(here.ok && there.ok, true, JSON.stringify([here.problems, there.problems]))
  // The tables follow the journal a moment later.
  assert.deepEqual({ ...there, projected: 0 }, { ...here, projected: 0 })
  assert.deepEqual(readdirSync(join(bare, 'photos', 'ab')).toSorted(), ['one', 'two'])
  assert.equal(readFileSync(join(bare, 'photos', 'ab', 'one'), 'utf8'), 'an encrypted photo')
  assert.equal(existsSync(join(bare, 'witness')) || existsSync(join(bare, 'logs')), false)
  const settings = { ...place.settings(bare), witnessFolder: join(place.folder, 'another-witness') }
  await using again = await startInProcess(settings, { hasHistory: false, hasFeeds: false, reservesTables: false })
  const cookie = await logIn(again.url, alice.email, alice.password)
  const call: TestUser['call'] = (method, path, body) => request(again.url, method, path, body, cookie)
  const { body } = await call('GET', '/spot/orders/open')
  assert.deepEqual(
    body.orders.map((order: { id: string }) => order.id),
    [open.order.id],
  )
  await place.order({ call }, 'after')
})

test('BACKUP-MAKE-009: a run that is killed leaves the older backup as it was, and the next one succeeds', async () => {
  await using place = await Place.start()
  await place.candor(['backup'])
  await place.order(place.alice, 'one')
  const store = join(place.folder, 'store')
  const names = () => readdirSync(store, { recursive: true, encoding: 'utf8' })
  const before = new Set(names())
  const child = spawn(process.execPath, [program, 'backup', '--full'], { cwd: place.folder, env: place.environment(), stdio: 'ignore' })
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)))
  const isSending = (): boolean => names().some((name) => name.startsWith('chunks/') && !before.has(name))
  while (!isSending() && child.exitCode === null) await sleep(2)
  child.kill('SIGKILL')
  assert.equal(await ended, 'SIGKILL')
  assert.deepEqual(readdirSync(join(store, 'runs')), ['0000000001'])
  assert.equal((await place.candor(['backup', 'rehearse'])).number, 1)
  const { seq } = await place.exchange.link.ask.head()
  const next = await place.candor(['backup'])
  assert.deepEqual([next.number, next.seq], [2, seq])
  assert.deepEqual(readdirSync(join(store, 'pending')), [])
  const rehearsed = await place.candor(['backup', 'rehearse'])
  assert.deepEqual([rehearsed.ok, rehearsed.number, rehearsed.seq], [true, 2, seq])
})

test('BACKUP-RESTORE-005: an exchange restored to a command starts only after a person accepted what is lost', async () => {
  await using place = await Place.start()
  await place.candor(['backup'])
  await place.order(place.alice, 'kept')
  const { seq: kept } = await place.exchange.link.ask.head()
  await place.order(place.alice, 'lost')
  await place.candor(['backup'])
  await place.exchange[Symbol.asyncDispose]()
  const bare = join(place.folder, 'bare')
  assert.equal((await place.candor(['restore', '--to', String(kept), '--data', bare])).seq, kept)
  const start = () => startInProcess(place.settings(bare), { hasHistory: false, hasFeeds: false, reservesTables: false })
  await assert.rejects(start, { name: 'RolledBack' })
  const { before, now } = await place.candor(['witness', 'accept'], bare)
  assert.deepEqual([now.seq, before.seq > kept], [kept, true])
  await using exchange = await start()
  const cookie = await logIn(exchange.url, place.alice.email, place.alice.password)
  await place.order({ call: (method, path, body) => request(exchange.url, method, path, body, cookie) }, 'after')
})

test('BACKUP-REHEARSE-001: a rehearsal restores and audits the newest backup, leaves nothing, and fails when the backup is damaged', async () => {
  await using place = await Place.start()
  await place.candor(['backup'])
  const temporary = join(place.folder, 'temporary')
  mkdirSync(temporary)
  const rehearse = ['backup', 'rehearse', '--in', temporary]
  const done = await place.candor(rehearse)
  const { seq } = await place.exchange.link.ask.head()
  assert.deepEqual([done.ok, done.seq, done.problems], [true, seq, []])
  assert.deepEqual(readdirSync(temporary), [])
  const { backup, rehearsal } = lastDeeds(place.dataFolder)!
  assert.ok(backup <= rehearsal && Date.now() - backup < 600_000)
  const { stdout } = await run(process.execPath, [program, ...rehearse], { cwd: place.folder, env: place.environment() })
  assert.match(stdout, /^Run 1 of \S+ up to command \d+: restored \d+\.\d MB in \d+\.\d s, audited in \d+\.\d s, consistent\n$/)
  // A row that was changed in the database before the backup: it can be restored, and the audit finds it.
  await place.exchange.store.pool.query(`update ledger_entries set delta = delta + 1 where seq = (select max(seq) from ledger_entries)`)
  await place.candor(['backup'])
  await assert.rejects(place.candor(rehearse), (error: { code: number; stdout: string }) => {
    const { ok, problems } = JSON.parse(error.stdout)
    return error.code === 1 && ok === false && problems.length > 0
  })
  assert.deepEqual(readdirSync(temporary), [])
  // The new backup was made; the last good rehearsal is an older one.
  assert.deepEqual([lastDeeds(place.dataFolder)!.backup > backup, lastDeeds(place.dataFolder)!.rehearsal > rehearsal], [true, false])
})

test('BACKUP-KEY-001: the key is the setting’s or in a file beside the data folder, is in no backup, and a missing one is named', async () => {
  await using place = await Place.start()
  const key = `${place.dataFolder}.backup-key`
  await place.candor(['backup'])
  const drawn = readFileSync(key, 'utf8').trim()
  assert.match(drawn, /^[0-9a-f]{64}$/)
  const environment = { ...place.environment(), CANDOR_BACKUP_KEY: undefined }
  const candor = (words: readonly string[], extra: NodeJS.ProcessEnv) =>
    run(process.execPath, [program, ...words], { cwd: place.folder, env: { ...environment, ...extra } })
  await candor(['backup', 'list'], {})
  rmSync(key)
  await assert.rejects(candor(['backup', 'list'], {}), /There is no key of backups: set CANDOR_BACKUP_KEY, or bring .*\.backup-key back/)
  await assert.rejects(candor(['backup', 'list'], { CANDOR_BACKUP_KEY: '12' }), /CANDOR_BACKUP_KEY is no key/)
  await assert.rejects(
    candor(['backup', 'list'], { CANDOR_BACKUP_KEY: drawn.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }),
    /sealed with the backup key/,
  )
  await candor(['backup', 'list'], { CANDOR_BACKUP_KEY: drawn })
  const bare = join(place.folder, 'bare')
  await candor(['restore', '--data', bare], { CANDOR_BACKUP_KEY: drawn })
  const files = readdirSync(bare, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  assert.equal(
    files.some(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(drawn)),
    false,
  )
  await assert.rejects(candor(['backup'], { DATABASE_URL: 'postgres://x@127.0.0.1:1/x', CANDOR_BACKUP_KEY: drawn }), /pgBackRest/)
  await assert.rejects(candor(['backup'], { CANDOR_BACKUP_TO: undefined }), { code: 2 })
  await assert.rejects(candor(['restore', '--to', 'yesterday', '--data', bare], {}), { code: 2 })
})
