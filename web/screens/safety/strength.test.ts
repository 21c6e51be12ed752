import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inFours, suggestedLabel } from './strength.ts'

test('UI-SAFETY-002: a new passkey is named after the device, with a number if that name is taken', () => {
  const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1'
  assert.equal(suggestedLabel(phone, []), 'iPhone')
  assert.equal(suggestedLabel(phone, ['iPhone', 'iPhone 2']), 'iPhone 3')
  assert.equal(suggestedLabel('Mozilla/5.0 (Linux; Android 15) Chrome/140', ['iPhone']), 'Android')
  assert.equal(suggestedLabel('unknown', []), 'Passkey')
  assert.equal(inFours('ABCDEFGHIJ'), 'ABCD EFGH IJ')
})
