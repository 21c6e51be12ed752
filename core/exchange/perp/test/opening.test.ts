/** Tests the costs and limits of an order that opens: margin, fee, tiers and caps. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract, givenPerp, marketTerms, perpTerms } from './world.ts'
import type { PerpWorld } from './world.ts'

/** A second contract on BTC beside the first: market 4, on the same index. */
const second = 4
function withSecond(world: PerpWorld, perp: object = {}, market: object = {}): PerpWorld {
  const listed = { type: 'perp.list', symbol: 'BTCUSDTPERP2', base: 2, quote: 1, tick: '1', lot: '0.001' }
  world.do({ ...listed, terms: { ...marketTerms, ...market }, perp: { ...perpTerms, ...perp } }).isAccepted()
  world.index(100)
  return world
}

const held = (world: PerpWorld, name: string): number => world.exchange.perpAccount(world.id(name)).held
const account = (world: PerpWorld, name: string) => world.exchange.perpAccount(world.id(name))

/** Opens a position of `lots` at 100 for a user, against another one. */
function opens(world: PerpWorld, name: string, lots: number, other = 'bob', market: number = contract): void {
  const [buyer, seller] = lots > 0 ? [name, other] : [other, name]
  world.sell(seller, 100, Math.abs(lots), { market }).isAccepted()
  world
    .buy(buyer, 100, Math.abs(lots), { market })
    .isAccepted()
    .traded(`100×${Math.abs(lots)}`)
}

test('PERP-ORDER-002: of many orders that could close, the cheapest count as closing, whichever other orders the user has', () => {
  const world = givenPerp({ alice: '1000', bob: '1000', carol: '1000' })
  world.leverage('alice', 10).isAccepted()
  opens(world, 'alice', 1000)
  const margin = 10_000_000
  assert.equal(held(world, 'alice'), margin)
  world.sell('alice', 110, 500).isAccepted()
  world.sell('alice', 102, 400).isAccepted()
  assert.equal(held(world, 'alice'), margin, 'so far all of them only close')
  world.sell('alice', 105, 100).isAccepted()
  assert.equal(held(world, 'alice'), margin, 'exactly the whole position')
  world.sell('alice', 105, 200).isAccepted()
  // 400 at 102, 300 at 105 and 300 at 110 close; the other 200 at 110 open: 22 ÷ 10 and a fee of 0.011.
  const opening = 2_200_000 + 11_000
  assert.equal(held(world, 'alice'), margin + opening)
  // Neither a buy nor a sleeping order counts as closing in their place.
  world.buy('alice', 95, 100).isAccepted()
  const buy = 950_000 + 4750
  assert.equal(held(world, 'alice'), margin + opening + buy)
  world.sell('alice', 89, 200, { trigger: { kind: 'stop', price: 90, direction: 'falls-to' } }).isAccepted()
  const asleep = account(world, 'alice').held - margin - opening - buy
  assert.ok(asleep > 1_780_000 && asleep < 1_820_000, 'the one that sleeps needs its own margin')
  world.buy('carol', 102, 150).isAccepted().traded('102×150')
  // 850 lots are left, which 250 at 102, 300 at 105 and 300 at 110 close; 200 at 110 open.
  assert.equal(held(world, 'alice'), 8_500_000 + opening + buy + asleep)
  world.isReplayable()
})

test('PERP-ORDER-002: a new order’s opening lots follow the same rule, and need exactly the free balance', () => {
  // A margin of 10 and a fee of 0.05 leave 2.211: exactly what 200 lots at 110 need.
  const world = givenPerp({ alice: '12.261', bob: '1000' })
  world.leverage('alice', 10).isAccepted()
  opens(world, 'alice', 1000)
  world.has('alice', '2.211', '10')
  world.sell('alice', 110, 500).isAccepted()
  world.sell('alice', 102, 701).isRefused('MARGIN_INSUFFICIENT')
  world.sell('alice', 102, 700).isAccepted()
  world.has('alice', '0', '12.211')
})

test('PERP-STOP-006: orders of both positions of a market count against its limit, and orders of other markets do not', () => {
  const world = withSecond(givenPerp({ alice: '1000', bob: '1000' }, {}, { openOrdersMax: 3 }), {}, { openOrdersMax: 3 })
  world.hedge('alice', true).isAccepted()
  world.buy('alice', 95, 100, { position: 'long' }).isAccepted()
  world.buy('alice', 95, 100, { position: 'long', market: second }).isAccepted()
  world.sell('alice', 105, 100, { position: 'short' }).isAccepted()
  const third = world.buy('alice', 94, 100, { position: 'long' }).isAccepted().order
  world.buy('alice', 93, 100, { position: 'long' }).isRefused('TOO_MANY_OPEN_ORDERS')
  world.sell('alice', 106, 100, { position: 'short' }).isRefused('TOO_MANY_OPEN_ORDERS')
  world.buy('alice', 94, 100, { position: 'long', market: second }).isAccepted()
  world.cancel('alice', third).isAccepted()
  world.buy('alice', 93, 100, { position: 'long' }).isAccepted()
  for (let n = 0; n < 3; n++) world.buy('bob', 90, 100).isAccepted()
  world.buy('bob', 90, 100).isRefused('TOO_MANY_OPEN_ORDERS')
})

test('PERP-ORDER-001: fields that contradict each other are refused', () => {
  const world = givenPerp({ alice: '1000', bob: '1000' })
  opens(world, 'alice', 1000)
  const trigger = { kind: 'stop', price: 90, direction: 'falls-to' }
  const market = { orderType: 'market', timeInForce: 'IOC' }
  for (const order of [
    { side: 'sell', lots: 100 },
    { side: 'sell', ...market, lots: 100, price: 100 },
    { side: 'sell', ...market },
    { side: 'sell', ...market, isClosing: true },
    { side: 'sell', ...market, isClosing: true, lots: 100, trigger },
    { side: 'sell', ...market, lots: 100, isPostOnly: true },
    { side: 'sell', ...market, lots: 100, timeInForce: 'FOK' },
    { side: 'sell', price: 105, lots: 100, timeInForce: 'IOC', isPostOnly: true },
    { side: 'sell', price: 105, lots: 100, timeInForce: 'FOK', isPostOnly: true },
  ])
    world.place('alice', order).isRefused('ORDER_TYPE_INVALID')
  world.place('alice', { side: 'sell', ...market, isClosing: true, trigger }).isAccepted()
})

test('PERP-RISK-008: the tier of position and order together limits price and leverage; an opposite position does not count', () => {
  const rich = { alice: '100000', bob: '100000', carol: '100000', dave: '100000' }
  const world = givenPerp(rich)
  for (const name of ['alice', 'bob', 'carol', 'dave']) world.leverage(name, 8).isAccepted()
  // 51,000 USDT each, so the second tier's maintenance of 4 % counts instead of 2.5 %, each with a cushion of 2 %.
  opens(world, 'alice', 510_000)
  world.buy('alice', 108, 1000).isRefused('MARGIN_INSUFFICIENT')
  world.buy('alice', 107, 1000).isAccepted()
  world.sell('bob', 94, 1000, { timeInForce: 'IOC' }).isRefused('MARGIN_INSUFFICIENT')
  world.sell('bob', 95, 1000, { timeInForce: 'IOC' }).isAccepted().traded('107×1000')
  // For users without a position the first tier counts, until their orders together reach the second.
  world.buy('carol', 108, 1000).isAccepted()
  world.sell('dave', 109, 1000).isAccepted()
  world.buy('carol', 99, 506_000).isAccepted()
  world.buy('carol', 108, 1000).isRefused('MARGIN_INSUFFICIENT')
  world.buy('carol', 107, 1000).isAccepted()

  const turned = givenPerp(rich)
  for (const name of ['alice', 'bob']) turned.leverage(name, 10).isAccepted()
  opens(turned, 'alice', 300_000)
  turned.buy('alice', 100, 201_000).isRefused('LEVERAGE_TOO_HIGH')
  turned.sell('bob', 100, 201_000).isRefused('LEVERAGE_TOO_HIGH')
  // Turning the position opens 40,000 on the other side.
  turned.sell('alice', 100, 700_000, { timeInForce: 'IOC' }).isAccepted()
  turned.buy('bob', 100, 700_000, { timeInForce: 'IOC' }).isAccepted()
  turned.sell('alice', 100, 801_000, { timeInForce: 'IOC' }).isRefused('LEVERAGE_TOO_HIGH')
})

test('PERP-INTEREST-001: an order of exactly the value that the cap leaves is accepted, and other markets do not count', () => {
  const world = withSecond(
    givenPerp({ alice: '5000', bob: '5000', carol: '5000' }, { openInterestMax: 1_000_000_000, userInterestPpm: 300_000 }),
  )
  opens(world, 'alice', 2000)
  opens(world, 'alice', 9000, 'bob', second)
  world.buy('carol', 100, 3001).isRefused('POSITION_TOO_LARGE')
  world.buy('carol', 100, 3000).isAccepted()
  world.cancel('carol', world.exchange.openOrders(world.id('carol'))[0]!.order).isAccepted()
  // Alice's position is worth 200 in this market, of at most 300.
  const left = (name: string) => {
    const { buy, sell, left: all } = account(world, name).interest[0]!
    return [buy, sell, all].map((units) => units / 1e6)
  }
  assert.deepEqual(left('alice'), [100, 300, 800])
  assert.deepEqual(left('carol'), [300, 300, 800])
  world.buy('alice', 100, 1001).isRefused('POSITION_TOO_LARGE')
  world.buy('alice', 100, 1000).isAccepted()
  world.hedge('carol', true).isAccepted()
  world.buy('carol', 99, 500, { position: 'long' }).isAccepted()
  world.sell('carol', 101, 1000, { position: 'short' }).isAccepted()
  assert.deepEqual(left('carol'), [250.5, 199, 800])

  const tight = givenPerp({ alice: '5000', bob: '5000', carol: '5000' }, { openInterestMax: 500_000_000 })
  opens(tight, 'alice', 4000)
  tight.buy('carol', 100, 1001).isRefused('OPEN_INTEREST_FULL')
  tight.buy('carol', 100, 1000).isAccepted()
})

test('PERP-REVERSE-001: the released margin less the loss of closing pays for the other side, to the unit', () => {
  // 1,000 lots at 100 with leverage 10: 10 margin and a fee of 0.05. Bob's bids at 99 make a loss of 1 when the position closes.
  const needs = (extra: string, mode: 'isolated' | 'cross'): PerpWorld => {
    const world = givenPerp({ alice: extra, bob: '1000', carol: '1000' })
    if (mode === 'cross') world.mode('alice', mode).isAccepted()
    world.leverage('alice', 10).isAccepted()
    opens(world, 'alice', 1000)
    world.buy('carol', 99, 3000).isAccepted()
    return world
  }
  // The margin of 10 less the loss of 1 pays a part of 9.9 for 1,000 lots at 99; fees are 2 × 0.0495.
  for (const mode of ['isolated', 'cross'] as const) {
    const enough = 10 + 0.05 - 9 + 9.9 + 0.099
    needs((enough - 0.000001).toFixed(6), mode)
      .sell('alice', 99, 2000, { timeInForce: 'IOC' })
      .isRefused('MARGIN_INSUFFICIENT')
    const world = needs(enough.toFixed(6), mode)
    world.sell('alice', 99, 2000, { timeInForce: 'IOC' }).isAccepted().traded('99×2000')
    world.holds('alice', '-1000@99').has('alice', '0', '9.9').isReplayable()
  }
})
