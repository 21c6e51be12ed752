import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { StoreFault } from '../../store/fault.ts'
import type { Store } from '../../store/open.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { copyOut, safeInteger } from '../copy-out.ts'
import { checkRow, readHead, readJournal, readPlace } from '../read.ts'
import { chain, emptyHead, type Head, type Row } from '../row.ts'

let server: ScratchServer
let store: Store
/** 20 rows of three commands each. */
const rows: readonly Row[] = made(20)

before(async () => {
  server = await startScratchServer()
  store = await server.store()
  for (const { seq, n, epoch, firstAt, coreVersion, ...bytes } of rows) {
    const columns = [bytes.prevHash, bytes.hash, bytes.eventsDigest, bytes.payload].map((value) => Buffer.from(value))
    await store.pool.query('insert into journal values ($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
      ...[seq, epoch, n, firstAt, coreVersion],
      ...columns,
    ])
  }
})
after(() => server[Symbol.asyncDispose]())

function made(count: number): readonly Row[] {
  const list: Row[] = []
  let head: Head = emptyHead
  for (let seq = 3; list.length < count; seq += 3) {
    const payload = new Uint8Array(seq * 10).fill(seq)
    const row = chain(head, 7, { seq, n: 3, firstAt: 1_700_000_000_000 + seq, coreVersion: 5, eventsDigest: new Uint8Array(32), payload })
    list.push(row)
    head = row
  }
  return list
}

/** A row with bytes of the same class everywhere. */
const plain = (row: Row): object => ({
  ...row,
  ...Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? [...value] : value])),
})
async function seqsOf(reading: AsyncIterable<Row>): Promise<readonly number[]> {
  const seqs: number[] = []
  for await (const { seq } of reading) seqs.push(seq)
  return seqs
}
const all = rows.map(({ seq }) => seq)

test('binary COPY gives every column of every row as its bytes, and nothing of an empty result', async () => {
  const client = await store.pool.connect()
  try {
    const copied = await copyOut(client, "select n, n + 1099511627776, decode(repeat('ab', n), 'hex') from generate_series(0, 3) n")
    assert.deepEqual(
      copied.map(([int, bigint, bytes]) => [safeInteger(int!), safeInteger(bigint!) - 2 ** 40, bytes!.toString('hex')]),
      [0, 1, 2, 3].map((n) => [n, n, 'ab'.repeat(n)]),
    )
    assert.deepEqual(await copyOut(client, 'select 1 where false'), [])
    assert.deepEqual(await copyOut(client, 'select from generate_series(1, 2)'), [[], []])
  } finally {
    client.release()
  }
})

test('JOURNAL-CHAIN-001: a failed or incomplete COPY rejects, ends no process, and leaves the connection usable', async () => {
  const client = await store.pool.connect()
  try {
    const bad = copyOut(client, 'select null::bytea from generate_series(1, 3)')
    await assert.rejects(bad, (cause) => cause instanceof StoreFault && /not complete/.test(cause.message))
    await assert.rejects(copyOut(client, 'select 1 / (n - 2) from generate_series(1, 3) n'), { code: '22012' })
    assert.deepEqual(await copyOut(client, "select '\\x05'::bytea"), [[Buffer.of(5)]])
  } finally {
    client.release()
  }
})

test('JOURNAL-CHAIN-001: bytes of COPY that end within a column are an incomplete row', async () => {
  /** What a server sends, in place of a connection. */
  const served = (...chunks: readonly Buffer[]): pg.ClientBase =>
    ({
      query: (query: { handleCopyData(message: object): void; handleReadyForQuery(): void }) => {
        for (const chunk of chunks) query.handleCopyData({ chunk })
        query.handleReadyForQuery()
      },
    }) as unknown as pg.ClientBase
  const row = Buffer.from('000100000003010203', 'hex')
  const [trailer, header] = [Buffer.of(0xff, 0xff), Buffer.alloc(19)]
  header.write('PGCOPY')
  const want = [[Buffer.of(1, 2, 3)]]
  assert.deepEqual(await copyOut(served(Buffer.concat([header, row]), trailer), ''), want)
  assert.deepEqual(await copyOut(served(header, row, trailer), ''), want)
  assert.deepEqual(await copyOut(served(Buffer.concat([header, trailer])), ''), [])
  await assert.rejects(copyOut(served(Buffer.concat([header, row.subarray(0, -1)])), ''), StoreFault)
})

test('an integer is read at both of its sizes; one that a number cannot hold is refused', () => {
  const eight = (value: bigint): Buffer => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64BE(value)
    return bytes
  }
  assert.equal(safeInteger(Buffer.of(0xff, 0xff, 0xff, 0xfe)), -2)
  assert.equal(safeInteger(eight(2n ** 53n - 1n)), Number.MAX_SAFE_INTEGER)
  assert.throws(() => safeInteger(eight(2n ** 53n)), StoreFault)
})

test('JOURNAL-CHAIN-001: rows are read whole and in order, however many one read takes', async () => {
  const read: Row[] = []
  for await (const row of readJournal(store.pool)) read.push(row)
  assert.deepEqual(read.map(plain), rows.map(plain))
  for (const rowsPerRead of [1, 7, 10, 19, 20, 21]) {
    assert.deepEqual(await seqsOf(readJournal(store.pool, emptyHead, { rowsPerRead })), all, String(rowsPerRead))
  }
  assert.deepEqual(await seqsOf(readJournal(store.pool, await readPlace(store.pool, 30))), all.slice(10))
  assert.deepEqual(await seqsOf(readJournal(store.pool, rows.at(-1))), [])
})

test('a read asks only for what it needs: a part that is not full is the last', async () => {
  let reads = 0
  const counting = { connect: () => (reads++, store.pool.connect()) } as unknown as pg.Pool
  for (const [rowsPerRead, expected] of [
    [7, 3],
    [10, 3],
    [21, 1],
  ] as const) {
    reads = 0
    assert.equal((await seqsOf(readJournal(counting, emptyHead, { rowsPerRead }))).length, 20)
    assert.equal(reads, expected)
  }
})

test('JOURNAL-CHAIN-001: the head and the place of a batch are those of its row; within a batch there is no place', async () => {
  const at = (row: Row): object => ({ seq: row.seq, hash: Buffer.from(row.hash) })
  assert.deepEqual(await readHead(store.pool), at(rows.at(-1)!))
  assert.deepEqual(await readPlace(store.pool, 6), at(rows[1]!))
  assert.equal(await readPlace(store.pool, 0), emptyHead)
  await assert.rejects(readPlace(store.pool, 5), { name: 'Damaged', seq: 5, message: /no row ends here/ })
  await using empty = await server.store()
  assert.equal(await readHead(empty.pool), emptyHead)
  assert.deepEqual(await seqsOf(readJournal(empty.pool)), [])
})

test('JOURNAL-CHAIN-001: a row must follow its predecessor in number and hash, and match its own hash', () => {
  const [one, two] = rows as [Row, Row]
  checkRow(one, two)
  assert.throws(() => checkRow(emptyHead, two), { name: 'Damaged', seq: 6, message: /can't follow 0/ })
  assert.throws(() => checkRow({ ...one, hash: two.hash }, two), { name: 'Damaged', seq: 6, message: /row before/ })
  assert.throws(() => checkRow(one, { ...two, firstAt: 1 }), { name: 'Damaged', seq: 6, message: /its content/ })
})

test('JOURNAL-CHAIN-001: reading ends at the first row that is not what was written', async () => {
  const swap = 'update journal set first_at = $1 where seq = 33'
  await store.pool.query(swap, [1])
  try {
    const seqs: number[] = []
    const reading = async (): Promise<void> => {
      for await (const { seq } of readJournal(store.pool)) seqs.push(seq)
    }
    await assert.rejects(reading, { name: 'Damaged', seq: 33 })
    assert.deepEqual(seqs, all.slice(0, 10))
  } finally {
    await store.pool.query(swap, [rows[10]!.firstAt])
  }
})

test('a connection on which a read failed is not used again, and any other one is', async () => {
  const pool = new pg.Pool({ connectionString: store.url, max: 1 })
  // A removed connection may still be open when the pool has ended. If it were when the server stops, that would be an error.
  const ended: Promise<unknown>[] = []
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    ended.push(new Promise((resolve) => client.once('end', resolve)))
  })
  try {
    assert.equal((await seqsOf(readJournal(pool))).length, 20)
    assert.deepEqual([pool.totalCount, pool.idleCount], [1, 1])
    await assert.rejects(seqsOf(readJournal(pool, emptyHead, { rowsPerRead: -1 })), { code: '2201W' })
    assert.deepEqual([pool.totalCount, pool.idleCount], [0, 0])
  } finally {
    await pool.end()
    await Promise.all(ended)
  }
})

test('a reader that leaves early is not held responsible for the read ahead that failed', async () => {
  const uncaught: unknown[] = []
  const hear = (cause: unknown): number => uncaught.push(cause)
  process.on('unhandledRejection', hear)
  try {
    let reads = 0
    const failing = {
      connect: () => (reads++ === 0 ? store.pool.connect() : Promise.reject(new Error('the database is gone'))),
    } as unknown as pg.Pool
    for await (const { seq } of readJournal(failing, emptyHead, { rowsPerRead: 5 })) {
      assert.equal(seq, 3)
      break
    }
    assert.equal(reads, 2)
    // Node reports a rejection without a handler before the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(uncaught, [])
    const rest = seqsOf(readJournal(failing, emptyHead, { rowsPerRead: 5 }))
    await assert.rejects(rest, /the database is gone/)
  } finally {
    process.off('unhandledRejection', hear)
  }
})
