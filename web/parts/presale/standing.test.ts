import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PresaleOutcome, PresaleState, WirePresale } from '@candor/core/protocol/wire/presale.ts'
import { groups, inGroup, partOf, standingOf, wordOf } from './standing.ts'

const presale = (number: number, startsAt: number, state: PresaleState, outcome: PresaleOutcome | null = null): WirePresale =>
  ({ number, startsAt, state, outcome }) as WirePresale

test('UI-PRESALE-001: live presales come before upcoming ones, of which the next begins first, and ended ones come last', () => {
  const all = [
    presale(1, 10, 'released', 'allocated'),
    presale(2, 20, 'locked', 'allocated'),
    presale(3, 30, 'ended'),
    presale(4, 40, 'subscribing'),
    presale(5, 60, 'upcoming'),
    presale(6, 50, 'upcoming'),
    presale(7, 70, 'ended', 'cancelled'),
    presale(8, 80, 'upcoming', 'cancelled'),
  ]
  assert.deepEqual(
    groups.map((group) => inGroup(group, all).map(({ number }) => number)),
    [[4], [6, 5], [8, 7, 3, 2, 1]],
  )
  assert.deepEqual([wordOf(all[0]!), wordOf(all[2]!), wordOf(all[6]!)], ['released', 'ended', 'cancelled'])
})

test('UI-PRESALE-002: a subscription is subscribing, then participating until the allocation, then locked, released or refunded', () => {
  const of = (state: PresaleState, outcome: PresaleOutcome | null, allocated: string | null, locked: string | null) =>
    standingOf({ state, outcome, allocated, locked })
  assert.equal(of('subscribing', null, null, null), 'subscribing')
  assert.equal(of('ended', null, null, null), 'participating')
  assert.equal(of('locked', 'allocated', '100', '80'), 'locked')
  assert.equal(of('released', 'allocated', '100', '0'), 'released')
  assert.equal(of('ended', 'missed', '0', '0'), 'refunded')
  assert.equal(of('ended', 'cancelled', null, null), 'refunded')
  // So little was subscribed that it got no unit of the token.
  assert.equal(of('locked', 'allocated', '0', '0'), 'refunded')
})

test('UI-PRESALE-002: a bar shows a part of the whole and is never wider than it', () => {
  assert.deepEqual([partOf('20', '80'), partOf('120', '100'), partOf(null, '80'), partOf('5', null), partOf('5', '0')], [25, 100, 0, 0, 0])
})
