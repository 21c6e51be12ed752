import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireBalances } from '@candor/core/protocol/wire/funds.ts'
import { holdingsOf, sharesOf, shownHoldings } from './holdings.ts'

const assets = ['USDT', 'BTC', 'ETH', 'DOGE'].map((symbol) => ({ symbol, name: symbol === 'BTC' ? 'Bitcoin' : symbol, scale: 8 }))
const balances: WireBalances = {
  accounts: [
    {
      kind: 'spot',
      balances: [
        { asset: 'USDT', available: '100', held: '50' },
        { asset: 'BTC', available: '0.01', held: '0' },
        { asset: 'DOGE', available: '1', held: '0' },
      ],
    },
  ],
  totalUsdt: '850.1',
  todayProfitUsdt: null,
}
const prices: Readonly<Record<string, number>> = { USDT: 1, BTC: 70_000, DOGE: 0.1 }
const holdings = holdingsOf(balances, assets, (asset) => prices[asset])

test('all coins are listed by value including held amounts, largest first', () => {
  assert.deepEqual(
    holdings.map((holding) => [holding.asset, holding.worth]),
    [
      ['BTC', 700],
      ['USDT', 150],
      ['DOGE', 0.1],
      ['ETH', 0],
    ],
  )
})

test('search finds coins by symbol and name; small balances can be hidden', () => {
  assert.deepEqual(
    shownHoldings(holdings, 'bitc', false).map((holding) => holding.asset),
    ['BTC'],
  )
  assert.deepEqual(
    shownHoldings(holdings, '', true).map((holding) => holding.asset),
    ['BTC', 'USDT'],
  )
})

test('shares add up to 100 percent, and an empty account has none', () => {
  assert.ok(Math.abs(sharesOf(holdings).reduce((sum, share) => sum + share.percent, 0) - 100) < 0.5)
  assert.deepEqual(sharesOf([]), [])
})
