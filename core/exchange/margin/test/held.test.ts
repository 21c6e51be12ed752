/** Orders of margin accounts in liquidations and after a restore. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Told } from '../../test/world.ts'
import { Exchange } from '../../exchange.ts'
import { btcusdt, open, units } from './world.ts'
import { cross, isolated } from './stressed.ts'
import type { MarginWorld } from './world.ts'

/** Each of these users has 10,000 USDT and owes `loan` in a margin account. The last price is 50,000. */
function indebted(market: number, loan: string, ...names: string[]): MarginWorld {
  const desk = open()
  for (const name of names) {
    desk.user(name, { USDT: '10100' }).enter(name, 'USDT', '10000', market).isAccepted()
    desk.borrow(name, 'USDT', loan, market).isAccepted()
  }
  desk.world.prints(50_000)
  return desk
}

/** Orders that the command closed: user and number. */
function closed(desk: MarginWorld, told: Told): readonly (readonly [string, number])[] {
  const names = new Map([...desk.world.users].map(([name, user]) => [user, name]))
  const events = told.of('order.closed')
  assert.ok(events.every(({ reason }) => reason === 'liquidation'))
  return events.map(({ user, order }) => [names.get(user)!, order])
}

test('MARGIN-LIQ-002: a liquidation cancels both orders of an OCO, and those of no other account, also after a restore', () => {
  const accounts = [
    { market: 0, flags: cross('none'), other: isolated('none'), loan: '39000', lots: 900, fall: 42_000 },
    { market: btcusdt, flags: isolated('none'), other: cross('none'), loan: '80000', lots: 1_700, fall: 46_000 },
  ] as const
  for (const { market, flags, other, loan, lots, fall } of accounts) {
    for (const isRestored of [false, true]) {
      const desk = indebted(market, loan, 'alice')
      const { world } = desk
      // Orders in the spot account and in alice's other margin account, which owes nothing.
      desk.enter('alice', 'USDT', '50', market === 0 ? btcusdt : 0).isAccepted()
      const kept = [world.buy('alice', 49_000, 1).order, world.buy('alice', 49_000, 1, other).order]
      const { order: list } = world
        .oco('alice', { side: 'buy', lots, limitPrice: 49_900, stopPrice: 50_100, stopLimit: 50_200, ...flags })
        .isAccepted()
      const before = desk.account('alice', market)
      assert.equal(desk.balance('alice', 'USDT', market).held, lots * 50_200 * 1000)
      if (isRestored) world.exchange = Exchange.restore(world.exchange.dump())
      assert.deepEqual(desk.account('alice', market), before)
      const told = desk.prices(fall, 2_500)
      assert.deepEqual(
        told.of('margin.level').map(({ state }) => state),
        ['liquidating', 'safe'],
      )
      // The stop sleeps and the limit is in the book: both give back what they held.
      assert.deepEqual(closed(desk, told), [
        ['alice', list + 2],
        ['alice', list + 1],
      ])
      assert.deepEqual(told.of('margin.liquidated'), [])
      const { available, held, principal } = desk.balance('alice', 'USDT', market)
      assert.deepEqual([held, principal], [0, 0])
      // The loan is repaid, and its first interest with the account's own money.
      assert.equal(available, units('USDT', '10000') - before.balances[0]!.interest)
      assert.deepEqual(
        world.open('alice').map(({ order }) => order),
        kept,
      )
      world.isReplayable()
    }
  }
})

test('MARGIN-LIQ-002: a step cancels the account’s fifty oldest orders, and with the leg of a list its other leg', () => {
  const desk = indebted(btcusdt, '80000', 'alice', 'bob')
  const { world } = desk
  const buys = (name: string, count: number, lots: number): number[] =>
    Array.from({ length: count }, () => world.buy(name, 50_000, lots, isolated('none')).isAccepted().order)
  const first = buys('alice', 49, 28)
  const list = world.oco('alice', { side: 'buy', lots: 100, limitPrice: 49_900, stopPrice: 50_100, stopLimit: 50_200, ...isolated('none') })
  const { order } = list.isAccepted()
  const rest = buys('alice', 10, 20)
  const bobs = buys('bob', 60, 28)
  const told = desk.prices(46_000, 2_500)
  const expected = [
    ...[...first, order + 2, order + 1].map((number) => ['alice', number]),
    ...bobs.slice(0, 50).map((number) => ['bob', number]),
    ...rest.map((number) => ['alice', number]),
    ...bobs.slice(50).map((number) => ['bob', number]),
  ]
  assert.deepEqual(closed(desk, told), expected)
  assert.equal(world.exchange.orderCount, 0)
  assert.deepEqual([desk.account('alice', btcusdt).state, desk.account('bob', btcusdt).state], ['safe', 'safe'])
  world.isReplayable()
})
