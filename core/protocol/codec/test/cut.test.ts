import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from '../../command/index.ts'
import { decodeCommand, encodeCommand } from '../command.ts'
import { Records } from '../records.ts'

test('decoding a cut or altered record throws', () => {
  const records = new Records()
  encodeCommand({ type: 'spot.cancelAll', user: 1, clientId: 'a', market: 1 } as Command, { seq: 1, at: 1, keyId: 0 }, records)
  const whole = records.data.slice(0, records.length)
  assert.doesNotThrow(() => decodeCommand(whole, 0))
  assert.throws(() => decodeCommand(whole.slice(0, -1), 0))
  assert.throws(() => decodeCommand(whole, 1))
  for (const [slot, value] of [
    [0, 99 * 2 ** 20 + 12],
    [5, 0.5],
    [11, Number.NaN],
    [6, 65],
  ] as const) {
    const altered = whole.slice()
    altered[slot] = value
    if (slot === 6) altered[5] = 0
    assert.throws(() => decodeCommand(altered, 0), `slot ${slot}`)
  }
  assert.throws(() => Records.from(new Uint8Array(9)))
})
