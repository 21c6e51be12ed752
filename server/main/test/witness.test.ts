import type { Units } from '@candor/core/money/brand.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSeen } from '../../journal/witness-file.ts'
import { acceptDatabase, checkWitness, demandWitness, Witness } from '../../journal/witness.ts'
import { type Embedded, startEmbedded } from '../../store/embedded.ts'
import { migrate } from '../../store/migrate.ts'
import { openStore } from '../../store/open.ts'
import { FaultyProxy } from '../../store/test/faulty-proxy.ts'
import { copyPrepared } from '../../store/test/prepared.ts'
import { makeLogger } from '../roles.ts'
import { startEngine } from '../role/engine.ts'
import { readSettings, type Settings } from '../settings.ts'

/** A database on loopback whose whole folder can be copied and restored, behind a fixed address. */
class Server implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'candor-witness-'))
  settings: Settings
  readonly #current = join(this.folder, 'current')
  readonly #older = join(this.folder, 'older')
  #embedded!: Embedded
  #proxy!: FaultyProxy
  url = ''

  constructor() {
    for (const path of [this.#current, this.#older]) mkdirSync(path)
    const data = join(this.folder, 'data')
    mkdirSync(data)
    this.settings = { ...readSettings({ CANDOR_DATA: data }, this.folder), logLevel: 'silent' }
  }

  async start(): Promise<void> {
    copyPrepared(this.#current)
    this.#embedded = await startEmbedded(this.#current)
    const { proxy, url } = await FaultyProxy.start(this.#embedded.url)
    this.#proxy = proxy
    this.url = url
    await using store = await this.store()
    await migrate(store)
  }

  store() {
    return openStore({ dataFolder: this.folder, databaseUrl: this.url })
  }

  /** Copies the current database. */
  keep(): Promise<void> {
    return this.#away(() => {
      rmSync(this.#older, { recursive: true })
      mkdirSync(this.#older)
      execFileSync('cp', ['-Rp', join(this.#current, 'postgres'), this.#older])
    })
  }

  /** Replaces the database by the copy. */
  bringBack(): Promise<void> {
    return this.#away(() => {
      rmSync(join(this.#current, 'postgres'), { recursive: true })
      execFileSync('cp', ['-Rp', join(this.#older, 'postgres'), this.#current])
    })
  }

  async #away(work: () => void): Promise<void> {
    this.#proxy.refuse(true)
    await this.#embedded.stop({ isForced: true })
    work()
    this.#embedded = await startEmbedded(this.#current)
    this.#proxy.leadTo(Number(new URL(this.#embedded.url).port))
    this.#proxy.refuse(false)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy[Symbol.asyncDispose]()
    await this.#embedded.stop({ isForced: true })
    rmSync(this.folder, { recursive: true, force: true })
  }
}

async function startOn(server: Server) {
  await using parts = new AsyncDisposableStack()
  const store = parts.use(await server.store())
  const ended: string[] = []
  const ground = { settings: server.settings, store, logger: makeLogger(server.settings, 'test') }
  const engine = parts.use(await startEngine(ground, (reason) => ended.push(reason)))
  const owned = parts.move()
  let users = 0
  /** Sends one command that must be acknowledged; false when it was refused because the database is away. */
  const act = async (): Promise<boolean> => {
    try {
      const id = `user-${process.pid}-${Date.now()}-${++users}`
      const { user } = await engine.link.submit({ type: 'user.open', requestId: id.slice(-36), class: 'retail', referrer: 0 as UserId })
      const given = await engine.link.submit({ type: 'funds.faucet', user, clientId: 'f', asset: 1 as AssetId, amount: 1 as Units })
      return given.refusal === undefined
    } catch {
      return false
    }
  }
  const acts = async (times: number): Promise<void> => {
    for (let done = 0; done < times; ) {
      if (await act()) done++
      else await sleep(10)
    }
  }
  return { engine, ended, act, acts, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const witnessOf = async ({ settings }: Server) => (await readSeen(join(settings.dataFolder, 'witness')))!
const epochOf = async (server: Server): Promise<number> => {
  await using store = await server.store()
  return (await store.pool.query('select epoch from leader')).rows[0].epoch
}

test('JOURNAL-WITNESS-001: a running exchange whose database is rolled back halts with both heads named, and acknowledges nothing more', async () => {
  await using server = new Server()
  await server.start()
  await using exchange = await startOn(server)
  await exchange.acts(2)
  await server.keep()
  await exchange.acts(5)
  const { seq } = await exchange.engine.link.ask.head()
  await server.bringBack()
  // The copy has the same epoch: only its journal shows that it is older.
  while (exchange.ended.length === 0) {
    assert.equal(await exchange.act(), false, 'acknowledged on a database that was rolled back')
    await sleep(10)
  }
  assert.match(
    exchange.ended[0]!,
    /halted: The database was rolled back .* ends at command \d+ \(hash [0-9a-f]{16}…\), but command \d+ \(hash/,
  )
  assert.ok(exchange.ended[0]!.includes(`command ${seq} `), exchange.ended[0])
  assert.equal(await exchange.act(), false)
})

test('JOURNAL-WITNESS-002: a stopped exchange does not start on a rolled-back database until a person accepts it; no epoch is issued twice', async () => {
  await using server = new Server()
  await server.start()
  {
    await using exchange = await startOn(server)
    await exchange.acts(2)
  }
  await server.keep()
  {
    await using exchange = await startOn(server)
    await exchange.acts(5)
  }
  const { epoch: seenEpoch, seq: seenSeq } = await witnessOf(server)
  const epoch = await epochOf(server)
  assert.equal(seenEpoch, epoch)
  await server.bringBack()
  const older = await epochOf(server)
  let given = 0
  assert.ok(older < epoch)
  await assert.rejects(startOn(server), (error: Error) => error.name === 'RolledBack' && error.message.includes(`command ${seenSeq} `))
  assert.equal(await epochOf(server), older, 'the refused start changes nothing in the database')
  {
    await using store = await server.store()
    await assert.rejects(checkWitness(store.pool, server.settings.dataFolder), /candor witness accept/)
    const { before, now } = await acceptDatabase(store.pool, server.settings.dataFolder)
    assert.equal(before?.seq, seenSeq)
    assert.ok(now.seq < seenSeq && now.epoch > epoch)
    given = now.epoch
  }
  await using exchange = await startOn(server)
  await exchange.acts(1)
  assert.equal(await epochOf(server), given + 1)
})

test('JOURNAL-WITNESS-005: a lost or damaged witness stops the start, and accepting the same old copy twice gives no epoch twice', async () => {
  await using server = new Server()
  await server.start()
  const folder = server.settings.dataFolder
  const path = join(folder, 'witness')
  {
    await using store = await server.store()
    await demandWitness(store.pool, folder)
  }
  {
    await using exchange = await startOn(server)
    await exchange.acts(1)
  }
  await server.keep()
  {
    await using store = await server.store()
    await demandWitness(store.pool, folder)
  }
  const given = new Set<number>()
  for (const damaged of [undefined, '9 9']) {
    if (damaged === undefined) rmSync(path)
    else writeFileSync(path, damaged)
    const namesIt = (error: Error): boolean => error.message.includes(path) && /candor witness accept/.test(error.message)
    await using store = await server.store()
    await assert.rejects(demandWitness(store.pool, folder), namesIt, 'production does not start')
    if (damaged !== undefined) await assert.rejects(startOn(server), namesIt)
    const { before, now } = await acceptDatabase(store.pool, folder)
    assert.deepEqual([before, now.epoch > 1_700_000_000], [undefined, true])
    {
      await using exchange = await startOn(server)
      await exchange.acts(1)
    }
    const epoch = await epochOf(server)
    assert.ok(!given.has(epoch), `epoch ${epoch} is issued twice`)
    given.add(epoch)
    if (damaged === undefined) await server.bringBack()
    // The clock is what makes the next one different.
    while (Math.floor(Date.now() / 1_000) <= epoch) await sleep(20)
  }
})

test('JOURNAL-WITNESS-006: an older copy of the whole data folder is noticed when the witness lies outside', async () => {
  await using server = new Server()
  await server.start()
  const { dataFolder } = server.settings
  const [outside, copy] = [join(server.folder, 'outside', 'deep'), join(server.folder, 'copy')]
  const restores = async (witnessFolder: string | undefined): Promise<void> => {
    server.settings = { ...server.settings, witnessFolder }
    {
      await using exchange = await startOn(server)
      await exchange.acts(2)
    }
    await server.keep()
    execFileSync('cp', ['-Rp', dataFolder, copy])
    {
      await using exchange = await startOn(server)
      await exchange.acts(5)
    }
    await server.bringBack()
    rmSync(dataFolder, { recursive: true })
    renameSync(copy, dataFolder)
  }
  await restores(undefined)
  await (await startOn(server))[Symbol.asyncDispose]()
  await restores(outside)
  assert.ok(existsSync(join(outside, 'witness')))
  await assert.rejects(startOn(server), { name: 'RolledBack' })
})

test('JOURNAL-WITNESS-003: the witness records each acknowledgement within a moment, outside the database, and a broken file is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-witness-file-'))
  try {
    {
      await using witness = await Witness.open(folder)
      assert.deepEqual([witness.seen.epoch, witness.seen.seq], [0, 0])
      for (let seq = 1; seq <= 1_000; seq++) witness.note(3, { seq, hash: new Uint8Array(32).fill(seq % 256) })
      while (!existsSync(join(folder, 'witness'))) await sleep(5)
      witness.note(2, { seq: 1_001, hash: new Uint8Array(32).fill(7) })
    }
    const { seen } = await Witness.open(folder)
    assert.deepEqual([seen.epoch, seen.seq, Buffer.from(seen.hash).toString('hex')], [3, 1_001, '07'.repeat(32)])
    writeFileSync(join(folder, 'witness'), '3 1001')
    await assert.rejects(Witness.open(folder), /is not a valid witness file/)
    rmSync(join(folder, 'witness'))
    mkdirSync(join(folder, 'witness'))
    await assert.rejects(Witness.open(folder), /can't be read: .*candor witness accept/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
