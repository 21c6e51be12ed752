/** Tests several exits of one position, each of a part, and changes of orders that sleep. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenOrder } from '../../../protocol/port.ts'
import type { Told } from '../../test/world.ts'
import { givenPerp } from './world.ts'
import type { PerpWorld } from './world.ts'

const three = { alice: '1000', bob: '1000', carol: '5000' }
const rises = (price: number): object => ({ trigger: { kind: 'stop', price, direction: 'rises-to' } })
const falls = (price: number): object => ({ trigger: { kind: 'stop', price, direction: 'falls-to' } })

/** Alice is long 1,000 lots at 100. */
function long(funds: Record<string, string> = three): PerpWorld {
  const world = givenPerp(funds)
  world.sell('carol', 100, 1000).isAccepted()
  world.buy('alice', 100, 1000).isAccepted()
  return world
}

/** An exit of a part of alice's position: at the market, or with `price` as a limit order. */
function exit(world: PerpWorld, lots: number, trigger: object, price?: number): number {
  const shape = price === undefined ? { orderType: 'market', timeInForce: 'IOC' } : { price }
  return world.place('alice', { side: 'sell', lots, isReduceOnly: true, ...shape, ...trigger }).isAccepted().order
}

/** A trade of 60 lots at a price at which the book has no other bid. */
function prints(world: PerpWorld, price: number): Told {
  world.buy('carol', price, 60).isAccepted()
  return world.sell('bob', price, 60).isAccepted()
}

const open = (world: PerpWorld): readonly number[] => world.world.open('alice').map(({ order }) => order)
const one = (world: PerpWorld, order: number): OpenOrder => world.world.open('alice').find((each) => each.order === order)!
const triggerOf = (world: PerpWorld, order: number): unknown => {
  const { trigger, price, lots } = one(world, order)
  return [trigger?.kind === 'stop' ? trigger.price : undefined, price, lots]
}

test('PERP-EXITS-006: exits of parts act one by one, each with its own quantity, at the market or at its limit', () => {
  const world = long()
  const [near, limit, stop] = [exit(world, 300, rises(103)), exit(world, 200, rises(105), 106), exit(world, 500, falls(95))]
  const whole = world.closes('alice', 'sell', 90, 'falls-to').isAccepted().order
  world.isReplayable()
  world.buy('carol', 103, 360).isAccepted()
  world.sell('bob', 103, 60).isAccepted().traded('103×60', '103×300').closed(near, 'filled')
  world.holds('alice', '700@100')
  prints(world, 105).traded('105×60')
  // The limit order of the second exit waits in the book for its price.
  assert.deepEqual([one(world, limit).status, one(world, stop).status], ['open', 'pending'])
  world.isReplayable()
  world.buy('carol', 106, 150).isAccepted().traded('106×150')
  world.holds('alice', '550@100')
  assert.deepEqual(open(world), [limit, stop, whole])
  world.isReplayable()
})

test('PERP-EXITS-006: exits that are larger than the position close what is left and never turn it round', () => {
  for (const isHedge of [false, true]) {
    const world = givenPerp(three)
    const position = isHedge ? { position: 'long' } : {}
    if (isHedge) world.hedge('alice', true).isAccepted()
    world.sell('carol', 100, 1000).isAccepted()
    world.buy('alice', 100, 1000, position).isAccepted()
    const made = [900, 800, 700].map((lots) => exit(world, lots, { ...falls(96), ...position }))
    const limit = exit(world, 1000, { ...falls(96), ...position }, 96)
    world.buy('carol', 95, 5000).isAccepted()
    const told = prints(world, 96)
    const sold = told.of('traded').filter(({ takerOrder }) => [...made, limit].includes(takerOrder))
    assert.equal(
      sold.reduce((sum, { lots }) => sum + lots, 0),
      1000,
    )
    told.closed(made[0]!, 'filled').closed(made[1]!, 'filled').closed(made[2]!, 'reduce-only').closed(limit, 'reduce-only')
    world.holds('alice', '').isReplayable()
    assert.deepEqual(open(world), [])
  }
})

test('PERP-EXITS-006: two exits whose limit orders rest share the position: the newer one shrinks, and a fill ends what no longer fits', () => {
  const world = long()
  const [first, second] = [exit(world, 700, rises(103), 106), exit(world, 700, rises(104), 105)]
  const told = prints(world, 104)
  assert.deepEqual(
    told.of('order.triggered').map(({ order }) => order),
    [first, second],
  )
  const resting = [first, second].map((order) => one(world, order)?.lots)
  assert.equal(resting[0]! + resting[1]!, 1000)
  world.isReplayable()
  world.buy('carol', 106, 5000).isAccepted()
  world.holds('alice', '')
  assert.deepEqual(open(world), [])
  world.isReplayable()
})

test('PERP-EXITS-006: the user’s own resting orders don’t trade with an exit in its mode, and no trade with oneself closes a position twice', () => {
  const world = long()
  const own = world.buy('alice', 97, 400).isAccepted().order
  const stop = exit(world, 600, { ...falls(98), selfTrade: 'expire-maker' })
  world.buy('carol', 97, 600).isAccepted()
  const told = prints(world, 98).closed(own, 'self-trade').closed(stop, 'filled')
  assert.ok(told.of('traded').every(({ makerUser, takerUser }) => makerUser !== takerUser))
  world.holds('alice', '400@100').isReplayable()
})

test('PERP-EXITS-007: a position has at most ten exits of its user; those that orders carry come on top, and so do openings', () => {
  const world = long()
  const made = Array.from({ length: 9 }, (_, n) => exit(world, 100, rises(110 + n)))
  made.push(world.closes('alice', 'sell', 90, 'falls-to').isAccepted().order)
  const refused = { side: 'sell', lots: 100, isReduceOnly: true, price: 109, ...rises(109) }
  world.place('alice', refused).isRefused('TOO_MANY_OPEN_ORDERS')
  world.closes('alice', 'sell', 91, 'falls-to').isRefused('TOO_MANY_OPEN_ORDERS')
  world.buy('alice', 110, 100, rises(110)).isAccepted()
  world.sell('bob', 100, 100).isAccepted()
  world
    .buy('alice', 100, 100, { exits: { stopLoss: { price: 85, by: 'last' } } })
    .isAccepted()
    .traded('100×100')
  assert.equal(world.world.open('alice').filter(({ perp }) => perp?.isClosing === true).length, 1)
  world.isReplayable()
  world.cancel('alice', made[0]!).isAccepted()
  world.cancel('alice', made[1]!).isAccepted()
  world.place('alice', refused).isAccepted()
})

test('PERP-EXITS-008: all exits end with their position, whether it closes, is turned round, or is liquidated', () => {
  const ends: readonly ((world: PerpWorld) => ReturnType<PerpWorld['tick']>)[] = [
    (world) => world.market('alice', 'sell', 1000, { isReduceOnly: true }),
    (world) => world.market('alice', 'sell', 1500),
    (world) => world.reverse('alice'),
  ]
  for (const end of ends) {
    const world = long()
    const parts = [exit(world, 300, rises(110)), exit(world, 200, falls(90), 89)]
    const whole = world.closes('alice', 'sell', 80, 'falls-to').isAccepted().order
    world.buy('carol', 100, 5000).isAccepted()
    const told = end(world).isAccepted().closed(whole, 'position-closed')
    for (const part of parts) told.closed(part, 'reduce-only')
    assert.deepEqual(open(world), [])
    world.isReplayable()
  }
  const world = givenPerp({ ...three, alice: '120' })
  world.leverage('alice', 10).isAccepted()
  world.sell('carol', 100, 10_000).isAccepted()
  world.buy('alice', 100, 10_000).isAccepted()
  const part = exit(world, 4000, { ...rises(150), triggerBy: 'mark' })
  world.insures('1000')
  world.buy('carol', 91, 50_000).isAccepted()
  const told = Array.from({ length: 40 }, (_, n) => world.index(92 - n))
  const reasons = new Map<number, string>(told.flatMap((each) => each.of('order.closed').map(({ order, reason }) => [order, reason])))
  world.holds('alice', '')
  assert.equal(reasons.get(part), 'reduce-only')
  assert.deepEqual(open(world), [])
  world.isReplayable()
})

test('PERP-EXITS-009: exits of a part keep their quantity when the position grows or shrinks; those of the whole follow it', () => {
  const world = long()
  const part = exit(world, 600, falls(95))
  world.closes('alice', 'sell', 94, 'falls-to').isAccepted()
  world.buy('carol', 99, 700).isAccepted()
  world.market('alice', 'sell', 700, { isReduceOnly: true }).isAccepted().traded('99×700')
  assert.deepEqual(triggerOf(world, part), [95, 0, 600])
  world.sell('carol', 100, 500).isAccepted()
  world.buy('alice', 100, 500).isAccepted()
  assert.deepEqual(triggerOf(world, part), [95, 0, 600])
  world.isReplayable()
  world.index(95)
  world.buy('carol', 93, 5000).isAccepted()
  prints(world, 94).traded('94×60', '93×600', '93×200')
  world.holds('alice', '').isReplayable()
})

test('PERP-EXITS-010: an exit that sleeps gets another trigger, limit price or quantity, and acts by the new ones', () => {
  const world = long()
  const [market, limit] = [exit(world, 400, falls(95)), exit(world, 300, rises(104), 105)]
  const told = world.amend('alice', market, { triggerPrice: 97 }).isAccepted()
  assert.deepEqual(told.of('order.amended'), [
    {
      type: 'order.amended',
      order: market,
      user: world.id('alice'),
      market: 3,
      price: 0,
      lots: 400,
      keepsPriority: false,
      triggerPrice: 97,
    },
  ])
  world.amend('alice', limit, { triggerPrice: 106, price: 107, lots: 500 }).isAccepted()
  assert.deepEqual(
    [triggerOf(world, market), triggerOf(world, limit)],
    [
      [97, 0, 400],
      [106, 107, 500],
    ],
  )
  world.isReplayable()
  prints(world, 98).traded('98×60')
  world.buy('carol', 96, 400).isAccepted()
  prints(world, 97).traded('97×60', '96×400').closed(market, 'filled')
  world.isReplayable()
  // The limit order may still change its quantity alone, with the trigger it has.
  world.amend('alice', limit, { triggerPrice: 106, lots: 200 }).isAccepted()
  assert.deepEqual(triggerOf(world, limit), [106, 107, 200])
  world.isReplayable()
})

test('PERP-EXITS-010: an exit of the whole position moves too, also one that an order carried, whose next fill leaves it as it is', () => {
  const world = givenPerp(three)
  const order = world.buy('alice', 98, 1000, { exits: { stopLoss: { price: 90, by: 'mark' } } }).isAccepted().order
  world.sell('bob', 98, 400).isAccepted()
  const stop = world.world.open('alice').find(({ list }) => list === order)!.order
  world.amend('alice', stop, { triggerPrice: 93 }).isAccepted()
  world.sell('bob', 98, 600).isAccepted().traded('98×600')
  assert.deepEqual([open(world), triggerOf(world, stop)], [[stop], [93, 0, 0]])
  world.amend('alice', stop, { triggerPrice: 94, lots: 100 }).isRefused('ORDER_TYPE_INVALID')
  world.buy('carol', 80, 5000).isAccepted()
  world.index(93)
  world.isReplayable()
})

test('PERP-EXITS-010: a refused change leaves the exit as it is', () => {
  const world = long()
  const limit = exit(world, 300, rises(104), 105)
  const market = exit(world, 300, falls(95))
  const refused = (order: number, change: object, why: Parameters<ReturnType<PerpWorld['tick']>['isRefused']>[0]): void => {
    world.amend('alice', order, change).isRefused(why)
  }
  refused(limit, { triggerPrice: 0 }, 'TRIGGER_INVALID')
  refused(limit, { triggerPrice: 100 }, 'TRIGGER_IMMEDIATE')
  refused(market, { triggerPrice: 100 }, 'TRIGGER_IMMEDIATE')
  refused(limit, { triggerPrice: 104 }, 'AMEND_UNCHANGED')
  refused(limit, { triggerPrice: 104, price: 0 }, 'PRICE_INVALID')
  refused(limit, { triggerPrice: 104, price: 200 }, 'PRICE_OUTSIDE_BAND')
  refused(limit, { triggerPrice: 104, lots: 0 }, 'QUANTITY_INVALID')
  refused(limit, { triggerPrice: 104, lots: 1 }, 'NOTIONAL_TOO_SMALL')
  refused(market, { triggerPrice: 96, price: 96 }, 'ORDER_TYPE_INVALID')
  refused(market, { triggerPrice: 96, priceMatch: 'queue' }, 'ORDER_TYPE_INVALID')
  // Without a trigger, an order that sleeps is not amended.
  refused(market, { lots: 200 }, 'ORDER_NOT_AMENDABLE')
  refused(9999, { triggerPrice: 96 }, 'ORDER_UNKNOWN')
  const resting = world.buy('alice', 90, 100).isAccepted().order
  refused(resting, { triggerPrice: 96 }, 'ORDER_NOT_AMENDABLE')
  world.amend('bob', market, { triggerPrice: 96 }).isRefused('ORDER_UNKNOWN')
  const trailing = world.place('alice', {
    ...{ side: 'sell', lots: 100, isReduceOnly: true, orderType: 'market', timeInForce: 'IOC' },
    trigger: { kind: 'trailing', trailPpm: 10_000, direction: 'falls-to' },
  })
  refused(trailing.isAccepted().order, { triggerPrice: 96 }, 'ORDER_NOT_AMENDABLE')
  assert.deepEqual(
    [triggerOf(world, limit), triggerOf(world, market)],
    [
      [104, 105, 300],
      [95, 0, 300],
    ],
  )
  world.isReplayable()
})

test('PERP-EXITS-010: while the market is halted or its index is away, an exit may still move, and acts when the market is open again', () => {
  const world = long()
  const stop = exit(world, 1000, { ...falls(95), triggerBy: 'mark' })
  world.index(100, 2)
  world.amend('alice', stop, { triggerPrice: 98 }).isAccepted()
  const opening = world.buy('alice', 110, 100, rises(105))
  opening.isRefused('NO_INDEX_PRICE')
  world.isReplayable()
  world.passes(5000).index(97)
  world.buy('carol', 96, 2000).isAccepted()
  for (let n = 0; n < 3; n++) world.passes(5000).index(97)
  world.holds('alice', '')
})

test('PERP-STOP-007: a sleeping order that may open holds the margin of its new trigger, and is refused what the account can’t pay', () => {
  const world = givenPerp({ ...three, alice: '30' })
  world.leverage('alice', 10).isAccepted()
  const order = world.buy('alice', 105, 2000, rises(104)).isAccepted().order
  const held = (): number => world.exchange.perpAccount(world.id('alice')).held
  const before = held()
  world.amend('alice', order, { triggerPrice: 108, price: 109 }).isAccepted()
  assert.equal(held() - before, (4 * 2000 * 1000 * 1005) / 10_000)
  world.amend('alice', order, { triggerPrice: 108, lots: 1000 }).isAccepted()
  assert.equal(held(), (108 * 1000 * 1000 * 1005) / 10_000)
  world.amend('alice', order, { triggerPrice: 108, lots: 20_000 }).isRefused('MARGIN_INSUFFICIENT')
  world.isReplayable()
  world.do({ type: 'user.certify', user: world.id('alice'), isCertified: false }).isAccepted()
  world.amend('alice', order, { triggerPrice: 109 }).isRefused('NOT_CERTIFIED')
  world.cancel('alice', order).isAccepted()
  assert.equal(held(), 0)
  world.isReplayable()
})

test('PERP-EXITS-011: an older exit that moves to the trigger of another acts after it', () => {
  const world = long()
  const moved = exit(world, 100, falls(96))
  const first = exit(world, 100, falls(95))
  world.passes(1).amend('alice', moved, { triggerPrice: 95 }).isAccepted()
  world.isReplayable()
  world.buy('carol', 94, 5000).isAccepted()
  const told = prints(world, 95)
  const woken = [told, world.tick()].flatMap((one) => one.of('order.triggered').map(({ order }) => order))
  assert.deepEqual(woken, [first, moved])
})
