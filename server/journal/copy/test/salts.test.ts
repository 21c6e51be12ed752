import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { readHeadText } from '@candor/core/proof/head.ts'
import { headKeyFile } from '../../../proof/head-key.ts'
import { HeadMaker } from '../../../proof/head-maker.ts'
import type { Store } from '../../../store/open.ts'
import { startProjector } from '../../../store/projector/projector.ts'
import { emptyProjection } from '../../../store/projector/rebuild.ts'
import { WrittenJournal } from '../../../store/projector/test/written-journal.ts'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { readHead } from '../../read.ts'
import { coreVersionsBefore } from '../../row.ts'
import { saveSnapshot } from '../../snapshots.ts'
import { auditCopy, type CopyReport } from '../audit.ts'
import { writeCopy } from '../write.ts'

let server: ScratchServer
let store: Store
let journal: WrittenJournal
let folder: string
let path: string
let at = 0
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  store = await server.store()
  folder = mkdtempSync(join(tmpdir(), 'candor-salts-'))
  path = join(folder, 'journal.zst')
  journal = new WrittenJournal(store.pool)
  at = 1_790_000_000_000
  await journal.open()
})
afterEach(async () => {
  await store[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** Core users from `from` to `to` get accounts. The journal has 20 users. */
async function register(from: number, to: number): Promise<void> {
  await store.pool.query(
    `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
     select gen_random_uuid(), 100000000 + n, n, 'u' || n || '@example.org', 'p', 0, 'en', 'CODE' || n, 'retail', 0 from generate_series($1::int, $2::int) n`,
    [from, to],
  )
}

/** Trades, and makes the next head at the end. Returns how many receipts it names. */
async function trade(batches: number): Promise<number> {
  await journal.trade(batches, 20, 2_000)
  await using projector = await startProjector({ store })
  await projector.reached(journal.seq)
  at += 60_000
  return (await new HeadMaker({ pool: store.pool, keyFile: headKeyFile(folder), clock: () => at }).turn())!.receipts.size
}

type Line = Record<string, unknown> & { salts?: string; text?: string; users?: [number, string][] }

const copied = async (): Promise<Line[]> => {
  await writeCopy(store.pool, path)
  const text = zstdDecompressSync(readFileSync(path)).toString('latin1')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

async function auditLines(lines: readonly Line[]): Promise<CopyReport> {
  const other = join(folder, 'other.zst')
  writeFileSync(other, zstdCompressSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
  return auditCopy(other)
}

/** How the copy is checked with `salts` of the line at `index`. */
const withSalts = (lines: readonly Line[], index: number, salts: Buffer): Promise<CopyReport> =>
  auditLines(lines.with(index, { ...lines[index]!, salts: salts.toString('base64') }))

const saltsOf = (line: Line): Buffer => Buffer.from(line.salts!, 'base64')

test('PROOF-COPY-007: every head’s receipts are made again from the journal and the salts, and equal those it names, also where it has none', async () => {
  await register(1, 19)
  const sizes = [await trade(5), await trade(0), await trade(40)]
  await journal.trade(3)
  assert.ok(sizes[0]! > 0 && sizes[1] === 0 && sizes[2]! > 100, sizes.join())
  const written = await writeCopy(store.pool, path)
  const { ok, problems, receipts } = await auditCopy(path)
  assert.deepEqual([ok, problems], [true, []])
  const { without, usersWithout, firstWithout, ...others } = receipts!
  const leaves = sizes[0]! + sizes[2]!
  assert.deepEqual([written.salts, others], [leaves, { equal: 3, different: 0, first: undefined, unknown: 0, leaves }])
  // User 20 has no account.
  const { rows } = await store.pool.query(
    'select count(*) as n, min(seq) as first from receipts where user_id = 20 and seq <= (select max(seq) from proof_heads)',
  )
  assert.ok(without > 0)
  assert.deepEqual([without, usersWithout, firstWithout], [rows[0].n, 1, rows[0].first])
})

test('PROOF-COPY-007: a customer whose account came later has leaves from the head on that names the first', async () => {
  await register(1, 10)
  const early = await trade(20)
  await register(11, 19)
  const later = await trade(20)
  const { ok, receipts } = await auditCopy((await copied(), path))
  assert.deepEqual([ok, receipts?.equal, receipts?.leaves], [true, 2, early + later])
  const { rows } = await store.pool.query('select count(*) as n from receipts')
  assert.equal(receipts!.without, rows[0].n - early - later)
})

test('PROOF-COPY-008: a changed, lost, doubled or moved salt is told with the first head that differs, and the other heads are still compared', async () => {
  await register(1, 19)
  await trade(4)
  await trade(4)
  await trade(4)
  const lines = await copied()
  const heads = lines.flatMap((line, index) => (line.text === undefined ? [] : [index]))
  for (const [index, line] of lines.entries()) {
    if (line.salts === undefined) continue
    const own = saltsOf(line)
    const [first, rest, last] = [own.subarray(0, 32), own.subarray(32), own.subarray(-32)]
    const flipped = [index % own.length, (index * 7) % own.length].map((place) =>
      own.map((byte, n) => (n === place ? byte ^ (1 << (index % 8)) : byte)),
    )
    const others = [...flipped, rest, own.subarray(0, -32), Buffer.concat([own, last]), Buffer.concat([rest, first])]
    const head = heads.filter((each) => each < index).length
    for (const other of others.filter(({ length }) => length > 0).filter((each) => !own.equals(each))) {
      const { ok, problems, receipts, hash } = await withSalts(lines, index, Buffer.from(other))
      assert.deepEqual([ok, problems.length, receipts?.equal, receipts?.different, hash !== ''], [false, 1, 2, 1, true])
      assert.match(
        problems[0]!,
        new RegExp(`^Line \\d+: head ${head} has other receipts than the journal: (it names|the row that ends at) \\d+ `),
      )
    }
    const { salts: _, ...without } = line
    assert.match((await auditLines(lines.with(index, without))).problems[0]!, new RegExp(`head ${head} has other receipts|has no receipt`))
  }
})

test('PROOF-COPY-008: a receipt that the exchange left out of a signed tree, and one with other lines, is found', async () => {
  await register(1, 19)
  await trade(6)
  const { rows } = await store.pool.query(
    'select seq, user_id as user, lines from receipts where user_id < 20 order by seq offset 5 limit 2',
  )
  await store.pool.query('delete from proof_heads; delete from proof_nodes; delete from receipt_trees')
  await store.pool.query('delete from receipts where seq = $1 and user_id = $2', [rows[0].seq, rows[0].user])
  await trade(0)
  const left = await auditCopy((await copied(), path))
  assert.deepEqual([left.ok, left.receipts?.different], [false, 1])
  assert.match(
    left.problems[0]!,
    /head 1 has other receipts than the journal: the row that ends at \d+ gives (\d+) receipts, and has (\d+) salts/,
  )

  await store.pool.query('delete from proof_heads; delete from proof_nodes; delete from receipt_trees')
  await store.pool.query('insert into receipts values ($1, $2, (select min(at_ms) from receipts), $3)', [
    rows[0].seq,
    rows[0].user,
    rows[1].lines,
  ])
  rmSync(path)
  await trade(0)
  const changed = await auditCopy((await copied(), path))
  assert.match(
    changed.problems[0]!,
    /head 1 has other receipts than the journal: it names (\d+) with the root [0-9a-f]{64}, the journal gives \1 with/,
  )
})

test('PROOF-COPY-008: a user under another UID, number or place, lost, doubled or made up, is noticed', async () => {
  await register(1, 19)
  await trade(4)
  await trade(4)
  const lines = await copied()
  const problemOf = async (index: number, users: [number, string][]): Promise<string> => {
    const { ok, problems } = await auditLines(users.length === 0 ? lines.toSpliced(index, 1) : lines.with(index, { users }))
    assert.equal(ok, false)
    return problems[0]!
  }
  for (const [index, { users }] of lines.entries().filter(([, line]) => line.users !== undefined)) {
    assert.match(await problemOf(index, []), /head 1 has other receipts|came before/)
    for (const [n, [user, uid]] of users!.entries()) {
      assert.match(await problemOf(index, users!.with(n, [user, '987654321'])), /head 1 has other receipts/)
      assert.match(await problemOf(index, users!.with(n, [user + 100, uid])), /has no receipt/)
      assert.match(await problemOf(index, users!.toSpliced(n, 1)), /head 1 has other receipts/)
      assert.match(await problemOf(index, users!.toSpliced(n, 0, [user, '987654321'])), /came before/)
      assert.match(await problemOf(index, users!.toSpliced(n, 0, [77, '987654321'])), /has no receipt/)
    }
    assert.match(
      (await auditLines(lines.toSpliced(index, 1).toSpliced(index + 1, 0, lines[index]!))).problems[0]!,
      /has no receipt|has other receipts|out of place/,
    )
  }
})

test('PROOF-COPY-013: two users with the same UID are refused', async () => {
  await register(1, 19)
  await trade(4)
  const lines = await copied()
  const given = lines.flatMap(({ users }) => users ?? [])
  const [[, uid], [last]] = [given[0]!, given.at(-1)!]
  const same = lines.map((line) => ({
    ...line,
    ...(line.users && { users: line.users.map((one): [number, string] => (one[0] === last ? [last, uid] : one)) }),
  }))
  assert.match((await auditLines(same)).problems[0]!, new RegExp(`the UID ${uid} is given to two users`))
})

test('PROOF-COPY-009: a copy of the earlier form, without salts, is checked as before, and says that its receipts were not', async () => {
  await register(1, 19)
  await trade(4)
  await trade(4)
  const lines = await copied()
  const heads = lines.filter(({ text }) => text !== undefined)
  const others = lines.filter(({ text, users }) => text === undefined && users === undefined)
  const rows = others.map(({ salts: _, ...line }) => line)
  const earlier = [{ ...rows[0]!, journal: 1 }, rows[1]!, ...heads, ...rows.slice(2)]
  const { ok, problems, receipts, seq, heads: count } = await auditLines(earlier)
  assert.deepEqual([ok, problems, receipts, seq, count], [true, [], undefined, journal.seq, 2])
  // Neither form passes for the other.
  for (const mixed of [earlier.with(0, lines[0]!), lines.with(0, earlier[0]!), [...earlier.slice(0, 2), ...lines.slice(2)]])
    assert.equal((await auditLines(mixed)).ok, false)
  for (const [n, line] of lines.entries().filter(([, line]) => line.users !== undefined || line.salts !== undefined))
    assert.equal((await auditLines(earlier.toSpliced(4, 0, line))).ok, false, `line ${n}`)
})

test('PROOF-COPY-010: heads over commands before the beginning of the copy are counted as not checked, and later ones are compared', async () => {
  await register(1, 19)
  await trade(3)
  await journal.trade(2)
  const dump = journal.exchange.dump()
  await saveSnapshot(store.pool, { ...(await readHead(store.pool)), coreVersion: coreVersionsBefore.at(-1)!, dump })
  await trade(3)
  await register(20, 20)
  const size = await trade(30)
  const { ok, from, problems, receipts } = await auditCopy((await copied(), path))
  assert.deepEqual([ok, problems, from > 0], [true, [], true])
  assert.deepEqual([receipts?.equal, receipts?.different, receipts?.unknown, receipts?.leaves], [1, 0, 2, size])
})

test('PROOF-COPY-010: commands from before the first version with receipts have none, which the copy says', async () => {
  await register(1, 19)
  const start = journal.seq + 5
  await store.pool.query('update projection set receipts_after = $1', [start])
  await trade(3)
  await trade(3)
  const { problems, receipts } = await auditCopy((await copied(), path))
  assert.deepEqual([problems, receipts?.equal], [[], 2])
  assert.ok(receipts!.firstWithout! <= start && receipts!.without > 0)
})

test('PROOF-COPY-011: no copy is written while the tables of receipts are behind the newest head', async () => {
  await register(1, 19)
  await trade(3)
  await emptyProjection(store.pool)
  await assert.rejects(writeCopy(store.pool, path), /are being written again/)
})

test('PROOF-COPY-012: a copy has no secret, and no salt of a command that no head covers', async () => {
  await register(1, 19)
  await trade(4)
  await journal.trade(6)
  const lines = await copied()
  const heads = lines.filter(({ text }) => text !== undefined).map(({ text }) => readHeadText(text!)!)
  const later = lines.filter(({ row }) => Array.isArray(row) && row[0] > heads.at(-1)!.seq)
  assert.ok(later.length === 6 && later.every(({ salts }) => salts === undefined))
  const text = JSON.stringify(lines)
  const { rows } = await store.pool.query<{ secret: Buffer }>('select secret from receipt_users')
  assert.equal(rows.length, 19)
  for (const { secret } of rows) assert.ok(!text.includes(secret.toString('hex')) && !text.includes(secret.toString('base64').slice(0, 40)))
  // Salts of one row stand one behind the other: none of them begins with a secret either.
  const salts = lines.flatMap((line) => (line.salts === undefined ? [] : [saltsOf(line)]))
  assert.ok(rows.every(({ secret }) => salts.every((bytes) => !bytes.includes(secret))))
})
