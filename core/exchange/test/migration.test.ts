import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { UserId } from '../../protocol/ids.ts'
import type { MarginAccount } from '../../protocol/port.ts'
import { Exchange } from '../exchange.ts'

const read = (name: string): Buffer => gunzipSync(readFileSync(new URL(`./fixtures/${name}.gz`, import.meta.url)))

type Told = { readonly [view: string]: unknown }

test('ENGINE-UPGRADE-001: the state of the previous build is taken over: every balance, order, position, loan and claim', () => {
  const exchange = Exchange.restore(read('dump-12.bin'))
  const told = JSON.parse(read('dump-12.json').toString()) as Told & { readonly users: readonly (Told & { readonly user: UserId })[] }
  const { users, ...whole } = told
  const now = {
    seq: exchange.seq,
    userCount: exchange.userCount,
    orderCount: exchange.orderCount,
    accounts: exchange.accounts(),
    marks: exchange.marks(),
    pools: exchange.pools(),
    terms: exchange.marginTerms(),
    option: exchange.optionTerms(),
    listing: exchange.listing(),
  }
  assertHolds(now, changedOnPurpose(whole))
  for (const { user, ...expected } of users) {
    const mine = {
      orders: exchange.openOrders(user),
      perp: exchange.perpAccount(user),
      margin: exchange.marginAccounts(user),
      claims: exchange.claims(user),
      options: exchange.openOptions(user),
      standing: exchange.optionMe(user),
    }
    assertHolds(mine, withNewBounds(expected, mine.margin))
  }
  assert.deepEqual(exchange.trialBalance().violations, [])
  assert.ok(exchange.trialBalance().sums.every((sum) => sum === 0))
  assert.equal(Exchange.restore(exchange.dump()).hash(), exchange.hash())
})

for (const [version, dump] of [
  [7, 'dump-13'],
  [8, 'dump-14'],
  [9, 'dump-15'],
  [10, 'dump-16'],
  [11, 'dump-17'],
  [12, 'dump-18'],
  [13, 'dump-19'],
] as const)
  test(`ENGINE-UPGRADE-001: the state of version ${version} of the core is taken over as it is`, () => {
    const exchange = Exchange.restore(read(`${dump}.bin`))
    const told = JSON.parse(read(`${dump}.json`).toString()) as Told & { readonly users: readonly (Told & { readonly user: UserId })[] }
    const { users, ...whole } = told
    const now = {
      ...{ seq: exchange.seq, userCount: exchange.userCount, orderCount: exchange.orderCount, accounts: exchange.accounts() },
      ...{ marks: exchange.marks(), pools: exchange.pools(), terms: exchange.marginTerms(), option: exchange.optionTerms() },
      ...{ listing: exchange.listing(), regions: exchange.regions() },
      ...{ withdrawTerms: exchange.chain.terms(), flows: exchange.chain.flows() },
      ...{ convertTerms: exchange.convert.terms(), inventory: exchange.convert.inventory() },
    }
    assertHolds(now, whole)
    for (const { user, pause, ...expected } of users) {
      const mine = {
        ...{ orders: exchange.openOrders(user), perp: exchange.perpAccount(user), margin: exchange.marginAccounts(user) },
        ...{
          claims: exchange.claims(user),
          options: exchange.openOptions(user),
          standing: exchange.optionMe(user),
          tier: exchange.tier(user),
          chain: exchange.chain.standing(user),
          convert: exchange.convert.standing(user),
          firm: exchange.firm.standing(user),
          runningAlgos: exchange.standing(user).runningAlgos,
        },
      }
      assertHolds(mine, expected)
      // Futures had no tiers before version 14: their volumes start at zero.
      assert.deepEqual(exchange.tier(user).perp, { volume: 0, tier: 0 })
      const { isStaff, restUntil } = exchange.standing(user)
      // Before version 8 nobody rested.
      assert.deepEqual({ isStaff, restUntil }, pauseOf(pause as Pause | undefined))
    }
    assert.deepEqual(exchange.trialBalance().violations, [])
    assert.equal(Exchange.restore(exchange.dump()).hash(), exchange.hash())
  })

type Pause = { readonly isStaff: boolean; readonly restUntil: number }

function pauseOf({ isStaff, restUntil }: Pause = { isStaff: false, restUntil: 0 }): Pause {
  return { isStaff, restUntil }
}

/** Expected listing: perpetual contracts get the impact value of newly listed ones. */
function changedOnPurpose(told: Told): Told {
  const { markets, ...listing } = told['listing'] as Told & { readonly markets: readonly (Told & { readonly symbol: string })[] }
  const impactOf = (symbol: string): number => (symbol.startsWith('BTC') ? 10_000 : /^(ETH|SOL)/.test(symbol) ? 5000 : 2500) * 1e6
  const changed = markets.map((market) =>
    market['perp'] === undefined ? market : { ...market, perp: { ...(market['perp'] as Told), impactValue: impactOf(market.symbol) } },
  )
  return { ...told, listing: { ...listing, markets: changed } }
}

/** Expected account: weights and shares of pools reduce the amounts that may be borrowed and transferred out. */
function withNewBounds(told: Told, now: readonly MarginAccount[]): Told {
  const accounts = told['margin'] as readonly MarginAccount[]
  const margin = accounts.map((account, i) => ({
    ...account,
    balances: account.balances.map((balance, k) => {
      const { borrowable, transferable } = now[i]!.balances[k]!
      assert.ok(borrowable <= balance.borrowable && transferable <= balance.transferable)
      return { ...balance, borrowable, transferable }
    }),
  }))
  return { ...told, margin }
}

/** Checks that every field of the old build's views is the same now. Newer builds may have more fields. */
function assertHolds(actual: unknown, expected: unknown, path = ''): void {
  if (typeof expected !== 'object' || expected === null) return assert.deepEqual(actual, expected, path)
  if (Array.isArray(expected)) assert.equal((actual as unknown[]).length, expected.length, path)
  for (const [key, value] of Object.entries(expected)) assertHolds((actual as Told)[key], value, `${path}.${key}`)
}
