import type { OrderSlot } from '../order-fields.ts'
import type { OrderId } from '../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { F, ID } from '../order-fields.ts'
import { OrderTable } from '../order-table.ts'

test('SPOT-GROW-001: while the table grows, it finds the same orders by number as a map does', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 3, max: 60 }), (seed, share) => {
      const table = new OrderTable()
      const twin = new Map<number, number>()
      const f = new Float64Array(F * 20_000)
      const free: number[] = []
      let random = seed
      const next = (below: number): number => {
        random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0
        return Math.floor((random / 2 ** 32) * below)
      }
      let used = 0
      let id = 2 ** 33 + seed
      const known: number[] = []
      for (let n = 0; n < 12_000; n++) {
        id += 1 + next(3)
        const slot = free.pop() ?? used++
        f[slot * F + ID] = id
        table.insert(id as OrderId, slot as OrderSlot)
        twin.set(id, slot)
        known.push(id)
        if (next(100) < share) {
          const at = next(known.length)
          const gone = known[at]!
          known[at] = known.at(-1)!
          known.pop()
          table.delete(f, gone as OrderId)
          free.push(twin.get(gone)!)
          twin.delete(gone)
          assert.equal(table.find(f, gone as OrderId), -1)
        }
        const asked = known[next(known.length)]
        if (asked !== undefined && table.find(f, asked as OrderId) !== twin.get(asked))
          assert.fail(`order ${asked} is not where it was put`)
      }
      for (const [number, slot] of twin) if (table.find(f, number as OrderId) !== slot) assert.fail(`order ${number} is lost`)
      assert.deepEqual(
        [...table.slots()].sort((a, b) => a - b),
        [...twin.values()].sort((a, b) => a - b),
      )
    }),
    { numRuns: 25 },
  )
})

/** A table with these orders; each order's slot is its place in the list. */
function given(ids: readonly number[], reserved = 0): { readonly table: OrderTable; readonly f: Float64Array } {
  const table = new OrderTable()
  const f = new Float64Array(F * ids.length)
  if (reserved > 0) table.reserve(reserved)
  for (const [slot, id] of ids.entries()) {
    f[slot * F + ID] = id
    table.insert(id as OrderId, slot as OrderSlot)
  }
  return { table, f }
}

test('SPOT-GROW-001: a table finds its orders when its memory was allocated beforehand', () => {
  const ids = Array.from({ length: 40_000 }, (_, n) => 1 + n * 3)
  const { table, f } = given(ids, 2 ** 15)
  for (const [slot, id] of ids.entries()) if (table.find(f, id as OrderId) !== slot) assert.fail(`order ${id} is lost`)
  assert.equal([...table.slots()].length, ids.length)
})

test('SPOT-GROW-001: numbers that agree in their low 32 bits are different orders', () => {
  const ids = [7, 7 + 2 ** 32, 7 + 2 ** 33, 8 + 2 ** 32, 8]
  const { table, f } = given(ids)
  const slots = (): readonly number[] => ids.map((id) => table.find(f, id as OrderId))
  assert.deepEqual(slots(), [0, 1, 2, 3, 4])
  assert.equal(table.find(f, (7 + 2 ** 34) as OrderId), -1)
  table.delete(f, (7 + 2 ** 32) as OrderId)
  assert.deepEqual(slots(), [0, -1, 2, 3, 4])
  table.delete(f, 8 as OrderId)
  assert.deepEqual(slots(), [0, -1, 2, 3, -1])
})

test('SPOT-GROW-001: numbers that agree in their low 32 bits stay different orders while the table grows', () => {
  const ids = Array.from({ length: 1100 }, (_, n) => (n % 2 === 0 ? n : n - 1 + 2 ** 32))
  const { table, f } = given(ids)
  for (const [slot, id] of ids.entries()) assert.equal(table.find(f, id as OrderId), slot)
  assert.equal(table.find(f, (2 ** 33) as OrderId), -1)
  for (const [slot, id] of ids.entries()) {
    if (slot % 2 !== 0) continue
    table.delete(f, id as OrderId)
    assert.equal(table.find(f, id as OrderId), -1)
    assert.equal(table.find(f, (id + 2 ** 32) as OrderId), slot + 1)
  }
})

test('SPOT-GROW-001: removing an unknown order throws', () => {
  const { table, f } = given([5, 6])
  assert.throws(() => table.delete(f, 7 as OrderId), /order 7 is not in the table/)
  table.delete(f, 5 as OrderId)
  assert.throws(() => table.delete(f, 5 as OrderId), /order 5 is not in the table/)
})

test('SPOT-GROW-002: reading ahead gives the slots of known orders, and the first slot for unknown ones', () => {
  const ids = [16, 17, 18, 40, 41]
  const { table } = given(ids)
  const slots = new Int32Array(8).fill(-7)
  table.near(Int32Array.from([41, 16, 900, 18, 40, 17]), slots, 5)
  assert.deepEqual([...slots], [4, 0, 0, 2, 3, -7, -7, -7])
})

test('SPOT-GROW-001: the table’s memory depends on how many orders are open at a time, not on how many come and go', () => {
  const table = new OrderTable()
  const f = new Float64Array(F)
  const before = process.memoryUsage().arrayBuffers
  for (let id = 1; id <= 200_000; id++) {
    f[ID] = id
    table.insert(id as OrderId, 0 as OrderSlot)
    table.delete(f, id as OrderId)
  }
  assert.ok(process.memoryUsage().arrayBuffers - before < 2 ** 21)
})
