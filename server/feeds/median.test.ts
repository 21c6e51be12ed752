import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { indexOf, type IndexValue, median, type Source } from './median.ts'

/** The index without the prices from which it was computed. */
function valueOf(sources: readonly Source[]): Omit<IndexValue, 'quotes'> | undefined {
  const index = indexOf(sources)
  if (index === undefined) return undefined
  const { quotes: _, ...value } = index
  return value
}

const at = (price: number, ageMs = 0): Source => ({ venue: `v${price}-${ageMs}`, price, ageMs })

test('FEEDS-INDEX-001: the index is the median of fresh prices near it', () => {
  const table: readonly [
    name: string,
    sources: readonly Source[],
    expected: { price: number; sources: number; isGood: boolean } | undefined,
  ][] = [
    ['nothing', [], undefined],
    ['one', [at(100)], { price: 100, sources: 1, isGood: false }],
    ['two agree', [at(1_000), at(1_003)], { price: 1_001, sources: 2, isGood: false }],
    ['two contradict each other', [at(1_000), at(1_100)], undefined],
    ['three', [at(1_000), at(1_010), at(1_001)], { price: 1_001, sources: 3, isGood: true }],
    [
      'four: mean of the middle two, rounded down',
      [at(1_000), at(1_001), at(1_004), at(1_009)],
      { price: 1_002, sources: 4, isGood: true },
    ],
    ['exactly 3 s old counts', [at(1_000, 3_000), at(1_001), at(1_002)], { price: 1_001, sources: 3, isGood: true }],
    ['older than 3 s does not', [at(1_000, 3_001), at(1_001), at(1_003)], { price: 1_002, sources: 2, isGood: false }],
    ['all old', [at(1_000, 3_001), at(1_000, 9_000)], undefined],
    ['exactly 2 % away counts', [at(1_000), at(1_000), at(1_020)], { price: 1_000, sources: 3, isGood: true }],
    ['more than 2 % away does not', [at(1_000), at(1_000), at(1_021)], { price: 1_000, sources: 2, isGood: false }],
    ['the rest has its own median', [at(1_000), at(1_002), at(1_004), at(1_500)], { price: 1_002, sources: 3, isGood: true }],
  ]
  for (const [name, sources, expected] of table) assert.deepEqual(valueOf(sources), expected, name)
})

test('FEEDS-INDEX-002: one venue of four, whatever its price, moves the index no further than the spread of the honest ones', () => {
  const honest = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 1_000_000, max: 1_005_000 })))
  fc.assert(
    fc.property(honest, fc.integer({ min: 1, max: 10_000_000_000 }), fc.integer({ min: 0, max: 9_999 }), (prices, lie, ageMs) => {
      const index = indexOf([...prices.map((price) => at(price)), at(lie, ageMs)])
      assert.ok(index !== undefined && index.isGood)
      assert.ok(index.price >= Math.min(...prices) && index.price <= Math.max(...prices))
    }),
  )
})

test('the order of venues does not matter', () => {
  const source = fc.record({ venue: fc.string(), price: fc.integer({ min: 1, max: 2_000 }), ageMs: fc.integer({ min: 0, max: 5_000 }) })
  fc.assert(
    fc.property(fc.array(source, { maxLength: 7 }), (sources) => assert.deepEqual(valueOf(sources), valueOf([...sources].reverse()))),
  )
})

test('the quotes are those of venues that agreed, and the index is their median', () => {
  assert.deepEqual(indexOf([at(1_000), at(1_002), at(1_004), at(1_500)])?.quotes, [
    { venue: 'v1000-0', price: 1_000 },
    { venue: 'v1002-0', price: 1_002 },
    { venue: 'v1004-0', price: 1_004 },
  ])
  const source = fc.record({ venue: fc.string(), price: fc.integer({ min: 1, max: 2_000 }), ageMs: fc.integer({ min: 0, max: 5_000 }) })
  fc.assert(
    fc.property(fc.array(source, { maxLength: 7 }), (sources) => {
      const index = indexOf(sources)
      if (index === undefined) return
      assert.equal(index.quotes.length, index.sources)
      assert.equal(median(index.quotes.map(({ price }) => price)), index.price)
    }),
  )
})
