import assert from 'node:assert/strict'
import test from 'node:test'
import { contactOf, isPhoneLike } from './contact.ts'
import { countriesIn, dialOf, likelyCountry } from './countries.ts'

test('the input becomes an email in lower case, or a phone number in international form', () => {
  const cases: readonly (readonly [string, string, string, string, boolean])[] = [
    ['Ann@Example.com ', '49', 'email', 'ann@example.com', true],
    ['ann@example', '49', 'email', 'ann@example', false],
    ['0151 2345678', '49', 'phone', '+491512345678', true],
    ['+44 20 7946 0958', '49', 'phone', '+442079460958', true],
    ['0044 20 7946 0958', '49', 'phone', '+442079460958', true],
    ['06 1234 5678', '39', 'phone', '+390612345678', true],
    ['6123 4567', '852', 'phone', '+85261234567', true],
    ['123', '1', 'phone', '+1123', false],
  ]
  for (const [typed, dial, channel, to, isComplete] of cases) {
    assert.deepEqual(contactOf(typed, dial), { channel, to, isComplete }, typed)
  }
})

test('digits are recognized as a phone number, a letter as an email', () => {
  assert.equal(isPhoneLike('01'), false)
  assert.equal(isPhoneLike('015'), true)
  assert.equal(isPhoneLike('+49'), true)
  assert.equal(isPhoneLike('123a'), false)
})

test('countries have names in each language, calling codes, and a likely one', () => {
  const german = countriesIn('de')
  assert.equal(german.find(({ code }) => code === 'DE')?.name, 'Deutschland')
  assert.ok(german.length > 200)
  assert.ok(german.every(({ dial, name, code }) => /^[1-9]\d{0,2}$/.test(dial) && name !== code))
  assert.equal(new Set(german.map(({ code }) => code)).size, german.length)
  assert.equal(dialOf('HK'), '852')
  assert.equal(likelyCountry(['de-CH', 'en'], 'en'), 'CH')
  assert.equal(likelyCountry(['en'], 'hk'), 'HK')
})
