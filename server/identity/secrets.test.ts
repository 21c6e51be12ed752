import assert from 'node:assert/strict'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { keyFor, Seal, SealFault } from './seal.ts'
import { hashOf, lettersFrom, newApiKey, newCode, newInvitation, newRecoveryCode, newToken, newUid } from './secret.ts'
import { isWeak, serverKey, ServerKeys } from './server-keys.ts'

const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
/** Matches the cause of the fault. */
const because = (text: string) => (error: unknown) => error instanceof SealFault && String(error.cause).includes(text)

test('API-KEY-002: an encrypted secret opens only in its place, for its purpose, and unchanged', () => {
  const seal = new Seal(ServerKeys.of(older), 'test')
  const sealed = seal.close('grüezi', 'here')
  assert.equal(seal.open(sealed, 'here'), 'grüezi')
  assert.equal(seal.open(seal.close('', ''), ''), '')
  assert.notDeepEqual(seal.close('grüezi', 'here'), sealed, 'each has a number of its own')
  assert.throws(() => seal.open(sealed, 'there'), SealFault)
  assert.throws(() => new Seal(ServerKeys.of(older), 'another').open(sealed, 'here'), SealFault)
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    assert.throws(() => seal.open(changed, 'here'), SealFault)
  }
  for (const whole of [sealed, seal.close('', 'here')]) {
    for (let length = 0; length < whole.length; length++) assert.throws(() => seal.open(whole.subarray(0, length), 'here'), SealFault)
  }
})

test('an encrypted secret is: version, id of the server key, initialization vector, tag, ciphertext', () => {
  const sealed = new Seal(ServerKeys.of(older), 'test').close('secret', 'here')
  assert.equal(sealed.length, 1 + 4 + 12 + 16 + 6)
  assert.equal(sealed[0], 2)
  assert.equal(sealed.subarray(1, 5).toString('hex'), serverKey(older).id)
  assert.notDeepEqual(keyFor(serverKey(older), 'one'), keyFor(serverKey(older), 'two'))
  // With other keys than these, no stored secret could be opened.
  assert.equal(serverKey(older).id, '2dc60a20')
  assert.equal(keyFor(serverKey(older), 'one').toString('hex'), '6cae41497b7bb6520c34dafa575eb211cbd0861b273a77bdec43e86a8dd2fe47')
})

test('after a rotation the newest server key encrypts, older ones still decrypt, and a secret is renewed once', () => {
  const before = new Seal(ServerKeys.of(older), 'test')
  const sealed = before.close('secret', 'here')
  const after = new Seal(ServerKeys.of(newer, older), 'test')
  assert.equal(after.open(sealed, 'here'), 'secret')
  const renewed = after.renew(sealed, 'here')!
  assert.equal(renewed.subarray(1, 5).toString('hex'), serverKey(newer).id)
  assert.equal(after.open(renewed, 'here'), 'secret')
  assert.equal(after.renew(renewed, 'here'), undefined)
  assert.throws(() => after.renew(sealed, 'there'), SealFault)
  assert.throws(() => before.open(renewed, 'here'), because(`there is no server key ${serverKey(newer).id}`))
})

test('a secret of the first version names no server key, opens with any, and is renewed with a key’s id', () => {
  const seal = new Seal(ServerKeys.of(newer, older), 'test')
  const named = new Seal(ServerKeys.of(older), 'test').close('secret', 'here')
  const first = Buffer.concat([Buffer.of(1), named.subarray(5)])
  assert.equal(seal.open(first, 'here'), 'secret')
  assert.equal(seal.open(seal.renew(first, 'here')!, 'here'), 'secret')
  assert.equal(seal.renew(first, 'here')![0], 2)
  // The bytes in the place of the key's id may happen to be the newest key's id.
  const unlucky = Buffer.concat([Buffer.of(1), Buffer.from(serverKey(newer).id, 'hex')])
  assert.throws(() => seal.renew(unlucky, 'here'), SealFault)
  assert.throws(() => seal.open(first, 'there'), SealFault)
  assert.throws(() => seal.open(Buffer.concat([Buffer.of(3), named.subarray(1)]), 'here'), because('version 3'))
})

test('server keys are read again for each encryption and for an unknown id, and not otherwise', () => {
  let held: readonly Buffer[] = [older]
  let reads = 0
  const keys = new ServerKeys(() => (reads++, held))
  assert.deepEqual([keys.all.length, reads], [1, 1])
  assert.deepEqual([keys.all.length, reads], [1, 1])
  assert.equal(keys.find(serverKey(older).id)?.bytes, older)
  assert.equal(reads, 1)
  held = [newer, older]
  assert.equal(keys.find(serverKey(newer).id)?.bytes, newer)
  assert.equal(reads, 2)
  assert.equal(keys.find('00000000'), undefined)
  held = [older]
  assert.equal(keys.newest.bytes, older)
  assert.equal(keys.all.length, 1)
})

test('a server key has 32 bytes and an id of four', () => {
  assert.match(serverKey(older).id, /^[0-9a-f]{8}$/)
  assert.notEqual(serverKey(older).id, serverKey(newer).id)
  for (const length of [31, 33]) assert.throws(() => serverKey(Buffer.alloc(length, 1)), RangeError)
})

test('a server key with few values or few steps counts as typed, a random one does not', () => {
  for (let i = 0; i < 200; i++) assert.equal(isWeak(randomBytes(32)), false)
  const typed = ['correcthorsebatterystaplecorrecth', 'abcdefghijklmnopqrstuvwxyz012345', '0123456789abcdef0123456789abcdef']
  for (const text of typed) assert.equal(isWeak(Buffer.from(text.slice(0, 32))), true, text)
  // Sums of `count` rising steps, so that there are as many values and as many sizes of steps; then the last value or step
  // repeats.
  const rising = (count: number, then: number): Buffer => {
    const bytes = Buffer.alloc(32)
    for (let n = 1; n < 32; n++) bytes[n] = bytes[n - 1]! + (n < count ? n : then)
    return bytes
  }
  assert.equal(isWeak(rising(19, 0)), true, '19 values')
  assert.equal(isWeak(rising(20, 0)), false, '20 values in 20 steps')
  assert.equal(isWeak(rising(15, 1)), true, '15 steps')
  assert.equal(isWeak(rising(16, 1)), false, '16 steps to 32 values')
})

test('tokens, codes and ids use all their possible values', () => {
  assert.equal(Buffer.from(newToken(), 'base64url').length, 32)
  assert.equal(Buffer.from(newToken(16), 'base64url').length, 16)
  assert.deepEqual(hashOf('token'), createHash('sha256').update('token').digest())
  const codes = Array.from({ length: 400 }, newCode)
  for (const code of codes) assert.match(code, /^[0-9]{6}$/)
  assert.ok(
    codes.some((code) => code.startsWith('0')),
    'short numbers are filled up with zeros',
  )
  for (let i = 0; i < 200; i++) {
    assert.match(newUid(), /^[1-9][0-9]{8}$/)
    assert.match(newInvitation(), /^[2-9A-HJ-NP-Z]{8}$/)
    assert.match(newApiKey(), /^[A-Za-z0-9]{64}$/)
  }
  const seen = new Set(Array.from({ length: 100 }, newApiKey).join(''))
  assert.equal(seen.size, 62)
})

test('USER-FACTOR-005: recovery codes are four groups of four letters and digits that can’t be confused, and use all of these', () => {
  const codes = Array.from({ length: 200 }, newRecoveryCode)
  for (const code of codes) assert.match(code, /^(?:[2-9A-HJ-NP-Z]{4}-){3}[2-9A-HJ-NP-Z]{4}$/)
  assert.equal(new Set(codes.join('').replaceAll('-', '')).size, 31)
})

test('letters made from a secret are the same for the same seed, and every letter is equally likely', () => {
  const [secret, seed] = [Buffer.from('secret'), Buffer.from('seed')]
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  const slow = (from: Buffer): string => {
    const blocks = [0, 1, 2].map((n) => createHmac('sha512', secret).update(from).update(Buffer.of(n)).digest())
    const fair = [...Buffer.concat(blocks)].filter((byte) => byte < 248)
    return fair
      .slice(0, 64)
      .map((byte) => letters[byte % 62])
      .join('')
  }
  for (let n = 0; n < 200; n++) {
    const from = Buffer.from(`${seed}${n}`)
    assert.equal(lettersFrom(secret, from), slow(from))
  }
  assert.notEqual(lettersFrom(Buffer.from('other'), seed), lettersFrom(secret, seed))
})
