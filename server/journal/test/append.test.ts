import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { startEmbedded } from '../../store/embedded.ts'
import { copyPrepared } from '../../store/test/prepared.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { CuttingProxy } from '../../store/test/cutting-proxy.ts'
import { JournalWriter } from '../append.ts'
import { JournalConnection } from '../connection.ts'
import { NotWritten } from '../fault.ts'
import { takeLeadership } from '../leadership.ts'
import { readHead } from '../read.ts'
import { chain, emptyHead, type Head, type Row } from '../row.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

/** Longer than a busy machine takes for the few tries of a test. */
const patienceMs = 60_000

const rowAfter = (head: Head, epoch: number, firstAt = 1): Row =>
  chain(head, epoch, {
    ...{ seq: head.seq + 2, n: 2, firstAt, coreVersion: 5 },
    ...{ eventsDigest: new Uint8Array(32).fill(9), payload: Uint8Array.of(0, 1, 2, 3).subarray(1) },
  })
/** A trigger whose statement runs before each insert of a row. */
const beforeInsert = (statement: string): string => `
  create function act() returns trigger language plpgsql as $$ begin ${statement} return new; end $$;
  create trigger act before insert on journal for each row execute function act()`
/** Resolves when the trigger has counted so many inserts; a sequence keeps its count when an insert fails. */
async function untilTried(pool: pg.Pool, count: number): Promise<void> {
  const tried = 'select from tries where is_called and last_value >= $1'
  while ((await pool.query(tried, [count])).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 5))
}
const epochOf = async ({ pool }: { readonly pool: pg.Pool }): Promise<number> =>
  (await pool.query('select epoch from leader')).rows[0].epoch

test('every field of a row is stored as it is, under the epoch of its writer', async () => {
  await using store = await server.store()
  const writer = await JournalWriter.lead(store.url)
  const row = rowAfter(emptyHead, writer.epoch, 1_700_000_000_123)
  await writer.append(row)
  await writer.close()
  const { rows } = await store.pool.query('select * from journal')
  const bytes = (value: Uint8Array): Buffer => Buffer.from(value)
  assert.deepEqual(rows, [
    {
      ...{ seq: 2, epoch: 1, n: 2, first_at: 1_700_000_000_123, core_version: 5 },
      ...{ prev_hash: bytes(row.prevHash), hash: bytes(row.hash), events_digest: bytes(row.eventsDigest), payload: Buffer.of(1, 2, 3) },
    },
  ])
})

test('JOURNAL-WITNESS-002: a leader takes the next epoch, above every one that was seen elsewhere', async () => {
  await using store = await server.store()
  const epochs: number[] = []
  for (const options of [{}, { seenEpoch: 0 }, { seenEpoch: 1 }, { seenEpoch: 40 }, {}]) {
    const writer = await JournalWriter.lead(store.url, options)
    epochs.push(writer.epoch)
    assert.equal(await epochOf(store), writer.epoch)
    await writer.close()
  }
  assert.deepEqual(epochs, [1, 2, 3, 41, 42])
  const connection = await JournalConnection.open(store.url)
  assert.equal(await takeLeadership(connection), 43)
  await connection.close()
})

test('JOURNAL-FENCE-001: of two writers with the same row, the later leader’s is the one', async () => {
  await using store = await server.store()
  const { proxy, url } = await CuttingProxy.start(store.url)
  await using _ = proxy
  const older = await JournalWriter.lead(url, { giveUpMs: patienceMs })
  // The older writer's insert breaks off, and it can't look again until a newer one leads.
  await store.pool.query('create sequence tries')
  await store.pool.query(beforeInsert("perform nextval('tries'); raise exception 'broken' using errcode = '08006';"))
  proxy.refuseConnections(true)
  const fenced = assert.rejects(older.append(rowAfter(emptyHead, older.epoch)), { name: 'Fenced', message: /Epoch 2 leads, not 1/ })
  await untilTried(store.pool, 1)
  const newer = await JournalWriter.lead(store.url)
  proxy.refuseConnections(false)
  await fenced
  await store.pool.query('drop trigger act on journal')
  await newer.append(rowAfter(emptyHead, newer.epoch))
  await assert.rejects(older.append(rowAfter(emptyHead, older.epoch)), { name: 'Fenced', message: /Epoch 1 does not lead any more/ })
  assert.equal((await store.pool.query('select from journal')).rowCount, 1)
  await Promise.all([older.close(), newer.close()])
})

test('JOURNAL-FENCE-001: a different row at the same place fences the writer', async () => {
  await using store = await server.store()
  const writer = await JournalWriter.lead(store.url)
  const [mine, other] = [rowAfter(emptyHead, writer.epoch), rowAfter(emptyHead, writer.epoch, 2)]
  await writer.append(other)
  await assert.rejects(writer.append(mine), { name: 'Fenced', message: /Another row stands at 2/ })
  await writer.close()
})

test('JOURNAL-FENCE-001: a writer that loses the leadership between finding its row and the barrier acknowledges nothing', async () => {
  await using store = await server.store()
  const writer = await JournalWriter.lead(store.url)
  const row = rowAfter(emptyHead, writer.epoch)
  await writer.append(row)
  // The row is found, but the barrier's update meets no leader: its row is another epoch's when it is locked.
  await store.pool.query(`
    create function later() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger later before update on leader for each row execute function later()`)
  await assert.rejects(writer.append(row), { name: 'Fenced', message: /Epoch 1 does not lead any more/ })
  await writer.close()
})

test('JOURNAL-WITNESS-001: a database that has lost the row before is rolled back, and named with its own head', async () => {
  await using store = await server.store()
  const writer = await JournalWriter.lead(store.url, { giveUpMs: patienceMs })
  const one = rowAfter(emptyHead, writer.epoch)
  const two = rowAfter(one, writer.epoch)
  await writer.append(one)
  await writer.append(two)
  const nameOf = ({ seq, hash }: Head): string => `command ${seq} (hash ${Buffer.from(hash).toString('hex').slice(0, 16)}…)`
  const isNamed = (head: Head) => (cause: Error) =>
    cause.name === 'RolledBack' && cause.message.includes(`ends at ${nameOf(head)}, but ${nameOf(two)}`)
  // The first insert of the next row breaks off: the database is another one when the writer looks again.
  const trigger = (sql: string): string => beforeInsert(`${sql} raise exception 'broken' using errcode = '08006';`)
  await store.pool.query(trigger(''))
  const lost = writer.append(rowAfter(two, writer.epoch))
  await store.pool.query('delete from journal where seq = 4')
  await assert.rejects(lost, isNamed(one))
  await store.pool.query('drop trigger act on journal; drop function act')
  await store.pool.query(trigger(''))
  await store.pool.query('delete from journal')
  await assert.rejects(writer.append(rowAfter(two, writer.epoch)), isNamed(emptyHead))
  await writer.close()
})

test('JOURNAL-UNKNOWN-002: a writer that gives up is usable again, and tries until its time is over', async () => {
  await using store = await server.store()
  const writer = await JournalWriter.lead(store.url, { giveUpMs: 0 })
  await store.pool.query(`create sequence tries`)
  await store.pool.query(beforeInsert(`perform nextval('tries'); raise exception 'full' using errcode = '53100';`))
  const row = rowAfter(emptyHead, writer.epoch)
  const isFull = (cause: unknown): boolean => (cause as { readonly code?: string }).code === '53100'
  await assert.rejects(writer.append(row), (cause) => cause instanceof NotWritten && !cause.isUnknown && isFull(cause.cause))
  assert.equal((await store.pool.query('select last_value from tries')).rows[0].last_value, 1, 'one try where there is no time')
  await store.pool.query('drop trigger act on journal')
  await writer.append(row)
  assert.equal((await readHead(store.pool)).seq, 2)
  await writer.close()

  const patient = await JournalWriter.lead(store.url, { giveUpMs: patienceMs })
  await store.pool.query(`alter sequence tries restart`)
  await store.pool.query(`create trigger act before insert on journal for each row execute function act()`)
  const waiting = patient.append(rowAfter(row, patient.epoch))
  await untilTried(store.pool, 4)
  await store.pool.query('drop trigger act on journal')
  await waiting
  await patient.close()
})

test('JOURNAL-UNKNOWN-003: an insert that may have been written stays unknown when later tries surely fail', async () => {
  await using store = await server.store()
  const writer = await JournalWriter.lead(store.url, { giveUpMs: 60 })
  await store.pool.query('create sequence tries')
  await store.pool.query(
    beforeInsert(`
      if nextval('tries') = 1 then raise exception 'broken' using errcode = '08006'; end if;
      raise exception 'full' using errcode = '53100';`),
  )
  await assert.rejects(writer.append(rowAfter(emptyHead, writer.epoch)), { name: 'NotWritten', isUnknown: true })
  await writer.close()
})

test('JOURNAL-UNKNOWN-003: a writer that can’t even connect has surely written nothing', async () => {
  await using store = await server.store()
  const { proxy, url } = await CuttingProxy.start(store.url)
  await using _ = proxy
  const writer = await JournalWriter.lead(url, { giveUpMs: 50 })
  await writer.close()
  proxy.refuseConnections(true)
  await assert.rejects(writer.append(rowAfter(emptyHead, writer.epoch)), { name: 'NotWritten', isUnknown: false })
  proxy.refuseConnections(false)
  await writer.append(rowAfter(emptyHead, writer.epoch))
  await writer.close()
  await writer.close()
})

test('a leader that can’t take the leadership leaves no connection open', async () => {
  await using store = await server.store()
  await store.pool.query(`
    create function never() returns trigger language plpgsql as $$ begin raise exception 'never'; end $$;
    create trigger never before update on leader for each row execute function never()`)
  await assert.rejects(JournalWriter.lead(store.url), /never/)
  await untilClosed(store.pool)
  await store.pool.query('drop trigger never on leader')
  const writer = await JournalWriter.lead(store.url)
  assert.equal(await journalConnections(store.pool), 1)
  await writer.close()
  await untilClosed(store.pool)
})

const journalConnections = async (pool: pg.Pool): Promise<number> => {
  const mine = "select from pg_stat_activity where application_name = 'candor journal' and datname = current_database()"
  return (await pool.query(mine)).rowCount ?? 0
}
async function untilClosed(pool: pg.Pool): Promise<void> {
  while ((await journalConnections(pool)) > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('the journal’s connection has no time limit for its statements, and reads integers as numbers', async () => {
  await using store = await server.store()
  await store.pool.query(`alter database ${new URL(store.url).pathname.slice(1)} set statement_timeout = 5000`)
  await store.pool.query(`alter database ${new URL(store.url).pathname.slice(1)} set lock_timeout = 5000`)
  const connection = await JournalConnection.open(store.url)
  const { rows } = await connection.query({
    text: "select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock, 5::bigint as five",
  })
  assert.deepEqual(rows, [{ statement: '0', lock: '0', five: 5 }])
  await connection.close()
})

test('JOURNAL-WARN-001: a warning fails the statement and all that follow; a notice of another kind does not', async () => {
  await using store = await server.store()
  const connection = await JournalConnection.open(store.url)
  const raise = (level: string, code: string): pg.QueryConfig => ({
    text: `do $$ begin raise ${level} 'careful' using errcode = '${code}'; end $$`,
  })
  await connection.query(raise('notice', '00000'))
  await connection.query(raise('warning', '10000'))
  const warned = /The database warned during a journal write: careful/
  await assert.rejects(connection.query(raise('warning', '01000')), warned)
  await assert.rejects(connection.query({ text: 'select 1' }), warned)
  await connection.close()
  await untilClosed(store.pool)
})

test('a connection that is closed or dropped takes no query and does not stay open', async () => {
  await using store = await server.store()
  const closed = await JournalConnection.open(store.url)
  await closed.close()
  const isClosed = (isRetryable: boolean): object => ({ name: 'StoreFault', message: /connection is closed/, isRetryable })
  await assert.rejects(closed.query({ text: 'select 1' }), isClosed(false))
  await closed.close()
  const dropped = await JournalConnection.open(store.url)
  dropped.drop()
  await assert.rejects(dropped.query({ text: 'select 1' }), isClosed(true))
  await dropped.close()
  await untilClosed(store.pool)
})

test('a connection that the server ends fails at the next query and every later one', async () => {
  await using store = await server.store()
  const connection = await JournalConnection.open(store.url)
  await store.pool.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'candor journal'")
  // The system may report the end as a reset before the driver reads the server's farewell, so the words differ.
  const failure = await new Promise<Error>((resolve) => {
    const look = (): void => void connection.query({ text: 'select 1' }).then(() => setTimeout(look, 5), resolve)
    look()
  })
  assert.match(failure.message, /terminat|ECONNRESET|EPIPE/)
  for (let later = 0; later < 3; later++) await assert.rejects(connection.query({ text: 'select 1' }))
  await connection.close()
})

test('a database without durable settings, or none at all, gets no connection of the journal', async () => {
  await using store = await server.store()
  await store.pool.query(`alter database ${new URL(store.url).pathname.slice(1)} set synchronous_commit = 'off'`)
  await assert.rejects(JournalConnection.open(store.url), /could lose acknowledged orders/)
  await untilClosed(store.pool)
  const nowhere = new URL(store.url)
  nowhere.port = '1'
  await assert.rejects(JournalConnection.open(nowhere.href), { code: 'ECONNREFUSED' })
})

test('JOURNAL-FENCE-002: a database that follows another one gets no connection of the journal', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-follower-'))
  copyPrepared(folder)
  const embedded = await startEmbedded(folder)
  await embedded.stop()
  writeFileSync(join(folder, 'postgres', 'data', 'standby.signal'), '')
  const follower = await startEmbedded(folder)
  try {
    await assert.rejects(JournalConnection.open(follower.url), { name: 'StoreFault', isRetryable: true, message: /follows another one/ })
  } finally {
    await follower.stop({ isForced: true })
    rmSync(folder, { recursive: true, force: true })
  }
})
