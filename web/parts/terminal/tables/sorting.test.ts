import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sortedBy, turned } from './sorting.ts'

test('UI-WIDE-031: a header sorts one way, then the other, then not at all', () => {
  const first = turned(undefined, 'price', false)
  assert.deepEqual(first, { id: 'price', isRising: false })
  const second = turned(first, 'price', false)
  assert.deepEqual(second, { id: 'price', isRising: true })
  assert.equal(turned(second, 'price', false), undefined)
  assert.deepEqual(turned(second, 'side', true), { id: 'side', isRising: true })
})

test('UI-WIDE-031: numbers are sorted by size, words by letters, and rows without a value stay at the end', () => {
  const values = [{ v: 9 }, { v: undefined }, { v: 10 }, { v: -1 }]
  const sorted = (isRising: boolean) => sortedBy(values, ({ v }) => v, isRising).map(({ v }) => v)
  assert.deepEqual(sorted(true), [-1, 9, 10, undefined])
  assert.deepEqual(sorted(false), [10, 9, -1, undefined])
  assert.deepEqual(
    sortedBy(['b', 'a', 'c'], (word) => word, true),
    ['a', 'b', 'c'],
  )
})
