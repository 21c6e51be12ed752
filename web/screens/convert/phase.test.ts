import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Known, phaseOf, secondsLeft, shareLeft } from './phase.ts'

const expiresAt = 100_000
const fresh: Known = { expiresAt, isOver: false, isSending: false, isSent: false, state: undefined, isUnknown: false }

test('UI-CONVERT-005: a quote can be confirmed until its end by the exchange’s clock, or until the exchange says that it has ended', () => {
  assert.equal(phaseOf(fresh, expiresAt - 1), 'open')
  assert.equal(phaseOf(fresh, expiresAt), 'expired')
  assert.equal(phaseOf({ ...fresh, isOver: true }, expiresAt - 5_000), 'expired')
  assert.deepEqual(
    [secondsLeft(expiresAt, expiresAt - 8_000), secondsLeft(expiresAt, expiresAt - 1), secondsLeft(expiresAt, expiresAt + 9)],
    [8, 1, 0],
  )
  assert.deepEqual([shareLeft(expiresAt, 8_000, expiresAt - 9_000), shareLeft(expiresAt, 8_000, expiresAt - 4_000)], [1, 0.5])
})

test('UI-CONVERT-006: an acceptance whose answer was lost is looked for until it can’t arrive any more', () => {
  const sent = { ...fresh, isSent: true }
  assert.equal(phaseOf({ ...sent, isSending: true }, expiresAt - 1), 'sending')
  assert.equal(phaseOf(sent, expiresAt + 60_000), 'checking')
  assert.equal(phaseOf({ ...sent, isUnknown: true }, expiresAt + 5_000), 'checking')
  assert.equal(phaseOf({ ...sent, isUnknown: true }, expiresAt + 5_001), 'unaccepted')
  assert.equal(phaseOf({ ...sent, state: 'accepted' }, expiresAt + 60_000), 'converting')
  for (const state of ['filled', 'moved', 'no-index'] as const) assert.equal(phaseOf({ ...sent, state }, expiresAt), state)
})
