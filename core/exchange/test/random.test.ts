import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MarketId } from '../../protocol/ids.ts'
import fc from 'fast-check'
import type { OpenOrder } from '../../protocol/port.ts'
import { Exchange } from '../exchange.ts'
import { given, World } from './world.ts'
import type { Told } from './world.ts'

const names = ['alice', 'bob', 'carol'] as const
const name = fc.constantFrom(...names)
const side = fc.constantFrom('buy', 'sell')
const price = fc.integer({ min: 92, max: 108 })
const lots = fc.integer({ min: 60, max: 900 })
const selfTrade = fc.constantFrom('expire-taker', 'expire-maker', 'expire-both', 'none', 'decrement')
const direction = fc.constantFrom('rises-to', 'falls-to')
const clientId = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 30 }).map((n) => `c${n}`) },
)
const trigger = fc.oneof(
  fc.record({ kind: fc.constant('stop'), price, direction }),
  fc.record({ kind: fc.constant('trailing'), trailPpm: fc.integer({ min: 1000, max: 60_000 }), direction }),
  fc.record({ kind: fc.constant('trailing'), trailPpm: fc.constant(20_000), activation: price, direction }),
)
const limit = fc
  .record({
    side,
    price,
    lots,
    selfTrade,
    clientId,
    timeInForce: fc.constantFrom('GTC', 'GTC', 'IOC', 'FOK'),
    isPostOnly: fc.constant(false),
  })
  .chain((order): fc.Arbitrary<object> => {
    if (order.timeInForce !== 'GTC') return fc.constant(order)
    const more = fc.constantFrom({}, {}, { display: 50 }, { isPostOnly: true })
    return more.map((extra) => ({ ...order, ...extra }))
  })
const market = fc
  .record({
    side,
    selfTrade,
    clientId,
    amount: fc.oneof(fc.record({ lots }), fc.record({ spend: fc.integer({ min: 5_000_000, max: 90_000_000 }) })),
  })
  .map(({ amount, ...order }) => ({ ...order, ...amount, orderType: 'market', timeInForce: 'IOC' }))

const action = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant('place' as const), name, order: limit }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('place' as const), name, order: market }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      name,
      order: fc.tuple(fc.oneof(limit, market), trigger).map(([order, when]) => ({ ...(order as object), trigger: when })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('oco' as const),
      name,
      side,
      lots,
      near: fc.nat(4),
      far: fc.nat(4),
      clientId,
      isLimit: fc.boolean(),
      selfTrade,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), name, pick: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('amend' as const), name, pick: fc.nat(), lots: fc.option(lots), price: fc.option(price) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancelAll' as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 40_000, 400_000, 86_400_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('transfer' as const), name, amount: fc.integer({ min: 1, max: 5_000_000 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      name,
      way: fc.constantFrom('in', 'out'),
      fund: fc.constantFrom('outside:chain', 'fees', 'insurance', 'option-house'),
      asset: fc.constantFrom(1, 2),
      decision: fc.integer({ min: 1, max: 30 }),
      amount: fc.oneof(fc.integer({ min: 1, max: 5_000_000 }), fc.constantFrom(2 ** 52, 2 ** 52 - 1_000_000_000, Number.MAX_SAFE_INTEGER)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('halt' as const), isTrading: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('index' as const), price, isGood: fc.boolean() }) },
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

/** By sleeping order: the units that the ledger held when it was placed, for the order itself and for its whole list. */
type Holds = Map<number, { readonly own: number; readonly whole: number }>

function act(world: World, step: Action): Told {
  if (step.do === 'place') return world.place(step.name, step.order)
  if (step.do === 'cancelAll') return world.do({ type: 'spot.cancelAll', user: world.user(step.name), clientId: '', market: 0 })
  if (step.do === 'transfer') {
    const { amount } = step
    return world.do({ type: 'funds.transfer', user: world.user(step.name), clientId: '', asset: 1, from: 'spot', to: 'option', amount })
  }
  if (step.do === 'post') {
    const { decision, asset, amount } = step
    const [customer, fund] = [{ user: world.user(step.name) }, { system: step.fund }]
    const [from, to] = step.way === 'in' ? [fund, customer] : [customer, fund]
    return world.do({ type: 'funds.post', decision, from, to, asset, amount, proposer: 1, approver: 2, reason: 'ticket 7' })
  }
  if (step.do === 'halt') {
    const { terms } = world.exchange.listing().markets[0]!
    return world.do({ type: 'market.set', market: 1, terms: { ...terms, isTrading: step.isTrading } })
  }
  if (step.do === 'index') return world.index(step.price, step.isGood)
  if (step.do === 'wait') {
    world.atMs += step.ms
    return world.tick()
  }
  if (step.do === 'oco') {
    const { last } = world.exchange.prices(1 as MarketId)
    const sign = step.side === 'sell' ? 1 : -1
    const stopPrice = last - sign * (1 + step.far)
    return world.oco(step.name, {
      side: step.side,
      lots: step.lots,
      clientId: step.clientId,
      limitPrice: last + sign * (1 + step.near),
      stopPrice,
      ...(step.isLimit ? { stopLimit: stopPrice - sign } : {}),
      selfTrade: step.selfTrade,
    })
  }
  const open = world.open(step.name)
  const order = open.length === 0 ? 999_999 : open[step.pick % open.length]!.order
  if (step.do === 'cancel') return world.cancel(step.name, order)
  return world.amend(step.name, order, {
    ...(step.lots === null ? {} : { lots: step.lots }),
    ...(step.price === null ? {} : { price: step.price }),
  })
}

/** Units that the remainder of an order in the book needs: its value or its quantity. */
function bookNeed(order: { side: string; price: number; lots: number; executedLots: number; preventedLots?: number }): number {
  const left = order.lots - order.executedLots - (order.preventedLots ?? 0)
  return order.side === 'buy' ? order.price * left * 1000 : left * 100_000
}

function note(told: Told, holds: Holds): void {
  const accepted = told.of('order.accepted')
  const hold = told.of('entry').find((entry) => entry.reason === 'hold')
  for (const order of accepted) {
    if (order.trigger === undefined) continue
    const limitLeg = accepted.find((other) => other.list !== 0 && other.order !== order.order)
    const whole = hold!.heldDelta
    holds.set(order.order, { own: whole - (limitLeg === undefined ? 0 : bookNeed({ ...limitLeg, executedLots: 0 })), whole })
  }
}

/** Units that an order holds. A triggered order has the rest of its list's hold, and the other leg, which waits, holds nothing. */
function needOf(order: OpenOrder, open: readonly OpenOrder[], holds: Holds): number {
  const sibling = open.find((other) => other.list !== 0 && other.list === order.list && other.order !== order.order)
  if (sibling?.triggeredAt !== undefined) return 0
  const hold = holds.get(order.order)
  if (order.triggeredAt !== undefined) return hold!.whole - (order.side === 'buy' ? order.executedQuote : order.executedLots * 100_000)
  if (order.status === 'open') return bookNeed(order)
  return sibling === undefined ? hold!.whole : hold!.own
}

/** Checks that holds are exactly those that open orders need, and that the book is sorted and not crossed. */
function check(world: World, holds: Holds): void {
  const { bids, asks } = world.exchange.book(1 as MarketId)
  if (bids.length > 0 && asks.length > 0) assert.ok(bids[0]!.price < asks[0]!.price, 'the book is crossed')
  for (let i = 1; i < bids.length; i++) assert.ok(bids[i - 1]!.price > bids[i]!.price)
  for (let i = 1; i < asks.length; i++) assert.ok(asks[i - 1]!.price < asks[i]!.price)
  for (const who of names) {
    const need = { buy: 0, sell: 0 }
    const open = world.open(who)
    for (const order of open) {
      need[order.side] += needOf(order, open, holds)
      assert.ok(order.status === 'pending' || order.spend > 0 || order.executedLots + (order.preventedLots ?? 0) < order.lots)
    }
    const held = (asset: number): number =>
      world.exchange
        .balances(world.user(who))
        .find(({ account }) => 'kind' in account && account.kind === 'spot' && account.asset === asset)?.held ?? 0
    assert.deepEqual([held(1), held(2)], [need.buy, need.sell], who)
  }
}

function begin(): World {
  const world = given({ alice: { USDT: '1000', BTC: '10' }, bob: { USDT: '1000', BTC: '10' }, carol: { USDT: '300', BTC: '3' } })
  world.do({
    type: 'fees.set',
    tiers: [
      { volumeMin: 0, makerPpm: 1000, takerPpm: 1000 },
      { volumeMin: 100_000_000, makerPpm: 333, takerPpm: 777 },
    ],
  })
  return world.prints(100)
}

test('SPOT-CORE-001: after any commands money is conserved, holds are those that open orders need, and the book is not crossed', () => {
  fc.assert(
    fc.property(fc.array(action, { minLength: 5, maxLength: 80, size: 'max' }), (steps) => {
      const world = begin()
      const holds: Holds = new Map()
      for (const step of steps) {
        note(act(world, step), holds)
        check(world, holds)
      }
    }),
    { numRuns: 200 },
  )
})

test('SPOT-CORE-002: replay gives the same hash, and a restored exchange behaves the same from then on', () => {
  fc.assert(
    fc.property(
      fc.array(action, { minLength: 2, maxLength: 60, size: 'max' }),
      fc.array(action, { minLength: 1, maxLength: 30, size: 'max' }),
      (before, after) => {
        const world = begin()
        for (const step of before) act(world, step)
        world.isReplayable()
        const original = world.exchange
        const restored = Exchange.restore(original.dump())
        assert.equal(restored.nextDueAtMs, original.nextDueAtMs)
        for (const step of after) {
          const { atMs } = world
          world.exchange = original
          const first = act(world, step).events
          world.exchange = restored
          world.atMs = atMs
          assert.deepEqual(act(world, step).events, first)
        }
        assert.equal(restored.hash(), original.hash())
      },
    ),
    { numRuns: 60 },
  )
})
