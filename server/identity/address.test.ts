import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refused } from '../refused.ts'
import { countryOf, maskEmail, maskInviter, maskPhone, parseAddress, parseEmail, parsePhone } from './address.ts'

const isRefused = (refusal: string) => (error: unknown) => error instanceof Refused && error.refusal === refusal

/** 254 characters. */
const longest = `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}museum`

test('USER-ADDRESS-001: an email address is stored in lower case and without the spaces around it', () => {
  const table = [
    [' Ada.Lovelace+trade@Example.COM ', 'ada.lovelace+trade@example.com'],
    ["o'neil@sub.example.co.uk", "o'neil@sub.example.co.uk"],
    ['a@bücher.example', 'a@xn--bcher-kva.example'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    ['a@x.example', 'a@x.example'],
    [longest, longest],
  ] as const
  for (const [text, email] of table) assert.equal(parseEmail(text), email)
})

test('USER-ADDRESS-001: text that is not an email address is refused, such as line breaks and lists of addresses', () => {
  const wrong = [
    '',
    '@',
    'a@',
    '@b.co',
    'a@b',
    'a@localhost',
    'a b@c.de',
    'a@b..de',
    '.a@b.de',
    'a.@b.de',
    'a..b@c.de',
    'a@-b.de',
    'a@b-.de',
    'ada.example.com',
    'a@b.com_x',
    'a@b.com-',
  ]
  const nasty = [
    'a@b.de\r\nBcc: c@d.ef',
    'a\n@b.de',
    'a@b.de,c@d.ef',
    'a@b.de;c@d.ef',
    '<a@b.de>',
    '"a b"@c.de',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a\0@b.de',
  ]
  const long = [
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'b.'.repeat(130)}com`,
    'ä@example.com',
    'a@b.c',
    'a@exa_mple.com',
    'a@b@c.de',
    `${longest}s`,
  ]
  for (const text of [...wrong, ...nasty, ...long]) assert.throws(() => parseEmail(text), isRefused('EMAIL_INVALID'), JSON.stringify(text))
})

test('USER-ADDRESS-001: every accepted address is one plain token that parses to itself', () => {
  fc.assert(
    fc.property(fc.oneof(fc.emailAddress(), fc.string(), fc.string({ unit: 'binary' })), (text) => {
      let email: string
      try {
        email = parseEmail(text)
      } catch (error) {
        return isRefused('EMAIL_INVALID')(error)
      }
      return /^[\x21-\x7e]+@[a-z0-9.-]+$/.test(email) && !/[\s,;<>()"]/.test(email) && parseEmail(email) === email
    }),
  )
})

test('USER-ADDRESS-002: a phone number needs its country and is stored in international form', () => {
  for (const text of ['+49 1512 3456789', '+49 (1512) 345-67.89', ' +4915123456789 ']) assert.equal(parsePhone(text), '+4915123456789')
  assert.equal(parsePhone('+852 6123 4567'), '+85261234567')
  const wrong = [
    '',
    '+',
    '015123456789',
    '004915123456789',
    '+49',
    '+491',
    '+999123456789',
    '+49151234567890123',
    '+49 1512 34567x9',
    '+49;ext=1',
    '٤٩١٥١٢٣٤٥٦٧٨٩',
    'x+4915123456789',
    '+4915123456789x5',
  ]
  for (const text of wrong) assert.throws(() => parsePhone(text), isRefused('PHONE_INVALID'), text)
})

test('USER-ADDRESS-002: short messages go only to the listed countries', () => {
  assert.equal(parsePhone('+4915123456789', new Set(['DE', 'FR'])), '+4915123456789')
  for (const text of ['+85261234567', '+4915', 'x'])
    assert.throws(() => parsePhone(text, new Set(['DE', 'FR'])), { refusal: 'PHONE_INVALID', field: 'to' })
  assert.deepEqual(['+4915123456789', '+436641234567', '', '+999123456789'].map(countryOf), ['DE', 'AT', '??', '??'])
})

test('USER-ADDRESS-001: an address is read as its channel says, and a refusal names its field', () => {
  assert.deepEqual(parseAddress('email', ' A@b.de '), { channel: 'email', value: 'a@b.de' })
  assert.deepEqual(parseAddress('phone', '+49 1512 3456789', new Set(['DE'])), { channel: 'phone', value: '+4915123456789' })
  assert.throws(() => parseAddress('email', '+4915123456789'), { refusal: 'EMAIL_INVALID', field: 'to' })
  assert.throws(() => parseAddress('phone', '+49 1512 3456789', new Set(['AT'])), { refusal: 'PHONE_INVALID', field: 'to' })
})

test('USER-ADDRESS-003: addresses are shown masked', () => {
  assert.equal(maskEmail('adalovelace@example.com'), 'a•••e@example.com')
  assert.equal(maskEmail('al@example.com'), 'a•••@example.com')
  assert.equal(maskEmail('ada@example.com'), 'a•••a@example.com')
  assert.equal(maskPhone('+4915123456789'), '+49•••••89')
  assert.equal(maskInviter('adalovelace@example.com', null), 'a•••e')
  assert.equal(maskInviter(null, '+4915123456789'), '+49•••••89')
})
