import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remembering } from './remembering.ts'

test('a result is computed once while it is remembered, and undefined is a result', () => {
  const asked: string[] = []
  const lengthOf = remembering(10, (text) => {
    asked.push(text)
    return text === '' ? undefined : text.length
  })
  assert.deepEqual(['ab', 'ab', '', ''].map(lengthOf), [2, 2, undefined, undefined])
  assert.deepEqual(asked, ['ab', ''])
})

test('a full memory is emptied, and results stay right', () => {
  const asked: string[] = []
  const same = remembering(2, (text) => {
    asked.push(text)
    return text
  })
  assert.deepEqual(['a', 'b', 'a', 'c', 'c', 'a'].map(same), ['a', 'b', 'a', 'c', 'c', 'a'])
  assert.deepEqual(asked, ['a', 'b', 'c', 'a'], 'a and b were forgotten for c')
})

test('texts of more than 64 characters are not kept', () => {
  let count = 0
  const counted = remembering(10, () => ++count)
  assert.deepEqual(['x'.repeat(65), 'x'.repeat(65), 'x'.repeat(64), 'x'.repeat(64)].map(counted), [1, 2, 3, 3])
})
