import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { toHex } from './sha256.ts'
import { tapeFault, tapeGenesis, tapeHash, tapeSlots } from './tape.ts'
import type { TapeTick } from './tape.ts'

const price = fc.integer({ min: 2 ** 46, max: 2 ** 52 })
const named = price.chain((middle) =>
  fc.record({
    market: fc.integer({ min: 1, max: 30 }),
    price: fc.constant(middle),
    sources: fc.nat(8),
    isGood: fc.boolean(),
    quotes: fc.array(fc.record({ venue: fc.nat(31), price: fc.integer({ min: -(2 ** 40), max: 2 ** 40 }).map((far) => middle + far) }), {
      maxLength: 8,
    }),
  }),
)
const tick = fc.record({ tick: fc.integer({ min: 1, max: 2 ** 40 }), at: fc.nat(2 ** 41), prices: fc.array(named, { maxLength: 14 }) })

test('TAPE-HASH-001: the hash of a tick is SHA-256 over the hash before and the documented bytes', () => {
  fc.assert(
    fc.property(tick, fc.uint8Array({ minLength: 32, maxLength: 32 }), (one, before) => {
      const slots = [one.tick, one.at, one.prices.length]
      for (const { market, price: middle, sources, isGood, quotes } of one.prices) {
        slots.push(market, middle, sources, isGood ? 1 : 0, quotes.length)
        for (const quote of quotes) slots.push((quote.price - middle + 2 ** 46) * 32 + quote.venue)
      }
      const bytes = Buffer.alloc(slots.length * 8)
      slots.forEach((slot, i) => bytes.writeDoubleLE(slot, i * 8))
      const expected = createHash('sha256').update(before).update(bytes).digest('hex')
      assert.equal(toHex(tapeHash(before, tapeSlots(one))), expected)
    }),
    { numRuns: 200 },
  )
})

function chained(ticks: readonly TapeTick[]): (TapeTick & { readonly hash: string })[] {
  let hash = tapeGenesis
  return ticks.map((one) => {
    hash = tapeHash(hash, tapeSlots(one))
    return { ...one, hash: toHex(hash) }
  })
}

const zeros = '0'.repeat(64)
const tape = chained(
  Array.from({ length: 6 }, (_, i) => ({
    tick: i + 1,
    at: 1000 + i * 250,
    prices: i % 2 === 1 ? [] : [{ market: 1, price: 100 + i, sources: 2, isGood: true, quotes: [{ venue: 3, price: 100 }] }],
  })),
)

test('TAPE-HASH-002: any piece of the tape can be checked by itself from the hash before it', () => {
  assert.equal(tapeFault(zeros, tape), undefined)
  assert.equal(tapeFault(zeros, []), undefined)
  for (let n = 1; n < tape.length; n++) assert.equal(tapeFault(tape[n - 1]!.hash, tape.slice(n)), undefined)
})

test('TAPE-HASH-003: a tick that was changed, left out, added, moved or made up breaks the chain at its position', () => {
  const price0 = tape[2]!.prices[0]!
  const changes: readonly object[] = [
    { at: tape[2]!.at + 1 },
    { tick: 4 },
    { prices: [] },
    { prices: [price0, price0] },
    { prices: [{ ...price0, price: 103 }] },
    { prices: [{ ...price0, isGood: false }] },
    { prices: [{ ...price0, sources: 3 }] },
    { prices: [{ ...price0, market: 2 }] },
    { prices: [{ ...price0, quotes: [{ venue: 2, price: 100 }] }] },
    { prices: [{ ...price0, price: 0.5 }] },
    { prices: [{ ...price0, quotes: [{ venue: 99, price: 100 }] }] },
    { hash: zeros },
    { hash: 'no hash' },
  ]
  for (const change of changes) {
    const forged = tape.map((one, n) => (n === 2 ? { ...one, ...change } : one))
    const fault = tapeFault(zeros, forged)
    assert.ok(fault === 3 || fault === 4, `${JSON.stringify(change)}: ${fault}`)
  }
  assert.equal(tapeFault(zeros, tape.toSpliced(2, 1)), 4)
  assert.equal(tapeFault(zeros, [tape[0]!, tape[2]!, tape[1]!]), 3)
  assert.equal(tapeFault(tape[0]!.hash, tape), 1)
  assert.equal(tapeFault('abc', tape), 1)
  assert.equal(tapeFault('00', tape), 1)
})
