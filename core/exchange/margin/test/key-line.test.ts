import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AccountKey } from '../records/account.ts'
import { KeyLine } from '../records/key-line.ts'

test('MARGIN-LIQ-010: accounts take their steps in the order in which they came, each once, as in a set', () => {
  const turn = fc.oneof(fc.record({ adds: fc.integer({ min: 0, max: 40 }) }), fc.constant('take' as const))
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 200 }), (turns) => {
      const [line, twin] = [new KeyLine(), new Set<number>()]
      for (const one of turns) {
        if (one === 'take') {
          const [first] = twin
          assert.equal(line.take(), first)
          if (first !== undefined) twin.delete(first)
        } else {
          line.add(one.adds as AccountKey)
          twin.add(one.adds)
        }
        assert.deepEqual([line.size, [...line]], [twin.size, [...twin]])
      }
    }),
  )
})

test('MARGIN-LIQ-010: many accounts keep their order while some of them come back', () => {
  const line = new KeyLine()
  for (let key = 0; key < 3_000; key++) line.add((key * 2 ** 33) as AccountKey)
  for (let n = 0; n < 2_500; n++) {
    const key = line.take()
    assert.equal(key, n * 2 ** 33)
    if (n % 2 === 0) line.add(key!)
  }
  const left = [...Array.from({ length: 500 }, (_, n) => 2_500 + n), ...Array.from({ length: 1_250 }, (_, n) => 2 * n)]
  assert.deepEqual([line.size, [...line]], [1_750, left.map((n) => n * 2 ** 33)])
  for (const n of left) assert.equal(line.take(), n * 2 ** 33)
  assert.deepEqual([line.size, line.take(), [...line]], [0, undefined, []])
})
