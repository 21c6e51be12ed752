import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WirePasskey } from '@candor/core/protocol/wire/factors.ts'
import { protections, strengthOf } from './strength.ts'

const passkey: WirePasskey = { id: '1', label: 'my phone', isSynced: true, createdAt: 1, lastUsedAt: null }
const bare = { authenticatorSince: null, passkeys: [], recoveryCodesLeft: 0, hasPhrase: false }
const listless = { allowList: { isOn: false, endsAt: null }, regain: null }
const alone = { email: 'a•••e@example.com', phone: null, hasPaymentPassword: false, ...listless }

test('UI-SAFETY-001: the security centre counts what protects the account, says how strong it is, and names one next step', () => {
  assert.deepEqual(strengthOf(bare, alone), { level: 1, done: 0, advice: 'factor' })
  const byApp = { ...bare, authenticatorSince: 5, recoveryCodesLeft: 2 }
  assert.deepEqual(strengthOf(byApp, alone), { level: 2, done: 1, advice: 'codes' })
  const kept = { ...bare, passkeys: [passkey], recoveryCodesLeft: 3 }
  assert.deepEqual(strengthOf(kept, alone), { level: 2, done: 2, advice: 'address' })
  const both = { ...alone, phone: '+49•••••23' }
  assert.deepEqual(strengthOf(kept, both), { level: 2, done: 3, advice: 'payment' })
  const paying = { ...both, hasPaymentPassword: true }
  assert.deepEqual(strengthOf(kept, paying), { level: 2, done: 4, advice: 'phrase' })
  const spoken = { ...kept, hasPhrase: true }
  assert.deepEqual(strengthOf(spoken, paying), { level: 2, done: 5, advice: 'list' })
  const ending = { ...paying, allowList: { isOn: true, endsAt: 9 } }
  assert.deepEqual(strengthOf(spoken, ending), { level: 2, done: 5, advice: 'list' })
  const whole = { ...paying, allowList: { isOn: true, endsAt: null } }
  assert.deepEqual(strengthOf(spoken, whole), { level: 3, done: protections.length, advice: 'done' })
  assert.deepEqual(strengthOf({ ...bare, hasPhrase: true }, paying), { level: 1, done: 3, advice: 'factor' })
})

test('UI-REVERIFY-003: while somebody asks for access without the second factor, the card says so first', () => {
  const safety = { ...alone, regain: { createdAt: 1, dueAt: null } }
  assert.deepEqual(strengthOf({ ...bare, passkeys: [passkey], recoveryCodesLeft: 9 }, safety), { level: 1, done: 2, advice: 'regain' })
})
