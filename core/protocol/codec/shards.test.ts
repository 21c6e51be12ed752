import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ByNumber } from './by-number.ts'
import { Shards } from './shards.ts'

const key = fc.oneof(
  fc.nat(50),
  fc.nat(5).map((n) => n * 2 ** 32),
  fc.nat(5).map((n) => n * 2 ** 20 + 7),
  fc.maxSafeNat(),
)

test('FUNDS-ROWS-006: a map in parts has the same entries as a plain map', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.option(fc.nat()))), (steps) => {
      const [parts, plain] = [new Shards<number>(), new Map<number, number>()]
      for (const [at, value] of steps) {
        if (value === null) assert.equal(parts.delete(at), plain.delete(at))
        else {
          parts.set(at, value)
          plain.set(at, value)
        }
        assert.equal(parts.size, plain.size)
        assert.equal(parts.get(at), plain.get(at))
        assert.equal(parts.has(at), plain.has(at))
      }
      const byKey = (a: readonly [number, number], b: readonly [number, number]): number => a[0] - b[0]
      assert.deepEqual([...parts].sort(byKey), [...plain].sort(byKey))
      assert.deepEqual([...parts.values()].sort(), [...plain.values()].sort())
    }),
  )
})

test('FUNDS-ROWS-006: entries kept in pages are found by number, and listed in order of their numbers', () => {
  const pages = new ByNumber<string>()
  for (const n of [5000, 0, 1023, 1024]) pages.set(n, `n${n}`)
  pages.set(1024, undefined)
  assert.deepEqual(
    [0, 1, 1023, 1024, 5000, 99_999].map((n) => pages.get(n)),
    ['n0', undefined, 'n1023', undefined, 'n5000', undefined],
  )
  assert.deepEqual(pages.all(), ['n0', 'n1023', 'n5000'])
})
