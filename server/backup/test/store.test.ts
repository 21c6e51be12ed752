import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import S3rver from 's3rver'
import { chunkBytes, ChunkReader, ChunkWriter } from '../chunks.ts'
import { BackupFault } from '../fault.ts'
import { encodeIndex, findInIndex } from '../journal-index.ts'
import { BackupKeys } from '../keys.ts'
import { filesBelow, ListingWriter, ownChunks, readListing, writeListing } from '../listing.ts'
import { openPlace, type Place } from '../place.ts'
import { positionOf, positionText, segmentBefore, segmentName } from '../wal.ts'

let folder: string
let s3: S3rver
let port: number
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-backup-store-'))
  const buckets = [{ name: 'backups', configs: [] }]
  s3 = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: join(folder, 's3'), configureBuckets: buckets })
  port = (await s3.run()).port
})
after(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

const places: Readonly<Record<string, () => Place>> = {
  folder: () => openPlace(`file://${join(folder, 'place')}`),
  bucket: () => openPlace(`s3+http://S3RVER:S3RVER@127.0.0.1:${port}/backups?region=us-east-1`),
}

for (const [name, open] of Object.entries(places))
  test(`BACKUP-PLACE-001: a ${name} keeps objects, lists them in order, and has none that was deleted`, async () => {
    const place = open()
    assert.deepEqual(await place.list('chunks'), [])
    assert.equal(await place.get('chunks/aa'), undefined)
    await place.put('chunks/bb', Buffer.from('two'))
    await place.put('chunks/aa', Buffer.from('one'))
    await place.put('runs/0000000001', Buffer.from('run'))
    await place.settle()
    assert.deepEqual(await place.list('chunks'), ['chunks/aa', 'chunks/bb'])
    assert.deepEqual(await place.list('runs'), ['runs/0000000001'])
    assert.equal((await place.get('chunks/bb'))?.toString(), 'two')
    await place.delete('chunks/bb')
    await place.delete('chunks/bb')
    assert.deepEqual(await place.list('chunks'), ['chunks/aa'])
  })

test('BACKUP-PLACE-002: an object that was begun and never finished is none, and is cleaned away', async () => {
  const place = openPlace(`file://${join(folder, 'parts')}`)
  await mkdir(join(folder, 'parts', 'chunks', 'aa'), { recursive: true })
  await writeFile(join(folder, 'parts', 'chunks', 'aa', 'aabb.part'), 'half')
  assert.deepEqual(await place.list('chunks'), [])
  await place.clean()
  assert.deepEqual(await filesBelow(join(folder, 'parts')), [])
})

for (const bad of [
  '/folder',
  'https://host/bucket',
  's3+https://host/bucket',
  's3+https://ID:SECRET@host/bucket/folder',
  's3+https://ID:SECRET@host',
])
  test(`BACKUP-PLACE-003: ${bad} is refused as an address of backups`, () => {
    assert.throws(() => openPlace(bad), BackupFault)
  })

test('BACKUP-SEAL-001: an object opens only with its key, under its name, whole and unchanged', async () => {
  const keys = new BackupKeys(randomBytes(32))
  const bytes = Buffer.from('a page of the ledger '.repeat(100))
  const sealed = await keys.seal('chunks/aa', bytes)
  assert.deepEqual(await keys.open('chunks/aa', sealed), bytes)
  const other = new BackupKeys(randomBytes(32))
  await assert.rejects(other.open('chunks/aa', sealed), new RegExp(`backup key ${keys.id}.*is ${other.id}`))
  await assert.rejects(keys.open('chunks/ab', sealed), /was changed or damaged/)
  await assert.rejects(keys.open('chunks/aa', sealed.subarray(0, -1)), BackupFault)
  await assert.rejects(keys.open('chunks/aa', Buffer.alloc(0)), BackupFault)
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    await assert.rejects(keys.open('chunks/aa', changed), BackupFault, `byte ${at}`)
  }
})

test('BACKUP-SEAL-002: equal bytes have one name under one key, and another under another key', async () => {
  const [one, other] = [new BackupKeys(randomBytes(32)), new BackupKeys(randomBytes(32))]
  const bytes = randomBytes(1_000)
  assert.equal(one.nameOf(bytes), one.nameOf(Buffer.from(bytes)))
  assert.notEqual(one.nameOf(bytes), other.nameOf(bytes))
  assert.notDeepEqual(await one.seal('chunks/aa', bytes), await one.seal('chunks/aa', bytes))
})

test('BACKUP-MAKE-002: files of all sizes come back as they were, and unchanged chunks are sent once', async () => {
  const place = openPlace(`file://${join(folder, 'files')}`)
  const keys = new BackupKeys(randomBytes(32))
  const source = join(folder, 'source')
  const sizes = [0, 1, 0, 8_192, chunkBytes - 1, chunkBytes, 0, chunkBytes + 1, 3 * chunkBytes + 5, 700_000, 700_000, 12, 0]
  await mkdir(join(source, 'deep'), { recursive: true })
  for (const [at, size] of sizes.entries()) await writeFile(join(source, at % 3 === 0 ? 'deep' : '', `file-${at}`), randomBytes(size))
  const store = async () => {
    const chunks = await ChunkWriter.open(place, keys)
    const listing = new ListingWriter(chunks)
    listing.folder('empty')
    for (const name of await filesBelow(source)) assert.equal(await listing.file(name, join(source, name)), true)
    assert.equal(await listing.file('missing', join(source, 'missing')), false)
    const stored = await listing.end()
    await chunks.settle()
    return { stored, sums: chunks.sums }
  }
  const { stored, sums } = await store()
  assert.ok(sums.fresh > 5 * chunkBytes)
  const again = await store()
  assert.deepEqual([again.stored, again.sums.fresh, again.sums.sent], [stored, 0, 0])
  const original = await readFile(join(source, 'file-8'))
  await writeFile(join(source, 'file-8'), randomBytes(3 * chunkBytes + 5))
  assert.ok((await store()).sums.fresh < 5 * chunkBytes)

  const chunks = new ChunkReader(place, keys)
  const listing = await readListing(chunks, stored)
  await writeListing(chunks, listing, join(folder, 'target'))
  await mkdir(join(source, 'empty'))
  await writeFile(join(source, 'file-8'), original)
  assert.deepEqual(await filesBelow(join(folder, 'target')), await filesBelow(source))
  for (const name of await filesBelow(source))
    assert.deepEqual(await readFile(join(folder, 'target', name)), await readFile(join(source, name)), name)
  // Only those that are wanted.
  await writeListing(chunks, listing, join(folder, 'some'), (path) => path === 'file-7' || path === 'deep/file-12')
  assert.deepEqual(await filesBelow(join(folder, 'some')), ['deep/file-12', 'file-7'])
  assert.equal(ownChunks(listing).get('file-8')?.chunks.length, 4)
  assert.equal(ownChunks(listing).has('file-11'), false)
})

test('BACKUP-SEAL-003: a list that leads out of its folder is refused', async () => {
  const place = openPlace(`file://${join(folder, 'out')}`)
  const chunks = new ChunkReader(place, new BackupKeys(randomBytes(32)))
  for (const path of ['../x', '/x', 'a/../../x'])
    await assert.rejects(
      writeListing(chunks, { folders: [], files: [{ path, at: 0, size: 0 }], chunks: [] }, join(folder, 'kept')),
      BackupFault,
    )
})

test('BACKUP-RESTORE-001: the index finds the row of every command, and none beside them', () => {
  const rows = [
    { seq: 12, n: 3, xid: 700 },
    { seq: 13, n: 1, xid: 4_294_967_295 },
    { seq: 9_007_199_254_740_000, n: 5, xid: 3 },
  ]
  const bytes = encodeIndex(rows)
  for (const seq of [10, 11, 12]) assert.deepEqual(findInIndex(bytes, seq), rows[0])
  assert.deepEqual(findInIndex(bytes, 13), rows[1])
  assert.deepEqual(findInIndex(bytes, 9_007_199_254_739_996), rows[2])
  for (const seq of [9, 14, 9_007_199_254_739_995, 9_007_199_254_740_001]) assert.equal(findInIndex(bytes, seq), undefined)
  assert.equal(findInIndex(Buffer.alloc(0), 1), undefined)
})

test('BACKUP-MAKE-003: positions in the log lead to the files of its segments', () => {
  const bytes = 16 * 1024 * 1024
  assert.equal(positionOf('2/16B3748'), 2 * 2 ** 32 + 0x16b3748)
  assert.equal(positionText(positionOf('2/16B3748')), '2/16B3748')
  assert.equal(segmentName(1, segmentBefore(positionOf('0/4000000'), bytes), bytes), '000000010000000000000003')
  assert.equal(segmentName(1, segmentBefore(positionOf('0/4000001'), bytes), bytes), '000000010000000000000004')
  assert.equal(segmentName(17, 256, bytes), '000000110000000100000000')
  assert.throws(() => positionOf('x'), BackupFault)
})
