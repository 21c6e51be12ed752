import type { Decimal } from '@candor/core/money/brand.ts'
import assert from 'node:assert/strict'
import test from 'node:test'
import { countsOf, isEmpty } from './remains.ts'

const empty = {
  dueAt: null,
  remains: [],
  openOrders: 0,
  algos: 0,
  positions: 0,
  loans: 0,
  claims: 0,
  options: 0,
  debts: 0,
  withdrawals: 0,
  presales: 0,
  deposits: 0,
  mayGiveUp: true,
}
const funds = [{ kind: 'spot' as const, asset: 'USDT', amount: '1' as Decimal }]

test('UI-DELETE-001: an account can be deleted when nothing is open, and practice funds are given up', () => {
  assert.equal(isEmpty(empty, false), true)
  assert.equal(isEmpty({ ...empty, remains: funds }, false), false)
  assert.equal(isEmpty({ ...empty, remains: funds }, true), true)
  assert.equal(isEmpty({ ...empty, remains: funds, mayGiveUp: false }, true), false)
  for (const name of ['algos', 'loans', 'debts', 'withdrawals', 'presales'] as const)
    assert.equal(isEmpty({ ...empty, [name]: 1 }, true), false)
  assert.equal(isEmpty({ ...empty, deposits: 1 }, false), true, 'a stranger could send them')
  assert.deepEqual(countsOf({ ...empty, openOrders: 2, claims: 1 }), [
    ['openOrders', 2],
    ['claims', 1],
  ])
})
