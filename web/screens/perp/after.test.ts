import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import { lotsAfter } from './after.ts'
import { type Context, emptyForm, type Form } from './form.ts'

const contextOf = (long: number, short: number, isHedge = false): Context =>
  ({ isHedge, long: long === 0 ? undefined : { lots: long }, short: short === 0 ? undefined : { lots: -short } }) as unknown as Context

function after(side: Side, lots: number, context: Context, part: Partial<Form> = {}): number {
  return lotsAfter({ ...emptyForm(), ...part }, side, lots, context)
}

test('UI-WIDE-034: the position after an order is what is there, more, less, or on the other side', () => {
  const long = contextOf(20, 0)
  assert.deepEqual([after('buy', 5, long), after('sell', 5, long), after('sell', 20, long), after('sell', 30, long)], [25, 15, 0, -10])
  assert.equal(after('sell', 30, long, { isReduceOnly: true }), 0)
  assert.equal(after('buy', 5, long, { isReduceOnly: true }), 20)
  assert.deepEqual([after('buy', 5, contextOf(0, 0)), after('sell', 5, contextOf(0, 0))], [5, -5])
})

test('UI-WIDE-034: in hedge mode it is that of the side which the order opens or closes', () => {
  const both = contextOf(20, 8, true)
  assert.deepEqual([after('buy', 5, both), after('sell', 5, both)], [25, -13])
  assert.deepEqual([after('buy', 5, both, { intent: 'close' }), after('sell', 5, both, { intent: 'close' })], [-3, 15])
})
