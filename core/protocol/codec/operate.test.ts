import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from '../command/index.ts'
import { decodeCommand, encodeCommand } from './command.ts'
import { Records } from './records.ts'

test('a decision holds nothing but a change of terms, whole and without a stamp', () => {
  const decision = {
    type: 'exchange.operate',
    proposer: 1,
    approver: 2,
    reason: 'why',
    change: { type: 'asset.list', symbol: 'SOL', scale: 8 },
  }
  const stamp = { seq: 1, at: 2, keyId: 0 }
  const records = new Records()
  for (const type of ['clock.tick', 'exchange.operate'] as const) {
    const wrong = { ...decision, change: { ...decision, type } } as unknown as Command
    assert.throws(() => encodeCommand(wrong, stamp, records), /no change that the staff decides/)
  }
  assert.equal(records.length, 0)
  encodeCommand(decision as Command, stamp, records)
  const whole = records.data.slice(0, records.length)
  for (const [slot, value, message] of [
    [33, 8 * 2 ** 20 + 14, /does not decide/],
    [34, 1, /stamp/],
    [36, 5, /stamp/],
    [33, 3 * 2 ** 20 + 13, /slots instead of/],
    [33, 3 * 2 ** 20 + 15, /no end/],
  ] as const) {
    const changed = whole.slice()
    changed[slot] = value
    assert.throws(() => decodeCommand(changed, 0), message)
  }
})
