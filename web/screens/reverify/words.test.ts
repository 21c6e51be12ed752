import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeText } from './words.ts'

test('UI-REVERIFY-004: the waiting time is shown in its largest whole unit, in the language of the person', () => {
  assert.equal(timeText(60_000, 'en'), '1 minute')
  assert.equal(timeText(120_000, 'de'), '2 Minuten')
  assert.equal(timeText(24 * 3_600_000, 'en'), '24 hours')
  assert.equal(timeText(7 * 86_400_000, 'fr'), '7\u00a0jours')
})
