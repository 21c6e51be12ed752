import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Turns } from '../turns.ts'

test('USER-PASSWORD-007: owners take turns in the order in which they came, each with its oldest work', () => {
  const turns = new Turns<number>()
  assert.deepEqual([turns.next(), turns.size, turns.waitingOf('a')], [undefined, 0, 0])
  for (const [owner, work] of [
    ['a', 1],
    ['a', 2],
    ['a', 3],
    ['b', 4],
    ['c', 5],
    ['b', 6],
  ] as const)
    turns.add(owner, work)
  assert.deepEqual([turns.size, turns.waitingOf('a'), turns.waitingOf('b'), turns.waitingOf('d')], [3, 3, 2, 0])
  const done: unknown[] = []
  for (let next = turns.next(); next !== undefined; next = turns.next()) {
    done.push([next.owner, next.work])
    // Work that is added later takes its turn behind the others.
    if (next.work === 1) turns.add('a', 7)
    if (next.work === 5) turns.add('d', 8)
  }
  assert.deepEqual(done, [
    ['a', 1],
    ['b', 4],
    ['c', 5],
    ['a', 2],
    ['b', 6],
    ['d', 8],
    ['a', 3],
    ['a', 7],
  ])
  assert.equal(turns.size, 0)
})

test('USER-PASSWORD-007: the last work of whoever has most is dropped, unless nobody has more than the newcomer or more than one', () => {
  const turns = new Turns<number>()
  assert.equal(turns.dropLongest(0), undefined)
  turns.add('a', 1)
  assert.equal(turns.dropLongest(0), undefined)
  for (const work of [2, 3]) turns.add('b', work)
  for (const work of [4, 5]) turns.add('c', work)
  assert.equal(turns.dropLongest(2), undefined)
  assert.equal(turns.dropLongest(1), 3)
  assert.equal(turns.dropLongest(1), 5)
  assert.deepEqual([turns.dropLongest(1), turns.size], [undefined, 3])
})
