import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import type { KeyScope } from '@candor/core/protocol/wire/keys.ts'
import { Refused } from '../refused.ts'
import { ipChecker, isWider, keyPolicies, type KeyTerms, publicKeyOf, normalTerms } from './key-terms.ts'

const now = Date.UTC(2026, 0, 15, 12)
const day = 86_400_000
const terms = (given: Partial<KeyTerms> = {}): KeyTerms => ({ scopes: ['read'], ips: [], expiresAt: null, ...given })
const normal = (given: Partial<KeyTerms>, mode: 'sandbox' | 'production' = 'sandbox') => normalTerms(terms(given), keyPolicies[mode], now)
const refused = (refusal: string, field: string) => (error: unknown) =>
  error instanceof Refused && error.refusal === refusal && error.field === field

test('API-KEY-001: every key may read; scopes are stored in one order, whatever order was requested', () => {
  assert.deepEqual(normal({ scopes: [] }).scopes, ['read'])
  assert.deepEqual(normal({ scopes: ['withdraw', 'trade'] }).scopes, normal({ scopes: ['trade', 'read', 'withdraw'] }).scopes)
  assert.ok(!normal({ scopes: ['trade'] }).scopes.includes('withdraw'))
})

test('API-KEY-005: more scopes, other addresses or a longer life is wider; less of each is not', () => {
  const scopes = (...list: KeyScope[]) => terms({ scopes: list })
  const ips = (...list: string[]) => terms({ ips: list })
  const ends = (expiresAt: number | null) => terms({ expiresAt })
  const wider: readonly (readonly [KeyTerms, KeyTerms])[] = [
    [scopes('read'), scopes('read', 'trade')],
    [scopes('read', 'trade'), scopes('read', 'withdraw')],
    [ips('192.0.2.1'), ips()],
    [ips('192.0.2.1'), ips('192.0.2.1', '192.0.2.2')],
    [ips('192.0.2.1'), ips('192.0.2.2')],
    [ends(5), ends(6)],
    [ends(5), ends(null)],
  ]
  const notWider: readonly (readonly [KeyTerms, KeyTerms])[] = [
    [terms(), terms()],
    [scopes('read', 'trade'), scopes('read')],
    [ips(), ips('192.0.2.1')],
    [ips(), ips()],
    [ips('192.0.2.1', '192.0.2.2'), ips('192.0.2.2')],
    [ends(null), ends(5)],
    [ends(5), ends(5)],
    [ends(5), ends(4)],
  ]
  for (const [before, after] of wider) assert.equal(isWider(before, after), true, JSON.stringify([before, after]))
  for (const [before, after] of notWider) assert.equal(isWider(before, after), false, JSON.stringify([before, after]))
})

test('API-KEY-006: in production a key with a list of addresses needs no expiry; a list of too wide networks does not count', () => {
  const needsIps = refused('KEY_NEEDS_IPS', 'ips')
  const needsEnd = refused('KEY_NEEDS_EXPIRY', 'expiresAt')
  for (const ips of [['192.0.2.1'], ['10.0.0.0/8'], ['2001:db8::/16'], ['2001:db8::1', '192.0.2.0/24']]) {
    assert.deepEqual(normal({ ips, scopes: ['read', 'withdraw'] }, 'production').ips, ips)
  }
  for (const ips of [[], ['10.0.0.0/7'], ['2000::/15'], ['192.0.2.1', '0.0.0.0/0']]) {
    assert.throws(() => normal({ ips, scopes: ['withdraw'], expiresAt: now + 1 }, 'production'), needsIps, ips.join())
    assert.throws(() => normal({ ips }, 'production'), needsEnd, ips.join())
    assert.equal(normal({ ips, expiresAt: now + 90 * day }, 'production').expiresAt, now + 90 * day)
    assert.throws(() => normal({ ips, expiresAt: now + 90 * day + 1 }, 'production'), needsEnd)
    assert.equal(normal({ ips, scopes: ['withdraw'] }).expiresAt, null, 'a sandbox asks for neither')
  }
})

test('API-KEY-007: an expiry must be in the future, an address must be valid, and a list has at most twenty', () => {
  const badIps = refused('FIELD_INVALID', 'ips')
  const badEnd = refused('FIELD_INVALID', 'expiresAt')
  for (const expiresAt of [0, now]) assert.throws(() => normal({ expiresAt }), badEnd)
  assert.equal(normal({ expiresAt: now + 1 }).expiresAt, now + 1)
  const many = Array.from({ length: 21 }, (_, n) => `192.0.2.${n}`)
  assert.equal(normal({ ips: many.slice(1) }).ips.length, 20)
  assert.throws(() => normal({ ips: many }), badIps)
  for (const ip of ['0.0.0.0/0', '1.2.3.4/32', '::/0', '::1/128', '1.2.3.4/10']) assert.deepEqual(normal({ ips: [ip] }).ips, [ip])
  assert.deepEqual(normal({ ips: [' 192.0.2.1', '192.0.2.1 ', '2001:DB8::/32'] }).ips, ['192.0.2.1', '2001:db8::/32'])
  const bad = [
    '',
    'x',
    'x/8',
    '/8',
    '01.2.3.4',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/08',
    '1.2.3.4/8/8',
    '1.2.3.4/8x',
    '1.2.3.4/x8',
    '1.2.3.4/-1',
  ]
  for (const ip of [...bad, '::1/129', '::1/1000', 'fe80::1%eth0', 'fe80::1%eth0/64', '1.2.3.4/1 ,']) {
    assert.throws(() => normal({ ips: [ip] }), badIps, ip)
  }
})

test('API-KEY-007: an address matches a list as itself, in a network, or as an IPv4 address in its IPv6 form', () => {
  const isOn = ipChecker(['192.0.2.1', '10.0.0.0/8', '2001:db8::/32', '2001:db9::7'])
  for (const ip of ['192.0.2.1', '10.255.0.1', '2001:db8::5', '2001:db9::7', '::ffff:10.1.2.3', '::ffff:192.0.2.1']) {
    assert.equal(isOn(ip), true, ip)
  }
  for (const ip of ['192.0.2.2', '11.0.0.1', '2001:db9::5', '::ffff:192.0.2.2', '', 'unknown', '::ffff:', '10.0.0.1, 11.0.0.1']) {
    assert.equal(isOn(ip), false, ip)
  }
  assert.equal(ipChecker([])('anything'), true)
})

test('API-KEY-003: a public Ed25519 key is stored in one form; anything else is refused', () => {
  const pair = generateKeyPairSync('ed25519')
  const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  assert.equal(publicKeyOf(pem).pem, pem)
  assert.equal(publicKeyOf(`\n  ${pem.replace(/\n/g, '\r\n')}  \n`).pem, pem)
  const other = generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const secret = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const broken = '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'
  for (const bad of ['', 'x', other, secret, broken, `${pem}${pem}`, `${secret}${pem}`, `x${pem}`, `${pem}x`]) {
    assert.throws(() => publicKeyOf(bad), refused('PUBLIC_KEY_INVALID', 'publicKey'), bad)
  }
})
