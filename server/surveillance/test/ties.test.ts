import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis } from '@candor/core/money/brand.ts'
import { pairsOf } from '../read/ties.ts'

const groupOf = (size: number) => ({ users: Array.from({ length: size }, (_, place) => `${place + 1}`), count: size, at: 1 as Millis })

test('CONSOLE-SURVEIL-012: any two accounts of a browser are tied, also when many others stand between them', () => {
  const ties = pairsOf('device', groupOf(13))
  assert.equal(ties.length, (13 * 12) / 2)
  assert.ok(ties.some(({ one, other }) => one === 12 && other === 13))
  assert.equal(pairsOf('device', groupOf(100)).length, (100 * 99) / 2)
  // A public terminal: each is tied to the first.
  assert.equal(pairsOf('device', groupOf(1_000)).length, 999)
})
