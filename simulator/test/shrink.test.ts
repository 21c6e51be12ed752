import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../random.ts'
import { shrink } from '../shrink.ts'

test('SIM-SHRINK-001: a long failing list is reduced to the items that make it fail', () => {
  const list = Array.from({ length: 300 }, (_, i) => i)
  const fails = (steps: readonly number[]): boolean => steps.includes(17) && steps.includes(250) && steps.indexOf(17) < steps.indexOf(250)
  assert.deepEqual(shrink(list, fails), [17, 250])
  assert.deepEqual(shrink(list, (steps) => steps.length > 0).length, 1)
  assert.equal(shrink(list, fails, 3).length > 2, true)
})

test('SIM-RANDOM-001: the same seed gives the same numbers, another seed gives others', () => {
  const draw = (seed: number): readonly number[] => {
    const random = new Random(seed)
    return Array.from({ length: 50 }, () => random.bits())
  }
  assert.deepEqual(draw(7), draw(7))
  assert.notDeepEqual(draw(7), draw(8))
  assert.notDeepEqual(draw(7), draw(7 + 2 ** 32))
  const random = new Random(1)
  const between = Array.from({ length: 2000 }, () => random.between(3, 6))
  assert.deepEqual([...new Set(between)].sort(), [3, 4, 5, 6])
  assert.deepEqual(new Set(Array.from({ length: 500 }, () => random.weighted({ a: 1, b: 2, c: 0 }))), new Set(['a', 'b']))
})
