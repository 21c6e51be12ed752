import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveDepth } from './depth-proof.ts'

test('API-STREAM-004: a client that keeps a book by the documented rules has, under load, the book of a snapshot', async () => {
  const { orders, streams } = await proveDepth(8)
  assert.ok(orders > 200, `${orders} orders`)
  assert.equal(streams.length, 5)
  for (const { stream, changes, compared, faults, isSameAtEnd } of streams) {
    assert.deepEqual(faults, [])
    assert.ok(isSameAtEnd, stream)
    assert.ok(changes > 5 && compared > 0, `${stream}: ${changes} changes, ${compared} compared`)
  }
})
