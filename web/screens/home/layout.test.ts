import assert from 'node:assert/strict'
import { test } from 'node:test'
import { homeCards } from '@candor/core/protocol/wire/own/preferences.ts'
import { columnsOf, inOrder, offeredActions, quickPaths, shownActions, usualLayout } from './layout.ts'
import { nextStep, stepsOf } from './next.ts'

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

test('UI-HOME-002: the next steps tick off one by one and disappear with the last', () => {
  const none = { hasFunds: false, isCertified: false, isSecured: false, hasTraded: false }
  assert.equal(nextStep(none), 'deposit')
  assert.equal(nextStep({ ...none, hasFunds: true }), 'secure')
  assert.equal(nextStep({ ...none, hasFunds: true, isSecured: true }), 'verify')
  assert.equal(nextStep({ ...none, hasFunds: true, isSecured: true, isCertified: true }), 'trade')
  assert.equal(nextStep({ hasFunds: true, isCertified: true, isSecured: true, hasTraded: true }), undefined)
  // Somebody who has traded had funds, even if none are left.
  assert.deepEqual(
    stepsOf({ ...none, hasTraded: true }).map(({ isDone }) => isDone),
    [true, false, false, true],
  )
})
