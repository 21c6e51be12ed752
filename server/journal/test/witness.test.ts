import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Store } from '../../store/open.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { takeLeadership } from '../leadership.ts'
import { emptyHead, type Head } from '../row.ts'
import { readSeen, recordOf, type Seen } from '../witness-file.ts'
import { checkWitnesses, peersWaitMs, type WitnessPeers } from '../witness-peers.ts'
import { acceptDatabase, checkSeen, checkWitness, demandWitness, nameOf, Witness } from '../witness.ts'

let server: ScratchServer
let store: Store
let folder: string
let path: string
before(async () => {
  server = await startScratchServer()
  store = await server.store()
})
after(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-seen-'))
  path = join(folder, 'witness')
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  await store.pool.query('delete from journal; update leader set epoch = 0, accepted_epoch = 0')
})

const headOf = (seq: number): Head => ({ seq, hash: new Uint8Array(32).fill(seq) })
/** Reads the witness's file as plain values. */
async function told(): Promise<readonly unknown[]> {
  const seen = await readSeen(path)
  return seen === undefined ? [] : [seen.epoch, seen.seq, [...seen.hash]]
}
const seenOf = (epoch: number, { seq, hash }: Head): readonly unknown[] => [epoch, seq, [...hash]]
async function write(...seqs: readonly number[]): Promise<void> {
  for (const seq of seqs) {
    const { hash } = headOf(seq)
    await store.pool.query('insert into journal values ($1, 1, 1, 1, 5, $2, $2, $2, $2)', [seq, Buffer.from(hash)])
  }
}
/** Resolves when the file holds these values. */
async function untilTold(seen: readonly unknown[]): Promise<void> {
  while (!isDeepStrictEqual(await told(), seen)) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('JOURNAL-WITNESS-001: what was noted last is in the file a moment later, under the highest epoch', async () => {
  const witness = await Witness.open(folder)
  assert.deepEqual(witness.seen, { epoch: 0, ...emptyHead })
  witness.note(3, headOf(7))
  witness.note(2, headOf(8))
  assert.deepEqual(witness.seen, { epoch: 3, ...headOf(8) })
  assert.equal(existsSync(path), false)
  await untilTold(seenOf(3, headOf(8)))
  witness.note(4, headOf(9))
  await untilTold(seenOf(4, headOf(9)))
  const again = await Witness.open(folder)
  assert.deepEqual([again.seen.epoch, again.seen.seq, [...again.seen.hash]], [4, 9, [...headOf(9).hash]])
  await again[Symbol.asyncDispose]()
  await witness[Symbol.asyncDispose]()
  assert.deepEqual(readdirSync(folder), ['witness'])
})

test('JOURNAL-WITNESS-003: the file is written at most every 100 ms, and at once when the witness is flushed or closed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const witness = await Witness.open(folder)
  await witness.flush()
  assert.equal(existsSync(path), false, 'nothing was noted')
  witness.note(1, headOf(1))
  t.mock.timers.tick(60)
  witness.note(1, headOf(2))
  t.mock.timers.tick(39)
  assert.equal(existsSync(path), false)
  await witness.flush()
  assert.deepEqual(await told(), seenOf(1, headOf(2)))
  rmSync(path)
  t.mock.timers.tick(200)
  await witness.flush()
  assert.equal(existsSync(path), false, 'nothing new was noted')
  witness.note(1, headOf(3))
  t.mock.timers.tick(99)
  witness.note(1, headOf(4))
  t.mock.timers.tick(1)
  // Waits for the write that the timer began.
  await witness.flush()
  assert.deepEqual(await told(), seenOf(1, headOf(4)))
  witness.note(1, headOf(5))
  await witness[Symbol.asyncDispose]()
  assert.deepEqual(await told(), seenOf(1, headOf(5)))
})

test('JOURNAL-WITNESS-003: the witness is its owner’s alone', {
  skip: process.platform === 'win32' && 'needs permissions of files',
}, async () => {
  const inner = join(folder, 'a', 'b')
  await using witness = await Witness.open(inner)
  witness.note(1, headOf(1))
  await witness.flush()
  assert.equal(statSync(inner).mode & 0o777, 0o700)
  assert.equal(statSync(join(inner, 'witness')).mode & 0o777, 0o600)
  const other = join(folder, 'c', 'd')
  await acceptDatabase(store.pool, other)
  assert.equal(statSync(other).mode & 0o777, 0o700)
})

test('JOURNAL-WITNESS-003: a write that fails is told, and made up for by the next', async () => {
  const faults: unknown[] = []
  await using witness = await Witness.open(folder, (cause) => faults.push(cause))
  mkdirSync(`${path}.new`)
  witness.note(1, headOf(1))
  while (faults.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal((faults[0] as NodeJS.ErrnoException).code, 'EISDIR')
  await assert.rejects(witness.flush(), { code: 'EISDIR' })
  rmSync(`${path}.new`, { recursive: true })
  await witness.flush()
  assert.deepEqual(await told(), seenOf(1, headOf(1)))
  const quiet = await Witness.open(folder)
  mkdirSync(`${path}.new`)
  quiet.note(1, headOf(2))
  await assert.rejects(quiet.flush(), { code: 'EISDIR' })
})

test('JOURNAL-WITNESS-003: flushes at the same time are written one after the other', async () => {
  await using witness = await Witness.open(folder)
  const flushes: Promise<void>[] = []
  for (let seq = 1; seq <= 5; seq++) {
    witness.note(1, headOf(seq))
    flushes.push(witness.flush())
  }
  await Promise.all(flushes)
  assert.deepEqual(await told(), seenOf(1, headOf(5)))
  assert.deepEqual(readdirSync(folder), ['witness'])
})

test('JOURNAL-WITNESS-003: a file that is no witness is refused by its name', async () => {
  writeFileSync(path, 'x')
  const refused = { name: 'StoreFault', message: new RegExp(`^${path} is not a valid witness file`) }
  await assert.rejects(Witness.open(folder), refused)
  await assert.rejects(checkWitness(store.pool, folder), refused)
  await assert.rejects(demandWitness(store.pool, folder), refused)
})

test('JOURNAL-WITNESS-001: a database without the acknowledged row, or with another in its place, was rolled back', async () => {
  const nothing = await Witness.open(folder)
  await nothing.check(store.pool)
  await checkWitness(store.pool, folder)
  writeFileSync(path, recordOf({ epoch: 2, ...headOf(6) }))
  const witness = await Witness.open(folder)
  const rolledBack = (head: Head) => ({
    name: 'RolledBack',
    message: new RegExp(
      `its journal ends at ${literal(nameOf(head))}, but ${literal(nameOf(headOf(6)))} was acknowledged\\. .+: candor witness accept$`,
    ),
  })
  await assert.rejects(witness.check(store.pool), rolledBack(emptyHead))
  await assert.rejects(checkWitness(store.pool, folder), rolledBack(emptyHead))
  await write(3)
  await assert.rejects(witness.check(store.pool), rolledBack(headOf(3)))
  await write(6, 9)
  await witness.check(store.pool)
  await checkWitness(store.pool, folder)
  await store.pool.query("update journal set hash = decode(repeat('07', 32), 'hex') where seq = 6")
  await assert.rejects(witness.check(store.pool), rolledBack(headOf(9)))
  assert.equal(nameOf(headOf(6)), 'command 6 (hash 0606060606060606…)')
})

const literal = (text: string): string => text.replace(/[()]/g, '\\$&')

test('JOURNAL-WITNESS-005: a journal with commands demands a witness, an empty one none', async () => {
  await demandWitness(store.pool, folder)
  await write(2)
  await assert.rejects(demandWitness(store.pool, folder), {
    name: 'NoWitness',
    message: new RegExp(`^${path} is missing.+: candor witness accept$`),
  })
  writeFileSync(path, recordOf({ epoch: 0, ...emptyHead }))
  await demandWitness(store.pool, folder)
})

test('JOURNAL-WITNESS-005: an accepted database keeps its head, and its epochs go on from the seconds since 1970, or the highest known', async () => {
  await write(2, 5)
  const nine = recordOf({ epoch: 9, ...headOf(8) })
  const epochs = async (epoch: number, text: string | undefined, nowMs: number): Promise<number> => {
    await store.pool.query('update leader set epoch = $1, accepted_epoch = 0', [epoch])
    rmSync(path, { force: true })
    if (text !== undefined) writeFileSync(path, text)
    const { before: was, now } = await acceptDatabase(store.pool, folder, nowMs)
    assert.deepEqual(was === undefined ? undefined : recordOf(was), text?.endsWith('\n') ? text : undefined)
    assert.deepEqual([now.seq, [...now.hash]], [5, [...headOf(5).hash]])
    assert.deepEqual(await told(), seenOf(now.epoch, headOf(5)))
    assert.equal((await store.pool.query('select accepted_epoch from leader')).rows[0].accepted_epoch, now.epoch)
    return now.epoch
  }
  assert.equal(await epochs(7, nine, 5_000_999), 5_000)
  assert.equal(await epochs(7, nine, 0), 10)
  assert.equal(await epochs(12, nine, 0), 13)
  assert.equal(await epochs(7, 'damaged', 5_000_999), 5_000)
  assert.equal(await epochs(6_000, undefined, 5_000_999), 6_001)
  rmSync(path)
  const { now } = await acceptDatabase(store.pool, folder)
  assert.ok(Math.abs(now.epoch - Date.now() / 1_000) < 3_600)
})

test('JOURNAL-WITNESS-004: a database that never had a leader, or is of an earlier version, is accepted too', async () => {
  await using empty = await server.store()
  await empty.pool.query('delete from leader')
  writeFileSync(path, recordOf({ epoch: 4, ...headOf(8) }))
  assert.deepEqual((await acceptDatabase(empty.pool, folder, 0)).now, { epoch: 5, ...emptyHead })
  await empty.pool.query('insert into leader (epoch) values (8); alter table leader drop column accepted_epoch')
  await assert.rejects(checkSeen(empty.pool, { epoch: 4, ...headOf(8) }), { name: 'RolledBack' })
  assert.equal((await acceptDatabase(empty.pool, folder, 0)).now.epoch, 9)
})

test('JOURNAL-WITNESS-007: once a database is accepted, witnesses of all machines that saw earlier epochs count no more', async () => {
  await write(2)
  const elsewhere: readonly Seen[] = [
    { epoch: 6, ...headOf(8) },
    { epoch: 7, ...headOf(9) },
  ]
  for (const seen of elsewhere) await assert.rejects(checkSeen(store.pool, seen), { name: 'RolledBack' })
  const { now } = await acceptDatabase(store.pool, folder, 20_000)
  for (const seen of elsewhere) assert.equal(await checkSeen(store.pool, seen), false)
  const { epoch, furthest, acceptedEpoch } = await checkWitnesses(store.pool, await Witness.open(folder), { ask: async () => elsewhere })
  assert.deepEqual([epoch, furthest?.seq, acceptedEpoch], [now.epoch, 2, now.epoch])
  const later = { epoch: now.epoch, ...headOf(4) }
  await assert.rejects(checkSeen(store.pool, later), { name: 'RolledBack' }, 'what was acknowledged after it counts')
  await store.pool.query('update leader set accepted_epoch = 0')
  for (const seen of elsewhere) await assert.rejects(checkSeen(store.pool, seen), { name: 'RolledBack' }, 'rolled back to before the mark')
})

test('JOURNAL-WITNESS-008: one witness of any machine that saw more objects; those that don’t answer are not waited for', async () => {
  await write(3)
  const witness = await Witness.open(folder)
  witness.note(4, headOf(3))
  const peers = (...seen: readonly Seen[]) => ({ ask: async () => seen })
  const check = (others: Pick<WitnessPeers, 'ask'>) => checkWitnesses(store.pool, witness, others)
  assert.deepEqual(await check(peers()), { epoch: 4, furthest: { epoch: 4, ...headOf(3) }, acceptedEpoch: 0 })
  assert.equal((await check(peers({ epoch: 9, ...emptyHead }, { epoch: 2, ...headOf(3) }))).epoch, 9)
  await assert.rejects(check(peers({ epoch: 4, ...headOf(3) }, { epoch: 3, ...headOf(5) })), {
    name: 'RolledBack',
    message: /ends at command 3 .+ but command 5 /,
  })
  await assert.rejects(check(peers({ epoch: 4, seq: 3, hash: headOf(9).hash })), { name: 'RolledBack' })
  assert.equal((await check({ ask: () => Promise.reject(new Error('no bus')) })).epoch, 4)
  const began = performance.now()
  assert.equal((await check({ ask: () => new Promise(() => undefined) })).epoch, 4)
  assert.ok(performance.now() - began >= peersWaitMs)
  await witness[Symbol.asyncDispose]()
})

test('JOURNAL-WITNESS-009: an epoch that none can have seen yet is not continued, and what else its witness saw counts', async () => {
  await write(3)
  const nowMs = 1_790_000_000_000
  const year = 366 * 86_400
  const check = (...seen: readonly Seen[]) => checkWitnesses(store.pool, undefined, { ask: async () => seen }, nowMs)
  const [last, never] = [1_790_000_000 + year, 1_790_000_001 + year]
  assert.equal((await check({ epoch: last, ...headOf(3) }, { epoch: never, ...emptyHead })).epoch, last)
  assert.equal((await check({ epoch: Number.MAX_SAFE_INTEGER, ...headOf(3) })).furthest?.seq, 3)
  await assert.rejects(check({ epoch: Number.MAX_SAFE_INTEGER, ...headOf(5) }), { name: 'RolledBack' })
  const { epoch } = await check({ epoch: Number.MAX_SAFE_INTEGER, ...emptyHead })
  for (const next of [1, 2]) assert.equal(await takeLeadership(store.pool, epoch), next)
})

test('a witness on another machine follows the leader, and no leader of a database that lacks what it saw', async () => {
  await write(3, 5)
  const witness = await Witness.open(folder)
  const seenNow = (): readonly unknown[] => seenOf(witness.seen.epoch, witness.seen)
  const follow = (epoch: number, seq: number, acceptedEpoch = 0) => witness.follow(store.pool, { epoch, ...headOf(seq), acceptedEpoch })
  await follow(2, 3)
  assert.deepEqual(seenNow(), seenOf(2, headOf(3)))
  await follow(2, 2)
  await follow(1, 9)
  assert.deepEqual(seenNow(), seenOf(2, headOf(3)), 'late ones')
  await follow(3, 5)
  await follow(3, 7)
  assert.deepEqual(seenNow(), seenOf(3, headOf(7)))
  for (const seq of [6, 7, 12]) await assert.rejects(follow(4, seq), { name: 'RolledBack' })
  await assert.rejects(follow(4, 12, 3), { name: 'RolledBack' })
  assert.deepEqual(seenNow(), seenOf(3, headOf(7)), 'it keeps what it saw')
  await follow(5, 6, 4)
  assert.deepEqual(seenNow(), seenOf(5, headOf(6)), 'a person accepted')
  await witness[Symbol.asyncDispose]()
})
