import type { MarketId, OrderId } from '../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Records } from '../../protocol/codec/records.ts'
import { Retries } from '../records/retries.ts'
import { Wakes } from '../records/wakes.ts'

const many = 300_000

test('SPOT-CORE-002: queues of triggered orders and of retries are dumped and restored at any length', () => {
  const [wakes, retries, into] = [new Wakes(), new Retries(), new Records()]
  for (let order = 1; order <= many; order++) {
    wakes.add(1 as MarketId, order as OrderId)
    retries.add(1 as MarketId, 0, order as OrderId)
  }
  assert.equal(
    wakes.next(() => true),
    1,
  )
  wakes.dump(into)
  retries.dump(into)
  const [copies, tries] = [new Wakes(), new Retries()]
  assert.equal(tries.restore(into.data, copies.restore(into.data, 0)), into.length)
  assert.deepEqual([copies.count, copies.next(() => true), tries.count], [many - 1, 2, retries.count])
})
