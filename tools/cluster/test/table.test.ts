import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faults, faultsNamed } from '../drill/faults.ts'
import { hasPassed, medianOf, type Row, tableOf } from '../drill/table.ts'

const row: Row = {
  ...{ fault: 'kill engine leader', rounds: 3, acknowledged: 900, lost: 0, doubled: 0, unbalanced: 0 },
  ...{ waitsMs: [3_000, 1_000, 4_900], promiseMs: 5_000, problems: [] },
}

test('RIG-DRILL-001: a fault has passed when every round kept the promise and nothing was lost, doubled or wrong', () => {
  assert.ok(hasPassed(row))
  const failures: readonly Partial<Row>[] = [
    ...[{ lost: 1 }, { doubled: 1 }, { unbalanced: 1 }, { problems: ['the tables do not follow'] }],
    ...[{ waitsMs: [3_000, 1_000, 5_001] }, { waitsMs: [3_000, 1_000] }, { rounds: 0, waitsMs: [] }],
  ]
  for (const change of failures) assert.ok(!hasPassed({ ...row, ...change }), JSON.stringify(change))
})

test('RIG-DRILL-002: the table has the median and the longest wait, and says what failed', () => {
  const [head, line, kept, broken] = tableOf([row, { ...row, lost: 2, waitsMs: [3_000, 1_000, 9_000] }]).split('\n')
  assert.match(
    head!,
    /^\| fault +\| rounds \| acknowledged \| lost \| doubled \| balances \| median s \| longest s \| promise s \| passed \|$/,
  )
  assert.match(line!, /^\|-+\|/)
  assert.match(kept!, /\| 3\/3 +\| 900 +\| 0 +\| 0 +\| right +\| 3\.0 +\| 4\.9 +\| 5\.0 +\| yes +\|$/)
  assert.match(broken!, /\| 2 +\| 0 +\| right +\| 3\.0 +\| 9\.0 +\| 5\.0 +\| NO +\|$/)
  assert.equal(medianOf([4, 1, 3, 2]), 2.5)
  assert.match(tableOf([{ ...row, waitsMs: [] }]), /\| 0\/3 .*\| – +\| – /)
})

test('RIG-DRILL-003: faults are chosen by a part of their name, or by the whole name alone', () => {
  assert.deepEqual(
    faultsNamed(['kill PostgreSQL primary']).map(({ name }) => name),
    ['kill PostgreSQL primary'],
  )
  assert.ok(faultsNamed(['PostgreSQL primary']).length > 2)
  assert.equal(faultsNamed(['']).length, faults.length)
  assert.equal(faultsNamed(['nothing like it']).length, 0)
  assert.equal(new Set(faults.map(({ name }) => name)).size, faults.length)
})
