import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FlagKind, flagKinds } from '@candor/core/protocol/wire/console/withdrawals.ts'
import { type Facts, flagsOf, heavyFlags, peopleOfDay } from '../flags.ts'

const hour = 3_600_000
const day = 24 * hour
const at = 1_800_000_000_000
/** Of an old account with an old address, to which it withdrew before. */
const usual: Facts = {
  ...{ at, openedAt: at - 400 * day, amount: '100', events: [], address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' },
  ...{ addressAddedAt: at - 100 * day, paidBefore: 3, earlierAddresses: [], sharedWith: [], largest: '80', all: '240' },
  ...{ debts: [], hasUnfinal: false, people: 0, day: '100', limits: { autoMax: '100', singleMax: '1000' } },
}
const kindsOf = (more: Partial<Facts>): readonly (readonly [FlagKind, string | undefined])[] =>
  flagsOf({ ...usual, ...more }, heavyFlags.production).map(({ kind, what }) => [kind, what])

test('REVIEW-FLAGS-002: devices, accounts, addresses and openings count as new for seven days, changes of protection for 72 hours', () => {
  assert.deepEqual(kindsOf({}), [])
  const event = (action: string, before: number) => kindsOf({ events: [{ action, at: at - before }] })
  assert.deepEqual(event('login', 7 * day - 1), [['new-device', 'login']])
  assert.deepEqual(event('login', 7 * day), [])
  for (const action of [
    'password-reset',
    'password-changed',
    'authenticator-removed',
    'passkey-added',
    'address-set',
    'payment-password-set',
  ]) {
    assert.deepEqual(event(action, 72 * hour - 1), [['protection', action]], action)
    assert.deepEqual(event(action, 72 * hour), [], action)
  }
  for (const action of ['account-unfrozen', 'regained']) {
    assert.deepEqual(event(action, 7 * day - 1), [['reopened', action]], action)
    assert.deepEqual(event(action, 7 * day), [], action)
  }
  assert.deepEqual(kindsOf({ openedAt: at - 7 * day + 1 }), [['new-account', undefined]])
  assert.deepEqual(kindsOf({ openedAt: at - 7 * day }), [])
  assert.deepEqual(kindsOf({ addressAddedAt: at - 7 * day + 1 }), [['new-address', 'new']])
  assert.deepEqual(kindsOf({ addressAddedAt: at - 7 * day }), [])
  assert.deepEqual(kindsOf({ paidBefore: 0 }), [['new-address', 'unpaid']])
})

test('REVIEW-FLAGS-003: an amount is unusual above three times the largest of 90 days, and above half of all that was ever withdrawn', () => {
  const unusual = (amount: string, largest: string | null, all: string | null) => kindsOf({ amount, largest, all }).map(([, what]) => what)
  assert.deepEqual(unusual('240', '80', '10000'), [])
  assert.deepEqual(unusual('240.000001', '80', '10000'), ['largest'])
  assert.deepEqual(unusual('120', '80', '240'), [])
  assert.deepEqual(unusual('120.000000000000000001', '80', '240'), ['all'])
  // Nothing in the last 90 days: only the sum of all speaks.
  assert.deepEqual(unusual('100', null, '150'), ['all'])
  assert.deepEqual(unusual('1000000', null, null), [])
})

test('REVIEW-FLAGS-006: a request that needs more members only because of others of the day is flagged, with the sum', () => {
  const people = (day: string, own = 0) => [peopleOfDay({ ...usual, day }), kindsOf({ day, people: own }).map(([, what]) => what)]
  assert.deepEqual(people('100'), [0, []])
  assert.deepEqual(people('100.000001'), [1, ['day']])
  assert.deepEqual(people('1000', 1), [1, []])
  assert.deepEqual(people('1000.000001', 1), [2, ['day']])
  assert.deepEqual(people('5000', 2), [2, []])
  assert.equal(peopleOfDay({ ...usual, limits: undefined }), 2)
})

test('REVIEW-FLAGS-004: debts, look-alikes of earlier addresses, addresses of other accounts and deposits that are not final are flags', () => {
  assert.deepEqual(kindsOf({ debts: [{ asset: 'USDT', amount: '5' }], hasUnfinal: true, sharedWith: ['100000001'] }), [
    ['debt', undefined],
    ['shared-address', undefined],
    ['unfinal', undefined],
  ])
  const alike = 'TJRa999999999999999999999999pRTv8'.padEnd(34, 'x')
  const same = `TJRa${'9'.repeat(26)}RTv8`
  assert.deepEqual(kindsOf({ earlierAddresses: [usual.address, alike, same] }), [['look-alike', undefined]])
})

test('REVIEW-FLAGS-005: every flag needs a person in production; in a sandbox, where everything is new, what is merely new does not', () => {
  assert.deepEqual([...heavyFlags.production].toSorted(), [...flagKinds].toSorted())
  assert.deepEqual(
    flagKinds.filter((kind) => !heavyFlags.sandbox.has(kind)),
    ['protection', 'new-device', 'new-account', 'new-address'],
  )
})
