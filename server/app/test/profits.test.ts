import assert from 'node:assert/strict'
import { test } from 'node:test'
import { profitsOf } from '../funds/worth.ts'

test('FUNDS-PROFIT-006: a day without a price has no value, and neither it nor the next has a profit', () => {
  const dayMs = 86_400_000
  const day = (number: number, worth: string | null, inflow: string | null = '0') => ({ day: number * dayMs, worth, inflow, presales: '0' })
  const days = profitsOf(
    [day(0, '100'), day(1, '110'), day(2, null, null), day(3, '120'), day(4, '125', '10'), day(5, '1')],
    130_000_000n,
    5 * dayMs,
  )
  assert.deepEqual(
    days.map(({ totalUsdt, profitUsdt }) => [totalUsdt, profitUsdt]),
    [
      ['110', '10'],
      [null, null],
      ['120', null],
      ['125', '-5'],
      ['130', '5'],
    ],
  )
})
