import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListingView } from '@candor/core/protocol/market.ts'
import type { MarginAccount } from '@candor/core/protocol/port.ts'
import type { MarginLiquidationExplanation, MarginStepExplanation, MarginWorth } from '@candor/core/protocol/wire/explain/liquidation.ts'
import { MarginLiquidationLooks, type MarginLiquidationPlace } from '../liquidation/margin.ts'
import { run, unitsOf } from './liquidations.ts'
import { replay } from './replay.ts'

/** Runs with sales in the books, take-overs and payments of the fund, of cross and of isolated accounts. */
const seeds = [1, 3, 8, 14, 15, 16, 21, 25, 27]
const steps = 2_500

type Told = {
  readonly place: MarginLiquidationPlace
  readonly told: MarginLiquidationExplanation
  readonly after: MarginAccount
  readonly listing: ListingView
}

const all: readonly Told[] = seeds.flatMap((seed) => {
  const { ran, margin } = run(seed, steps)
  const faults: unknown[] = []
  const asked = margin.map((place) => new MarginLiquidationLooks(place, (cause) => void faults.push(cause)))
  const after = new Map<MarginLiquidationPlace, readonly [MarginAccount, ListingView]>()
  replay(ran, asked, (seq, exchange) => {
    for (const place of margin.filter(({ commands }) => commands.at(-1) === seq)) {
      const account = exchange.marginAccounts(place.user, place.market).find(({ market }) => market === place.market)!
      after.set(place, [account, exchange.listing()])
    }
  })
  assert.deepEqual(faults, [])
  return margin.map((place, n) => {
    const [account, listing] = after.get(place)!
    return { place, told: asked[n]!.result(new Map()) as MarginLiquidationExplanation, after: account, listing }
  })
})

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
const fine = (text: string): bigint => unitsOf(text, 16)
/** Prices have eight digits, coins at most eight: the product of both at thirty-two digits, in millionths of a USDT. */
const perUnit = 10n ** 26n
const down = (price: string, quantity: string): bigint => (fine(price) * fine(quantity)) / perUnit
const up = (price: string, quantity: string): bigint => (fine(price) * fine(quantity) + perUnit - 1n) / perUnit

/** Checks that assets and debt are the sums of the coins at their prices, and the level their quotient. */
function addsUp({ coins, ordersLoss, assets, debt, level }: MarginWorth): void {
  for (const { price, quantity, value, owed, owedValue } of coins)
    assert.deepEqual([unitsOf(value), unitsOf(owedValue)], [down(price, quantity), up(price, owed)])
  const has = sum(coins.map(({ value }) => unitsOf(value))) - unitsOf(ordersLoss)
  assert.equal(unitsOf(assets), has > 0n ? has : 0n)
  assert.equal(unitsOf(debt), sum(coins.map(({ owedValue }) => unitsOf(owedValue))))
  isLevel({ assets, debt, ...(level === undefined ? {} : { level }) })
}

function isLevel({ assets, debt, level }: MarginStepExplanation['before']): void {
  assert.equal(level === undefined, unitsOf(debt) === 0n)
  if (level !== undefined) assert.equal(unitsOf(level), (unitsOf(assets) * 1_000_000n) / unitsOf(debt))
}

test('EXPLAIN-MARGIN-001: where a liquidation begins, the coins at their index prices add up to assets and debt, and their level is not above the one at which the account is liquidated', () => {
  const counts = { cross: 0, isolated: 0, orders: 0 }
  for (const { place, told } of all) {
    const { trigger } = told.stages[0]!
    assert.ok(trigger !== undefined, JSON.stringify(place))
    addsUp(trigger.worth)
    assert.ok(Number(trigger.worth.level) <= Number(trigger.liquidationLevel))
    counts[place.market === 0 ? 'cross' : 'isolated']++
    if (told.stages.some(({ cancelled }) => cancelled.length > 0)) counts.orders++
  }
  assert.ok(counts.cross > 10 && counts.isolated > 10 && counts.orders > 0, JSON.stringify(counts))
})

test('EXPLAIN-MARGIN-002: what an order brought in, less the trading fee and the fund’s fee, repaid the debt, and the level after each step is that of what is left', () => {
  const counts = { order: 0, takeOver: 0, fund: 0, repaid: 0 }
  for (const { told } of all)
    for (const { steps: taken } of told.stages)
      for (const { by, before, after, orders, repaid, fee, insured } of taken) {
        counts[by]++
        isLevel(before)
        isLevel(after)
        if (by === 'takeOver') assert.deepEqual([after, orders, repaid], [before, [], []])
        assert.equal(Number(insured) > 0, by === 'fund')
        if (by !== 'order') continue
        assert.equal(orders.length, 1)
        const { side, fills, feeAsset, fee: tradingFee } = orders[0]!
        const got = sum(fills.map(({ price, quantity }) => (side === 'buy' ? fine(quantity) : (fine(price) * fine(quantity)) / 10n ** 16n)))
        const [one] = repaid
        if (repaid.length !== 1 || one!.asset !== feeAsset || Number(fee) > 0) continue
        // Without a fee of the fund, everything that came in repaid, or all that was owed.
        const left = got - fine(tradingFee)
        assert.ok(fine(one!.amount) === left || (fine(one!.amount) < left && unitsOf(after.debt) < unitsOf(before.debt)))
        if (fine(one!.amount) === left) counts.repaid++
      }
  for (const [name, count] of Object.entries(counts)) assert.ok(count > 0, `${name} of ${JSON.stringify(counts)}`)
})

test('EXPLAIN-MARGIN-003: the account after a liquidation is that which the exchange shows, coin by coin', () => {
  for (const { told, after, listing } of all) {
    addsUp(told.end)
    const shown = after.balances.map(({ asset, available, held, principal, interest }) => {
      const { symbol, scale } = listing.assets.find(({ id }) => id === asset)!
      return { symbol, scale, has: BigInt(available + held), owes: BigInt(principal + interest) }
    })
    assert.deepEqual(
      told.end.coins.map(({ asset }) => asset),
      shown.filter(({ has, owes }) => has + owes > 0n).map(({ symbol }) => symbol),
    )
    for (const { symbol, scale, has, owes } of shown) {
      const coin = told.end.coins.find(({ asset }) => asset === symbol)
      assert.deepEqual([unitsOf(coin?.quantity ?? '0', scale), unitsOf(coin?.owed ?? '0', scale)], [has, owes])
    }
  }
})
