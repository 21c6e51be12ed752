import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyDraft, ipsOf, livesFor, problemsOf, requestOf } from './form.ts'

const sandbox = { ipsMax: 20, needsIps: false }
const production = { ipsMax: 2, needsIps: true, expiryMaxMs: 90 * 86_400_000 }
const good = { ...emptyDraft, label: 'my bot', password: 'a password' }

test('UI-KEYS-001: a draft has an error for each missing field', () => {
  assert.deepEqual([...problemsOf(emptyDraft, sandbox).keys()], ['label', 'password'])
  assert.deepEqual([...problemsOf(good, sandbox)], [])
  const wrong = [
    [{ label: '  ' }, 'label', 'missing'],
    [{ kind: 'public' }, 'publicKey', 'invalid'],
    [{ kind: 'public', publicKey: '-----BEGIN PRIVATE KEY-----' }, 'publicKey', 'invalid'],
    [{ ips: 'everywhere' }, 'ips', 'invalid'],
    [{ ips: '1.2.3' }, 'ips', 'invalid'],
    [{ ips: '1.1.1.1 1.1.1.2 1.1.1.3' }, 'ips', 'many'],
    [{ canWithdraw: true }, 'ips', 'needed'],
  ] as const
  for (const [change, field, problem] of wrong) {
    assert.deepEqual([...problemsOf({ ...good, ...change }, production)], [[field, problem]], JSON.stringify(change))
  }
  assert.deepEqual([...problemsOf({ ...good, ips: '192.0.2.1, 2001:db8::/32' }, production)], [])
})

test('UI-KEYS-002: the request matches the draft, and a key never lives longer than allowed', () => {
  assert.deepEqual(requestOf({ ...good, life: 'ever' }, sandbox, 0), { label: 'my bot', scopes: ['read'], ips: [], password: 'a password' })
  const full = { ...good, canTrade: true, canWithdraw: true, ips: '1.1.1.1\n1.1.1.1;10.0.0.0/8', life: '365' } as const
  assert.deepEqual(requestOf(full, production, 5), {
    ...{ label: 'my bot', scopes: ['read', 'trade', 'withdraw'], ips: ['1.1.1.1', '10.0.0.0/8'], password: 'a password' },
    expiresAt: 5 + 365 * 86_400_000,
  })
  assert.deepEqual(livesFor(good, production), ['30', '90'])
  assert.equal(requestOf({ ...good, life: 'ever' }, production, 0).expiresAt, 90 * 86_400_000)
  assert.equal(requestOf({ ...good, kind: 'public', publicKey: 'pem' }, sandbox, 0).publicKey, 'pem')
  assert.deepEqual(ipsOf(' ,; '), [])
})
