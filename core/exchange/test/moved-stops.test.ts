/** Amends of stops that sleep, alone and as legs of a pair. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given, type Told, type World } from './world.ts'

const stop = (price: number, direction = 'rises-to'): object => ({ trigger: { kind: 'stop', price, direction } })
const moved = (told: Told): unknown[] =>
  told.of('order.amended').map(({ price, lots, triggerPrice, keepsPriority }) => [price, lots, triggerPrice, keepsPriority])

/** Alice and Bob have money, and the last price is 100. */
const rich = (): World => given({ alice: { BTC: '1', USDT: '60' }, bob: { BTC: '10', USDT: '100000' } }).prints(100)

/** A pair of buying stops: 91 when the price falls to 90, and 110 when it rises to 110. */
const bothAsleep = { side: 'buy', lots: 500, limitTrigger: 90, limitPrice: 91, stopPrice: 110, stopLimit: 110 }

test('SPOT-AMEND-005: an amend with a trigger price gives a stop another trigger, limit price and quantity, and it acts by these', () => {
  const world = rich()
  const { order } = world.buy('alice', 112, 500, stop(110)).isAccepted()
  assert.deepEqual(moved(world.amend('alice', order, { triggerPrice: 115 }).isAccepted()), [[112, 500, 115, false]])
  world.atMs += 5
  assert.deepEqual(moved(world.amend('alice', order, { triggerPrice: 120, price: 121, lots: 400 }).isAccepted()), [[121, 400, 120, false]])
  const [open] = world.open('alice')
  assert.deepEqual([open!.order, open!.status, open!.price, open!.lots], [order, 'pending', 121, 400])
  assert.deepEqual([open!.trigger, open!.updatedAt], [{ kind: 'stop', price: 120, direction: 'rises-to' }, world.atMs])
  world.prints(115).shows([], [])
  world.prints(120).shows(['121×400'], [])
  world.isReplayable()
})

test('SPOT-AMEND-005: a trigger that the last price has reached is refused, and so is what a new order could not be', () => {
  const world = rich()
  const { order } = world.buy('alice', 112, 500, stop(110)).isAccepted()
  const amends = (change: object): Told => world.amend('alice', order, change)
  amends({ triggerPrice: 100 }).isRefused('TRIGGER_IMMEDIATE')
  amends({ triggerPrice: 99 }).isRefused('TRIGGER_IMMEDIATE')
  amends({ triggerPrice: 0 }).isRefused('TRIGGER_INVALID')
  amends({ triggerPrice: 120, price: 0 }).isRefused('PRICE_INVALID')
  amends({ triggerPrice: 120, lots: 0 }).isRefused('QUANTITY_INVALID')
  amends({ triggerPrice: 120, lots: 40 }).isRefused('NOTIONAL_TOO_SMALL')
  amends({ triggerPrice: 150 }).isRefused('PRICE_OUTSIDE_BAND')
  amends({ triggerPrice: 120, price: 150 }).isRefused('PRICE_OUTSIDE_BAND')
  amends({ triggerPrice: 110 }).isRefused('AMEND_UNCHANGED')
  amends({ triggerPrice: 120, keepsPriority: true }).isRefused('ORDER_TYPE_INVALID')
  world.amend('bob', order, { triggerPrice: 120 }).isRefused('ORDER_UNKNOWN')
  world.do({ type: 'user.set', user: world.user('alice'), isFrozen: true }).isAccepted()
  amends({ triggerPrice: 120 }).isRefused('USER_FROZEN')
  world.has('alice', 'USDT', '4', '56')
  assert.deepEqual(world.open('alice')[0]!.trigger, { kind: 'stop', price: 110, direction: 'rises-to' })
})

test('SPOT-AMEND-005: only a stop that sleeps takes a trigger price, and it is not amended without one', () => {
  const world = rich()
  const asleep = world.buy('alice', 110, 100, stop(110)).isAccepted().order
  world.amend('alice', asleep, { lots: 90 }).isRefused('ORDER_NOT_AMENDABLE')
  const resting = world.buy('alice', 90, 100).isAccepted().order
  world.amend('alice', resting, { triggerPrice: 120 }).isRefused('ORDER_NOT_AMENDABLE')
  const trigger = { kind: 'trailing', trailPpm: 20_000, direction: 'falls-to' }
  const trailing = world.market('alice', 'sell', { lots: 100, trigger }).isAccepted().order
  world.amend('alice', trailing, { triggerPrice: 80 }).isRefused('ORDER_NOT_AMENDABLE')
  const market = world.market('alice', 'buy', { lots: 100, ...stop(110) }).isAccepted().order
  world.amend('alice', market, { triggerPrice: 120, price: 120 }).isRefused('ORDER_TYPE_INVALID')
  world.amend('alice', market, { triggerPrice: 120 }).isAccepted()
  const spending = world.market('alice', 'buy', { spend: 10_000_000, ...stop(110) }).isAccepted().order
  world.amend('alice', spending, { triggerPrice: 120, lots: 100 }).isRefused('ORDER_TYPE_INVALID')
  assert.deepEqual(moved(world.amend('alice', spending, { triggerPrice: 120 }).isAccepted()), [[0, 0, 120, false]])
  const list = { working: { ...waits, side: 'buy', price: 91 }, legs: [{ ...waits, side: 'sell', price: 80, ...stop(80, 'falls-to') }] }
  const waiting = world.do({ type: 'spot.placeList', user: world.user('bob'), clientId: '', market: 1, selfTrade: 'expire-taker', ...list })
  world.amend('bob', waiting.isAccepted().order + 4, { triggerPrice: 81 }).isRefused('ORDER_NOT_AMENDABLE')
})

const waits = { clientId: '', orderType: 'limit', timeInForce: 'GTC', isPostOnly: false, lots: 200 }

test('SPOT-AMEND-006: a dearer stop holds more or is refused, and a cheaper one releases the difference at once', () => {
  const world = rich()
  const { order } = world.buy('alice', 110, 500, stop(110)).isAccepted()
  world.has('alice', 'USDT', '5', '55')
  world.amend('alice', order, { triggerPrice: 120, price: 120 }).isAccepted()
  world.has('alice', 'USDT', '0', '60')
  world.amend('alice', order, { triggerPrice: 120, price: 121 }).isRefused('INSUFFICIENT_BALANCE')
  world.has('alice', 'USDT', '0', '60')
  world.amend('alice', order, { triggerPrice: 105, price: 105, lots: 400 }).isAccepted()
  world.has('alice', 'USDT', '18', '42')
  world.cancel('alice', order).isAccepted()
  // A market order holds its quantity at the worst price counted from its trigger: 5 % above.
  const market = world.market('alice', 'buy', { lots: 500, ...stop(110) }).isAccepted().order
  world.has('alice', 'USDT', '2.5', '57.5')
  world.amend('alice', market, { triggerPrice: 120 }).isRefused('INSUFFICIENT_BALANCE')
  world.amend('alice', market, { triggerPrice: 101 }).isAccepted()
  world.has('alice', 'USDT', '7', '53')
  const sale = world.sell('alice', 95, 500, stop(95, 'falls-to')).isAccepted().order
  world.amend('alice', sale, { triggerPrice: 90, price: 90, lots: 1001 }).isRefused('INSUFFICIENT_BALANCE')
  world.amend('alice', sale, { triggerPrice: 90, price: 90, lots: 800 }).isAccepted()
  world.has('alice', 'BTC', '0.2', '0.8')
  for (const one of [market, sale]) world.cancel('alice', one).isAccepted()
  world.has('alice', 'USDT', '60').has('alice', 'BTC', '1').isReplayable()
})

test('SPOT-AMEND-007: an older stop that moves to the trigger of others acts after them, and so does one that entered with its list', () => {
  const world = given({ alice: { BTC: '2', USDT: '100' }, bob: { BTC: '1' }, carol: { BTC: '1' } }).prints(100)
  const falls = (name: string, trigger: number): number =>
    world.market(name, 'sell', { lots: 100, ...stop(trigger, 'falls-to') }).isAccepted().order
  const own = { clientId: '', orderType: 'limit', timeInForce: 'GTC', isPostOnly: false, lots: 100 }
  const leg = { ...own, side: 'sell', orderType: 'market', timeInForce: 'IOC', ...stop(90, 'falls-to') }
  const list = { working: { ...own, side: 'buy', price: 95 }, legs: [leg] }
  const listed = world
    .do({ type: 'spot.placeList', user: world.user('alice'), clientId: '', market: 1, selfTrade: 'expire-taker', ...list })
    .of('order.accepted')[1]!.order
  const moved = falls('alice', 93)
  world.atMs += 1
  const [first, other] = [falls('bob', 90), falls('carol', 90)]
  world.atMs += 1
  world.amend('alice', moved, { triggerPrice: 90 }).isAccepted()
  world.atMs += 1
  world.sell('carol', 95, 100).isAccepted().traded('95×100')
  world.isReplayable()
  world.gives('taker', 'USDT', '1000')
  for (const price of [90, 89, 88, 87, 86]) world.buy('taker', price, 100).isAccepted()
  const told = world.sell('maker', 90, 100).isAccepted()
  const woken = [told, world.tick()].flatMap((one) => one.of('order.triggered').map(({ order }) => order))
  assert.deepEqual(woken, [first, other, moved, listed])
  world.isReplayable()
})

test('SPOT-OCO-008: a leg that sleeps is amended beside one that rests, and the pair holds what the larger leg needs', () => {
  const world = rich()
  const list = world.oco('alice', { side: 'buy', lots: 500, limitPrice: 90, stopPrice: 110, stopLimit: 110 }).isAccepted().order
  const amends = (change: object): Told => world.amend('alice', list + 2, change)
  world.has('alice', 'USDT', '5', '55')
  amends({ triggerPrice: 120, price: 120 }).isAccepted()
  world.has('alice', 'USDT', '0', '60')
  amends({ triggerPrice: 121, price: 121 }).isRefused('INSUFFICIENT_BALANCE')
  amends({ triggerPrice: 100 }).isRefused('TRIGGER_IMMEDIATE')
  amends({ triggerPrice: 120, lots: 400 }).isRefused('ORDER_TYPE_INVALID')
  amends({ triggerPrice: 105, price: 85 }).isAccepted()
  world.has('alice', 'USDT', '15', '45')
  world.amend('alice', list + 1, { price: 91 }).isRefused('ORDER_NOT_AMENDABLE')
  world.amend('alice', list, { triggerPrice: 106 }).isRefused('ORDER_UNKNOWN')
  amends({ triggerPrice: 106, price: 106 }).isAccepted()
  world.prints(106).shows(['106×500'], [])
  world.has('alice', 'USDT', '7', '53').isReplayable()
})

test('SPOT-OCO-008: either leg of a pair that sleeps is amended, and the hold of the pair follows', () => {
  const world = rich()
  const list = world.oco('alice', bothAsleep).isAccepted().order
  const amends = (leg: 1 | 2, at: number, price: number): Told => world.amend('alice', list + leg, { triggerPrice: at, price })
  world.has('alice', 'USDT', '5', '55')
  amends(1, 80, 80).isAccepted()
  world.has('alice', 'USDT', '5', '55')
  amends(2, 105, 105).isAccepted()
  world.has('alice', 'USDT', '7.5', '52.5')
  amends(1, 95, 110).isAccepted()
  world.has('alice', 'USDT', '5', '55')
  amends(1, 80, 80).isAccepted()
  world.has('alice', 'USDT', '7.5', '52.5').isReplayable()
  world.prints(80).shows(['80×500'], [])
  world.has('alice', 'USDT', '20', '40').isReplayable()
})

test('SPOT-OCO-008: a leg does not pass the place of the other one', () => {
  const world = rich()
  const leg = (trigger: object): object => ({
    ...{ clientId: '', side: 'sell', orderType: 'market', timeInForce: 'IOC', isPostOnly: false, lots: 500, trigger },
  })
  const profit = leg({ kind: 'trailing', trailPpm: 200_000, direction: 'falls-to', activation: 105 })
  const loss = leg({ kind: 'stop', price: 90, direction: 'falls-to' })
  const list = {
    type: 'spot.placeList',
    user: world.user('alice'),
    clientId: '',
    market: 1,
    selfTrade: 'expire-taker',
    legs: [profit, loss],
  }
  const { order } = world.do(list).isAccepted()
  world.prints(108)
  world.amend('alice', order + 2, { triggerPrice: 106 }).isRefused('OCO_PRICES_INVALID')
  world.amend('alice', order + 2, { triggerPrice: 105 }).isRefused('OCO_PRICES_INVALID')
  world.amend('alice', order + 2, { triggerPrice: 104 }).isAccepted()
  world.has('alice', 'BTC', '0.5', '0.5').isReplayable()
})

test('SPOT-OCO-008: a leg that was left alone holds its own need after an amend', () => {
  const world = given({ dave: { USDT: '100' }, carol: { BTC: '10' }, bob: { USDT: '1000' } }).prints(100)
  const legs = { side: 'buy', lots: 100, limitTrigger: 90, limitPrice: 91, stopPrice: 101, stopLimit: 101, stopTimeInForce: 'FOK' }
  const list = world.oco('dave', legs).isAccepted().order
  world.sell('carol', 102, 100).isAccepted()
  world
    .buy('bob', 102, 100)
    .isAccepted()
    .closed(list + 2, 'fok')
  world.amend('dave', list + 1, { triggerPrice: 85, price: 85, lots: 200 }).isAccepted()
  world.has('dave', 'USDT', '83', '17').isReplayable()
})
