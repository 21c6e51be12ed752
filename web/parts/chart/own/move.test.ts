import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decimal } from '@candor/core/money/brand.ts'
import { apart } from './apart.ts'
import type { OwnLine } from './line.ts'
import { isShown, type Move, movedTo, released, stopOf } from './move.ts'

const open = { isTrading: true, isLive: true }
const move: Move = { id: 'order-1', version: 'open 100 1 0', from: 1000, to: 1010, stage: 'held' }

function line(change: Partial<NonNullable<OwnLine['move']>> = {}, id = 'order-1'): OwnLine {
  const rest = { outcomeAt: () => null, warningAt: () => undefined, asks: true, send: () => Promise.resolve(), done: '' }
  return {
    ...{ id, price: '100' as Decimal, tone: 'up', isDashed: true, name: 'Buy' },
    move: { version: move.version, needsMarket: true, ...rest, ...change },
  }
}

test('UI-LINES-003: a fill, an end, old prices or a halt in the middle of a move end it', () => {
  assert.equal(stopOf(move, [line()], open), undefined)
  assert.equal(stopOf(move, [line({ version: 'partially-filled 100 1 0.4' })], open), 'changed')
  assert.equal(stopOf(move, [line({}, 'order-2')], open), 'gone')
  assert.equal(stopOf(move, [line()], { ...open, isLive: false }), 'offline')
  assert.equal(stopOf({ ...move, stage: 'asked' }, [line()], { ...open, isTrading: false }), 'halted')
  // The exchange decides what was sent.
  assert.equal(stopOf({ ...move, stage: 'sending' }, [], { isTrading: false, isLive: false }), undefined)
  // An alert needs no market.
  assert.equal(stopOf(move, [line({ needsMarket: false })], { isTrading: false, isLive: false }), undefined)
})

test('a moved line stays where it was put until the orders show it', () => {
  const done: Move = { ...move, stage: 'done' }
  assert.equal(isShown(done, [line()]), false)
  assert.equal(isShown(done, [line({ version: 'open 101 1 0' })]), true)
  assert.equal(isShown(done, []), true)
  assert.equal(stopOf(done, [], open), undefined)
})

test('a line that comes back to its price is not moved, and no price is below one tick', () => {
  assert.deepEqual(released(move), { ...move, stage: 'asked' })
  assert.equal(released(movedTo(move, 999.6)), undefined)
  assert.equal(movedTo(move, -3).to, 1)
})

test('UI-LINES-002: tags never cover each other or the tag of the last price, and keep their order', () => {
  const bounds = { from: 9, to: 291 }
  for (let run = 0; run < 300; run += 1) {
    const places = Array.from({ length: 1 + (run % 6) }, (_, at) => (run * 37 + at * at * 53) % 300)
    const fixed = run % 2 === 0 ? undefined : 150
    const spread = apart(places, 18, bounds, fixed)
    const all = [...spread, ...(fixed === undefined ? [] : [fixed])].sort((a, b) => a - b)
    for (let at = 1; at < all.length; at += 1) assert.ok(all[at]! - all[at - 1]! >= 18 - 1e-9, `${places} → ${spread}`)
    assert.ok(spread.every((y) => y >= bounds.from && y <= bounds.to))
    const order = places.map((_, at) => at).sort((a, b) => places[a]! - places[b]! || a - b)
    assert.deepEqual(
      order.map((at) => spread[at]),
      spread.toSorted((a, b) => a - b),
    )
  }
  assert.deepEqual(apart([50, 200], 18, bounds), [50, 200], 'tags with room stay at their prices')
})
