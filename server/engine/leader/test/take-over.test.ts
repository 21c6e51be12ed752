import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takeOverRounds } from './take-over.ts'

test('ENGINE-STANDBY-005: a leader that is killed or frozen under load is replaced, and no acknowledged command is lost or executed twice', async () => {
  const { acknowledged, unknown } = await takeOverRounds({ rounds: 2, seed: 7 })
  assert.ok(acknowledged > 400)
  assert.ok(unknown > 0, 'no command was in flight')
})
