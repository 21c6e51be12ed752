import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergedFavourites, movedBy, toggled } from './ordering.ts'

test('a star adds at the end and takes away', () => {
  assert.deepEqual(toggled(['A'], 'B'), ['A', 'B'])
  assert.deepEqual(toggled(['A', 'B', 'C'], 'B'), ['A', 'C'])
})

test('an entry moves by places and stops at the ends', () => {
  const list = ['A', 'B', 'C', 'D']
  assert.deepEqual(movedBy(list, 'B', 1), ['A', 'C', 'B', 'D'])
  assert.deepEqual(movedBy(list, 'D', -2), ['A', 'D', 'B', 'C'])
  assert.deepEqual(movedBy(list, 'A', -1), list)
  assert.deepEqual(movedBy(list, 'B', 99), ['A', 'C', 'D', 'B'])
  assert.deepEqual(movedBy(list, 'X', 1), list)
})

test('UI-PREFERENCE-001: a visitor’s favourites follow those of the account, each once, at most 200', () => {
  assert.deepEqual(mergedFavourites({ symbols: ['B', 'A'] }, { symbols: ['C', 'A'] }), { symbols: ['B', 'A', 'C'] })
  assert.deepEqual(mergedFavourites(undefined, { symbols: ['C'] }), { symbols: ['C'] })
  const many = Array.from({ length: 199 }, (_, n) => `M${n}`)
  assert.deepEqual(mergedFavourites({ symbols: many }, { symbols: ['X', 'Y'] }), { symbols: [...many, 'X'] })
})
