import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Records } from './records.ts'

test('records over a part of other memory give its bytes alone, and leave the rest as it is when they grow', () => {
  const memory = Float64Array.of(1, 2, 3, 4)
  const records = Records.over(memory.subarray(1, 3))
  assert.deepEqual([...new Float64Array(records.bytes().slice().buffer)], [2, 3])
  const at = records.reserve(2)
  records.data.set([8, 9], at)
  assert.deepEqual([...new Float64Array(records.bytes().slice().buffer)], [2, 3, 8, 9])
  assert.deepEqual([...memory], [1, 2, 3, 4])
})

test('the length of records stays right when the slots asked for were read as float64', () => {
  const records = new Records(1)
  const counts = Float64Array.of(3, 5)
  assert.equal(records.reserve(counts[0]!), 0)
  assert.equal(records.reserve(counts[1]!), 3)
  assert.equal(records.length, 8)
  assert.ok(records.data.length >= 8)
})
