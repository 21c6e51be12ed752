import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WirePasskey } from '@candor/core/protocol/wire/factors.ts'
import { inFours, strengthOf, suggestedLabel } from './strength.ts'

const passkey = (id: string): WirePasskey => ({ id, label: id, isSynced: true, createdAt: 1, lastUsedAt: null })

test('UI-SAFETY-001: the security centre says how strong the protection is, and names one next step', () => {
  const of = (passkeys: number, authenticatorSince: number | null, recoveryCodesLeft: number) =>
    strengthOf({ passkeys: Array.from({ length: passkeys }, (_, at) => passkey(String(at))), authenticatorSince, recoveryCodesLeft })
  assert.deepEqual(of(0, null, 0), { level: 1, advice: 'add' })
  assert.deepEqual(of(1, null, 10), { level: 2, advice: 'keep' })
  assert.deepEqual(of(0, 5, 3), { level: 2, advice: 'keep' })
  assert.deepEqual(of(0, 5, 2), { level: 2, advice: 'renew' })
  assert.deepEqual(of(1, 5, 0), { level: 2, advice: 'renew' })
  assert.deepEqual(of(1, 5, 9), { level: 3, advice: 'done' })
  assert.deepEqual(of(2, null, 10), { level: 3, advice: 'done' })
})

test('UI-SAFETY-002: a new passkey is named after the device, with a number if that name is taken', () => {
  const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1'
  assert.equal(suggestedLabel(phone, []), 'iPhone')
  assert.equal(suggestedLabel(phone, ['iPhone', 'iPhone 2']), 'iPhone 3')
  assert.equal(suggestedLabel('Mozilla/5.0 (Linux; Android 15) Chrome/140', ['iPhone']), 'Android')
  assert.equal(suggestedLabel('unknown', []), 'Passkey')
  assert.equal(inFours('ABCDEFGHIJ'), 'ABCD EFGH IJ')
})
