import { rowHash as coreRowHash } from '@candor/core/proof/hash-chain.ts'
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Store } from '../../store/open.ts'
import { CuttingProxy } from '../../store/test/cutting-proxy.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { JournalWriter } from '../append.ts'
import { checkRow, readHead, readJournal, readPlace } from '../read.ts'
import { chain, coreVersion, emptyHead, type Head, type Row, rowHash } from '../row.ts'
import { listSnapshots, loadSnapshot, saveSnapshot } from '../snapshots.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

function rowAfter(head: Head, epoch: number, bytes = 100): Row {
  return chain(head, epoch, {
    seq: head.seq + 3,
    n: 3,
    firstAt: 1_700_000_000_000 + head.seq,
    coreVersion: 1,
    eventsDigest: createHash('sha256').update(String(head.seq)).digest(),
    payload: new Uint8Array(bytes).fill(head.seq % 251),
  })
}

async function write(writer: JournalWriter, head: Head, rows: number, bytes?: number): Promise<Head> {
  let at = head
  for (let i = 0; i < rows; i++) {
    const row = rowAfter(at, writer.epoch, bytes)
    await writer.append(row)
    at = row
  }
  return at
}

async function readAll(store: Store, from?: Head): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of readJournal(store.pool, from, { rowsPerRead: 7 })) rows.push(row)
  return rows
}

test('the hash of a row is the one that the browser computes', () => {
  const row = rowAfter(emptyHead, 3)
  assert.deepEqual(Buffer.from(coreRowHash(emptyHead.hash, row)), Buffer.from(rowHash(emptyHead.hash, 3, row)))
})

test('appended rows are read back in order, from the start and from any position', async () => {
  await using store = await server.store()
  const writer = await JournalWriter.lead(store.url)
  const head = await write(writer, emptyHead, 20)
  const last = await write(writer, head, 8, 700_000)
  await writer.close()
  const rows = await readAll(store)
  assert.equal(rows.length, 28)
  assert.equal(rows[27]?.payload.length, 700_000)
  assert.deepEqual(Buffer.from((await readHead(store.pool)).hash), Buffer.from(last.hash))
  assert.equal((await readAll(store, await readPlace(store.pool, head.seq))).length, 8)
})

test('JOURNAL-FENCE-001: of two leaders the older one is fenced and writes nothing', async () => {
  await using store = await server.store()
  const older = await JournalWriter.lead(store.url)
  const head = await write(older, emptyHead, 2)
  const newer = await JournalWriter.lead(store.url)
  assert.equal(newer.epoch, older.epoch + 1)
  await assert.rejects(older.append(rowAfter(head, older.epoch)), { name: 'Fenced' })
  await newer.append(rowAfter(head, newer.epoch))
  assert.equal((await readAll(store)).length, 3)
  await Promise.all([older.close(), newer.close()])
})

test('JOURNAL-UNKNOWN-001: a commit whose answer got lost is found in the journal and not written twice', async () => {
  await using store = await server.store()
  const { proxy, url } = await CuttingProxy.start(store.url)
  await using _ = proxy
  const writer = await JournalWriter.lead(url)
  const head = await write(writer, emptyHead, 3)
  proxy.holdAnswers(true)
  proxy.onRequest(() => {
    proxy.onRequest(() => undefined)
    setTimeout(() => {
      proxy.holdAnswers(false)
      proxy.cut()
    }, 200)
  })
  const row = rowAfter(head, writer.epoch)
  await writer.append(row)
  await write(writer, row, 1)
  assert.deepEqual(
    (await readAll(store)).map(({ seq }) => seq),
    [3, 6, 9, 12, 15],
  )
  await writer.close()
})

test('JOURNAL-UNKNOWN-002: a commit that never reached the database is written after the connection is back', async () => {
  await using store = await server.store()
  const { proxy, url } = await CuttingProxy.start(store.url)
  await using _ = proxy
  const writer = await JournalWriter.lead(url)
  const head = await write(writer, emptyHead, 1)
  proxy.refuseConnections(true)
  proxy.cut()
  setTimeout(() => proxy.refuseConnections(false), 300)
  await write(writer, head, 2)
  assert.equal((await readAll(store)).length, 3)
  await writer.close()
})

test('while the database stays away, the writer gives up with an unknown outcome', async () => {
  await using store = await server.store()
  const { proxy, url } = await CuttingProxy.start(store.url)
  await using _ = proxy
  const writer = await JournalWriter.lead(url, { giveUpMs: 300 })
  proxy.holdAnswers(true)
  proxy.refuseConnections(true)
  setTimeout(() => proxy.cut(), 100)
  await assert.rejects(writer.append(rowAfter(emptyHead, writer.epoch)), { name: 'NotWritten', isUnknown: true })
  await writer.close()
})

test('JOURNAL-WARN-001: a success with a warning (01000) is a failure until a barrier behind it is durable', async () => {
  await using store = await server.store()
  await store.pool.query(`
    create table warned (n int);
    create function warn() returns trigger language plpgsql as $$ begin
      if (select count(*) from warned) = 0 then
        insert into warned values (1);
        raise warning 'canceling wait for synchronous replication due to user request' using errcode = '01000';
      end if;
      return new;
    end $$;
    create trigger warn after insert on journal for each row execute function warn()`)
  const writer = await JournalWriter.lead(store.url)
  const before = (await store.pool.query('select xmin from leader')).rows[0].xmin
  await writer.append(rowAfter(emptyHead, writer.epoch))
  const rows = (await store.pool.query('select xmin from leader')).rows
  assert.notEqual(rows[0].xmin, before, 'the barrier was written')
  assert.equal((await readAll(store)).length, 1)
  await writer.close()
})

for (const [code, what, isUnknown] of [
  ['57P01', 'the server shuts down', true],
  ['57P02', 'the server crashed beside it', true],
  ['08006', 'the connection broke', true],
  ['XX000', 'the server does not know itself', true],
  ['42530', 'a code that only contains another', true],
  ['57014', 'the statement was cancelled', false],
  ['25006', 'the server is read-only', false],
  ['53200', 'the server has no memory left', false],
] as const) {
  test(`JOURNAL-UNKNOWN-003: an insert that fails with ${code} (${what}) is ${isUnknown ? 'unknown' : 'certainly not written'}`, async () => {
    await using store = await server.store()
    await store.pool.query(`
      create function fails() returns trigger language plpgsql as $$ begin raise exception 'fails' using errcode = '${code}'; end $$;
      create trigger fails before insert on journal for each row execute function fails()`)
    const writer = await JournalWriter.lead(store.url, { giveUpMs: 50 })
    await assert.rejects(writer.append(rowAfter(emptyHead, writer.epoch)), { name: 'NotWritten', isUnknown })
    await writer.close()
  })
}

test('JOURNAL-UNKNOWN-003: a server that ends the connection during an insert leaves the outcome unknown', async () => {
  await using store = await server.store()
  await store.pool.query(`
    create function ends() returns trigger language plpgsql as $$ begin
      perform pg_terminate_backend(pg_backend_pid());
      perform pg_sleep(10);
      return new;
    end $$;
    create trigger ends before insert on journal for each row execute function ends()`)
  const writer = await JournalWriter.lead(store.url, { giveUpMs: 50 })
  await assert.rejects(writer.append(rowAfter(emptyHead, writer.epoch)), { name: 'NotWritten', isUnknown: true })
  await writer.close()
})

test('a row that the database cannot store is certainly not written', async () => {
  await using store = await server.store()
  await store.pool.query(`
    create function full_disk() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file: No space left on device' using errcode = '53100';
    end $$;
    create trigger full_disk before insert on journal for each row execute function full_disk()`)
  const writer = await JournalWriter.lead(store.url, { giveUpMs: 200 })
  await assert.rejects(writer.append(rowAfter(emptyHead, writer.epoch)), { name: 'NotWritten', isUnknown: false })
  await writer.close()
})

for (const [what, change] of [
  ['payload', 'update journal set payload = set_byte(payload, 10, get_byte(payload, 10) # 1) where seq = 9'],
  ['time', 'update journal set first_at = first_at + 1 where seq = 9'],
  ['epoch', 'update journal set epoch = epoch + 1 where seq = 9'],
  ['missing row', 'delete from journal where seq = 6'],
  ['rows out of order', 'update journal set n = 2 where seq = 9'],
] as const) {
  test(`JOURNAL-CHAIN-001: a changed journal is detected: ${what}`, async () => {
    await using store = await server.store()
    const writer = await JournalWriter.lead(store.url)
    await write(writer, emptyHead, 5)
    await writer.close()
    assert.equal((await readAll(store)).length, 5)
    await store.pool.query(change)
    await assert.rejects(readAll(store), { name: 'Damaged', seq: 9 })
  })
}

test('JOURNAL-CHAIN-001: a row that is consistent but follows another row is detected, at any position', async () => {
  const other = new Uint8Array(32).fill(7)
  const [one, two] = [rowAfter(emptyHead, 1), rowAfter(rowAfter(emptyHead, 1), 1)]
  checkRow(emptyHead, one)
  checkRow(one, two)
  const damaged = { name: 'Damaged', message: /does not follow/ }
  assert.throws(() => checkRow(emptyHead, chain({ seq: 0, hash: other }, 1, one)), damaged)
  assert.throws(() => checkRow(one, chain({ seq: one.seq, hash: other }, 1, two)), damaged)

  await using store = await server.store()
  const writer = await JournalWriter.lead(store.url)
  const head = await write(writer, emptyHead, 2)
  await writer.append(rowAfter(head, writer.epoch))
  await writer.close()
  const forged = chain({ seq: head.seq, hash: other }, writer.epoch, rowAfter(head, writer.epoch))
  await store.pool.query('update journal set prev_hash = $1, hash = $2 where seq = $3', [other, Buffer.from(forged.hash), forged.seq])
  await assert.rejects(readAll(store), { ...damaged, seq: forged.seq })
})

test('snapshots are read as they were stored, the oldest are dropped, a changed one is refused', async () => {
  await using store = await server.store()
  const dump = new Uint8Array(3_500_000).map((_, i) => (i * 31) % 253)
  for (const seq of [10, 20, 30, 40]) await saveSnapshot(store.pool, { seq, hash: new Uint8Array(32).fill(seq), coreVersion, dump })
  await saveSnapshot(store.pool, { seq: 40, hash: new Uint8Array(32), coreVersion, dump: new Uint8Array(0) })
  assert.deepEqual(await listSnapshots(store.pool), [40, 30, 20])
  const loaded = await loadSnapshot(store.pool, 40)
  assert.equal(Buffer.compare(loaded.dump, dump), 0)
  assert.equal(loaded.hash[0], 40)
  await store.pool.query('update snapshot_chunks set bytes = set_byte(bytes, 5, 255 - get_byte(bytes, 5)) where seq = 40 and chunk = 2')
  await assert.rejects(loadSnapshot(store.pool, 40), { name: 'Damaged', seq: 40 })
})
