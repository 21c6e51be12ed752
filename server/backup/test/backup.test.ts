import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import S3rver from 's3rver'
import { openStore } from '../../store/open.ts'
import { userUrl } from '../../store/roles.ts'
import { backUp } from '../backup.ts'
import { BackupFault } from '../fault.ts'
import { BackupKeys } from '../keys.ts'
import { filesBelow } from '../listing.ts'
import { openPlace } from '../place.ts'
import { restore } from '../restore.ts'
import { BackupSession } from '../session.ts'
import { World } from './world.ts'

const isFull = true

test('BACKUP-RESTORE-002: a restore ends exactly at the command or the time that was asked for, or says what is reached', async () => {
  await using world = await World.start()
  for (let row = 0; row < 3; row++) await world.row(3)
  const first = await world.backUp()
  assert.deepEqual([first.base !== undefined, first.head.seq, first.number], [true, 9, 1])
  const ends: number[] = []
  for (let row = 0; row < 6; row++) ends.push(await world.row(2))
  const second = await world.backUp()
  assert.deepEqual([second.base, second.head.seq, second.line], [undefined, 21, first.line])
  await world.row(4)
  const third = await world.backUp({ isFull })
  assert.deepEqual([third.base !== undefined, third.head.seq, third.line], [true, 25, first.line])
  const all = await world.rows()

  const newest = await world.restored()
  assert.deepEqual([newest.rows, newest.base.number], [all, 3])
  // Between two backups, at the very end of one, and where the newest copy was made.
  for (const [seq, base] of [
    [ends[2], 1],
    [ends[5], 1],
    [9, 1],
    [25, 3],
  ] as const) {
    const done = await world.restored({ kind: 'seq', seq: seq! })
    assert.equal(done.head.seq, seq)
    assert.deepEqual(done.rows, all.slice(0, done.rows.length))
    assert.deepEqual([done.rows.at(-1)!.split(' ')[0], done.base.number], [String(seq), base])
  }
  const inTime = await world.restored({ kind: 'time', at: first.reachesTo - 1 })
  assert.equal(inTime.head.seq, 9)
  const later = await world.restored({ kind: 'time', at: second.reachesTo - 1 })
  assert.equal(later.head.seq, 21)

  const refused = (target: Parameters<World['restored']>[0], what: RegExp) =>
    assert.rejects(world.restored(target), (error: Error) => error instanceof BackupFault && what.test(error.message))
  await refused({ kind: 'seq', seq: 12 }, /Command 12 is one of 12 to 13, which were committed together: choose 11 or 13/)
  await refused({ kind: 'seq', seq: 6 }, /No kept backup reaches command 6: there are commands 9 to 25/)
  await refused({ kind: 'seq', seq: 26 }, /No kept backup reaches command 26/)
  await refused({ kind: 'time', at: third.reachesTo }, /No kept backup reaches/)
  await refused({ kind: 'time', at: first.beganAt - 1 }, /No kept backup reaches/)
})

test('BACKUP-RESTORE-003: a folder in use is refused, and one that an interrupted restore left is begun anew', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  const dataFolder = join(world.folder, 'target')
  const into = () => restore({ place: world.place, keys: world.keys, target: { kind: 'newest' }, dataFolder })
  mkdirSync(join(dataFolder, 'restoring', 'postgres', 'data'), { recursive: true })
  writeFileSync(join(dataFolder, 'restoring', 'postgres', 'data', 'PG_VERSION'), 'half')
  await into()
  assert.equal(existsSync(join(dataFolder, 'restoring')), false)
  await assert.rejects(into(), /target is not empty \(.*\): restore into a folder that is empty or new/)
})

test('BACKUP-RESTORE-004: a restored exchange continues its backups on a line of its own, which counts before the older one', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  for (let row = 0; row < 4; row++) await world.row()
  const old = await world.backUp()
  const before = await world.rows()
  const { dataFolder } = await world.restored({ kind: 'seq', seq: 3 })
  await using store = await openStore({ dataFolder })
  await store.pool.query(`update leader set epoch = 100`)
  const other = Object.assign(Object.create(world) as World, { store, dataFolder })
  const { JournalWriter } = await import('../../journal/append.ts')
  const { rows } = await store.pool.query('select seq, hash from journal order by seq desc limit 1')
  other.writer = await JournalWriter.lead(store.url)
  other.head = rows[0]
  const said: string[] = []
  const forked = await backUp({
    ...{ store, dataFolder, mode: 'sandbox', photosFolder: undefined, place: world.place, keys: world.keys, version: 'test' },
    say: (line) => said.push(line),
  })
  assert.match(said.join(), /The database was restored since run 2: this is a full backup/)
  assert.deepEqual([forked.number, forked.base !== undefined, forked.line === old.line, forked.timeline], [3, true, false, 2])
  await other.row()
  await backUp({
    ...{ store, dataFolder, mode: 'sandbox', photosFolder: undefined, place: world.place, keys: world.keys, version: 'test' },
  })
  await other.writer.close()
  const now = (await store.pool.query('select seq, hash from journal order by seq')).rows.map(
    ({ seq, hash }: { seq: number; hash: Buffer }) => `${seq} ${hash.toString('hex')}`,
  )
  // Command 4 is in both lines, command 5 in the older one alone.
  assert.deepEqual((await world.restored({ kind: 'seq', seq: 4 })).rows, now)
  assert.deepEqual((await world.restored({ kind: 'seq', seq: 5 })).rows, before)
  assert.deepEqual((await world.restored()).rows, now)
})

test('BACKUP-SEAL-004: an object that is changed, cut, exchanged or missing is noticed, and so is another key', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  await world.row()
  await world.backUp()
  await world.row()
  await world.backUp()
  const objects = await world.objects()
  const isNoticed = async (what: string): Promise<void> => {
    await assert.rejects(world.restored(), (error: Error) => error instanceof BackupFault, what)
    for (const [path, bytes] of objects) if (!existsSync(path) || isChanged(path)) writeFileSync(path, bytes)
    changed.clear()
  }
  const changed = new Set<string>()
  const isChanged = (path: string): boolean => changed.has(path)
  const change = (path: string, bytes: Buffer): void => {
    changed.add(path)
    writeFileSync(path, bytes)
  }
  const paths = [...objects.keys()].toSorted()
  const [runs, chunks] = [paths.filter((path) => path.includes('/runs/')), paths.filter((path) => path.includes('/chunks/'))]
  assert.equal(runs.length, 3)
  for (const path of runs) {
    change(path, flipped(objects.get(path)!))
    await isNoticed(`${path} changed`)
  }
  for (const path of runs.slice(0, 2)) {
    rmSync(path)
    await isNoticed(`${path} missing`)
  }
  change(runs[0]!, objects.get(runs[1]!)!)
  change(runs[1]!, objects.get(runs[0]!)!)
  await isNoticed('runs exchanged')
  // A run of an older state of the same store, under its own name.
  change(runs[1]!, await world.keys.seal('runs/0000000002', Buffer.from(JSON.stringify({ ...(await world.runs())[1], version: 'x' }))))
  await isNoticed('a run that the next one does not follow')

  // Every chunk that a restore of the newest state reads.
  for (const [at, path] of chunks.entries()) {
    if (at % 2 === 0) change(path, at % 4 === 0 ? flipped(objects.get(path)!) : objects.get(path)!.subarray(0, -1))
    else rmSync(path)
  }
  await isNoticed('half of all chunks changed')
  change(chunks[0]!, objects.get(chunks[1]!)!)
  change(chunks[1]!, objects.get(chunks[0]!)!)
  const used = (await world.runs()).length
  assert.equal(used, 3)
  await isNoticed('chunks exchanged')
  const other = new BackupKeys(randomBytes(32))
  await assert.rejects(world.restored({ kind: 'newest' }, other), new RegExp(`and the given key is ${other.id}`))
  assert.equal((await world.restored()).rows.length, 3)

  function flipped(bytes: Buffer): Buffer {
    const copy = Buffer.from(bytes)
    copy[Math.floor(copy.length / 2)]! ^= 1
    return copy
  }
})

test('BACKUP-SEAL-005: nothing readable of the journal, of the keys or of photos is in the store', async () => {
  await using world = await World.start()
  mkdirSync(join(world.photosFolder, 'ab'), { recursive: true })
  writeFileSync(join(world.photosFolder, 'ab', 'photo'), 'the bytes of a photo')
  await world.row()
  await world.backUp()
  const texts = ['the bytes of a photo', 'the key of heads', 'pg_control', 'START WAL LOCATION', 'journal', 'seqBefore']
  for (const [path, bytes] of await world.objects()) {
    for (const text of texts) assert.equal(bytes.includes(text) || path.includes(text), false, `${text} in ${path}`)
    assert.match(path.slice(world.folder.length), /^\/store\/(chunks\/[0-9a-f]{2}\/[0-9a-f]{40}|runs\/[0-9]{10})$/)
  }
})

test('BACKUP-CONTENT-001: a backup has the cluster, its password, the key of heads and photos; a sandbox’s own keys and chains only in a sandbox', async () => {
  await using world = await World.start()
  await world.row()
  for (const path of [
    'server.key',
    'head.key.next',
    'witness',
    'running.json',
    '.env',
    'logs/candor.log',
    'chains/engine.key',
    'photos/ab/one',
    'photos/ab/two.part',
  ]) {
    mkdirSync(join(world.dataFolder, path, '..'), { recursive: true })
    writeFileSync(join(world.dataFolder, path), path)
  }
  const restoredFiles = async (mode: 'sandbox' | 'production', photosFolder: string | undefined): Promise<readonly string[]> => {
    await world.backUp({ mode, photosFolder })
    const { dataFolder } = await world.restored()
    assert.deepEqual(readdirSync(join(dataFolder, 'postgres')).toSorted(), ['data', 'log', 'password', 'port'])
    const files = (await filesBelow(dataFolder)).filter((path) => !path.startsWith('postgres/'))
    for (const path of files) assert.equal(readFileSync(join(dataFolder, path), 'utf8'), path === 'head.key' ? 'the key of heads' : path)
    return files
  }
  const own = ['chains/engine.key', 'head.key', 'head.key.next', 'photos/ab/one', 'server.key']
  assert.deepEqual(await restoredFiles('sandbox', world.photosFolder), own)
  // A photo never changes: one that the run before has is not read again.
  rmSync(join(world.dataFolder, 'photos', 'ab', 'one'))
  mkdirSync(join(world.dataFolder, 'photos', 'cd'))
  writeFileSync(join(world.dataFolder, 'photos', 'cd', 'three'), 'photos/cd/three')
  assert.deepEqual(await restoredFiles('production', world.photosFolder), ['head.key', 'head.key.next', 'photos/cd/three'])
  assert.deepEqual(await restoredFiles('production', undefined), ['head.key', 'head.key.next'])
})

test('BACKUP-PLACE-001: a backup in a bucket is restored, and older runs go', async () => {
  await using world = await World.start()
  await using bucket = await startBucket(world.folder)
  world.place = openPlace(bucket.url)
  await world.row()
  await world.backUp()
  await world.row()
  await world.backUp()
  assert.deepEqual((await world.restored({ kind: 'seq', seq: 2 })).rows, await world.rows())
  await world.backUp({ isFull, keep: 1 })
  assert.deepEqual([(await world.place.list('runs')).length, await world.place.list('pending')], [1, []])
  assert.deepEqual((await world.restored()).rows, await world.rows())
})

test('BACKUP-MAKE-004: of two runs at once one is refused, wherever they go', async () => {
  await using world = await World.start()
  await world.row()
  {
    await using _ = await BackupSession.open(world.store)
    await assert.rejects(world.backUp(), /Another backup of this exchange is in progress/)
    await assert.rejects(world.backUp({ place: openPlace(`file://${world.folder}/other`) }), /in progress/)
  }
  await world.backUp()
})

test('BACKUP-MAKE-005: what an interrupted run left is removed by the next one, and never used', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  await world.row()
  const good = new Set((await world.objects()).keys())
  const { place } = world
  let puts = 0
  const breaking: typeof place = {
    where: place.where,
    put: (name, bytes) => (++puts > 4 ? Promise.reject(new Error('cut off')) : place.put(name, bytes)),
    get: (name) => place.get(name),
    delete: (name) => place.delete(name),
    list: (kind) => place.list(kind),
    settle: () => place.settle(),
    clean: () => place.clean(),
  }
  await assert.rejects(world.backUp({ place: breaking, isFull }), /cut off/)
  assert.ok(
    [...(await world.objects()).keys()].some((path) => path.includes('/chunks/') && !good.has(path)),
    'something was left',
  )
  assert.deepEqual((await world.restored()).rows.length, 1)
  await world.row()
  const next = await world.backUp()
  assert.deepEqual([next.number, next.base], [2, undefined])
  assert.equal((await world.restored()).rows.length, 3)
  const chunks = new Set([...(await world.objects()).keys()].filter((path) => path.includes('/chunks/')))
  // Exactly what two complete runs need: a third that changes nothing else finds nothing to remove.
  await world.backUp({ keep: 9 })
  for (const path of chunks) assert.ok(existsSync(path), path)
  assert.equal(existsSync(join(world.folder, 'store', 'pending')) && readdirSync(join(world.folder, 'store', 'pending')).length > 0, false)
})

test('BACKUP-MAKE-006: older full backups and their runs go, and what the kept ones need stays', async () => {
  await using world = await World.start()
  for (let run = 0; run < 6; run++) {
    await world.row()
    // Full, log, full, log, full, log.
    await world.backUp({ isFull: run % 2 === 0, keep: 2 })
  }
  assert.deepEqual(
    (await world.runs()).map(({ number }) => number),
    [3, 4, 5, 6],
  )
  assert.equal((await world.restored()).rows.length, 6)
  assert.equal((await world.restored({ kind: 'seq', seq: 4 })).rows.length, 4)
  await assert.rejects(world.restored({ kind: 'seq', seq: 2 }), /No kept backup reaches command 2/)
  const before = (await world.objects()).size
  await world.backUp({ isFull, keep: 1 })
  assert.deepEqual(
    (await world.runs()).map(({ number }) => number),
    [7],
  )
  assert.ok((await world.objects()).size < before)
  assert.equal((await world.restored()).rows.length, 6)
})

test('BACKUP-MAKE-007: a place with the backups of another database is refused', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  await using other = await World.start({ isOfItsOwn: true })
  await other.row()
  await assert.rejects(other.backUp({ place: world.place, keys: world.keys }), /has the backups of another database/)
})

test('BACKUP-MAKE-008: a run whose log the database discarded is full, says so, and no run keeps more log than allowed', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  const { pool } = world.store
  assert.equal((await pool.query('show max_slot_wal_keep_size')).rows[0].max_slot_wal_keep_size, '8GB')
  await pool.query(`alter system set max_slot_wal_keep_size = '16MB'`)
  await pool.query('select pg_reload_conf()')
  const status = async () => (await pool.query('select wal_status from pg_replication_slots')).rows[0]?.wal_status
  while ((await status()) !== 'lost') {
    await world.row()
    await pool.query('select pg_switch_wal()')
    await pool.query('checkpoint')
  }
  const said: string[] = []
  const next = await world.backUp({ say: (line) => said.push(line) })
  assert.ok(next.base !== undefined)
  assert.match(said.join(), /The log after run 1 is gone/)
  assert.equal((await pool.query('select count(*)::int as n from pg_replication_slots')).rows[0].n, 1)
  assert.deepEqual((await world.restored()).rows, await world.rows())
})

test('BACKUP-USER-001: the backup’s user of the database reads the places of rows, and neither payloads nor accounts, and writes nothing', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  const client = new pg.Client({ connectionString: userUrl(world.store.url, 'archiver') })
  await client.connect()
  await using _ = await held(world)
  try {
    assert.equal((await client.query('select seq, n, hash, xmin from journal')).rowCount, 1)
    for (const refused of [
      'select payload from journal',
      'select email from accounts',
      'select * from snapshot_chunks',
      'insert into journal (seq) values (9)',
      'delete from journal',
      'create table mine (a int)',
      'create role other',
      'select pg_read_file($$postgresql.conf$$)',
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'candor'`,
      'alter system set fsync = off',
    ])
      await assert.rejects(client.query(refused), { code: '42501' }, refused)
  } finally {
    await client.end()
  }
})

/** A connection of the owner. */
async function held({ store }: World): Promise<AsyncDisposable> {
  const client = await store.pool.connect()
  return { [Symbol.asyncDispose]: async () => client.release() }
}

async function startBucket(folder: string): Promise<AsyncDisposable & { readonly url: string }> {
  const buckets = [{ name: 'backups', configs: [] }]
  const s3 = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: join(folder, 's3'), configureBuckets: buckets })
  const { port } = await s3.run()
  const url = `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/backups?region=us-east-1`
  return { url, [Symbol.asyncDispose]: () => s3.close() }
}
