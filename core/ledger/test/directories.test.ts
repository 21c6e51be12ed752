/** Directories list the blocks of owners that have more than one. */
import type { BlockPlace } from '../blocks.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Directories } from '../directories.ts'

const sorted = (blocks: readonly number[]): readonly number[] => blocks.toSorted((a, b) => a - b)

test('FUNDS-ROWS-001: a list has room for its blocks and stays at most three quarters full', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 6, 7, 12, 13, 24, 25].map((blocks) => Directories.sizeFor(blocks)),
    [4, 4, 4, 8, 8, 16, 16, 32, 32, 64],
  )
})

test('FUNDS-ROWS-001: lists of all sizes keep exactly their blocks while other lists come and go', () => {
  const directories = new Directories()
  const lists: { readonly start: number; readonly size: number; readonly blocks: number[] }[] = []
  let next = 6
  for (let round = 0; round < 600; round++) {
    const size = 4 << ((round * 7) % 6)
    const start = directories.take(size)
    assert.deepEqual(directories.all(start, size), [], 'a new list is empty')
    const list = { start, size, blocks: [] as number[] }
    // All searches begin near the end of the list, so that they continue at its beginning.
    for (let n = 0; n < (size * 3) / 4; n++) {
      next += 8
      directories.put(start, size, next as BlockPlace, size - 2 + (n % 3))
      list.blocks.push(next)
    }
    lists.push(list)
    if (round % 3 === 2) {
      const [gone] = lists.splice((round * 13) % lists.length, 1)
      directories.giveBack(gone!.start, gone!.size)
    }
    for (const { start: at, size: width, blocks } of lists.slice(-20)) assert.deepEqual(sorted(directories.all(at, width)), blocks)
  }
  for (const { start, size, blocks } of lists) assert.deepEqual(sorted(directories.all(start, size)), blocks)
})

test('FUNDS-ROWS-001: new lists reuse the memory of removed ones', () => {
  const directories = new Directories()
  const taken = (): readonly number[] => [4, 4, 4, 4, 4, 8, 8, 8, 16, 32].map((size) => directories.take(size))
  const first = taken()
  assert.equal(new Set(first).size, first.length)
  const giveBack = (starts: readonly number[]): void => {
    for (const [n, size] of [4, 4, 4, 4, 4, 8, 8, 8, 16, 32].entries()) {
      directories.put(starts[n]!, size, 99 as BlockPlace, n)
      directories.giveBack(starts[n]!, size)
    }
  }
  for (let round = 0; round < 500; round++) {
    giveBack(first)
    const again = taken()
    assert.equal(new Set(again).size, first.length)
    for (const [n, size] of [4, 4, 4, 4, 4, 8, 8, 8, 16, 32].entries()) assert.deepEqual(directories.all(again[n]!, size), [])
    giveBack(again)
    taken()
  }
  assert.equal(directories.words.length, 1024)
})

test('FUNDS-ROWS-001: small lists share a cache line, which holds nothing else', () => {
  const directories = new Directories()
  const line = (start: number): number => (start - 12) >>> 4
  const four = Array.from({ length: 4 }, () => directories.take(4))
  assert.equal(new Set(four).size, 4)
  assert.equal(new Set(four.map(line)).size, 1)
  const eight = [directories.take(8), directories.take(8)]
  assert.deepEqual([new Set(eight.map(line)).size, line(eight[0]!) === line(four[0]!)], [1, false])
  const [sixteen, large] = [directories.take(16), directories.take(32)]
  assert.deepEqual([(sixteen - 12) % 16, line(large) - line(sixteen)], [0, 1])
})

test('FUNDS-ROWS-005: memory that is allocated at once does not move, and a list beyond it is refused', () => {
  const directories = new Directories()
  const start = directories.take(4)
  directories.put(start, 4, 77 as BlockPlace, 0)
  directories.reserve()
  const { words } = directories
  assert.equal(words.length, 2 ** 27)
  // The first list took a cache line, so the last one finds no room.
  for (let n = 0; n < 1023; n++) directories.take(2 ** 17)
  assert.throws(() => directories.take(2 ** 17), /no room/)
  assert.deepEqual([directories.words === words, directories.all(start, 4)], [true, [77]])
  // A refused list takes no memory, so smaller lists still fit.
  assert.ok(directories.take(2 ** 16) > 0)
})
