import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventOf } from '@candor/core/protocol/test/literals.ts'
import { FundCaps } from '../caps.ts'
import { BTC, type Coin, DOGE, ETH, USDT } from '../coins.ts'

const minute = 60_000
const fund = { kind: 'system', system: 'insurance', asset: USDT } as const

/** The Futures fund's entry: what it gained, and what it has then, in USDT. */
const entry = (reason: 'realised' | 'funding' | 'transfer', gain: number, has: number) =>
  eventOf({ type: 'entry', account: fund, reason, delta: gain * 1e6, heldDelta: 0, available: has * 1e6, held: 0 })
const marked = ({ perp }: Coin, mark: number) =>
  eventOf({ type: 'perp.marked', market: perp, mark, index: 1, fundingRate: 0, fundingAt: 0 })
const funded = ({ perp }: Coin) => eventOf({ type: 'perp.funded', market: perp, rate: 5, mark: 1, paid: 0, received: 0, rest: 0, at: 0 })
const fundingPaid = ({ perp }: Coin) =>
  eventOf({ type: 'perp.fundingPaid', user: 1, market: perp, position: 1, lots: 1, rate: 5, amount: 0 })
const inventory = ({ perp }: Coin, lots: number, cost: number) => eventOf({ type: 'perp.inventory', market: perp, lots, cost: cost * 1e6 })

/** Caps of a fund with 100,000 USDT, in which a lot of each coin is worth one USDT. */
function world() {
  const caps = new FundCaps()
  caps.see(entry('transfer', 100_000, 100_000), 0)
  for (const coin of [BTC, ETH, DOGE]) caps.see(marked(coin, 1e6 / coin.q), 0)
  /** The fund takes a position over and then carries `lots`, for which it paid `cost`. */
  const takeOver = (coin: Coin, lots: number, atMs: number, cost = lots) => {
    caps.see(eventOf({ type: 'perp.takenOver', market: coin.perp, price: 1, lots: 1, user: 1, position: 1 }), atMs)
    caps.see(inventory(coin, lots, cost), atMs)
    return caps.faults.join()
  }
  return { caps, takeOver }
}

test('REDTEAM-HARNESS-004: losses of the Margin fund beyond each cap are reported', () => {
  const faultsOf = (...losses: readonly (readonly [market: number, atMs: number, usdt: number])[]) => {
    const caps = new FundCaps()
    const step = { order: 1, user: 1, levelPpm: 1, liquidationPpm: 1, assets: 0, debt: 0, fee: 0 }
    for (const [market, atMs, usdt] of losses) caps.see(eventOf({ type: 'margin.liquidated', market, ...step, insured: usdt * 1e6 }), atMs)
    return caps.faults.join()
  }
  assert.equal(faultsOf([1, 0, 5000], [1, 700_000, 5000]), '')
  assert.match(faultsOf([1, 0, 4000], [1, 1000, 1001]), /insurance-margin lost 5001 USDT in one market within ten minutes/)
  assert.match(faultsOf([1, 0, 5000], [1, 700_000, 5001]), /10001 USDT in one market/)
  assert.match(faultsOf(...[1, 2, 3, 4, 5, 6].map((market) => [market, 0, 4500] as const)), /27000 USDT in all markets/)
})

test('REDTEAM-HARNESS-004: losses of the Futures fund beyond each cap are reported, and money that only passes through it is not', () => {
  const lost = world().caps
  for (const [loss, atMs] of [
    [5000, 0],
    [5000, 11 * minute],
  ] as const) {
    lost.see(entry('realised', -loss, 90_000), atMs)
    lost.see(marked(BTC, 1e6), atMs)
  }
  assert.equal(lost.faults.join(), '')
  assert.equal(lost.use, 1)
  lost.see(entry('realised', -1, 89_999), 22 * minute)
  lost.see(marked(BTC, 1e6), 22 * minute)
  assert.equal(lost.faults.join(), 'insurance lost 10001 USDT in one market')

  const round = world().caps
  const pay = (amount: number) => {
    round.see(entry('funding', amount, 100_000), 0)
    round.see(fundingPaid(BTC), 0)
  }
  pay(-30_000)
  pay(30_000)
  round.see(funded(BTC), 0)
  assert.equal(round.faults.join(), '')
  pay(-5001)
  round.see(funded(BTC), 0)
  assert.equal(round.faults.join(), 'insurance lost 5001 USDT in one market within ten minutes')
})

test('REDTEAM-HARNESS-004: take-overs beyond each cap are reported', () => {
  const { takeOver } = world()
  // A fifth of the value of BTC and ETH is at risk, and two fifths of DOGE's.
  assert.equal(takeOver(BTC, 25_000, 0), '')
  assert.equal(takeOver(BTC, 50_000, 11 * minute), '')
  assert.equal(takeOver(ETH, 25_000, 11 * minute), '')
  assert.equal(takeOver(ETH, 50_000, 22 * minute), '')
  assert.equal(takeOver(DOGE, 12_500, 22 * minute), '')
  assert.match(takeOver(DOGE, 12_501, 33 * minute), /25000\.40 of the fund's 100000\.00 USDT at risk in all markets$/)

  assert.match(world().takeOver(BTC, 25_001, 0), /5000\.20 of .* at risk in one market within ten minutes$/)
  const slow = world()
  slow.takeOver(BTC, 25_000, 0)
  slow.takeOver(BTC, 50_000, 11 * minute)
  assert.match(slow.takeOver(BTC, 50_001, 22 * minute), /10000\.20 of .* at risk in one market$/)
})

test('REDTEAM-HARNESS-004: what an inventory has lost is at risk, and a smaller inventory is never reported', () => {
  assert.equal(world().takeOver(BTC, 20_000, 0, 21_000), '')
  assert.match(world().takeOver(BTC, 20_000, 0, 21_001), /5001\.00 of/)
  assert.equal(world().takeOver(BTC, -20_000, 0, 19_000), '')
  assert.match(world().takeOver(BTC, -20_000, 0, 18_999), /5001\.00 of/)
  const { caps, takeOver } = world()
  takeOver(BTC, 25_000, 0)
  caps.see(entry('realised', -1, 1000), 0)
  assert.equal(takeOver(BTC, 24_000, 0), '')
  // Without a take-over the inventory changes by a trade of the fund, which other checks watch.
  caps.see(inventory(BTC, 90_000, 90_000), 0)
  assert.equal(caps.faults.join(), '')
})
