import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Market } from '@candor/core/protocol/market.ts'
import type { EntryReason } from '@candor/core/protocol/event/index.ts'
import type { Store } from '../../open.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { marginChanges, perpEntries, perpFills } from '../programs/perp-history.ts'
import { markets, Scenario, usdt } from './scenario.ts'

const day = Date.UTC(2026, 0, 15)
const [alice, bob, carol] = [1, 2, 3] as const
const btcPerp = { ...markets[0], id: 4, symbol: 'BTCUSDTPERP', perp: { index: 1 } } as Market as (typeof markets)[0]

let server: ScratchServer
let store: Store
before(async () => {
  server = await startScratchServer()
  store = await server.store()
  await someTrades().write(store.pool)
})
after(() => server[Symbol.asyncDispose]())

const terms = {
  type: 'order.accepted',
  list: 0,
  market: 4,
  timeInForce: 'GTC',
  orderType: 'limit',
  spend: 0,
  display: 0,
  isPostOnly: false,
}
const perp = { position: 'both', isReduceOnly: false, isClosing: false, triggerBy: 'last', isLiquidation: false }
const accepted = (order: number, user: number, side: 'buy' | 'sell', lots: number) => ({
  ...{ ...terms, order, user, side, lots, price: 600_000, clientId: `c${order}`, perp },
})
const traded = (trade: number, makerOrder: number, makerUser: number, takerOrder: number, takerUser: number) => ({
  ...{ type: 'traded', market: 4, trade, takerSide: 'sell', price: 600_000, lots: 1_000, quote: 600_000_000, makerFee: 1, takerFee: 2 },
  ...{ makerOrder, makerUser, takerOrder, takerUser },
})
const position = (user: number, margin: number, more: object = {}) => ({
  ...{ type: 'perp.position', position: 50 + user, user, market: 4, side: 'both', mode: 'isolated', leverage: 10, lots: 1_000 },
  ...{ cost: 600_000_000, margin, liquidationPrice: 0, realised: 0, fees: 0, funding: 0, openedAt: day, ...more },
})

function someTrades(): Scenario {
  const world = new Scenario(day)
  const money = (user: number, reason: EntryReason, amount: number, held = 0) => ({
    ...world.entry({ user, kind: 'perp', asset: usdt.id }, reason, amount),
    heldDelta: held,
  })
  world.command({ type: 'market.listed', market: btcPerp })
  for (const user of [alice, bob, carol]) world.open(user)
  for (const user of [alice, bob, carol]) world.command(money(user, 'transfer', 1_000_000_000))
  world.command(accepted(10, alice, 'buy', 1_000))
  world.command(accepted(11, carol, 'buy', 1_000))
  world.at += 1_000
  // Bob's profit before his own order trades comes from another user's liquidation; then he sells to both.
  world.command(
    money(bob, 'realised', 7_000_000),
    { type: 'perp.deleveraged', market: 4, price: 600_000, lots: 0, bankruptUser: carol, user: bob, position: 52 },
    accepted(12, bob, 'sell', 2_000),
    ...[money(alice, 'realised', 3_000_000), money(alice, 'fee', -1), money(bob, 'realised', -2_000_000), money(bob, 'fee', -2)],
    traded(1, 10, alice, 12, bob),
    ...[money(carol, 'fee', -1), money(bob, 'realised', 500_000), money(bob, 'realised', -100_000), money(bob, 'fee', -2)],
    traded(2, 11, carol, 12, bob),
  )
  world.at += 1_000
  world.command(money(alice, 'funding', -6_000), {
    type: 'perp.fundingPaid',
    user: alice,
    market: 4,
    position: 51,
    lots: 1,
    rate: 1,
    amount: -6_000,
  })
  world.at += 1_000
  world.command(money(alice, 'hold', -50, 50), position(alice, 150))
  world.command(money(alice, 'release', 20, -20), position(alice, 130))
  // The same entries of another command are not a change of margin by a user.
  world.command(
    money(alice, 'hold', -5, 5),
    { type: 'perp.settings', user: alice, market: 4, leverage: 9, mode: 'isolated', isHedge: false },
    position(alice, 135),
  )
  world.command(money(alice, 'hold', -5, 5), position(alice, 140, { mode: 'cross' }))
  world.command(money(bob, 'hold', -5, 5))
  return world
}

test('PERP-HISTORY-008: each side of a trade shows that trade’s realised profit, whatever else its command realised', async () => {
  const shown = async (user: number) =>
    (await perpFills(store.pool, user as UserId, 'BTCUSDTPERP', { limit: 10 })).map((fill) => [
      fill.id,
      fill.order_id,
      fill.realised,
      fill.fee,
      fill.is_maker,
    ])
  assert.deepEqual(await shown(alice), [[1, 10, '3', '0.000001', true]])
  assert.deepEqual(await shown(carol), [[2, 11, '0', '0.000001', true]])
  assert.deepEqual(await shown(bob), [
    [1, 12, '-2', '0.000002', false],
    [2, 12, '0.4', '0.000002', false],
  ])
})

test('PERP-HISTORY-009: movements of a Futures account are listed by reason, with market and, if it was a single one, trade', async () => {
  const every = { reasons: ['transfer', 'realised', 'fee', 'funding'], limit: 10, offset: 0 } as const
  const shown = async (user: number, more: object = {}) =>
    (await perpEntries(store.pool, user as UserId, { ...every, ...more })).map((entry) => [
      entry.reason,
      entry.amount,
      entry.symbol,
      entry.trade_id,
    ])
  const ofAlice = [
    ['transfer', '1000', null, null],
    ['realised', '3', 'BTCUSDTPERP', 1],
    ['fee', '-0.000001', 'BTCUSDTPERP', 1],
    ['funding', '-0.006', 'BTCUSDTPERP', null],
  ]
  assert.deepEqual(await shown(alice), ofAlice)
  assert.deepEqual(await shown(alice, { limit: 2 }), ofAlice.slice(2))
  assert.deepEqual(await shown(alice, { limit: 2, offset: 2 }), ofAlice.slice(0, 2))
  assert.deepEqual(await shown(alice, { start: day, limit: 2 }), ofAlice.slice(0, 2))
  assert.deepEqual(await shown(alice, { symbol: 'BTCUSDTPERP', reasons: ['funding'] }), ofAlice.slice(3))
  assert.deepEqual(
    (await shown(bob, { reasons: ['fee'] })).map(([, , , trade]) => trade),
    [null, null],
    'of two trades neither is named',
  )
})

test('PERP-HISTORY-010: margin that a user moved into an isolated position or out of it is listed, and no other margin', async () => {
  const shown = async (user: number, more: object = {}) =>
    (await marginChanges(store.pool, user as UserId, 'BTCUSDTPERP', { limit: 10, ...more })).map(({ amount, side }) => [amount, side])
  const both = [
    ['0.00005', 'both'],
    ['-0.00002', 'both'],
  ]
  assert.deepEqual(await shown(alice), both)
  assert.deepEqual(await shown(alice, { isIn: false }), both.slice(1))
  assert.deepEqual(await shown(alice, { start: 1, limit: 1 }), both.slice(0, 1))
  assert.deepEqual(await shown(bob), [])
})
