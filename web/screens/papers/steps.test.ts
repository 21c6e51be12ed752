import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PhotoSide, WirePapers, WirePhoto } from '@candor/core/protocol/wire/papers.ts'
import { isDone, isReachable, nextStep, shownStep, stepsOf } from './steps.ts'

const photo = (side: PhotoSide): WirePhoto => ({ side, id: side, width: 1000, height: 700, at: 1 })
const none: WirePapers = {
  ...{ state: 'none', kind: null, country: null, name: null, born: null, number: null },
  ...{ photos: [], faults: [], sentAt: null, decidedAt: null, usualHours: null },
}
const data = { kind: 'id-card', country: 'DE', name: 'Erika Mustermann', born: '1964-08-12', number: 'L01X00T47' } as const
const whole: WirePapers = { ...none, ...data, state: 'draft', photos: [photo('front'), photo('back')] }

test('UI-PAPERS-001: the check goes on at the first step that is not done, in order, and a passport has one photo', () => {
  assert.equal(nextStep(none), 'document')
  assert.equal(nextStep({ ...none, kind: 'passport' }), 'document')
  assert.equal(nextStep({ ...none, kind: 'passport', country: 'DE' }), 'data')
  assert.equal(nextStep({ ...whole, photos: [] }), 'front')
  assert.equal(nextStep({ ...whole, photos: [photo('front')] }), 'back')
  assert.equal(nextStep({ ...whole, kind: 'passport', photos: [photo('front')] }), 'review')
  assert.equal(nextStep(whole), 'review')
  assert.deepEqual(stepsOf('passport'), ['document', 'data', 'front', 'review'])
  assert.deepEqual(stepsOf(null), ['document', 'data', 'front', 'back', 'review'])
})

test('UI-PAPERS-001: a step can be opened when those before it are filled; any other leads to the first that is not done', () => {
  assert.equal(shownStep(none, 'review'), 'document')
  assert.equal(shownStep(whole, 'data'), 'data')
  assert.equal(shownStep(whole, null), 'review')
  assert.equal(shownStep(whole, 'nonsense'), 'review')
  assert.equal(shownStep({ ...whole, kind: 'passport' }, 'back'), 'review')
  assert.equal(isReachable({ ...whole, photos: [photo('front')] }, 'review'), false)
})

test('UI-PAPERS-002: after a rejection only what was turned down is asked for; data may stay as it is, a photo may not', () => {
  const rejected: WirePapers = {
    ...whole,
    state: 'rejected',
    faults: [
      { field: 'number', reason: 'differs' },
      { field: 'back', reason: 'glare' },
    ],
  }
  assert.equal(nextStep(rejected), 'data')
  assert.equal(nextStep(rejected, 'data'), 'back')
  assert.equal(nextStep(rejected, 'back'), 'review')
  assert.equal(isDone(rejected, 'front'), true)
  assert.equal(isReachable(rejected, 'review'), false)
  assert.equal(isReachable({ ...rejected, faults: rejected.faults.slice(0, 1) }, 'review'), true)
})
