import assert from 'node:assert/strict'
import test from 'node:test'
import { strengthOf } from './password-strength.ts'

test('a password is rated mainly by its length, with its weaknesses', () => {
  const cases: readonly (readonly [string, number, readonly string[]])[] = [
    ['short1', 0, ['short']],
    ['aaaaaaaaaaaa', 1, ['oneKind', 'repeats']],
    ['qwerty1234', 1, ['sequence']],
    ['Tr0ub4dor&3', 2, []],
    ['correct horse battery', 3, []],
    ['Correct horse 42 battery', 4, []],
    ['a'.repeat(129), 0, ['long', 'oneKind', 'repeats']],
  ]
  for (const [password, score, faults] of cases) assert.deepEqual(strengthOf(password), { score, faults }, password)
})

test('parts of the account’s address make a password weak', () => {
  assert.ok(strengthOf('annabell-2026', 'annabell@example.com').faults.includes('contact'))
  assert.ok(!strengthOf('annabell-2026', 'ann@example.com').faults.includes('contact'))
})

test('letters of any alphabet count as letters, and each character once', () => {
  assert.ok(!strengthOf('密碼安全是很重要的事情').faults.includes('short'))
  assert.ok(strengthOf('🔑🔒🗝🔐').faults.includes('short'))
})
