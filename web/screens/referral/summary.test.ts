import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barsOf, codeIn, digitsOf, linkOf, nextTier } from './summary.ts'

test('UI-REFERRAL-001: the code of a link is read from the hash, or from before it, and anything that is no code is ignored', () => {
  const read = (hash: string, search = '') => codeIn(new URLSearchParams(hash), search)
  assert.deepEqual(
    [read('code=abcd2345'), read('', '?code=ABCD2345'), read('code=ABCD2345', '?code=OTHER234'), read(''), read('code=<b>')],
    ['ABCD2345', 'ABCD2345', 'ABCD2345', '', ''],
  )
  const link = linkOf('https://candor.example/', 'ABCD2345')
  assert.equal(link, 'https://candor.example/#/join?code=ABCD2345')
  assert.equal(read(link.slice(link.indexOf('?') + 1)), 'ABCD2345')
})

test('UI-REFERRAL-002: progress runs from the present tier to the next, and the last tier has none', () => {
  const tiers = [
    { volumeMin: '0', sharePercent: '20' },
    { volumeMin: '1000000', sharePercent: '25' },
    { volumeMin: '3000000', sharePercent: '30' },
  ]
  assert.deepEqual(nextTier(tiers, 0, '250000'), { next: tiers[1], percent: 25, missing: 750_000 })
  assert.deepEqual(nextTier(tiers, 1, '1000000'), { next: tiers[2], percent: 0, missing: 2_000_000 })
  // The volume may already be in the next tier when the terms have just changed.
  assert.deepEqual(nextTier(tiers, 0, '9000000'), { next: tiers[1], percent: 100, missing: 0 })
  assert.equal(nextTier(tiers, 2, '5000000'), undefined)
  assert.equal(nextTier([], 0, '0'), undefined)
  assert.deepEqual(['20', '2.5', '0.0001'].map(digitsOf), [0, 1, 4])
})

test('UI-REFERRAL-003: the best day fills its bar, and both levels share it', () => {
  const days = [
    { day: 1, first: '3', second: '1' },
    { day: 2, first: '0', second: '0' },
    { day: 3, first: '2', second: '0' },
  ]
  assert.deepEqual(barsOf({ days }), [
    { day: 1, total: 4, first: 75, second: 25 },
    { day: 2, total: 0, first: 0, second: 0 },
    { day: 3, total: 2, first: 50, second: 0 },
  ])
  assert.deepEqual(barsOf({ days: [{ day: 1, first: '0', second: '0' }] }), [{ day: 1, total: 0, first: 0, second: 0 }])
})
