import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { flagged, frameOf } from './chart-frame.ts'

test('UI-SECOND-034: if orders end at nearly the same time only the first has a flag, so that countdowns don’t overlap', () => {
  const order = (id: string, expiresAt: number) => ({ id, expiresAt, strikeFrom: 1_000_000, seconds: 900 }) as WireOption
  const orders = [order('3', 1_901_000), order('1', 1_900_000), order('2', 1_900_500), order('4', 1_300_000)]
  const frame = frameOf(
    1_002_000,
    [],
    [],
    [...orders].sort((a, b) => b.expiresAt - a.expiresAt),
  )
  assert.deepEqual([...flagged(orders, frame)], ['4', '1'])
  assert.deepEqual([...flagged([], frame)], [])
  assert.deepEqual([...flagged([order('5', 9_900_000)], frame)], [], 'beyond the frame')
})
