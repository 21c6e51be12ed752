import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedKillRounds } from './kill.ts'

test('API-KILL-001: killed ten times under signed load, the exchange keeps each acknowledged order, cancel and transfer once', async () => {
  const { acknowledged, repeats, unknown } = await signedKillRounds({ rounds: 10, seed: 3 })
  assert.ok(acknowledged > 500, `only ${acknowledged} requests were acknowledged: that proves little`)
  assert.ok(repeats > 0 && unknown > 0)
})
