import type { TapeTick } from '@candor/core/proof/tape.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packTick } from '../../projection/tape.ts'
import { pricesIn, tickText } from './tape-text.ts'

const quote = (venue: number, price: number, correction: number) => ({ venue, price, correction })
const hash = 'ab'.repeat(32)

/** A price with quotes, one whose feed gave none, and a bad one with a single quote. */
const prices: TapeTick['prices'] = [
  {
    ...{ market: 1, price: 6_712_345_678_901, sources: 3, isGood: true },
    ...{ quotes: [quote(0, 6_712_345_678_001, -77), quote(31, 6_712_345_678_901, 0), quote(4, 6_712_345_999_999, 2_048)], shift: -5 },
  },
  { market: 2, price: 99, sources: 0, isGood: false, quotes: [] },
  { market: 17, price: 1, sources: 1, isGood: false, quotes: [quote(2, 3, 1)], shift: 7 },
]

test('TAPE-PUBLISHED-001: the text of a tick is the JSON of its fields, in both formats', () => {
  for (const format of [1, 2] as const) {
    for (const some of [prices, prices.slice(1, 2), []]) {
      const tick: TapeTick = { tick: 12, at: 1_700_000_000_123, format, prices: some }
      const wire = some.map(({ market, price, sources, isGood, quotes, shift }) => ({
        ...{ market, price: String(price), sources, isGood },
        quotes: quotes.map((one) => ({
          ...{ venue: one.venue, price: String(one.price) },
          ...(format === 2 ? { correction: one.correction } : {}),
        })),
        ...(format === 2 && shift !== undefined ? { shift } : {}),
      }))
      const text = tickText({ tick: 12, at_ms: 1_700_000_000_123, hash: Buffer.from(hash, 'hex'), payload: packTick(tick) })
      assert.equal(text, JSON.stringify({ tick: 12, at: 1_700_000_000_123, hash, format, prices: wire }))
    }
  }
})

test('TAPE-PUBLISHED-004: the price of one market is found in a tick, in both formats, wherever it stands', () => {
  for (const format of [1, 2] as const) {
    const payload = packTick({ tick: 12, at: 1, format, prices })
    const row = { tick: 12, at_ms: 1, hash: Buffer.from(hash, 'hex'), payload }
    for (const { market, price, isGood } of prices) assert.deepEqual(pricesIn(row, market), [{ market, price, isGood }])
    assert.deepEqual(pricesIn(row, 3), [])
  }
})
