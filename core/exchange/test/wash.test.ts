import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis } from '../../money/brand.ts'
import { PublicView } from '../../market-data/public-view.ts'
import type { MarketId, UserId } from '../../protocol/ids.ts'
import { restoreState } from '../dump.ts'
import { given, type Told, type World } from './world.ts'

const tiers = [
  { volumeMin: 0, makerPpm: 1000, takerPpm: 1000 },
  { volumeMin: 20_000_000, makerPpm: 500, takerPpm: 500 },
]

/** A world with a public view of its markets; `see` passes the events of a command to the view. */
function watched(): { readonly world: World; readonly view: PublicView; readonly see: (told: Told) => Told } {
  const world = given({ alice: { BTC: '10', USDT: '1000' }, bob: { BTC: '10', USDT: '1000' }, carol: { BTC: '1', USDT: '1000' } })
  world.do({ type: 'fees.set', tiers })
  const view = new PublicView()
  view.list(world.exchange.listing())
  const see = (told: Told): Told => {
    view.apply(told.events)
    return told
  }
  see(world.sell('bob', 100, 100))
  see(world.buy('carol', 100, 100).traded('100×100'))
  return { world, view, see }
}

const volume = (world: World, user: string): number => world.exchange.tier(world.user(user) as UserId).volume

test('SPOT-STP-004: a trade of a user with themselves counts for no tier, price, stop, candle, ticker or volume', () => {
  const { world, view, see } = watched()
  const before = view.market(1 as MarketId)?.ticker(world.atMs as Millis)
  const candle = view.market(1 as MarketId)?.candles.newest('1m', 1)
  const site = view.volume(world.atMs as Millis)
  see(world.sell('carol', 90, 100, { trigger: { kind: 'stop', price: 95, direction: 'falls-to' } }).isAccepted())
  see(world.sell('alice', 90, 500).isAccepted())
  const told = see(world.buy('alice', 90, 500, { selfTrade: 'none' }).isAccepted().traded('90×500'))
  assert.deepEqual([told.of('order.triggered'), told.of('user.tierChanged')], [[], []])
  assert.equal(world.exchange.prices(1 as MarketId).last, 100)
  assert.equal(volume(world, 'alice'), 0)
  // She counts as a user who never traded.
  assert.equal(restoreState(world.exchange.dump()).volumes.find(world.user('alice'), world.atMs as Millis), 0)
  assert.deepEqual(view.market(1 as MarketId)?.ticker(world.atMs as Millis), before)
  assert.deepEqual(view.market(1 as MarketId)?.candles.newest('1m', 1), candle)
  assert.deepEqual(view.volume(world.atMs as Millis), site)
  world.isReplayable()
})

test('SPOT-STP-004: when a command trades with its own user and with others, only the trades with others count', () => {
  const { world } = watched()
  world.sell('alice', 101, 100).isAccepted()
  world.sell('bob', 102, 100).isAccepted()
  world.sell('alice', 103, 100).isAccepted()
  world.buy('alice', 103, 300, { selfTrade: 'none' }).isAccepted().traded('101×100', '102×100', '103×100')
  assert.equal(world.exchange.prices(1 as MarketId).last, 102)
  assert.deepEqual([volume(world, 'alice'), volume(world, 'bob')], [10_200_000, 20_200_000])
})

test('SPOT-HOUSE-001: trades between users of the house make price and candles, but count for no tier and no site volume', () => {
  const { world, view, see } = watched()
  const site = view.volume(world.atMs as Millis)
  for (const user of ['alice', 'bob']) world.do({ type: 'user.house', user: world.user(user), isHouse: true }).isAccepted()
  world.do({ type: 'user.house', user: 99, isHouse: true }).isRefused('USER_UNKNOWN')
  see(world.sell('alice', 104, 300).isAccepted())
  const within = see(world.buy('bob', 104, 200).isAccepted().traded('104×200'))
  assert.equal(within.of('traded')[0]?.isHouse, true)
  assert.equal(world.exchange.prices(1 as MarketId).last, 104)
  assert.equal(view.market(1 as MarketId)?.ticker(world.atMs as Millis)?.last, 104)
  assert.deepEqual([volume(world, 'alice'), volume(world, 'bob')], [0, 10_000_000])
  assert.deepEqual(view.volume(world.atMs as Millis), site)
  // A trade with a customer is an ordinary trade.
  const withCustomer = see(world.buy('carol', 104, 100).isAccepted().traded('104×100'))
  assert.equal(withCustomer.of('traded')[0]?.isHouse, undefined)
  assert.deepEqual([volume(world, 'alice'), volume(world, 'carol')], [10_400_000, 20_400_000])
  assert.equal(view.volume(world.atMs as Millis).h24, site.h24 + 10_400_000n)
  world.isReplayable()
})
