import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lots } from '@candor/core/money/brand.ts'
import type { WireLevel } from '@candor/core/protocol/wire/market.ts'
import { asksBefore, cautionOf, reachPpm } from './asks.ts'

const none = { unasked: [] } as const
const limitOnly = { unasked: ['limit'] } as const

test('UI-LAYOUT-003: each kind of order is confirmed unless its owner switched that off', () => {
  assert.equal(asksBefore(none, 'limit', undefined), true)
  assert.equal(asksBefore(limitOnly, 'limit', undefined), false)
  assert.equal(asksBefore(limitOnly, 'market', undefined), true)
})

test('UI-LAYOUT-004: high leverage, a loan, and a market order that reaches far into the book are always confirmed', () => {
  const cases = [
    [{}, undefined],
    [{ leverage: 5 }, undefined],
    [{ leverage: 6 }, 'leverage'],
    [{ takesLoan: true }, 'loan'],
    [{ market: { reachPpm: 5_000 } }, undefined],
    [{ market: { reachPpm: 5_001 } }, 'reach'],
    [{ market: { reachPpm: undefined } }, 'reach'],
    [{ leverage: 10, takesLoan: true }, 'leverage'],
  ] as const
  for (const [risk, expected] of cases) assert.equal(cautionOf(risk), expected, JSON.stringify(risk))
  assert.equal(asksBefore(limitOnly, 'limit', 'leverage'), true)
})

test('UI-LAYOUT-004: the reach of a market order is that of its last part, rounded up, on both sides of the book', () => {
  const market = { tick: '0.1', lot: '0.001' } as const
  const asks: readonly WireLevel[] = [
    ['100.0', '1'],
    ['100.5', '1'],
    ['100.7', '1'],
  ]
  const bids: readonly WireLevel[] = [
    ['99.9', '0.5'],
    ['99.0', '0.5'],
  ]
  const reach = (levels: readonly WireLevel[], lots: number) => reachPpm(levels, lots as Lots, market)
  assert.deepEqual(
    [1, 1_000, 1_001, 2_000, 2_001, 3_000, 3_001].map((lots) => reach(asks, lots)),
    [0, 0, 5_000, 5_000, 7_000, 7_000, undefined],
  )
  // 0.9 of 99.9 is 9,009.009 millionths.
  assert.deepEqual(
    [500, 501].map((lots) => reach(bids, lots)),
    [0, 9_010],
  )
  assert.equal(reach([], 1), undefined)
})
