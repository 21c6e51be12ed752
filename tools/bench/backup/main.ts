/**
 * Backs up and restores an exchange with many orders, while it trades. Prints what trading loses meanwhile, and the times beside those of a
 * plain copy of the same files.
 *
 *   node tools/bench/backup/main.ts [--json] [--orders N] [--bulk N] [--folder FOLDER]
 *
 * `--bulk`: the exchange begins with so many orders, which are written at once, and trades at 3,000 commands a second; after the restore
 * the audit of all is measured.
 */
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import type { Ticks, Units } from '@candor/core/money/brand.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, lstatSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Link } from '../../../server/engine/link.ts'
import { nextCommand, seeded, userCount } from '../../../server/engine/test/workload.ts'
import { reachEngine } from '../../../server/main/roles.ts'
import { environmentOf, readSettings, type Settings } from '../../../server/main/settings.ts'
import { startTree } from '../../../server/main/supervisor.ts'
import { openStore } from '../../../server/store/open.ts'
import { startProjector } from '../../../server/store/projector/projector.ts'
import { root } from '../../tidy/files.ts'
import { numberAfter, rounded, say } from '../report.ts'
import { writeInBulk } from './bulk.ts'

const run = promisify(execFile)
const orders = numberAfter('--orders', 20_000)
const bulk = numberAfter('--bulk', 0)
const inFlight = 256
/** Pause of each lane: with many orders, 3,000 commands a second together, so that the tables follow and the run ends. */
const laneMs = bulk > 0 ? (inFlight / 3_000) * 1_000 : 0
const copyMaxBytes = 8e9
const [waveTicks, waveLength] = [300, 10_000]
/** Time in which the speed of trading is measured without a backup. */
const aloneMs = 5_000
const given = process.argv.indexOf('--folder')
const folder = mkdtempSync(join(given < 0 ? tmpdir() : process.argv[given + 1]!, 'candor-bench-backup-'))
const dataFolder = join(folder, 'data')
const key = randomBytes(32).toString('hex')
const url = `file://${join(folder, 'store')}`

/** What `--json` of a command prints, and how long it took. */
async function candor(settings: Settings, ...words: string[]): Promise<any> {
  const began = performance.now()
  const env = {
    ...process.env,
    ...environmentOf(settings),
    CANDOR_BACKUP_TO: url,
    CANDOR_BACKUP_KEY: key,
  }
  const { stdout } = await run(process.execPath, [join(root, 'server/main/candor.ts'), ...words, '--json'], {
    ...{ cwd: folder, env, maxBuffer: 1 << 26 },
  })
  return { ...JSON.parse(stdout), clockMs: performance.now() - began }
}

/** Sends commands of all users, so many at a time, until told to stop. */
class Load {
  #link: Link
  readonly #users: readonly UserId[]
  readonly #random = seeded(1)
  readonly #earlier: string[][]
  /** Added to the prices of the workload, so that they are near the index. */
  readonly #shift: number
  sent = 0
  done = 0
  placed = 0

  private constructor(link: Link, users: readonly UserId[], shift: number) {
    this.#link = link
    this.#shift = shift
    this.#users = users
    this.#earlier = users.map(() => [])
  }

  static async open(link: Link, url: string): Promise<Load> {
    const users: UserId[] = []
    for (let n = 0; n < userCount; n++) {
      const { user } = await link.submit({ type: 'user.open', requestId: `bench-${n}`, class: 'bench', referrer: 0 as UserId })
      for (const [asset, amount] of [
        [1, 5_000_000_000_000],
        [2, 10_000_000_000],
      ] as const)
        await link.submit({ type: 'funds.faucet', user, clientId: `start-${asset}`, asset: asset as AssetId, amount: amount as Units })
      users.push(user as UserId)
    }
    const { tickers } = (await (await fetch(`${url}/app/v1/tickers`)).json()) as { tickers: readonly { symbol: string; index: string }[] }
    const index = Number(tickers.find(({ symbol }) => symbol === 'BTCUSDT')!.index)
    const { markets } = await link.ask.listing()
    return new Load(link, users, Math.round(index / Number(markets.find(({ id }) => id === 1)!.tick)) - 600_000)
  }

  /** Returns commands per second. */
  async until(isOver: () => boolean): Promise<number> {
    const [began, before] = [performance.now(), this.done]
    await Promise.all(Array.from({ length: inFlight }, () => this.#lane(isOver)))
    return ((this.done - before) / (performance.now() - began)) * 1_000
  }

  async #lane(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const command = this.next()
      const { refusal } = await this.#link.submit(command)
      this.done++
      if (refusal === undefined && command.type === 'spot.place') this.placed++
      if (laneMs > 0) await sleep(laneMs)
    }
  }

  /** Orders only. They follow a price that rises and falls, so that few of them stay open. */
  nextOrder(): Command {
    for (;;) {
      const command = this.next()
      if (command.type !== 'spot.place') continue
      const wave = Math.round(waveTicks * Math.sin(this.sent / waveLength))
      return command.price === undefined ? command : { ...command, price: (command.price + wave) as Ticks }
    }
  }

  next(): Command {
    for (;;) {
      const which = Math.floor(this.#random() * this.#users.length)
      const recent = this.#earlier[which]!
      const id = `b${this.sent++}`
      const command = this.#near(nextCommand(this.#random, this.#users[which]!, id, recent))
      if (command === undefined) continue
      if (command.type === 'spot.place') recent.push(id)
      if (recent.length > 20) recent.shift()
      return command
    }
  }

  /** The same load for another run of the exchange. */
  over(link: Link): Load {
    this.#link = link
    return this
  }

  /** The command with a price near the index; undefined: one whose prices are elsewhere. */
  #near(command: Command): Command | undefined {
    if (command.type !== 'spot.place' && command.type !== 'spot.amend' && command.type !== 'spot.cancel') return undefined
    if (command.type === 'spot.place' && command.trigger !== undefined) return undefined
    return 'price' in command && command.price !== undefined ? { ...command, price: (command.price + this.#shift) as Ticks } : command
  }
}

const sizeOf = (of: string): number =>
  readdirSync(of, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

/** The yardstick: bytes per second at which the same files, or the first of them, are copied to the same disk, and synced. */
function copyPlainly(): { readonly seconds: number; readonly bytes: number } {
  const target = join(folder, 'copy')
  const began = performance.now()
  let left = copyMaxBytes
  const filter = (source: string): boolean => {
    const found = lstatSync(source)
    if (found.isFile()) left -= found.size
    return left > 0
  }
  cpSync(join(dataFolder, 'postgres'), target, { recursive: true, filter })
  execFileSync('sync', ['-f', target])
  const seconds = (performance.now() - began) / 1_000
  const bytes = sizeOf(target)
  rmSync(target, { recursive: true })
  return { seconds, bytes }
}

const speed = (bytes: number, seconds: number): string =>
  `${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s`

async function running<T>(settings: Settings, use: (link: Link, url: string) => Promise<T>): Promise<T> {
  await using tree = await startTree(settings, () => undefined)
  await using link = await reachEngine(tree.settings)
  await new Promise<void>((resolve) => link.onState((state) => (state === 'up' ? resolve() : undefined)))
  return await use(link, tree.url)
}

/** Opens users, then writes many orders and all their tables while no exchange runs. */
async function prepare(settings: Settings): Promise<Load> {
  const load = await running(settings, (link, url) => Load.open(link, url))
  const began = performance.now()
  await using store = await openStore({ dataFolder })
  const { orders: placed, commands, seq } = await writeInBulk(store, bulk, () => load.nextOrder())
  say(`${rounded(placed)} orders written, with ${rounded(commands)} commands in ${since(began)}`)
  load.placed += placed
  await using projector = await startProjector({ store })
  await projector.reached(seq)
  say(`their tables are complete after ${since(began)}`)
  return load
}

const since = (began: number): string => `${((performance.now() - began) / 1_000).toFixed(0)} s`

/** Trades, backs up meanwhile, and stops the exchange. */
async function trade(settings: Settings, prepared: Load | undefined) {
  return running(settings, (link, url) => tradeOver(settings, prepared, link, url))
}

async function tradeOver(settings: Settings, prepared: Load | undefined, link: Link, at: string) {
  const load = prepared?.over(link) ?? (await Load.open(link, at))
  const began = performance.now()
  await load.until(() => load.placed >= orders + bulk)
  say(`${rounded(load.placed)} orders placed, with ${rounded(load.done)} commands in ${((performance.now() - began) / 1_000).toFixed(0)} s`)
  const during = async (...words: string[]) => {
    let isOver = false
    const backup = candor(settings, ...words).finally(() => (isOver = true))
    const rate = await load.until(() => isOver)
    return { ...(await backup), rate }
  }
  const byItself = async (): Promise<number> => {
    const end = performance.now() + aloneMs
    return load.until(() => performance.now() > end)
  }
  const before = await byItself()
  const full = await during('backup')
  const log = await during('backup')
  // A long one is not made twice.
  const again = bulk > 0 ? undefined : await during('backup', '--full')
  const after = await byItself()
  const alone = (before + after) / 2
  say(`trading without a backup: ${rounded(before)} commands/s before, ${rounded(after)} after`)
  for (const [name, { seconds, bytes, rate }] of Object.entries({
    'first full backup': full,
    'log since then': log,
    ...(again === undefined ? {} : { 'second full backup': again }),
  }))
    say(
      `${name}: read ${speed(bytes.read, seconds)}, sent ${(bytes.sent / 1e6).toFixed(0)} MB; trading ${rounded(rate)} commands/s ` +
        `(${((rate / alone) * 100).toFixed(0)} %)`,
    )
  // The tables follow: the restored database is measured with all of them.
  say(`${rounded(load.placed)} orders placed in all`)
  await using store = await openStore({ dataFolder })
  const complete = 'select (select seq from projection) = (select max(seq) from journal) as is'
  while (!(await store.pool.query<{ is: boolean }>(complete)).rows[0]!.is) await sleep(200)
  const last = await candor(settings, 'backup', '--full')
  return { placed: load.placed, before, after, full, log, again, last }
}

try {
  const names = { CANDOR_DATA: dataFolder, CANDOR_FEED: 'simulated', CANDOR_BOTS: 'off', CANDOR_TEST_CHAINS: 'off', PORT: '0' }
  const settings: Settings = { ...readSettings(names, folder), logLevel: 'warn' }
  const { placed, before, after, full, log, again, last } = await trade(settings, bulk > 0 ? await prepare(settings) : undefined)
  const plain = copyPlainly()
  say(`plain copy of the database's folder: ${speed(plain.bytes, plain.seconds)}`)
  // Backups alone are left, as after a loss; and a disk that holds ten million orders twice is large.
  rmSync(join(dataFolder, 'postgres'), { recursive: true })
  const bare = join(folder, 'bare')
  const restored = await candor(settings, 'restore', '--data', bare)
  assert.equal(restored.seq >= last.seq, true)
  const place = { ...settings, dataFolder: bare }
  const began = performance.now()
  const openSeconds = await running(place, () => Promise.resolve((performance.now() - began) / 1_000))
  const startSeconds = (performance.now() - began) / 1_000
  const ratio = restored.bytes / restored.seconds / (plain.bytes / plain.seconds)
  say(
    `restore up to command ${rounded(restored.seq)}: ${speed(restored.bytes, restored.seconds)}, ${(1 / ratio).toFixed(1)} times as long as a plain copy; ` +
      `orders again ${openSeconds.toFixed(1)} s after that, first start and stop ${startSeconds.toFixed(1)} s`,
  )
  if (bulk > 0) {
    const audited = await candor(place, 'audit')
    assert.deepEqual(audited.problems, [])
    say(`audit of the restored exchange: ${(audited.clockMs / 1_000).toFixed(0)} s`)
  }
  if (process.argv.includes('--json')) {
    const results = { placed, commands: restored.seq, before, after, full, log, again, last, plain, restored, startSeconds }
    const value = restored.bytes / 1e6 / restored.seconds
    console.log(
      JSON.stringify({
        name: 'backup',
        value,
        yardstick: plain.bytes / 1e6 / plain.seconds,
        yardstickName: 'plain copy, MB/s',
        ratio,
        results,
      }),
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
