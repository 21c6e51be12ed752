import assert from 'node:assert/strict'
import fs, { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import promises, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { StoreFault } from '../../store/fault.ts'
import { readSeen, recordBytes, recordOf, type Seen, WitnessFile } from '../witness-file.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-seen-'))
  path = join(folder, 'witness')
})
afterEach(() => rmSync(folder, { recursive: true }))

const seen = (seq: number, epoch = 2): Seen => ({ epoch, seq, hash: new Uint8Array(32).fill(seq) })
/** Epoch, number and first byte of the hash that a file with this text tells. */
async function told(text: string): Promise<readonly number[]> {
  writeFileSync(path, text)
  const { epoch, seq, hash } = (await readSeen(path))!
  assert.equal(hash.length, 32)
  return [epoch, seq, hash[0]!]
}

test('JOURNAL-WITNESS-003: the records are written in turn and in place, and a new file begins with one', async () => {
  assert.equal(await readSeen(path), undefined)
  const written: string[] = []
  const inodes = new Set<number>()
  {
    await using file = new WitnessFile(path)
    for (const seq of [1, 2, 3, 4]) {
      await file.write(seen(seq))
      written.push(readFileSync(path, 'latin1'))
      inodes.add(statSync(path).ino)
    }
  }
  const [one, two, three, four] = [1, 2, 3, 4].map((seq) => recordOf(seen(seq)))
  assert.deepEqual(written, [one, `${one}${two}`, `${three}${two}`, `${three}${four}`])
  assert.deepEqual([inodes.size, one!.length, recordBytes], [1, 4096, 4096])
  assert.match(one!, /^2 1 (01){32} [0-9a-f]{16} +\n$/)
  await using again = new WitnessFile(path)
  await again.write(seen(5))
  assert.equal(readFileSync(path, 'latin1'), recordOf(seen(5)))
})

test('JOURNAL-WITNESS-003: after a write that failed, the next record begins a new file', async () => {
  await using file = new WitnessFile(path)
  await file.write(seen(1))
  await file[Symbol.asyncDispose]()
  await file.write(seen(2))
  assert.equal(readFileSync(path, 'latin1'), recordOf(seen(2)))
  mkdirSync(`${path}.new`)
  await file[Symbol.asyncDispose]()
  for (const seq of [3, 4]) await assert.rejects(file.write(seen(seq)), { code: 'EISDIR' })
  rmSync(`${path}.new`, { recursive: true })
  await file.write(seen(5))
  assert.equal(readFileSync(path, 'latin1'), recordOf(seen(5)))
})

/** Notes which files are opened, and how often a folder is synced. */
function watched(): Disposable & { readonly handles: FileHandle[]; readonly folders: () => number } {
  const { open } = promises
  const handles: FileHandle[] = []
  const opened = mock.method(promises, 'open', async (...given: Parameters<typeof open>) => {
    const handle = await open(...given)
    handles.push(handle)
    return handle
  })
  const synced = mock.method(fs, 'fsyncSync')
  syncBuiltinESMExports()
  return {
    handles,
    folders: () => synced.mock.callCount(),
    [Symbol.dispose]() {
      opened.mock.restore()
      synced.mock.restore()
      syncBuiltinESMExports()
    },
  }
}
/** Which of the files are still open. */
const areOpen = (handles: readonly FileHandle[]): readonly boolean[] => handles.map(({ fd }) => fd >= 0)

test('JOURNAL-WITNESS-003: a write waits until the record is synced, and the name of a new file too', async () => {
  using files = watched()
  await using file = new WitnessFile(path)
  await file.write(seen(1))
  assert.equal(files.folders(), 1)
  const order: string[] = []
  const [handle] = files.handles as [FileHandle]
  const { datasync } = handle
  handle.datasync = () => (order.push('synced'), datasync.call(handle))
  await file.write(seen(2))
  order.push('written')
  assert.deepEqual([order, files.folders(), files.handles.length], [['synced', 'written'], 1, 1])
  await file[Symbol.asyncDispose]()
  await file[Symbol.asyncDispose]()
  assert.deepEqual(areOpen(files.handles), [false])
})

test('JOURNAL-WITNESS-003: a write that the disk refuses or cuts short fails, and closes the file', async () => {
  using files = watched()
  await using file = new WitnessFile(path)
  await file.write(seen(1))
  const cause = new Error('the disk is full')
  files.handles[0]!.datasync = () => Promise.reject(cause)
  await assert.rejects(file.write(seen(2)), cause)
  await file.write(seen(3))
  assert.equal(readFileSync(path, 'latin1'), recordOf(seen(3)))
  files.handles[1]!.write = (async () => ({ bytesWritten: 5 })) as unknown as FileHandle['write']
  await assert.rejects(file.write(seen(4)), /The disk took 5 of 4096 bytes/)
  await file.write(seen(5))
  assert.equal(readFileSync(path, 'latin1'), recordOf(seen(5)))
  // A folder in its place keeps the new file from getting its name.
  rmSync(path)
  mkdirSync(path)
  await assert.rejects(file.write(seen(6)), { code: 'EISDIR' })
  assert.deepEqual(areOpen(files.handles), [false, false, false, false])
  rmSync(path, { recursive: true })
  await file.write(seen(7))
  assert.equal(readFileSync(path, 'latin1'), recordOf(seen(7)))
})

test('JOURNAL-WITNESS-003: where the file is removed, moved or replaced, the next record begins a new file', async () => {
  await using file = new WitnessFile(path)
  const older = recordOf(seen(1))
  const changes = [() => rmSync(path), () => renameSync(path, `${path}.kept`), () => renameSync(`${path}.kept`, path)]
  await file.write(seen(1))
  for (const [n, change] of changes.entries()) {
    await file.write(seen(10 + n))
    change()
    await file.write(seen(20 + n))
    assert.equal(readFileSync(path, 'latin1'), recordOf(seen(20 + n)))
  }
  // Whoever writes an older text into the same file doesn't stop the newest record from counting.
  writeFileSync(path, older)
  await file.write(seen(30))
  assert.equal((await readSeen(path))!.seq, 30)
})

test('JOURNAL-WITNESS-003: of two records the further one counts, wherever it lies', async () => {
  const [older, newer] = [recordOf(seen(8, 4)), recordOf(seen(9, 3))]
  assert.deepEqual(await told(older + newer), [3, 9, 9])
  assert.deepEqual(await told(newer + older), [3, 9, 9])
  const next = recordOf(seen(9, 5))
  assert.deepEqual(await told(newer + next), [5, 9, 9])
  assert.deepEqual(await told(next + newer), [5, 9, 9])
})

test('JOURNAL-WITNESS-003: a record holds the largest epoch and number', async () => {
  const largest = { epoch: 999_999_999_999_999, seq: Number.MAX_SAFE_INTEGER }
  assert.deepEqual(await told(recordOf({ ...seen(7), ...largest })), [largest.epoch, largest.seq, 7])
})

test('JOURNAL-WITNESS-003: a write that was interrupted anywhere leaves the record before', async () => {
  const [before, last, next] = [6, 7, 8].map((seq) => recordOf(seen(seq)))
  const end = last!.trimEnd().length
  for (let at = 0; at <= recordBytes; at += at < 128 ? 1 : 128) {
    const torn = next!.slice(0, at)
    const whole = at >= end ? 8 : 7
    assert.equal((await told(torn + before!.slice(at) + last))[1], whole, `first at ${at}`)
    assert.equal((await told(last + torn + before!.slice(at)))[1], whole, `second at ${at}`)
    assert.equal((await told(last + torn))[1], at === recordBytes ? 8 : 7, `end at ${at}`)
    assert.equal((await told(last + torn + '\0'.repeat(recordBytes - at)))[1], at === recordBytes ? 8 : 7, `zeros at ${at}`)
  }
})

test('JOURNAL-WITNESS-003: the one line of earlier versions is read as before', async () => {
  const line = `12 34 ${'22'.repeat(32)}\n`
  assert.deepEqual(await told(line), [12, 34, 34])
  assert.deepEqual(await told(line.replace('12', '1'.repeat(15)).replace(' 34', ` ${'1'.repeat(16)}`)), [
    ...[111_111_111_111_111, 1_111_111_111_111_111, 34],
  ])
})

test('JOURNAL-WITNESS-003: a file that is no witness is refused by its name', async () => {
  const line = `12 34 ${'22'.repeat(32)}\n`
  const record = recordOf(seen(34, 12))
  const bad = [
    ...['', 'x', line.trimEnd(), `${line} `, ` ${line}`, `${line}${line}`],
    ...[line.replace('12 ', ' '), line.replace('12 ', '-1 '), line.replace(' 34 ', '  ')],
    ...[line.replace('22', '2'), line.replace('22', '222'), line.replace('22', 'GG')],
    ...[line.replace('12', '1'.repeat(16)), line.replace(' 34', ` ${'1'.repeat(17)}`)],
    ...[record.trimEnd(), `${record.trimEnd()}\n`, record.slice(1), ` ${record}`, record.replace('12', '13'), record.replace('34', '35')],
    ...[record.replace('22', '23'), `x${record.slice(1)}`, record.replace(/ +\n$/, (end) => `x${end.slice(1)}`)],
    ...[`x${record.replace('  ', ' ')}`, `${record.trimEnd()}\n`.padEnd(recordBytes, 'x')],
  ]
  for (const text of bad)
    await assert.rejects(
      told(text),
      { name: 'StoreFault', message: `${path} is not a valid witness file. Check the disk; candor witness accept writes it anew` },
      JSON.stringify(text.trim()),
    )
  rmSync(path)
  mkdirSync(path)
  await assert.rejects(readSeen(path), (refused: Error) => {
    assert.match(refused.message, new RegExp(`^${path} can't be read: EISDIR.+candor witness accept`))
    return refused instanceof StoreFault && (refused.cause as NodeJS.ErrnoException).code === 'EISDIR'
  })
})
