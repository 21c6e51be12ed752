import { Exchange } from '@candor/core/exchange/exchange.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, mock, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Store } from '../../store/open.ts'
import { WrittenJournal } from '../../store/projector/test/written-journal.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import type { Damaged } from '../fault.ts'
import { takeLooks } from '../looks.ts'
import { readMode } from '../mode.ts'
import { readHead, readJournal } from '../read.ts'
import { recover, restoreSnapshot } from '../recover.ts'
import { digestOf, replayRow, stateHash } from '../replay.ts'
import { coreVersion, coreVersionsBefore, emptyHead, type Row } from '../row.ts'
import { listSnapshots, loadSnapshot, saveSnapshot } from '../snapshots.ts'
import { checkUpgrade, endsBefore, upgradePlace } from '../upgrade.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

const modeSet = (mode: 'sandbox' | 'production') => commandOf({ type: 'mode.set', mode })

/** A journal of a mode and two assets, in three rows, with snapshots after the rows that are named. */
async function written(store: Store, ...snapshots: readonly number[]): Promise<WrittenJournal> {
  const journal = new WrittenJournal(store.pool)
  const batches = [
    [modeSet('sandbox')],
    [commandOf({ type: 'asset.list', symbol: 'USDT', scale: 6 }), commandOf({ type: 'asset.list', symbol: 'BTC', scale: 8 })],
    [commandOf({ type: 'clock.tick' })],
  ]
  for (const batch of batches) {
    await journal.append(batch)
    if (snapshots.includes(journal.seq)) await snapshot(store, journal.exchange)
  }
  return journal
}
async function snapshot({ pool }: Store, exchange: Exchange, madeBy = coreVersion): Promise<void> {
  await saveSnapshot(pool, { ...(await readHead(pool)), coreVersion: madeBy, dump: exchange.dump() })
}
async function rowsOf({ pool }: Store): Promise<readonly Row[]> {
  const rows: Row[] = []
  for await (const row of readJournal(pool)) rows.push(row)
  return rows
}

test('JOURNAL-CHAIN-001: a row replays to its state and events, and to nothing else', async () => {
  await using store = await server.store()
  const { exchange } = await written(store)
  const [one, two, three] = (await rowsOf(store)) as [Row, Row, Row]
  const replayed = Exchange.create()
  const events = new Records()
  events.reserve(5)
  replayRow(replayed, one, events)
  assert.deepEqual(digestOf(events), Buffer.from(one.eventsDigest))
  assert.equal(digestOf(events).toString('hex'), createHash('sha256').update(events.bytes()).digest('hex'))
  assert.throws(() => replayRow(replayed, { ...two, seq: 4 }, events), { name: 'Damaged', seq: 4, message: /replay stands at 3/ })
  assert.throws(() => replayRow(replayed, { ...three, coreVersion: 4 }, events), {
    ...{ name: 'Damaged', seq: 4, message: `Journal damaged at 4: it was decided by version 4 of the core, this is ${coreVersion}` },
  })
  assert.equal(events.length, 0, 'no events of an earlier row')
  replayRow(replayed, three, events)
  assert.equal(stateHash(replayed), exchange.hash())
  const other = { ...three, eventsDigest: new Uint8Array(32) }
  const again = Exchange.create()
  for (const row of [one, two]) replayRow(again, row, events)
  assert.throws(() => replayRow(again, other, events), { name: 'Damaged', seq: 4, message: /different events/ })
})

test('ENGINE-RECOVER-001: recovery begins at the newest snapshot, and hands over each later row with its events', async () => {
  await using store = await server.store()
  const { exchange } = await written(store, 1, 3)
  const [, , last] = (await rowsOf(store)) as [Row, Row, Row]
  const told: unknown[] = []
  const onReplayed = ({ seq }: Row, events: Records): number => told.push([seq, digestOf(events)])
  const recovered = await recover(store.pool, { onReplayed })
  assert.deepEqual(told, [[4, Buffer.from(last.eventsDigest)]])
  const head = { seq: 4, hash: last.hash }
  assert.deepEqual({ ...recovered, exchange: recovered.exchange.hash() }, { exchange: exchange.hash(), head, snapshotSeq: 3, replayed: 1 })
  await store.pool.query('delete from snapshots')
  const whole = await recover(store.pool)
  assert.deepEqual({ ...whole, exchange: whole.exchange.hash() }, { exchange: exchange.hash(), head, snapshotSeq: 0, replayed: 4 })
  await using empty = await server.store()
  const begun = await recover(empty.pool)
  assert.deepEqual([begun.head, begun.snapshotSeq, begun.replayed, begun.exchange.seq], [emptyHead, 0, 0, 0])
})

test('ENGINE-RECOVER-002: a damaged snapshot is reported and skipped for an older one', async () => {
  await using store = await server.store()
  const { exchange } = await written(store, 1, 3, 4)
  await store.pool.query('update snapshot_chunks set bytes = set_byte(bytes, 9, 255 - get_byte(bytes, 9)) where seq = 4')
  // Its bytes are as they were stored, but no state of the exchange.
  const noise = Buffer.from('noise')
  const digest = createHash('sha256').update(noise).digest()
  await store.pool.query('update snapshot_chunks set bytes = $1 where seq = 3', [noise])
  await store.pool.query('update snapshots set state_hash = $1 where seq = 3', [digest])
  const bad: Damaged[] = []
  const recovered = await recover(store.pool, { onBadSnapshot: (damage) => bad.push(damage) })
  assert.deepEqual([recovered.snapshotSeq, recovered.exchange.hash()], [1, exchange.hash()])
  assert.deepEqual(
    bad.map(({ seq, name }) => [seq, name]),
    [
      [4, 'Damaged'],
      [3, 'Damaged'],
    ],
  )
  assert.match(bad[0]!.message, /differs from its stored hash/)
  assert.match(bad[1]!.message, /the snapshot can't be restored: ./)
  assert.equal((await recover(store.pool)).snapshotSeq, 1, 'nobody has to listen')
})

test('ENGINE-RECOVER-002: a snapshot of another position is damaged; a database that fails is not', async () => {
  await using store = await server.store()
  await written(store, 1)
  await store.pool.query('insert into snapshots select 3, core_version, state_hash, journal_hash, bytes from snapshots')
  await store.pool.query('insert into snapshot_chunks select 3, chunk, bytes from snapshot_chunks')
  await assert.rejects(restoreSnapshot(store.pool, 3), { name: 'Damaged', seq: 3, message: /holds the state at 1/ })
  await assert.rejects(loadSnapshot(store.pool, 2), { name: 'Damaged', seq: 2, message: /there is no snapshot here/ })
  await store.pool.query('alter table snapshot_chunks rename to elsewhere')
  await assert.rejects(recover(store.pool, { onBadSnapshot: () => assert.fail('not damaged') }), { code: '42P01' })
})

for (const before of coreVersionsBefore) {
  test(`ENGINE-UPGRADE-001: a snapshot of version ${before} counts where that build decided nothing after it`, async () => {
    await using store = await server.store()
    const { exchange } = await written(store)
    await store.pool.query(`update journal set core_version = ${before}`)
    await snapshot(store, exchange, before)
    const { place, exchange: restored } = await restoreSnapshot(store.pool, 4)
    assert.deepEqual([place.seq, restored.hash()], [4, exchange.hash()])
    assert.deepEqual(place.hash, (await readHead(store.pool)).hash)
    await store.pool.query(`
    insert into journal select 5, epoch, 1, first_at, core_version, prev_hash, hash, events_digest, payload from journal where seq = 4`)
    const isOther = { name: 'Damaged', seq: 4, message: new RegExp(`made by version ${before} of the core`) }
    await assert.rejects(restoreSnapshot(store.pool, 4), isOther)
    await store.pool.query('delete from journal where seq = 5; update snapshots set core_version = 3')
    await assert.rejects(restoreSnapshot(store.pool, 4), { ...isOther, message: /made by version 3/ })
  })

  test(`ENGINE-UPGRADE-003: data of version ${before} is taken over when its snapshot and its tables reach its end`, async () => {
    await using store = await server.store()
    const { pool } = store
    await checkUpgrade(pool)
    const { exchange } = await written(store)
    await checkUpgrade(pool)
    assert.equal(await upgradePlace(pool), undefined)
    await pool.query(`update journal set core_version = ${before}`)
    const notClosed = (snapshotSeq: number, projected: number) => ({
      name: 'NotClosed',
      message: new RegExp(`journal ends at 4, its snapshot at ${snapshotSeq}, its tables at ${projected}\\..+Start that build once`),
    })
    await pool.query('delete from projection')
    await assert.rejects(checkUpgrade(pool), notClosed(0, 0))
    await assert.rejects(recover(pool), notClosed(0, 0))
    await snapshot(store, exchange, before)
    await assert.rejects(checkUpgrade(pool), notClosed(4, 0))
    await pool.query('insert into projection (seq, at_ms) values (4, 0)')
    await checkUpgrade(pool)
    assert.equal(await upgradePlace(pool), 4)
    assert.deepEqual([await endsBefore(pool, 4), await endsBefore(pool, 3)], [true, false])
    await pool.query(`update snapshots set core_version = ${coreVersion}`)
    await assert.rejects(checkUpgrade(pool), notClosed(0, 4))
    await pool.query('delete from snapshots')
    await pool.query('insert into snapshots values (3, $1, $2, $2, 0)', [before, Buffer.alloc(32)])
    await assert.rejects(checkUpgrade(pool), notClosed(3, 4))
    assert.equal(await upgradePlace(pool), undefined, 'that build decided more after it')
    await pool.query(`update journal set core_version = ${coreVersion} where seq = 4`)
    await checkUpgrade(pool)
    assert.equal(await upgradePlace(pool), 3)
    await pool.query(`update journal set core_version = ${coreVersion + 1} where seq = 4`)
    await assert.rejects(checkUpgrade(pool), {
      name: 'NotClosed',
      message:
        'This data was written by version 15 of the core; this build takes over versions 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and goes on with 14',
    })
    await pool.query('drop table journal cascade')
    await checkUpgrade(pool)
  })
}

test('the mode of the data is the snapshot’s, without one the first command’s', async () => {
  await using store = await server.store()
  const { pool } = store
  assert.equal(await readMode(pool), undefined)
  const sandbox = new WrittenJournal(pool)
  await sandbox.append([modeSet('sandbox'), commandOf({ type: 'clock.tick' })])
  assert.equal(await readMode(pool), 'sandbox')
  const production = Exchange.create()
  production.execute(Float64Array.from(await commandSlots(modeSet('production'))), 0, new Records())
  await saveSnapshot(pool, { ...(await readHead(pool)), coreVersion, dump: sandbox.exchange.dump() })
  await saveSnapshot(pool, { seq: 7, hash: emptyHead.hash, coreVersion, dump: production.dump() })
  assert.equal(await readMode(pool), 'production', 'the newest snapshot')
  await using other = await server.store()
  await new WrittenJournal(other.pool).append([commandOf({ type: 'perp.setMarginMode', user: 1, market: 1, mode: 'cross' })])
  assert.equal(await readMode(other.pool), undefined, 'another first command')
})

test('the mode is read from the head of a snapshot, and from the whole where the head of an earlier build lacks it', async () => {
  await using store = await server.store()
  const { pool } = store
  const earlier = (name: string): Buffer =>
    gunzipSync(readFileSync(new URL(`../../../core/exchange/test/fixtures/${name}.bin.gz`, import.meta.url)))
  await saveSnapshot(pool, { seq: 7, hash: emptyHead.hash, coreVersion, dump: earlier('dump-12') })
  assert.equal(await readMode(pool), 'sandbox')
  await saveSnapshot(pool, { seq: 8, hash: emptyHead.hash, coreVersion, dump: earlier('dump-12-unissued') })
  assert.equal(await readMode(pool), 'production')
  const sandbox = await written(store)
  await saveSnapshot(pool, { seq: 9, hash: emptyHead.hash, coreVersion, dump: sandbox.exchange.dump() })
  await pool.query('update snapshot_chunks set bytes = substring(bytes for 1000) where seq = 9')
  assert.equal(await readMode(pool), 'sandbox')
})

/** The slots of a command with the first number. */
async function commandSlots(command: ReturnType<typeof commandOf>): Promise<Float64Array> {
  const { encodeCommand } = await import('@candor/core/protocol/codec/command.ts')
  const records = new Records()
  encodeCommand(command, { seq: 1, at: 1, keyId: 0 }, records)
  return records.data.slice(0, records.length)
}

test('snapshots are stored in pieces of a megabyte and read as they were; one that is there stays', async () => {
  await using store = await server.store()
  const { pool } = store
  const mib = 2 ** 20
  for (const [seq, length, pieces] of [
    [10, 0, 0],
    [20, 1, 1],
    [30, mib, 1],
    [40, mib + 1, 2],
  ] as const) {
    const dump = new Uint8Array(length + 3).map((_, at) => (at * 31) % 253).subarray(3)
    const hash = new Uint8Array(32).fill(seq)
    await saveSnapshot(pool, { seq, hash, coreVersion, dump })
    const { rows } = await pool.query('select length(bytes) as length from snapshot_chunks where seq = $1 order by chunk', [seq])
    assert.deepEqual(
      rows.map((row) => row.length),
      Array.from({ length: pieces }, (_, at) => Math.min(mib, length - at * mib)),
    )
    assert.equal((await pool.query('select bytes from snapshots where seq = $1', [seq])).rows[0].bytes, length)
    const loaded = await loadSnapshot(pool, seq)
    assert.deepEqual([loaded.seq, loaded.hash, loaded.coreVersion], [seq, Buffer.from(hash), coreVersion])
    assert.equal(Buffer.compare(loaded.dump, dump), 0)
    await saveSnapshot(pool, { seq, hash: new Uint8Array(32), coreVersion, dump: new Uint8Array(5) })
    assert.equal(Buffer.compare((await loadSnapshot(pool, seq)).dump, dump), 0)
  }
  assert.deepEqual(await listSnapshots(pool), [40, 30, 20])
  // Reading takes a connection and gives it back.
  assert.equal(pool.idleCount, pool.totalCount)
})

test('ENGINE-UPGRADE-002: of this core the newest three snapshots stay, of each earlier one the newest', async () => {
  await using store = await server.store()
  const save = (seq: number, madeBy: number): Promise<void> =>
    saveSnapshot(store.pool, { seq, hash: emptyHead.hash, coreVersion: madeBy, dump: Uint8Array.of(seq) })
  for (const seq of [1, 2]) await save(seq, 3)
  for (const seq of [3, 4]) await save(seq, 4)
  for (const seq of [5, 6, 7, 8]) await save(seq, coreVersion)
  assert.deepEqual(await listSnapshots(store.pool), [8, 7, 6, 4, 2])
  assert.equal((await store.pool.query('select from snapshot_chunks')).rowCount, 5, 'the pieces go with them')
})

test('EXPLAIN-PASS-005: of each four million commands the newest snapshot stays, so that all of them can be explained', async () => {
  await using store = await server.store()
  const million = 1_000_000
  // An earlier core decided the first ones: its stretches can't be executed again.
  for (let seq = million; seq <= 20 * million; seq += million) {
    const madeBy = seq <= 6 * million ? coreVersion - 1 : coreVersion
    await saveSnapshot(store.pool, { seq, hash: emptyHead.hash, coreVersion: madeBy, dump: Uint8Array.of(1) })
  }
  assert.deepEqual(
    await listSnapshots(store.pool),
    [20, 19, 18, 15, 11, 7, 6].map((nth) => nth * million),
  )
})

test('EXPLAIN-PASS-008: a snapshot that is deleted while it is read is read whole', async () => {
  await using store = await server.store()
  await saveSnapshot(store.pool, { seq: 7, hash: emptyHead.hash, coreVersion, dump: Uint8Array.of(1, 2, 3) })
  const other = await store.pool.connect()
  const reader = await store.pool.connect()
  // It is deleted before the copy of its chunks begins: the only query that is not a text.
  const query = reader.query.bind(reader) as (query: unknown, values?: unknown[]) => Promise<unknown>
  mock.method(reader, 'query', async (sent: unknown, values?: unknown[]) => {
    if (typeof sent !== 'string') await other.query('delete from snapshots')
    return query(sent, values)
  })
  const pool = { query: store.pool.query.bind(store.pool), connect: () => Promise.resolve(reader) } as unknown as typeof store.pool
  const loaded = await loadSnapshot(pool, 7).finally(() => other.release())
  assert.deepEqual([...loaded.dump], [1, 2, 3])
  assert.deepEqual(await listSnapshots(store.pool), [])
})

test('EXPLAIN-PASS-008: a snapshot that is deleted before it is read is no damage, and an older state takes its place', async () => {
  await using store = await server.store()
  await written(store, 1, 3)
  // The newest one is deleted after each list of them.
  const query = store.pool.query.bind(store.pool) as (sql: string, values?: unknown[]) => Promise<unknown>
  const mocked = mock.method(store.pool, 'query', async (sql: string, values?: unknown[]) => {
    const result = await query(sql, values)
    if (sql.startsWith('select seq from snapshots')) await query('delete from snapshots where seq = 3')
    return result
  })
  const told: unknown[] = []
  const seen: number[] = []
  const look = { seq: 4, after: (exchange: Exchange) => void seen.push(exchange.seq) }
  const missed = await takeLooks(store.pool, [look], { reachMax: Infinity, onDamage: (damage) => void told.push(damage) })
  assert.deepEqual([told, seen, missed.size], [[], [4], 0])
  mocked.mock.restore()
})

test('a snapshot that could not be stored whole is not there at all', async () => {
  await using store = await server.store()
  const query = mock.method(store.pool, 'connect', store.pool.connect)
  await store.pool.query('alter table snapshot_chunks add check (chunk < 1)')
  const dump = new Uint8Array(2 ** 20 + 1)
  await assert.rejects(saveSnapshot(store.pool, { seq: 1, hash: emptyHead.hash, coreVersion, dump }), { code: '23514' })
  assert.deepEqual(await listSnapshots(store.pool), [])
  query.mock.restore()
})

test('EXPLAIN-PASS-009: a damaged snapshot on the way is passed by once, and not looked for after each row', async () => {
  await using store = await server.store()
  const journal = await written(store)
  for (let row = 0; row < 40; row++) await journal.append([commandOf({ type: 'clock.tick' })])
  await saveSnapshot(store.pool, { seq: 900_000, hash: emptyHead.hash, coreVersion, dump: Uint8Array.of(1, 2, 3) })
  const query = mock.method(store.pool, 'query')
  const told: string[] = []
  const missed = await takeLooks(store.pool, [{ seq: 1_000_000 }], {
    reachMax: Infinity,
    onDamage: ({ message }) => void told.push(message),
  })
  assert.deepEqual([...missed.values()], ['gone'])
  assert.equal(told.length, 1)
  assert.ok(query.mock.callCount() < 8, `${query.mock.callCount()} queries`)
})
