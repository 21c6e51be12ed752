import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Store } from '../../store/open.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { emptyHead, type Head } from '../row.ts'
import { readSeen, recordOf } from '../witness-file.ts'
import { acceptDatabase, checkWitness, demandWitness, nameOf, Witness } from '../witness.ts'

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
  await store.pool.query('delete from journal; update leader set epoch = 0')
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

test('JOURNAL-WITNESS-002: an accepted database keeps its head, and its epochs go on from the highest ever given', async () => {
  await write(2, 5)
  const nine = recordOf({ epoch: 9, ...headOf(8) })
  const epochs = async (epoch: number, text: string | undefined, nowMs: number): Promise<number> => {
    await store.pool.query('update leader set epoch = $1', [epoch])
    rmSync(path, { force: true })
    if (text !== undefined) writeFileSync(path, text)
    const { before: was, now } = await acceptDatabase(store.pool, folder, nowMs)
    assert.deepEqual(was === undefined ? undefined : recordOf(was), text?.endsWith('\n') ? text : undefined)
    assert.deepEqual([now.seq, [...now.hash]], [5, [...headOf(5).hash]])
    assert.deepEqual(await told(), seenOf(now.epoch, headOf(5)))
    return now.epoch
  }
  assert.equal(await epochs(7, nine, 5_000_999), 9)
  assert.equal(await epochs(12, nine, 5_000_999), 12)
  assert.equal(await epochs(7, undefined, 5_000_999), 5_000)
  assert.equal(await epochs(7, 'damaged', 5_000_999), 5_000)
  assert.equal(await epochs(6_000, undefined, 5_000_999), 6_000)
  rmSync(path)
  const { now } = await acceptDatabase(store.pool, folder)
  assert.ok(Math.abs(now.epoch - Date.now() / 1_000) < 3_600)
})

test('JOURNAL-WITNESS-004: a database that never had a leader is accepted too', async () => {
  await using empty = await server.store()
  await empty.pool.query('delete from leader')
  writeFileSync(path, recordOf({ epoch: 4, ...headOf(8) }))
  assert.deepEqual((await acceptDatabase(empty.pool, folder)).now, { epoch: 4, ...emptyHead })
})
