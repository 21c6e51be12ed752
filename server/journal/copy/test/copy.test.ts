import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import pg from 'pg'
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { readHeadText } from '@candor/core/proof/head.ts'
import { headKeyFile } from '../../../proof/head-key.ts'
import { HeadMaker } from '../../../proof/head-maker.ts'
import { type Store, types } from '../../../store/open.ts'
import { startProjector } from '../../../store/projector/projector.ts'
import { WrittenJournal } from '../../../store/projector/test/written-journal.ts'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { audit } from '../../audit.ts'
import { readHead } from '../../read.ts'
import { coreVersion, coreVersionsBefore } from '../../row.ts'
import { secret } from '../../secret.ts'
import { saveSnapshot } from '../../snapshots.ts'
import { auditCopy } from '../audit.ts'
import { writeCopy } from '../write.ts'

let server: ScratchServer
let store: Store
let journal: WrittenJournal
let folder: string
let path: string
let at = 1_790_000_000_000
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  store = await server.store()
  folder = mkdtempSync(join(tmpdir(), 'candor-copy-'))
  path = join(folder, 'journal.zst')
  journal = new WrittenJournal(store.pool)
  await journal.open()
})
afterEach(async () => {
  await store[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** The core's users 1 to 19 of the journal have accounts; 20 is nobody's. */
async function register(): Promise<void> {
  await store.pool.query(
    `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
     select gen_random_uuid(), 100000000 + n, n, 'u' || n || '@example.org', 'p', 0, 'en', 'CODE' || n, 'retail', 0 from generate_series(1, 19) n`,
  )
}

/** Trades, and makes the next head at the end. */
async function trade(batches: number): Promise<void> {
  await journal.trade(batches)
  await using projector = await startProjector({ store })
  await projector.reached(journal.seq)
  at += 60_000
  const head = await new HeadMaker({ pool: store.pool, keyFile: headKeyFile(folder), clock: () => at }).turn()
  assert.equal(head?.seq, journal.seq)
}

const linesOf = (file: string): readonly string[] => zstdDecompressSync(readFileSync(file)).toString('latin1').split('\n').slice(0, -1)

/** The first problem of a copy with these lines; undefined when it has none. */
async function problemOf(lines: readonly string[]): Promise<string | undefined> {
  const other = join(folder, 'other.zst')
  writeFileSync(other, zstdCompressSync(lines.map((line) => `${line}\n`).join('')))
  const { ok, problems } = await auditCopy(other)
  assert.equal(ok, problems.length === 0)
  return problems[0]
}

test('PROOF-COPY-001: a copy gives, with nothing but the file, the state, the hash, the newest head and the sums that the audit gives', async () => {
  await trade(12)
  await trade(12)
  const written = await writeCopy(store.pool, path)
  const { hash, journalHash, totals, seq } = await audit({ pool: store.pool })
  assert.deepEqual(written, { seq, hash: journalHash, rows: 25, heads: 2, salts: 0 })
  const told: number[] = []
  const report = await auditCopy(path, (row) => told.push(row))
  const { head, key, receipts, ...others } = report
  assert.deepEqual(others, { ok: true, problems: [], from: 0, seq, hash, journalHash, heads: 2, signedTo: seq, totals })
  assert.deepEqual([receipts?.equal, receipts?.different, receipts?.leaves], [2, 0, 0])
  assert.deepEqual([readHeadText(head)?.n, readHeadText(head)?.hash, key.length], [2, journalHash, 64])
  assert.equal(told.length, 25)
  assert.equal(totals['USDT'] !== undefined, true)
  // A file that is there is nobody's to overwrite.
  await assert.rejects(writeCopy(store.pool, path), { code: 'EEXIST' })
})

test('PROOF-COPY-001: a copy of rows after the newest head, and of an exchange without heads, is right, too', async () => {
  await journal.trade(3)
  await writeCopy(store.pool, path)
  const report = await auditCopy(path)
  assert.deepEqual([report.ok, report.heads, report.signedTo, report.seq], [true, 0, 0, journal.seq])
  await trade(3)
  const signedTo = journal.seq
  await journal.trade(3)
  rmSync(path)
  await writeCopy(store.pool, path)
  const { ok, seq, ...later } = await auditCopy(path)
  assert.deepEqual([ok, later.heads, later.signedTo, seq], [true, 1, signedTo, journal.seq])
})

test('PROOF-COPY-002: a copy in which a line is changed, missing, doubled or in another place is wrong, and so is one that is cut off', async () => {
  await register()
  await trade(3)
  await journal.trade(0)
  await trade(0)
  await trade(3)
  await journal.trade(2)
  await writeCopy(store.pool, path)
  const lines = linesOf(path)
  assert.equal(await problemOf(lines), undefined)
  assert.equal(lines.filter((line) => line.startsWith('{"n"')).length, 3)
  for (const [n, line] of lines.entries()) {
    assert.notEqual(await problemOf(lines.toSpliced(n, 1)), undefined, `line ${n} missing: ${line.slice(0, 60)}`)
    // A line of keys may come again; nothing may come after the end.
    if (!line.startsWith('{"keys"')) assert.notEqual(await problemOf(lines.toSpliced(n, 0, line)), undefined, `line ${n} doubled`)
    if (n > 0)
      assert.notEqual(await problemOf(lines.with(n, lines[n - 1]!).with(n - 1, line)), undefined, `lines ${n - 1} and ${n} swapped`)
    // The places of digits and letters in the line, at most 40 of them.
    const step = Math.max(1, Math.floor(line.length / 40))
    for (let place = n % step; place < line.length; place += step) {
      const other = line.slice(0, place) + (line[place] === '1' ? '2' : '1') + line.slice(place + 1)
      // Another way to write the same number, such as 1e1, would be no change; digits are.
      assert.notEqual(await problemOf(lines.with(n, other)), undefined, `line ${n}, place ${place}`)
    }
  }
  const bytes = readFileSync(path)
  for (const length of [0, 1, bytes.length >> 1, bytes.length - 1]) {
    const other = join(folder, `cut-${length}`)
    writeFileSync(other, bytes.subarray(0, length))
    assert.equal((await auditCopy(other)).ok, false, `${length} bytes`)
  }
})

test('PROOF-COPY-002: what is added, or written in another way, is wrong', async () => {
  await trade(4)
  await writeCopy(store.pool, path)
  const lines = linesOf(path)
  const end = lines.at(-1)!
  const dump = JSON.stringify({ dump: Buffer.from(Exchange.create(secret).dump()).toString('base64') })
  for (const n of lines.keys()) assert.notEqual(await problemOf(lines.toSpliced(n, 0, '{"dump":"AAAA"}')), undefined, `line ${n}`)
  // The state at command 0 would be the file's word, and the report would say that everything was replayed.
  assert.notEqual(await problemOf(lines.toSpliced(1, 0, dump, `{"from":0,"hash":"${'00'.repeat(32)}"}`)), undefined)
  for (const other of [end.replace('{', '{ '), end.replace('{', '{"end":7,')])
    assert.notEqual(await problemOf([...lines.slice(0, -1), other]), undefined, other)
  const payload = lines.findIndex((line) => line.endsWith('A=="}'))
  if (payload >= 0) assert.notEqual(await problemOf(lines.with(payload, lines[payload]!.replace(/A=="}$/, 'B=="}'))), undefined)
  for (const more of [Buffer.from('more'), Buffer.alloc(5), zstdCompressSync('x\n')]) {
    const other = join(folder, 'more.zst')
    writeFileSync(other, Buffer.concat([readFileSync(path), more]))
    assert.equal((await auditCopy(other)).ok, false)
  }
})

test('PROOF-COPY-005: a small file that holds an endless line is wrong within seconds', async () => {
  const bomb = join(folder, 'bomb.zst')
  writeFileSync(bomb, zstdCompressSync(Buffer.alloc(2 ** 26 + 1, 'a')))
  const began = performance.now()
  assert.match((await auditCopy(bomb)).problems[0]!, /too long/)
  assert.ok(performance.now() - began < 60_000)
})

test('PROOF-COPY-005: a small file whose lines are many, or fill the memory together, is wrong before they do', async () => {
  const first = `${JSON.stringify({ journal: 2, core: coreVersion })}\n`
  const bomb = join(folder, 'bombs.zst')
  for (const more of [`{"dump":"${'A'.repeat(2 ** 23)}"}\n`, `{"dump":"${'A'.repeat(2 ** 16)}"}\n`]) {
    writeFileSync(bomb, zstdCompressSync(first + more.repeat(Math.ceil((1.5 * 2 ** 26) / more.length))))
    const { problems } = await auditCopy(bomb)
    assert.match(problems[0]!, /^Line \d+: it says the same too often/)
  }
})

test('PROOF-COPY-003: a copy is made from journal, snapshots, heads and receipts alone: no right to any other table is needed', async () => {
  await trade(3)
  const { pool } = store
  const role = `auditor_${process.pid}`
  await pool.query(`create role ${role} login password 'of a test'`)
  const reader = new pg.Pool({ types, connectionString: Object.assign(new URL(store.url), { username: role, password: 'of a test' }).href })
  try {
    await pool.query(`grant usage on schema public to ${role}`)
    await pool.query(
      `grant select on journal, snapshots, snapshot_chunks, proof_heads, proof_keys, projection, receipts, receipt_users to ${role}`,
    )
    for (const table of ['balances', 'accounts', 'trades']) await assert.rejects(reader.query(`select from ${table}`), { code: '42501' })
    assert.equal((await writeCopy(reader, path)).seq, journal.seq)
  } finally {
    await reader.end()
    await pool.query(`drop owned by ${role}`)
    await pool.query(`drop role ${role}`)
  }
  assert.deepEqual((await auditCopy(path)).problems, [])
})

test('PROOF-COPY-004: where an earlier build decided the first commands, the copy begins with the state that it left, and says so', async () => {
  await trade(3)
  const begun = journal.seq
  const dump = journal.exchange.dump()
  await saveSnapshot(store.pool, { ...(await readHead(store.pool)), coreVersion: coreVersionsBefore.at(-1)!, dump })
  await trade(3)
  await writeCopy(store.pool, path)
  const report = await auditCopy(path)
  assert.deepEqual([report.ok, report.from, report.seq, report.heads], [true, begun, journal.seq, 2])
  assert.equal(report.hash, journal.exchange.hash())
  const lines = linesOf(path)
  assert.match((await problemOf(lines.with(0, lines[0]!.replace(`${coreVersion}`, `${coreVersion + 1}`))))!, /version/)
  // The first head names the beginning: another hash there is noticed.
  const place = lines.findIndex((line) => line.startsWith('{"from"'))
  assert.match((await problemOf(lines.with(place, lines[place]!.replace(/[0-9a-f]{64}/, 'ab'.repeat(32)))))!, /head 1|can.t follow/)
})
