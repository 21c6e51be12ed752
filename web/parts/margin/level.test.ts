import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayLose, wordOf } from './level.ts'

const cross = { callLevel: '1.16', liquidationLevel: '1.1' }

test('UI-LEVER-001: the word follows the exchange’s limits: safe above the warning, danger in the lower half below it', () => {
  const examples = [
    [null, 'safe', 'none'],
    ['2.00', 'safe', 'safe'],
    ['1.17', 'safe', 'safe'],
    ['1.16', 'watch', 'watch'],
    // It stays at watch until the exchange reports the account as safe.
    ['1.18', 'watch', 'watch'],
    ['1.14', 'watch', 'watch'],
    ['1.13', 'watch', 'danger'],
    ['1.10', 'watch', 'danger'],
    ['1.20', 'liquidating', 'liquidating'],
  ] as const
  for (const [level, state, word] of examples) assert.equal(wordOf({ ...cross, level, state }), word, `${level} ${state}`)
})

test('UI-LEVER-002: the possible loss of the assets is zero at the liquidation level', () => {
  assert.equal(mayLose({ ...cross, state: 'safe', level: '2.2' }), 50)
  assert.equal(mayLose({ ...cross, state: 'watch', level: '1.1' }), 0)
  assert.equal(mayLose({ ...cross, state: 'liquidating', level: '0.9' }), 0)
  assert.equal(mayLose({ ...cross, state: 'safe', level: null }), 100)
})
