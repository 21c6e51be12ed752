import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Sorted } from '../sorted.ts'

type Item = { readonly key: number; readonly id: number }

const order = (a: Item, b: Item): number => a.key - b.key || a.id - b.id

/** Takes all members out, first to last. */
function drained(list: Sorted<Item>): number[] {
  const ids: number[] = []
  for (let item = list.takeFirst(); item !== undefined; item = list.takeFirst()) ids.push(item.id)
  return ids
}

test('SPOT-STOP-005: a sorted list gives its members in order, whether they are added singly or together', () => {
  const keys = fc.array(fc.nat(20), { maxLength: 60, size: 'max' })
  fc.assert(
    fc.property(keys, keys, (one, more) => {
      const items = [...one, ...more].map((key, id) => ({ key, id }))
      const list = new Sorted(order)
      for (const item of items.slice(0, one.length)) list.add(item)
      list.addAll(items.slice(one.length))
      assert.equal(list.length, items.length)
      const sorted = items.toSorted(order)
      assert.equal(list.first, sorted[0])
      for (const { key, id } of items) assert.equal(list.find({ key, id }), items[id])
      assert.deepEqual(
        drained(list),
        sorted.map(({ id }) => id),
      )
      assert.deepEqual([list.length, list.first, list.takeFirst()], [0, undefined, undefined])
    }),
    { numRuns: 200 },
  )
})

test('SPOT-STOP-005: a sorted list removes exactly the given members, and throws for one that it does not have', () => {
  const items = [5, 3, 9, 3, 7].map((key, id) => ({ key, id }))
  const list = new Sorted(order)
  for (const item of items) list.add(item)
  list.remove(items[2]!)
  list.remove(items[1]!)
  assert.throws(() => list.remove(items[1]!), /not in the sorted list/)
  assert.throws(() => list.remove({ key: 100, id: 100 }), /not in the sorted list/)
  assert.throws(() => list.remove({ key: 5, id: 0 }), /not in the sorted list/, 'another object with the same key and id')
  assert.deepEqual([list.find(items[1]!), list.find({ key: 4, id: 0 }), list.find({ key: 99, id: 0 })], [undefined, undefined, undefined])
  assert.equal(list.length, 3)
  list.keep(({ key }) => key !== 5)
  assert.deepEqual(drained(list), [3, 4])
})
