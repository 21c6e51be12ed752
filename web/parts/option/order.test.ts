import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { heldMs, openingQuantity, phaseOf, secondsLeft, shareLeft, standing, winRate } from './order.ts'

const placed: WireOption = {
  id: '7',
  clientId: 'c',
  symbol: 'BTCUSDT',
  direction: 'up',
  stake: '25',
  profitPpm: 840_000,
  profit: '21',
  fee: '0',
  seconds: 30,
  status: 'placed',
  acceptedAt: 100_000,
  strikeFrom: 101_500,
  expiresAt: 131_500,
  windowMs: 3_000,
  gapMaxMs: 3_000,
  guardPpm: 0,
  reference: '67000',
}
const running: WireOption = { ...placed, status: 'running', strike: '67412.5', strikeTick: 9, strikeAt: 101_600 }

test('UI-SECOND-010: an order is placed until its opening price is fixed, runs until its expiry, and is being settled until the exchange reports the result', () => {
  assert.equal(phaseOf(placed, 101_000), 'placed')
  assert.equal(phaseOf(running, 102_000), 'running')
  assert.equal(phaseOf(running, 131_499), 'running')
  assert.equal(phaseOf(running, 131_500), 'closing')
  assert.equal(phaseOf(placed, 131_500), 'closing')
  assert.equal(phaseOf({ ...running, status: 'settled', result: 'win' }, 120_000), 'settled')
})

test('UI-SECOND-011: the countdown ends at zero and starts full', () => {
  assert.deepEqual(
    [100_000, 101_500, 131_000, 131_500, 140_000].map((now) => secondsLeft(running, now)),
    [32, 30, 1, 0, 0],
  )
  assert.deepEqual(
    [100_000, 101_500, 116_500, 131_500, 140_000].map((now) => shareLeft(running, now)),
    [1, 1, 0.5, 0, 0],
  )
})

test('UI-SECOND-012: ahead, behind or level follows from direction and price alone', () => {
  assert.equal(standing(running, '67412.6'), 'ahead')
  assert.equal(standing(running, '67412.4'), 'behind')
  assert.equal(standing(running, '67412.50'), 'level')
  assert.equal(standing({ ...running, direction: 'down' }, '67412.4'), 'ahead')
  assert.equal(standing(placed, '67412.4'), undefined)
  assert.equal(standing(running, undefined), undefined)
})

test('UI-SECOND-013: the opening quantity is the stake at the opening price, rounded down', () => {
  assert.equal(openingQuantity(running, 5), '0.00037')
  assert.equal(openingQuantity({ ...running, stake: '1000', strike: '0.00000003' }, 0), '33333333333')
  assert.equal(openingQuantity(placed, 5), undefined)
})

test('UI-SECOND-014: the win rate counts won and lost orders, rounded down; without any it is undefined', () => {
  assert.equal(winRate(0, 0), undefined)
  assert.equal(winRate(2, 1), '66.6')
  assert.equal(winRate(5, 0), '100.0')
  assert.equal(heldMs(running), undefined)
  assert.equal(heldMs({ ...running, status: 'settled', settledAt: 131_540 }), 31_540)
})
