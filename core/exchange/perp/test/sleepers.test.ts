/** Tests the holds and counts of sleeping orders and exits of Futures, and which of them stay or replace others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXECUTED_LOTS, F, LEFT, PENDING, WAKING } from '../../../book/order-fields.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import type { Lots, Millis, Ticks } from '../../../money/brand.ts'
import { CLOSING, HAS_LOTS, POSITION_SHIFT, REDUCE_ONLY, SELL, STOP } from '../../../protocol/codec/layout.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { OrderId, UserId } from '../../../protocol/ids.ts'
import { PRODUCTION } from '../../state/mode.ts'
import { checkAsleep, fallAsleep, hasTooManyAsleep, leaveSleep, restoreAsleep } from '../positions/asleep.ts'
import { drop, reasonNumber, trimStops } from '../positions/close.ts'
import { store } from '../positions/orders.ts'
import { BOTH } from '../records/state.ts'
import type { Holding } from '../records/state.ts'
import { Alone } from './alone.ts'
import { givenPerp } from './world.ts'
import type { PerpWorld } from './world.ts'

const three = { alice: '1000', bob: '1000', carol: '5000' }
const rises = (price: number): object => ({ trigger: { kind: 'stop', price, direction: 'rises-to' } })
const falls = (price: number): object => ({ trigger: { kind: 'stop', price, direction: 'falls-to' } })
const takeProfit = (price: number): object => ({ exits: { takeProfit: { price, by: 'last' } } })
const stopLoss = (price: number, by = 'last'): object => ({ exits: { stopLoss: { price, by } } })

/** Alice is long 1,000 lots at 100. */
function long(funds = three): PerpWorld {
  const world = givenPerp(funds)
  world.sell('carol', 100, 1000).isAccepted()
  world.buy('alice', 100, 1000).isAccepted()
  return world
}

const open = (world: PerpWorld, name: string): readonly number[] => world.world.open(name).map(({ order }) => order)

test('PERP-STOP-005: a sleeping order that may open counts its value, one that only reduces is counted with the position', () => {
  const counts = (more: number): readonly unknown[] => {
    const alone = new Alone().pays(1, 1000)
    const { x, contract } = alone
    const holding = x.perp.holding(1 as UserId, contract, BOTH)
    const flags = (more | STOP | HAS_LOTS | PENDING | (1 << POSITION_SHIFT)) as OrderFlags
    const slot = store(x, holding, 900 as OrderId, flags, 110 as Ticks, 4 as Lots)
    const sums = (): readonly number[] => [holding.asleep, holding.sleeping, holding.sleepingValue]
    holding.isChanged = false
    fallAsleep(x, holding, slot, 105 as Ticks)
    const [asleep, isChanged] = [sums(), holding.isChanged]
    Object.assign(holding, { asleep: 0, sleeping: 0, sleepingValue: 0 })
    restoreAsleep(x, holding, slot)
    assert.deepEqual(sums(), asleep)
    const price = leaveSleep(x, holding, slot)
    return [asleep, isChanged, price, sums()]
  }
  assert.deepEqual(counts(0), [[1, 0, 420], false, 105, [0, 0, 0]])
  assert.deepEqual(counts(CLOSING), [[1, 1, 0], false, 0, [0, 0, 0]])
  const alone = new Alone()
  assert.equal(hasTooManyAsleep(alone.x, alone.contract, 99 as UserId), false)
})

test('PERP-STOP-005: a sleeping order needs an allowed leverage and its margin and fee, and not one unit more', () => {
  const check = (funds: number, leverage: number, lots: number, isProduction = false): string | undefined => {
    const alone = new Alone().pays(1, funds)
    const { x, contract } = alone
    if (isProduction) x.mode = PRODUCTION
    const holding = x.perp.holding(1 as UserId, contract, BOTH)
    holding.setting.leverage = leverage
    return checkAsleep(x, holding, 100 as Ticks, lots as Lots)
  }
  // 500: 50 and 1.
  assert.deepEqual([check(51, 10, 5), check(50, 10, 5)], [undefined, 'MARGIN_INSUFFICIENT'])
  assert.deepEqual([check(1e12, 10, 500_000_001), check(1e12, 8, 500_000_001)], ['LEVERAGE_TOO_HIGH', undefined])
  assert.deepEqual([check(1000, 2, 5, true), check(1000, 3, 5, true)], [undefined, 'LEVERAGE_CEILING'])
})

test('PERP-POSITION-003: orders beside a position are no change of the position', () => {
  const world = long()
  const positions = (told: ReturnType<PerpWorld['buy']>): number => told.isAccepted().of('perp.position').length
  const resting = world.buy('alice', 90, 100)
  const asleep = world.buy('alice', 110, 100, rises(105))
  assert.deepEqual([positions(resting), positions(asleep)], [0, 0])
  assert.deepEqual([positions(world.cancel('alice', resting.order)), positions(world.cancel('alice', asleep.order))], [0, 0])
  const reducing = world.sell('alice', 110, 1000, { isReduceOnly: true })
  assert.deepEqual([positions(reducing), positions(world.amend('alice', reducing.order, { lots: 500 }))], [0, 0])
})

test('PERP-STOP-002: with a position only the orders end that would close it', () => {
  const world = long()
  const resting = world.buy('alice', 90, 100).isAccepted().order
  const opening = world.buy('alice', 110, 100, rises(105)).isAccepted().order
  const closing = world.closes('alice', 'sell', 80, 'falls-to').isAccepted().order
  world.buy('carol', 100, 1000).isAccepted()
  world.sell('alice', 100, 1000).isAccepted().closed(closing, 'position-closed')
  assert.deepEqual(open(world, 'alice'), [resting, opening])
  world.isReplayable()
})

test('PERP-ORDER-002: stops hold nothing, so they stay when orders can’t be paid any more', () => {
  const world = long()
  const resting = world.sell('alice', 110, 1000).isAccepted().order
  const stop = world.closes('alice', 'sell', 80, 'falls-to').isAccepted().order
  const free = world.exchange.perpAccount(world.id('alice')).available
  world.transfer('alice', String(free / 1e6)).isAccepted()
  world.buy('carol', 95, 500).isAccepted()
  // 500 lots return 50 and lose 2.5; the other order would open 500 lots for 55 and a fee.
  world.market('alice', 'sell', 500, { isReduceOnly: true }).isAccepted().traded('95×500').closed(resting, 'margin')
  assert.deepEqual(open(world, 'alice'), [stop])
  world.isReplayable()
})

test('PERP-STOP-004: a cancelled order leaves the places of the others that wait', () => {
  const world = long()
  const closes = () => world.closes('alice', 'sell', 95, 'falls-to', { triggerBy: 'mark' }).isAccepted().order
  const [first, second] = [closes(), closes()]
  world.index(94)
  world.cancel('alice', second).isAccepted()
  world.isReplayable()
  world.buy('carol', 94, 1000).isAccepted()
  world.index(94).traded('94×1000').closed(first, 'filled')
  assert.deepEqual(open(world, 'alice'), [])
})

test('PERP-EXITS-001: an order reports its exits, keeps the client’s number, and its exits have none', () => {
  const world = givenPerp(three)
  world.cancel('alice', world.buy('alice', 90, 100, { clientId: 'before' }).isAccepted().order).isAccepted()
  const told = world.buy('alice', 98, 1000, { clientId: 'mine', ...takeProfit(110) }).isAccepted()
  assert.deepEqual(told.of('order.accepted')[0]!.perp?.exits, { takeProfit: { price: 110, by: 'last' } })
  world.passes(777)
  world.sell('bob', 98, 1000).isAccepted()
  const views = world.world.open('alice').map(({ clientId, status, updatedAt }) => [clientId, status, updatedAt])
  assert.deepEqual(views, [['', 'pending', world.world.atMs]])
  world.passes(50)
  const stop = world.sell('alice', 79, 500, { clientId: 'a stop of mine', ...falls(80), isReduceOnly: true }).isAccepted().order
  const view = world.world.open('alice').find(({ order }) => order === stop)
  assert.deepEqual([view?.clientId, view?.updatedAt], ['a stop of mine', world.world.atMs])
  world.isReplayable()
})

test('PERP-EXITS-003: an exit belongs to its order: a newer order replaces it even if the exit was placed later than that order', () => {
  const world = givenPerp(three)
  world.buy('bob', 85, 100).isAccepted()
  const [older, newer] = [world.buy('alice', 98, 500, stopLoss(90)), world.buy('alice', 97, 500, stopLoss(91))]
  world.sell('bob', 98, 500).isAccepted()
  const [placed] = world.world.open('alice').filter(({ perp }) => perp?.isClosing === true)
  assert.equal(placed?.list, older.order)
  world.sell('bob', 97, 500).isAccepted().closed(placed!.order, 'replaced')
  const [next] = world.world.open('alice')
  assert.deepEqual([next?.list, open(world, 'alice').length], [newer.order, 1])
  world.isReplayable()
})

test('PERP-EXITS-004: an exit that acts at once without finding a buyer is open and tried again, and a newer one does not replace it', () => {
  const world = givenPerp(three)
  // Another order has the first slot.
  world.buy('bob', 85, 100).isAccepted()
  world.buy('carol', 96, 100).isAccepted()
  world.buy('alice', 98, 500, stopLoss(97)).isAccepted()
  world.sell('bob', 96, 600).isAccepted().traded('98×500', '96×100')
  const [exit, ...others] = world.world.open('alice')
  assert.deepEqual([exit?.status, others], ['open', []])
  world.buy('alice', 95, 100, stopLoss(80)).isAccepted()
  const told = world.sell('bob', 95, 100).isAccepted().traded('95×100')
  assert.deepEqual(
    told.of('order.closed').filter(({ order }) => order === exit?.order),
    [],
  )
  world.isReplayable()
})

test('PERP-EXITS-004: before the first trade that sets a price, no exit by the last trade is reached', () => {
  const world = givenPerp(three)
  world.hedge('alice', true).isAccepted()
  world.sell('alice', 100, 100, { position: 'short' }).isAccepted()
  world
    .buy('alice', 100, 100, { position: 'long', selfTrade: 'none', ...stopLoss(90) })
    .isAccepted()
    .traded('100×100')
  assert.deepEqual(
    world.world.open('alice').map(({ status }) => status),
    ['pending'],
  )
})

test('PERP-OUTAGE-004: a market without any trade triggers no order by the last trade when it opens again', () => {
  const world = givenPerp(three)
  const asleep = world.buy('alice', 90, 100, falls(95)).isAccepted().order
  world.index(100, 2)
  world.passes(5000).index(100)
  const told = [5000, 5000].flatMap((ms) => [...world.passes(ms).tick().events])
  assert.ok(told.every(({ type }) => type !== 'order.triggered'))
  assert.deepEqual(open(world, 'alice'), [asleep])
})

test('PERP-STOP-001: a match triggers orders at its first price as well as at its last', () => {
  const world = givenPerp(three)
  world.buy('carol', 96, 100).isAccepted()
  world.sell('bob', 96, 100).isAccepted()
  const stop = world.buy('alice', 105, 100, rises(98)).isAccepted().order
  for (const price of [98, 97, 96]) world.buy('carol', price, 100).isAccepted()
  const told = world.sell('bob', 96, 300).isAccepted().traded('98×100', '97×100', '96×100')
  assert.deepEqual(
    told.of('order.triggered').map(({ order }) => order),
    [stop],
  )
})

test('PERP-OUTAGE-003: trades that only reduce trigger nothing while the index is not good, even if they passed a trigger', () => {
  const world = long({ ...three, dave: '1000' } as typeof three)
  world.buy('dave', 99, 1000).isAccepted()
  world.sell('carol', 99, 1000).isAccepted().traded('99×1000')
  const stop = world.closes('dave', 'sell', 95, 'falls-to').isAccepted().order
  world.index(100, 2)
  world.passes(31_000).index(100, 2)
  // Carol buys back what alice sells.
  world.buy('carol', 95, 400, { isReduceOnly: true }).isAccepted()
  world.market('alice', 'sell', 400, { isReduceOnly: true }).isAccepted().traded('95×400')
  world.buy('carol', 98, 400, { isReduceOnly: true }).isAccepted()
  world.market('alice', 'sell', 400, { isReduceOnly: true }).isAccepted().traded('98×400')
  world.index(100)
  world.buy('bob', 97, 1000).isAccepted()
  const told = [5000, 5000].flatMap((ms) => [...world.passes(ms).tick().events, ...world.index(100).events])
  assert.ok(told.every(({ type }) => type !== 'order.triggered' && type !== 'traded'))
  const [open] = world.world.open('dave')
  assert.deepEqual([open?.order, open?.status], [stop, 'pending'])
  // If the last trade is still at the trigger when the market opens again, the stop acts.
  world.index(100, 2)
  world.passes(31_000).index(100, 2)
  world.buy('carol', 95, 200, { isReduceOnly: true }).isAccepted()
  world.sell('alice', 95, 200, { isReduceOnly: true }).isAccepted().traded('95×200')
  world.index(100)
  const back = [5000, 5000].flatMap((ms) => [...world.passes(ms).tick().events, ...world.index(100).events])
  assert.equal(back.filter(({ type }) => type === 'order.triggered').length, 1)
  world.isReplayable()
})

test('PERP-EXITS-004: an exit that acts at once is not replaced by that of a newer order filled in the same match', () => {
  const world = givenPerp(three)
  world.buy('carol', 96, 5000).isAccepted()
  for (const lots of [500, 300]) world.buy('alice', 98, lots, stopLoss(97)).isAccepted()
  const told = world.sell('bob', 96, 900).isAccepted()
  assert.equal(told.of('order.triggered').length, 1)
  assert.deepEqual(
    told.of('order.closed').filter(({ reason }) => reason === 'replaced'),
    [],
  )
  world.holds('alice', '').isReplayable()
})

/** A sleeping or resting order. Its user 1 is long 6 lots. */
function ordered(alone: Alone, holding: Holding, order: number, more: number, lots: number): OrderSlot {
  const flags = (more | HAS_LOTS | (1 << POSITION_SHIFT)) as OrderFlags
  return store(alone.x, holding, order as OrderId, flags, 90 as Ticks, lots as Lots)
}

test('PERP-LIQUIDATION-006: stops that are larger than the rest of the position are cut to it, and no other orders', () => {
  const alone = new Alone()
  const holding = alone.opens(1, 6, 100, 600)
  const stop = STOP | PENDING | REDUCE_ONLY
  const large = ordered(alone, holding, 901, SELL | stop, 8)
  const others = [
    ordered(alone, holding, 902, SELL | stop, 6),
    ordered(alone, holding, 903, stop, 9),
    ordered(alone, holding, 904, SELL | REDUCE_ONLY, 9),
    ordered(alone, holding, 905, SELL | STOP | PENDING, 9),
  ]
  alone.x.orders.f[large * F + EXECUTED_LOTS] = 2
  trimStops(alone.x, holding)
  assert.deepEqual(
    alone.told('order.amended').map(({ order, lots }) => [order, lots]),
    [[901, 8]],
  )
  const left = [large, ...others].map((slot) => alone.x.orders.f[slot * F + LEFT])
  assert.deepEqual(left, [6, 6, 9, 9, 9])
})

test('PERP-STOP-004: a cancelled order is forgotten where it waited, and only there', () => {
  const alone = new Alone()
  const { x, contract } = alone
  const holding = alone.opens(1, 6, 100, 600)
  const [tried, woken] = [906, 907].map((order) => ordered(alone, holding, order, SELL | STOP | PENDING | WAKING | REDUCE_ONLY, 6))
  Object.assign(holding, { asleep: 2, sleeping: 2 })
  const others = { order: 1 as OrderId, untilMs: 5 as Millis }
  contract.waiting.push({ order: 906 as OrderId, untilMs: 9 as Millis }, others)
  x.wakes.add(contract.id, 907 as OrderId)
  drop(x, contract, woken!, reasonNumber('cancelled'))
  assert.deepEqual([contract.waiting.length, x.wakes.count], [2, 0])
  drop(x, contract, tried!, reasonNumber('cancelled'))
  assert.deepEqual([contract.waiting, holding.asleep], [[others], 0])
})
