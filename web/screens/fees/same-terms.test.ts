import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sameTerms } from './same-terms.ts'

test('UI-FEES-002: markets with the same terms share a row, in the order of the markets', () => {
  const markets = [
    ['BTC', 1],
    ['ETH', 2],
    ['SOL', 1],
  ] as const
  assert.deepEqual(
    sameTerms(markets, ([, fee]) => String(fee)).map((group) => group.map(([name]) => name)),
    [['BTC', 'SOL'], ['ETH']],
  )
  assert.deepEqual(sameTerms([], String), [])
})
