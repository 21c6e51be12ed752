import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refused } from '../refused.ts'
import type { Address } from './address.ts'
import { Argon } from './argon.ts'
import { deviceOf, isLoopback } from './device.ts'
import { cheapArgon } from './test/cheap-argon.ts'
import { checkPassword, checkTwice } from './password.ts'

const isRefused = (refusal: string) => (error: unknown) => error instanceof Refused && error.refusal === refusal
const email: Address = { channel: 'email', value: 'adalovelace1815@example.com' }
const phone: Address = { channel: 'phone', value: '+4915123456789' }

test('USER-PASSWORD-001: a password has 8 to 128 characters, counted as people count them', () => {
  const ok = ['x7Kp!q2Z', 'river lamp forty-two', '蘋果橘子香蕉葡萄', `${'otter '.repeat(21)}ok`]
  for (const password of ok) checkPassword(password, [])
  assert.throws(() => checkPassword('x7Kp!q2', []), isRefused('PASSWORD_TOO_SHORT'))
  assert.throws(() => checkPassword('🙈🙉🙊x7K!', []), isRefused('PASSWORD_TOO_SHORT'))
  assert.throws(() => checkPassword(`${'otter '.repeat(21)}ok!`, []), isRefused('PASSWORD_TOO_LONG'))
})

test('USER-REGISTER-005: a refused password names its field, and so does a repetition that differs', () => {
  for (const [password, refusal] of [
    ['short', 'PASSWORD_TOO_SHORT'],
    ['otter '.repeat(22), 'PASSWORD_TOO_LONG'],
    ['password', 'PASSWORD_COMMON'],
  ] as const)
    assert.throws(() => checkPassword(password, []), { refusal, field: 'password' })
  checkTwice('x7Kp!q2Z', 'x7Kp!q2Z')
  assert.throws(() => checkTwice('x7Kp!q2Z', 'x7Kp!q2z'), { refusal: 'PASSWORDS_DIFFER', field: 'passwordAgain' })
})

test('USER-PASSWORD-002: common passwords are refused, with the usual tails, spellings, runs and repetitions', () => {
  const common = `password passwort contraseña motdepasse Password1 P@ssw0rd123! Summer2024! iloveyou liverpool1 Bitcoin2026 letmein!!
    dragon123 monkeymonkey qwertyui qwertz123 azertyuiop 12345678 87654321 abcdefgh aaaaaaaa abababab 12121212 1qaz2wsx asdfghjk
    zaq12wsx 31415926 candor2026 CandorExchange1 Hamburg2025 juventus10 00000000 !!!!!!!! woaini1314 bluesky2020 trustno1`
  for (const password of common.split(/\s+/)) assert.throws(() => checkPassword(password, []), isRefused('PASSWORD_COMMON'), password)
})

test('USER-PASSWORD-002: runs along an alphabet or a keyboard, few different characters and repetitions are refused', () => {
  const common = `aabababb 67890123 345678345678 x9kx9kx9 x9k2x9k2 bcdefghi tyuiopas yuiop[]\\ hjklyxcv uiopqsdf dfghjkl; cvbnm,./ 567890-=
    @#$%^&*( 2wsx3edc w2e3r4t5 5t6y7u8i wsxedcrf 47258369 41852963 159753159753 b3c4d5e6 c3d4e5f6 aabbccdd 22334455 wweerrtt`
  for (const password of common.split(/\s+/)) assert.throws(() => checkPassword(password, []), isRefused('PASSWORD_COMMON'), password)
  for (const password of ['x9k2mx9k2m', '67890126789', 'zqkvwzqkvw']) checkPassword(password, [])
})

test('USER-PASSWORD-002: a common word is found behind digits and signs, in other spellings, twice and in pairs', () => {
  const common = `12password password~~ 2468greendog 24680monkeymonkey p@ssword!! p@ssword1 p4ssword1 p4$5w0rd l1verpool l!verpool
    le7m3in99 v1ctori@ cheet@h1 p@$5w0rd99`
  for (const password of common.split(/\s+/)) assert.throws(() => checkPassword(password, []), isRefused('PASSWORD_COMMON'), password)
  for (const password of ['pass-word', '24680greendog', 'monkeyxzqkvw', 'xzqkvwmonkey']) checkPassword(password, [])
})

test('USER-PASSWORD-002: a password made from the user’s own address is refused', () => {
  for (const password of ['adalovelace1815', 'AdaLovelace1815@example.com', 'adalovelace1815!', 'example.com']) {
    assert.throws(() => checkPassword(password, [email]), isRefused('PASSWORD_COMMON'), password)
  }
  for (const password of ['+4915123456789', '015123456789', '15123456789', '0151-23456789']) {
    assert.throws(() => checkPassword(password, [phone]), isRefused('PASSWORD_COMMON'), password)
  }
  for (const password of ['ada loves forty engines', '90210 paper boats', 'call 0151-23456789 now']) checkPassword(password, [email, phone])
  const own = (value: string): Address => ({ channel: 'email', value: `${value}@example.com` })
  const made = (password: string, ...of: readonly Address[]) =>
    assert.throws(() => checkPassword(password, of), isRefused('PASSWORD_COMMON'), password)
  made('adalovelace1815', phone, email)
  made('004915123456789', phone)
  // Eight digits from the end of a number, or a name of four letters with another tail; less is too common.
  const other: Address = { channel: 'phone', value: '+4915198407263' }
  made('98407263', other)
  checkPassword('840-7263', [other])
  made('vqzk9999', own('vqzk1234'))
  checkPassword('vqz99999', [own('vqz12345')])
  made('x7654321', own('x7654321'))
  checkPassword('x7654328', [own('x7654321')])
  checkPassword('adalovelace99', [own('ada.lovelace')])
})

test('USER-PASSWORD-002: random passwords of a password manager pass', () => {
  const sign = fc.constantFrom(...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_.+')
  const manager = fc.array(sign, { minLength: 16, maxLength: 128 }).filter((signs) => new Set(signs).size > 8)
  fc.assert(fc.property(manager, (signs) => checkPassword(signs.join(''), [email, phone]) === undefined))
})

test('USER-PASSWORD-003: passwords are argon2id PHC strings as other programs write and read them', async () => {
  const argon = new Argon()
  // From the reference implementation: argon2 somesalt -id -t 2 -m 16 -p 1 < password
  const reference = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  assert.equal(await argon.verify('password', reference), true)
  assert.equal(await argon.verify('passwore', reference), false)
  assert.equal(argon.isOutdated(reference), true)

  const phc = await argon.hash('river lamp forty-two')
  const [, , , , nonce, tag] = phc.split('$')
  const parameters = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 }
  const again = argon2Sync('argon2id', { message: 'river lamp forty-two', nonce: Buffer.from(nonce ?? '', 'base64'), ...parameters })
  assert.equal(again.toString('base64').replace(/=+$/, ''), tag)
  assert.equal(argon.isOutdated(phc), false)
  assert.notEqual(await argon.hash('river lamp forty-two'), phc)
  assert.equal(await argon.verify('ﬁve paper boats', await argon.hash('five paper boats')), true, 'the same text in another Unicode form')
  assert.equal(await argon.verify('river lamp forty-two', undefined), false)
})

test('USER-PASSWORD-003: one password is hashed at a time, and requests beyond the queue are refused', async () => {
  const argon = cheapArgon(5)
  const finished: number[] = []
  const calls = Array.from({ length: 8 }, async (_, index) => {
    const tag = await argon.tag('1', Buffer.alloc(16, index))
    finished.push(index)
    return tag
  })
  const settled = await Promise.allSettled(calls)
  const turnedAway = settled.filter((one) => one.status === 'rejected')
  assert.equal(turnedAway.length, 3)
  for (const one of turnedAway) assert.ok(isRefused('UNAVAILABLE')(one.reason))
  assert.deepEqual(finished, [0, 1, 2, 3, 4])
  assert.equal((await argon.tag('1', Buffer.alloc(16))).length, 32)
})

test('USER-SESSION-006: a device is named by its browser and system', () => {
  const table = [
    ['Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36', 'Chrome · Android'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
      'Safari · iPhone',
    ],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36 Edg/140.0', 'Edge · Windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox · macOS'],
    ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36 EdgA/140.0', 'Edge · Android'],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 OPR/120.0', 'Opera · Linux'],
    ['Mozilla/5.0 (Linux; Android 14) SamsungBrowser/25.0 Chrome/121.0 Mobile Safari/537.36', 'Samsung Internet · Android'],
    ['Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X) AppleWebKit/605.1.15 FxiOS/143.0 Mobile Safari/605.1.15', 'Firefox · iPad'],
    ['Mozilla/5.0 (X11; CrOS x86_64 16000.0.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 'Chrome · ChromeOS'],
    ['curl/8.15.0', 'curl'],
    ['  padded\t', 'padded'],
    ['x'.repeat(60), 'x'.repeat(40)],
    ['my-program/1.0', 'my-program/1.0'],
    ['<script>\r\nalert(1)', '<script>alert(1)'],
    ['', '—'],
  ] as const
  for (const [userAgent, device] of table) assert.equal(deviceOf(userAgent), device)
})

test('USER-LOGIN-005: the machine’s own addresses are known in every form', () => {
  for (const ip of ['::1', '127.0.0.1', '127.9.9.9', '::ffff:127.0.0.1']) assert.equal(isLoopback(ip), true, ip)
  for (const ip of ['', '::2', '128.0.0.1', '10.0.127.', '192.0.2.127', '::ffff:10.0.0.127', '2001:db8::ffff:127.']) {
    assert.equal(isLoopback(ip), false, ip)
  }
})
