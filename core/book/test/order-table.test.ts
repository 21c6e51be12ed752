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
