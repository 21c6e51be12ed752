import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { LiabilityTree } from '@candor/core/proof/liabilities.ts'
import type { WireBalances } from '@candor/core/protocol/wire/funds.ts'
import { type OwnRow, ownRows } from './own-rows.ts'

const tree = (asset: string, kind: LiabilityTree['kind'], sum: number): LiabilityTree => {
  return { asset, kind, scale: 2, size: 4, sum, root: '00'.repeat(32) }
}
const statement = {
  ...{ n: 1, at: 0, seq: 9 },
  trees: [tree('BTC', 'claims', 700), tree('ETH', 'claims', 50), tree('USDT', 'claims', 900), tree('USDT', 'debts', 10)],
}
const own = [
  { asset: 'USDT', kind: 'claims', amount: 300 },
  { asset: 'USDT', kind: 'debts', amount: 10 },
] as const
const balancesOf = (...sums: readonly (readonly [asset: string, available: string, held: string])[]): WireBalances =>
  ({
    accounts: sums.map(([asset, available, held]) => ({
      kind: 'spot',
      balances: [{ asset, available: available as Decimal, held: held as Decimal }],
    })),
  }) as unknown as WireBalances
const shown = (rows: readonly OwnRow[]) => rows.map(({ asset, kind, amount, total, now }) => [asset, kind, amount, total, now])

test('UI-PROOF-013: each coin of the statement and each of the customer’s is compared, a left-out one first', () => {
  // ETH was left out of the proof, DOGE of the statement; held sums count, too.
  const balances = balancesOf(['USDT', '1.00', '2.00'], ['ETH', '0.25', '0.25'], ['DOGE', '7.5', '0.0'], ['ADA', '0.000', '0.000'])
  assert.deepEqual(shown(ownRows({ own, statement }, balances)), [
    ['USDT', 'claims', 300, 900, 300],
    ['USDT', 'debts', 10, 10, undefined],
    ['DOGE', 'claims', 0, undefined, 75],
    ['ETH', 'claims', 0, 50, 50],
    ['BTC', 'claims', 0, 700, 0],
  ])
  // Somebody whom the exchange left out as a whole.
  assert.deepEqual(shown(ownRows({ own: [], statement }, balancesOf(['BTC', '7.00', '0.00']))).at(0), ['BTC', 'claims', 0, 700, 700])
  // A file of somebody else, and balances that have not come yet: what was proved, and nothing beside.
  assert.deepEqual(shown(ownRows({ own, statement }, undefined)), [
    ['USDT', 'claims', 300, 900, undefined],
    ['USDT', 'debts', 10, 10, undefined],
  ])
})
