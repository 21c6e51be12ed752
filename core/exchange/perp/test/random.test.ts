import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MarketId } from '../../../protocol/ids.ts'
import fc from 'fast-check'
import type { OpenOrder, PerpPosition } from '../../../protocol/port.ts'
import { Exchange } from '../../exchange.ts'
import type { Told } from '../../test/world.ts'
import { givenPerp, marketTerms, perpTerms, q } from './world.ts'
import type { PerpWorld } from './world.ts'

const names = ['alice', 'bob', 'carol', 'dave'] as const
const spotOfEther = 4
const contracts = [3, 5] as const

const name = fc.constantFrom(...names)
const market = fc.constantFrom(...contracts)
const side = fc.constantFrom('buy', 'sell')
const offset = fc.integer({ min: -6, max: 6 })
const lots = fc.integer({ min: 100, max: 14_000 })
/** The first or second position of a hedged account, and sometimes a side that may not fit the account. */
const position = fc.constantFrom('first', 'first', 'first', 'second', 'second', 'long', 'both')
const order = fc.record({
  market,
  side,
  position,
  lots,
  offset,
  selfTrade: fc.constantFrom('expire-taker', 'expire-maker', 'expire-both', 'none'),
  timeInForce: fc.constantFrom('GTC', 'GTC', 'GTC', 'IOC', 'FOK'),
  isReduceOnly: fc.constantFrom(false, false, false, true),
  isMarket: fc.constantFrom(false, false, true),
  exits: fc.option(
    fc.record({ gain: fc.integer({ min: -1, max: 12 }), loss: fc.integer({ min: -1, max: 12 }), by: fc.constantFrom('last', 'mark') }),
  ),
})
const trigger = fc.record({
  by: fc.constantFrom('last', 'mark'),
  isTrailing: fc.boolean(),
  isClosing: fc.boolean(),
  near: offset,
  direction: fc.constantFrom('rises-to', 'falls-to'),
})
const jump = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: -20, max: 20 }) },
  { weight: 3, arbitrary: fc.integer({ min: -120, max: 120 }) },
  { weight: 1, arbitrary: fc.constantFrom(-600, 900) },
)

const action = fc.oneof(
  { weight: 34, arbitrary: fc.record({ do: fc.constant('place' as const), name, order }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('sleep' as const), name, order, trigger }) },
  {
    weight: 12,
    arbitrary: fc.record({ do: fc.constant('index' as const), market, permille: jump, sources: fc.constantFrom(5, 5, 5, 5, 2) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), name, pick: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('amend' as const), name, pick: fc.nat(), lots, offset }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancelAll' as const), name, market: fc.constantFrom(0, ...contracts) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reverse' as const), name, market }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('leverage' as const), name, market, leverage: fc.integer({ min: 1, max: 10 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('mode' as const), name, market, mode: fc.constantFrom('cross', 'isolated') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hedge' as const), name, isHedge: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('adjust' as const), name, market, position, cents: fc.integer({ min: -5000, max: 5000 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('transfer' as const), name, cents: fc.integer({ min: 1, max: 30_000 }), isIn: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 5000, 40_000, 30_000_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('insure' as const), cents: fc.integer({ min: 1, max: 20_000 }) }) },
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

/** Two perpetual contracts with independent prices, users with little money and high leverage, and a small insurance fund. */
function begin(): PerpWorld {
  const world = givenPerp({ alice: '900', bob: '700', carol: '500', dave: '2500' })
  const ether = { base: 3, quote: 1, tick: '1', lot: '0.001' }
  world.do({ type: 'market.list', symbol: 'ETHUSDT', ...ether, terms: marketTerms }).isAccepted()
  world
    .do({ type: 'perp.list', symbol: 'ETHUSDTPERP', ...ether, terms: marketTerms, perp: { ...perpTerms, index: spotOfEther } })
    .isAccepted()
  index(world, contracts[1], 200, 5)
  for (const each of names) for (const id of contracts) world.leverage(each, 8, id)
  for (const id of contracts) world.mode('alice', 'cross', id)
  for (const id of contracts) world.mode('dave', 'cross', id)
  return world.insures('30')
}

function index(world: PerpWorld, market: number, price: number, sources: number): Told {
  world.world.atMs += 250
  const source = market === contracts[0] ? 1 : spotOfEther
  return world.do({ type: 'index.tick', prices: [{ market: source, price: price * 1e8, sources, isGood: sources > 2 }] })
}

function markOf(world: PerpWorld, market: number): number {
  return world.exchange.marks().find((mark) => mark.market === market)!.mark
}

/** The position side of an order; accounts without hedge mode have only `both`. */
function slotOf(world: PerpWorld, name: string, position: string): string {
  const { isHedge } = world.exchange.perpAccount(world.id(name))
  if (position !== 'first' && position !== 'second') return position
  return isHedge ? (position === 'first' ? 'long' : 'short') : 'both'
}

function act(world: PerpWorld, step: Action): Told {
  const near = (market: number, by: number): number => Math.max(1, markOf(world, market) + by)
  if (step.do === 'place' || step.do === 'sleep') {
    const { isMarket, offset: by, lots: size, position: meant, exits, ...others } = step.order
    const rest = { ...others, position: slotOf(world, step.name, meant) }
    const shape = isMarket ? { orderType: 'market', timeInForce: 'IOC' } : { price: near(rest.market, by) }
    const away = (distance: number): number => Math.max(1, markOf(world, rest.market) + by + (rest.side === 'buy' ? distance : -distance))
    const carried =
      exits === null || rest.isReduceOnly
        ? {}
        : { exits: { takeProfit: { price: away(exits.gain), by: exits.by }, stopLoss: { price: away(-exits.loss), by: exits.by } } }
    if (step.do === 'place') return world.place(step.name, { ...rest, lots: size, ...shape, ...carried })
    const { by: triggerBy, isTrailing, isClosing, direction } = step.trigger
    const trigger = isTrailing
      ? { kind: 'trailing', trailPpm: 30_000, direction }
      : { kind: 'stop', price: near(rest.market, step.trigger.near), direction }
    const mark = markOf(world, rest.market)
    const told = world.place(step.name, { ...rest, ...(isClosing ? { isClosing } : { lots: size }), ...shape, trigger, triggerBy })
    placedAt.set(world, (placedAt.get(world) ?? new Map<number, number>()).set(told.order, mark))
    return told
  }
  const user = world.id('name' in step ? step.name : 'alice')
  if (step.do === 'index') {
    const price = Math.max(
      5,
      Math.round((world.exchange.prices((step.market === 3 ? 1 : spotOfEther) as MarketId).index / 1e8) * (1 + step.permille / 1000)),
    )
    return index(world, step.market, price, step.sources)
  }
  if (step.do === 'cancelAll') return world.do({ type: 'spot.cancelAll', user, clientId: '', market: step.market })
  if (step.do === 'reverse') return world.do({ type: 'perp.reverse', user, clientId: '', market: step.market })
  if (step.do === 'leverage') return world.leverage(step.name, step.leverage, step.market)
  if (step.do === 'mode') return world.mode(step.name, step.mode as 'cross', step.market)
  if (step.do === 'hedge') return world.hedge(step.name, step.isHedge)
  if (step.do === 'adjust') {
    return world.do({
      type: 'perp.adjustMargin',
      user,
      clientId: '',
      market: step.market,
      position: slotOf(world, step.name, step.position),
      amount: step.cents * 10_000,
    })
  }
  if (step.do === 'transfer') {
    return world.transfer(
      step.name,
      (step.cents / 100).toFixed(2),
      ...((step.isIn ? ['spot', 'perp'] : ['perp', 'spot']) as [string, string]),
    )
  }
  if (step.do === 'wait') {
    world.world.atMs += step.ms
    return world.tick()
  }
  if (step.do === 'insure') return world.do({ type: 'funds.system', account: 'insurance', asset: 1, amount: step.cents * 10_000 })
  const open = world.exchange.openOrders(user)
  const found = open[step.pick % Math.max(1, open.length)]
  const reference = { user, clientId: '', market: found?.market ?? 3, order: found?.order ?? 999_999, orderClientId: '' }
  if (step.do === 'cancel') return world.do({ type: 'perp.cancel', ...reference })
  const price = near(reference.market, step.offset)
  if (found?.status !== 'pending' || step.lots % 3 === 0) return world.do({ type: 'perp.amend', ...reference, lots: step.lots, price })
  const parts = { ...(found.lots === 0 ? {} : { lots: step.lots }), ...(found.price === 0 ? {} : { price }) }
  return world.do({ type: 'perp.amend', ...reference, ...parts, triggerPrice: price })
}

const isReducing = (order: OpenOrder): boolean => order.perp!.isReduceOnly
const leftOf = (order: OpenOrder): number => order.lots - order.executedLots

/** Marks at which trailing orders were placed, which decide their margin. */
const placedAt = new WeakMap<PerpWorld, Map<number, number>>()

/** Units held by orders that may open and are sleeping or being retried. */
function sleepingNeed(world: PerpWorld, orders: readonly OpenOrder[], leverage: number): number {
  let value = 0
  for (const order of orders) {
    if (isReducing(order) || order.perp!.isClosing || order.trigger === undefined) continue
    value += leftOf(order) * q * (order.trigger.kind === 'stop' ? order.trigger.price : placedAt.get(world)!.get(order.order)!)
  }
  return Math.ceil(value / leverage) + Math.ceil((value * 500) / 1_000_000)
}

/** Units that resting orders need, computed from the lists of orders and positions alone. */
function naiveNeed(orders: readonly OpenOrder[], position: PerpPosition | undefined, leverage: number): number {
  let sum = 0
  for (const side of ['buy', 'sell'] as const) {
    const resting = orders.filter((order) => order.side === side && !isReducing(order)).sort((a, b) => a.price - b.price)
    let standing = position === undefined ? 0 : side === 'buy' ? Math.max(0, -position.lots) : Math.max(0, position.lots)
    let value = 0
    for (const each of resting) {
      const closing = Math.min(standing, leftOf(each))
      standing -= closing
      value += (leftOf(each) - closing) * each.price * q
    }
    sum += Math.ceil(value / leverage) + Math.ceil((value * 500) / 1_000_000)
  }
  return sum
}

/** Checks the invariants after a command, from the exchange's views alone. */
function check(world: PerpWorld): void {
  const { exchange } = world
  const sums = new Map<number, number>()
  let costs = 0
  for (const each of names) {
    const user = world.id(each)
    const account = exchange.perpAccount(user)
    const all = exchange.openOrders(user)
    const open = all.filter((order) => order.status === 'open' && order.orderType === 'limit')
    const asleep = all.filter((order) => !open.includes(order))
    let held = 0
    for (const { market: id, leverage } of account.settings) {
      for (const slot of ['both', 'long', 'short'] as const) {
        const stands = account.positions.find((position) => position.market === id && position.side === slot)
        const beside = open.filter((order) => order.market === id && order.perp!.position === slot)
        held += naiveNeed(beside, stands, leverage)
        const sleeping = asleep.filter((order) => order.market === id && order.perp!.position === slot)
        held += sleepingNeed(world, sleeping, leverage)
        if (stands !== undefined) {
          held += stands.margin
          sums.set(id, (sums.get(id) ?? 0) + stands.lots)
          costs += stands.lots > 0 ? -stands.cost : stands.cost
          assert.ok(stands.margin >= 0 && stands.cost >= 0)
          if (slot !== 'both') assert.equal(stands.lots > 0, slot === 'long', 'a hedged position never changes direction')
        }
        for (const side of ['buy', 'sell'] as const) {
          const reducing = beside.filter((order) => order.side === side && isReducing(order))
          if (reducing.length === 0) continue
          const all = beside.filter((order) => order.side === side).reduce((total, order) => total + leftOf(order), 0)
          const size = side === 'buy' ? -(stands?.lots ?? 0) : (stands?.lots ?? 0)
          assert.ok(all <= size, `orders of ${all} lots, reduce-only ones included, exceed a position of ${size}`)
        }
      }
    }
    assert.equal(account.held, held, `${each}: held money equals the needs of positions and orders`)
    assert.ok(account.available >= 0 && account.transferable >= 0 && account.transferable <= account.available)
  }
  for (const { market, lots, cost } of exchange.inventories()) {
    sums.set(market, (sums.get(market) ?? 0) + lots)
    costs += lots > 0 ? -cost : cost
  }
  for (const [id, sum] of sums) assert.equal(sum, 0, `positions of market ${id}`)
  assert.equal(world.system('outside:perp') <= costs, true, 'more was paid out than the costs of all positions cover')
  for (const id of contracts) {
    const { bids, asks } = exchange.book(id as MarketId)
    if (bids.length > 0 && asks.length > 0) assert.ok(bids[0]!.price < asks[0]!.price)
  }
}

test('PERP-CORE-001: after any commands positions net to zero, books balance, and held money equals the needs of positions and orders', () => {
  fc.assert(
    fc.property(fc.array(action, { minLength: 60, maxLength: 160, size: 'max' }), (steps) => {
      const world = begin()
      for (const step of steps) {
        act(world, step)
        check(world)
      }
    }),
    { numRuns: 100 },
  )
})

test('PERP-CORE-002: replay gives the same hash, and a restored exchange behaves the same from then on', () => {
  fc.assert(
    fc.property(
      fc.array(action, { minLength: 40, maxLength: 120, size: 'max' }),
      fc.array(action, { minLength: 5, maxLength: 40, size: 'max' }),
      (before, after) => {
        const world = begin()
        for (const step of before) act(world, step)
        world.isReplayable()
        const original = world.exchange
        const restored = Exchange.restore(original.dump())
        assert.equal(restored.nextDueAtMs, original.nextDueAtMs)
        for (const step of after) {
          const { atMs } = world.world
          world.world.exchange = original
          const first = act(world, step).events
          world.world.exchange = restored
          world.world.atMs = atMs
          assert.deepEqual(act(world, step).events, first)
        }
        assert.equal(restored.hash(), original.hash())
      },
    ),
    { numRuns: 40 },
  )
})
