import assert from 'node:assert/strict'
import { test } from 'node:test'
import { homeCards } from '@candor/core/protocol/wire/own/preferences.ts'
import { columnsOf, inOrder, offeredActions, quickPaths, shownActions, usualLayout } from './layout.ts'
import { nextStep, type Progress, stepsOf, withoutSteps, withSteps } from './next.ts'
import { mergedGuide } from '../../parts/tour/guide.ts'

const all = Object.fromEntries(Object.values(quickPaths).map((path) => [path, 'x']))

test('UI-HOME-001: an action is offered once its screen exists, practice funds in a sandbox only', () => {
  const { '/sellList': _presale, '/join': _invite, ...some } = all
  assert.deepEqual(offeredActions(false, some), ['deposit', 'convert', 'trade', 'second', 'orders', 'records'])
  assert.deepEqual(offeredActions(true, all).slice(0, 2), ['funds', 'deposit'])
  assert.ok(offeredActions(false, all).includes('invite'))
})

test('UI-HOME-001: what its owner chose is shown in that order, and nothing that is not offered', () => {
  const offered = offeredActions(true, all)
  assert.deepEqual(shownActions({ cards: homeCards, actions: ['records', 'trade'] }, offered), ['records', 'trade'])
  assert.deepEqual(shownActions({ cards: homeCards, actions: ['invite', 'trade'] }, offeredActions(true, { '/spot': 'x' })), ['trade'])
  assert.equal(shownActions(usualLayout, offered)[0], 'funds')
  assert.equal(shownActions(usualLayout, offeredActions(false, all)).includes('funds'), false)
  // What the account keeps is a copy.
  assert.equal(shownActions({ cards: [], actions: [...usualLayout.actions] }, offered)[0], 'funds')
  assert.deepEqual([4, 5, 6, 7, 8].map(columnsOf), [5, 5, 3, 4, 4])
  assert.deepEqual(inOrder(['c', 'a'], ['a', 'b', 'c']), ['c', 'a', 'b'])
})

test('UI-HOME-002: the steps tick off one by one; those of Second are left out where it is not offered', () => {
  const none = {
    ...{ hasFunds: false, isCertified: false, isSecured: false, hasMoved: false, hasTraded: false },
    ...{ hasSecond: false, hasChecked: false },
  }
  const order = ['hasFunds', 'isSecured', 'hasTraded', 'isCertified', 'hasMoved', 'hasSecond', 'hasChecked'] as const
  const names = ['deposit', 'secure', 'trade', 'verify', 'move', 'second', 'check']
  let progress: Progress = none
  for (const [at, done] of order.entries()) {
    assert.equal(nextStep(progress), names[at])
    progress = { ...progress, [done]: true }
  }
  assert.equal(nextStep(progress), undefined)
  const without = stepsOf({ ...none, hasSecond: undefined }).map(({ step }) => step)
  assert.deepEqual(without, names.slice(0, 5))
  // Somebody who has traded had funds, even if none are left; somebody with a stake has moved money.
  const isDone = stepsOf({ ...none, hasTraded: true, hasSecond: true }).filter((one) => one.isDone)
  assert.deepEqual(
    isDone.map(({ step }) => step),
    ['deposit', 'trade', 'move', 'second'],
  )
})

test('UI-HOME-004: what a visitor was shown counts for the account, with what it knew before', () => {
  assert.deepEqual(mergedGuide(undefined, { tours: ['spot'], hasChecked: false }), { tours: ['spot'], hasChecked: false })
  const own = { tours: ['spot', 'perp'], hasChecked: true } as const
  assert.deepEqual(mergedGuide(own, { tours: ['perp', 'option'], hasChecked: false }), {
    tours: ['spot', 'perp', 'option'],
    hasChecked: true,
  })
})

test('UI-HOME-005: the card of the first steps is hidden and comes back once', () => {
  const hidden = withoutSteps(usualLayout)
  assert.deepEqual(hidden, { ...usualLayout, cards: ['quick', 'markets', 'volume', 'links'] })
  assert.deepEqual(withSteps(hidden), usualLayout)
  assert.deepEqual(withSteps(usualLayout), usualLayout)
})
