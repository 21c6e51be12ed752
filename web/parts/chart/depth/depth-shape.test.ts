import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireLevel } from '@candor/core/protocol/wire/market.ts'
import { curveOf, sumAt } from './depth-shape.ts'
import { paneHeights } from '../panes.ts'

const lot = '0.001' as Decimal
const levels = (...pairs: readonly (readonly [string, string])[]): readonly WireLevel[] => pairs as unknown as readonly WireLevel[]
const bids = levels(['99', '0.1'], ['98', '0.2'], ['90', '5'])
const asks = levels(['101', '0.3'], ['102', '0.4'])

test('UI-DEPTH-001: the depth chart is symmetric about the middle, and names what rests up to a price', () => {
  const curve = curveOf(bids, asks, lot)
  assert.ok(curve !== undefined)
  assert.deepEqual([curve.middle, curve.from, curve.to, curve.top], [100, 98, 102, 700])
  assert.deepEqual(sumAt(curve, 98.5, lot), { price: '99', sum: '0.100' })
  assert.deepEqual(sumAt(curve, 98, lot), { price: '98', sum: '0.300' })
  assert.deepEqual(sumAt(curve, 105, lot), { price: '102', sum: '0.700' })
  assert.equal(sumAt(curve, 99.5, lot), undefined, 'nothing rests in the spread')
  assert.equal(curveOf([], asks, lot), undefined)
})

test('UI-PANES-001: the candles keep 55 % of the height, however many panes are below them', () => {
  for (let height = 200; height <= 1200; height += 7) {
    for (let panes = 1; panes <= 20; panes += 1) assert.ok(panes * paneHeights(height, panes) + 26 <= Math.max(26, height * 0.45 + 1e-6))
  }
  assert.equal(paneHeights(800, 2), 76)
})
