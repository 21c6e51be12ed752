import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chartsOf, isOnDevice, layoutOf, usualLayout } from './layout.ts'

test('UI-LAYOUT-001: what a device kept before becomes the layout of its visitor, and nothing if all was as usual', () => {
  assert.equal(layoutOf({}), undefined)
  assert.equal(layoutOf({ textSize: 100, confirmLimit: true, confirmMarket: true, confirmCancelAll: true }), undefined)
  assert.deepEqual(layoutOf({ textSize: 125 }), { ...usualLayout, textSize: 'extra' })
  assert.deepEqual(layoutOf({ confirmLimit: false })?.unasked, ['limit', 'stop-limit', 'oco'])
  assert.deepEqual(layoutOf({ confirmMarket: false, confirmCancelAll: false })?.unasked, [
    ...['market', 'stop-market', 'trailing', 'option'],
    'cancel-all',
  ])
})

test('UI-LAYOUT-001: visitors see the layout that the device last showed, and nobody that of another account', () => {
  const cases = [
    // owner, uid, whether it stays: whether it is shown
    [null, null, false, true],
    [null, '7', false, true],
    ['7', '7', false, true],
    ['7', '8', true, false],
    ['7', null, false, false],
    ['7', null, true, true],
  ] as const
  for (const [owner, uid, stays, isShown] of cases) assert.equal(isOnDevice(owner, uid, stays), isShown, `${owner} ${uid} ${stays}`)
})

test('UI-MINI-001: tall windows show the small chart on every desk until its owner chooses', () => {
  assert.deepEqual(chartsOf(usualLayout, 844), ['spot', 'perp', 'margin'])
  assert.deepEqual(chartsOf(usualLayout, 779), [])
  assert.deepEqual(chartsOf({ charts: [] }, 844), [])
  assert.deepEqual(chartsOf({ charts: ['spot'] }, 640), ['spot'])
})
