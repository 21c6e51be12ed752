import assert from 'node:assert/strict'
import { test } from 'node:test'
import { borrowModeOf } from './choice.ts'
import { borrows, spendable } from './loan.ts'

const sums = { available: '100.5', held: '3', borrowed: '0', interest: '0', borrowable: '950', orderLoan: '899.5' }
const balance = { asset: 'USDT', ...sums, hourlyRate: '0.0005' }

test('UI-LEVER-003: an order spends the available balance and, with automatic borrowing, the possible loan', () => {
  assert.equal(spendable(balance, false, 6), '100.5')
  assert.equal(spendable(balance, true, 6), '1000')
  assert.equal(spendable(undefined, true, 6), '0')
})

test('UI-LEVER-004: an order borrows the sum that exceeds the available balance, and nothing if that suffices', () => {
  assert.equal(borrows('250.75', balance, 6), '150.25')
  assert.equal(borrows('100.5', balance, 6), '0')
  assert.equal(borrows(undefined, balance, 6), '0')
  assert.deepEqual(
    [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ].map(([borrow, repay]) => borrowModeOf({ borrows: borrow === true, repays: repay === true })),
    ['none', 'borrow', 'repay', 'both'],
  )
})
