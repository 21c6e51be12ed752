/** A gate opens and closes a market: it closes when its price is not good or it is halted, and opens again in steps. */
import type { Millis } from '../../../money/brand.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Records } from '../../../protocol/codec/records.ts'
import { marketPhases } from '../../../protocol/market.ts'
import { Gate } from '../phase.ts'

const start = 1_750_000_000_000
const ms = (later: number): Millis => (start + later) as Millis

/** Advances a gate. `price` and `trading`: whether the price is good, and whether the market is not halted. */
function at(gate: Gate, later: number, price: 'good' | 'bad' = 'good', trading: 'on' | 'off' = 'on'): string {
  const before = gate.phase
  const hasChanged = gate.advance(ms(later), price === 'good', trading === 'on')
  assert.equal(hasChanged, gate.phase !== before)
  return marketPhases[gate.phase]!
}

/** Milliseconds from the start until the phase changes by itself. */
const due = (gate: Gate): number => gate.dueAtMs() - start

/** A gate whose market traded, had a bad price from 0 on, and has a good one again at `later`. */
function afterOutage(later: number): Gate {
  const gate = new Gate()
  at(gate, -1)
  at(gate, 0, 'bad')
  at(gate, later)
  return gate
}

test('PERP-OUTAGE-001: a market closes while its price is not good, and after 30 s it takes orders that only reduce', () => {
  const gate = new Gate()
  assert.deepEqual([at(gate, -1), due(gate), gate.matches, gate.liquidates], ['open', Infinity, true, true])
  assert.deepEqual([at(gate, 0, 'bad'), due(gate), gate.matches, gate.liquidates], ['bad', 30_000, false, false])
  assert.equal(at(gate, 5_000, 'bad'), 'bad')
  assert.deepEqual([at(gate, 29_999, 'bad'), due(gate)], ['bad', 30_000])
  assert.deepEqual([at(gate, 30_000, 'bad'), due(gate), gate.matches, gate.liquidates], ['reducing', Infinity, false, false])
})

test('PERP-OUTAGE-004: an outage of less than 3 s ends at once', () => {
  const gate = afterOutage(2_999)
  assert.deepEqual([marketPhases[gate.phase], due(gate), gate.matches, gate.liquidates], ['open', Infinity, true, true])
  // The next outage counts from its own beginning.
  assert.equal(at(gate, 4_000, 'bad'), 'bad')
  assert.deepEqual([due(gate), at(gate, 6_999)], [34_000, 'open'])
})

test('PERP-OUTAGE-004: after an outage of 3 s a market rests for 5 s, and liquidates after 10 s', () => {
  const gate = afterOutage(3_000)
  assert.deepEqual([marketPhases[gate.phase], due(gate), gate.matches, gate.liquidates], ['resuming', 8_000, false, false])
  assert.equal(at(gate, 7_999), 'resuming')
  assert.deepEqual([at(gate, 8_000), due(gate), gate.matches, gate.liquidates], ['no-liquidations', 13_000, true, false])
  assert.equal(at(gate, 12_999), 'no-liquidations')
  assert.deepEqual([at(gate, 13_000), due(gate), gate.matches, gate.liquidates], ['open', Infinity, true, true])
  assert.equal(at(gate, 20_000), 'open')
})

test('PERP-OUTAGE-004: a short outage during the steps does not prolong them, a long one does', () => {
  const short = afterOutage(3_000)
  assert.equal(at(short, 4_000, 'bad'), 'bad')
  assert.equal(at(short, 6_999), 'resuming')
  assert.equal(at(short, 8_000), 'no-liquidations')
  const long = afterOutage(3_000)
  at(long, 4_000, 'bad')
  assert.deepEqual([at(long, 7_000), due(long)], ['resuming', 12_000])
  const late = afterOutage(3_000)
  at(late, 11_000, 'bad')
  assert.equal(at(late, 13_500), 'open', 'the steps ended during the short outage')
})

test('PERP-HALT-001: a halted market is halted whatever its price, and opens again in the same steps', () => {
  const gate = new Gate()
  at(gate, -1)
  assert.deepEqual([at(gate, 0, 'good', 'off'), due(gate), gate.matches, gate.liquidates], ['halted', Infinity, false, false])
  assert.equal(at(gate, 1_000, 'bad', 'off'), 'halted')
  // The price has not been good since second 1, which counts when the halt ends.
  assert.deepEqual([at(gate, 30_999, 'bad'), due(gate)], ['bad', 31_000])
  assert.equal(at(gate, 31_000, 'bad'), 'reducing')
  assert.deepEqual([at(gate, 32_000), due(gate)], ['resuming', 37_000])
  const short = new Gate()
  at(short, -1)
  at(short, 0, 'good', 'off')
  assert.equal(at(short, 2_999), 'open')
  const both = new Gate()
  at(both, -1)
  at(both, 0, 'bad')
  at(both, 2_000, 'good', 'off')
  assert.equal(at(both, 3_000), 'resuming', 'an outage and a halt in a row are one time without a market')
})

test('PERP-HALT-001: the time in which a market does not match is counted to the millisecond', () => {
  const gate = new Gate()
  at(gate, -1)
  assert.equal(gate.closedMs(ms(0)), 0)
  at(gate, 1_000, 'bad')
  assert.deepEqual([gate.closedMs(ms(1_000)), gate.closedMs(ms(1_500))], [0, 500])
  at(gate, 2_000, 'bad')
  assert.equal(gate.closedMs(ms(2_000)), 1_000)
  at(gate, 3_000)
  assert.deepEqual([gate.closedMs(ms(3_000)), gate.closedMs(ms(9_000))], [2_000, 2_000])
  at(gate, 10_000, 'good', 'off')
  at(gate, 14_000)
  // Until 19,000 the market resumes and does not match.
  assert.equal(gate.closedMs(ms(18_000)), 10_000)
  at(gate, 19_000)
  assert.deepEqual([gate.closedMs(ms(19_000)), gate.closedMs(ms(50_000))], [11_000, 11_000])
  at(gate, 60_000)
  assert.equal(gate.closedMs(ms(60_000)), 11_000)
})

test('SPOT-CORE-002: a restored gate is in the same phase and takes the same steps', () => {
  const moments: readonly (readonly [number, 'good' | 'bad', 'on' | 'off'])[] = [
    [-1, 'good', 'on'],
    [0, 'bad', 'on'],
    [4_000, 'bad', 'off'],
    [5_000, 'good', 'on'],
    [6_000, 'bad', 'on'],
    [7_000, 'good', 'on'],
    [10_500, 'good', 'on'],
    [15_000, 'good', 'on'],
    [16_000, 'bad', 'on'],
    [46_000, 'bad', 'on'],
    [47_000, 'good', 'on'],
  ]
  const seen = (gate: Gate, later: number): readonly unknown[] => [gate.phase, gate.dueAtMs(), gate.closedMs(ms(later))]
  for (let restored = 1; restored < moments.length; restored++) {
    const gate = new Gate()
    for (const moment of moments.slice(0, restored)) at(gate, ...moment)
    const into = new Records()
    into.reserve(2)
    gate.dump(into)
    const copy = new Gate()
    assert.equal(copy.restore(into.data, 2), into.length)
    for (const moment of moments.slice(restored)) {
      assert.deepEqual(seen(copy, moment[0]), seen(gate, moment[0]))
      for (const one of [gate, copy]) at(one, ...moment)
    }
    assert.deepEqual(seen(copy, 60_000), seen(gate, 60_000))
  }
})
