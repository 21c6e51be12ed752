import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { OwnLimitKind, WireOwnLimit } from '@candor/core/protocol/wire/own-limits.ts'
import { isRaise, shareOf, valueOf } from './form.ts'

const limit = (value: string | null, kind: OwnLimitKind = 'loss-day'): WireOwnLimit => ({
  kind,
  value: value as Decimal | null,
  next: null,
})

test('UI-LIMITS-002: an amount is typed freely, minutes are whole, and nothing or zero is no limit', () => {
  assert.deepEqual(['', '0', '0.', '12.'].map(valueOf), [undefined, undefined, undefined, '12'])
})

test('UI-LIMITS-002: a higher limit, or none, is a raise; a first one is not', () => {
  const cases = [
    [null, '5', false],
    ['5', '5', false],
    ['5', '4.99', false],
    ['5', '5.01', true],
    ['5', null, true],
    ['9', '10', true],
  ] as const
  for (const [present, next, expected] of cases)
    assert.equal(isRaise(limit(present), next as Decimal | null), expected, `${present} ${next}`)
})

test('UI-LIMITS-002: the bar shows the loss of the period, and nothing of a profit', () => {
  assert.deepEqual(
    [-25, 25, -200].map((used) => shareOf(limit('100'), used)),
    [0.25, 0, 1],
  )
  assert.deepEqual([shareOf(limit('60', 'session-day'), 15), shareOf(limit(null), -5)], [0.25, 0])
})
