/** Tests the contents of a dump of the exchange, and which dumps are refused. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { BUY, SELL_SIDE } from '../../book/codes.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import { EXTRA, F, I, ID, MARKET } from '../../book/order-fields.ts'
import type { Ppm, Ticks, Units } from '../../money/brand.ts'
import { Records } from '../../protocol/codec/records.ts'
import type { MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import { dumpSome, dumpState, modeOfDump, restoreState } from '../dump.ts'
import { Exchange } from '../exchange.ts'
import { PRODUCTION, SANDBOX } from '../state/mode.ts'
import { State } from '../state/state.ts'
import { givenPerp } from '../perp/test/world.ts'
import { given, type Told, type World } from './world.ts'

const earlier = gunzipSync(readFileSync(new URL('./fixtures/dump-12.bin.gz', import.meta.url)))

/** The dump of a state after this change of its slots. */
function changed(dump: Uint8Array, change: (slots: Float64Array) => Float64Array | undefined): Uint8Array {
  const slots = new Float64Array(new Uint8Array(dump).buffer)
  return new Uint8Array((change(slots) ?? slots).buffer)
}

test('FUNDS-MODE-001: the mode is read from the beginning of a dump, unless it has none', () => {
  for (const mode of ['sandbox', 'production'] as const) {
    const world = given()
    // What was issued is a sandbox's, so the mode comes first.
    world.do({ type: 'mode.set', mode }).isAccepted()
    const dump = world.exchange.dump()
    assert.equal(modeOfDump(dump), mode)
    // A file's beginning is enough.
    assert.equal(modeOfDump(dump.subarray(0, 7 * 8)), mode)
    assert.equal(
      modeOfDump(
        changed(dump, (slots) => {
          slots[0] = slots[0]! + 1
          return undefined
        }),
      ),
      undefined,
    )
  }
  assert.equal(modeOfDump(given().exchange.dump()), undefined)
  assert.equal(modeOfDump(earlier), undefined)
  // Version 12 has no mode in this slot: it is derived from the practice funds.
  const other = changed(earlier, (slots) => {
    slots[6] = PRODUCTION
    return undefined
  })
  assert.equal(modeOfDump(other), undefined)
  assert.equal(restoreState(earlier).mode, SANDBOX)
  assert.equal(modeOfDump(new Uint8Array()), undefined)
})

test('ENGINE-UPGRADE-001: a dump of an unknown version, one that is cut off and one with more at its end are refused', () => {
  const dump = given({ alice: { USDT: '100' } }).exchange.dump()
  const set = (at: number, value: number) => (slots: Float64Array) => {
    slots[at] = value
    return undefined
  }
  const [magic, version] = [...new Float64Array(new Uint8Array(dump).buffer).subarray(0, 2)] as [number, number]
  assert.throws(() => restoreState(changed(dump, set(0, magic + 1))), /version/)
  for (const other of [version + 1, 11, 0]) assert.throws(() => restoreState(changed(dump, set(1, other))), /version/)
  assert.throws(() => restoreState(changed(dump, (slots) => Float64Array.from([...slots, 0]))), /ends at/)
  assert.throws(() => restoreState(changed(dump, (slots) => slots.slice(0, -1))))
  assert.equal(restoreState(dump).userCount, 1)
})

test('ENGINE-UPGRADE-001: a dump whose book names an order that it does not have is refused', () => {
  const world = given({ alice: { USDT: '100' } })
  world.buy('alice', 99, 98).isAccepted()
  const dump = changed(world.exchange.dump(), (slots) => {
    // The order's number, owner, market, flags, price and quantity.
    const at = slots.findIndex((value, n) => value === 1 && slots[n + 4] === 99 && slots[n + 5] === 98)
    assert.ok(at > 0)
    slots[at] = 7
    return undefined
  })
  assert.throws(() => restoreState(dump), /order 1 of a queue is not among the orders/)
})

test('ENGINE-UPGRADE-001: orders that wait to act in a dump of version 12, in one queue for all markets, wait in the queues of theirs', () => {
  const slots = new Float64Array(new Uint8Array(earlier).buffer)
  const x = restoreState(earlier)
  const numberAt = (slot: number): number => x.orders.f[slot * F + ID]!
  const queues = x.venues.flatMap((venue) => {
    if (venue === undefined) return []
    const levels = ([BUY, SELL_SIDE] as const).flatMap((side) => venue.book.levels(side, Infinity as Ticks))
    const numbers = levels.flatMap(({ price }) => venue.book.queue(price)).map(numberAt)
    return [numbers.length, ...numbers]
  })
  // The waiting orders follow the queues of the books. The old build had none.
  const at = slots.findIndex((_, n) => queues.every((value, k) => slots[n + k] === value)) + queues.length
  assert.ok(at >= queues.length && queues.length > x.venues.length)
  assert.equal(slots[at], 0)
  const orders = [...x.orders.slots()].map((slot) => ({ number: x.orders.f[slot * F + ID]!, market: x.orders.f[slot * F + MARKET]! }))
  const [one] = orders
  const other = orders.find(({ market }) => market !== one!.market)!
  const waiting = [...slots.subarray(0, at), 3, other.number, one!.number, other.number, ...slots.subarray(at + 1)]
  const { wakes } = restoreState(new Uint8Array(Float64Array.from(waiting).buffer))
  const markets = [one!.market, other.market].toSorted((a, b) => a - b)
  assert.deepEqual([wakes.count, wakes.markets()], [3, markets])
  for (const market of [...markets, other.market])
    assert.equal(
      wakes.next((of) => of === market),
      market === other.market ? other.number : one!.number,
    )
  assert.equal(wakes.count, 0)
})

/** Orders of every kind, some of which were reached, wait, sleep or are being retried, and an unfinished sweep. */
function busy(): World {
  const world = given(
    { alice: { BTC: '50', USDT: '100000' }, bob: { USDT: '100000', BTC: '10' }, carol: { BTC: '5' } },
    { openOrdersMax: 500 },
  )
  world.prints(100)
  world.index(100)
  const falls = { direction: 'falls-to' }
  // These two are triggered and find no bids: their other legs are set aside, one of which sleeps.
  world.oco('alice', { lots: 90, limitPrice: 115, stopPrice: 95 }).isAccepted()
  world.oco('alice', { lots: 91, limitPrice: 116, limitTrigger: 114, stopPrice: 95 }).isAccepted()
  for (let n = 0; n < 40; n++) world.market('carol', 'sell', { lots: 60, trigger: { kind: 'stop', price: 95, ...falls } }).isAccepted()
  world.market('alice', 'sell', { lots: 70, trigger: { kind: 'trailing', trailPpm: 50_000, ...falls } }).isAccepted()
  world.market('alice', 'sell', { lots: 71, trigger: { kind: 'trailing', trailPpm: 50_000, activation: 130, ...falls } }).isAccepted()
  world.oco('alice', { lots: 100, limitPrice: 110, stopPrice: 80, stopLimit: 79 }).isAccepted()
  // A working order in the book, and one whose waiting pair enters at the next turn.
  const leg = { clientId: '', side: 'sell', orderType: 'limit', timeInForce: 'GTC', lots: 90, isPostOnly: true }
  const loss = { ...leg, orderType: 'market', timeInForce: 'IOC', isPostOnly: false }
  for (const price of [84, 95]) {
    const legs = [
      { ...leg, price: 112, display: 30 },
      { ...loss, trigger: { kind: 'trailing', trailPpm: 100_000, ...falls } },
    ]
    const list = { clientId: '', market: 1, selfTrade: 'expire-taker', working: { ...leg, side: 'buy', price, isPostOnly: false }, legs }
    world.do({ type: 'spot.placeList', user: world.user('alice'), ...list }).isAccepted()
  }
  world.sell('alice', 111, 1_000, { display: 100, strategy: { id: 3, type: 1_000_001 } }).isAccepted()
  world.market('alice', 'buy', { spend: 9_000_000, trigger: { kind: 'stop', price: 140, direction: 'rises-to' } }).isAccepted()
  for (let n = 0; n < 3; n++) world.sell('alice', 112, 100 + n).isAccepted()
  world.buy('alice', 112, 40, { selfTrade: 'decrement', timeInForce: 'IOC' })
  for (let n = 0; n < 250; n++) world.buy('bob', 81, 100).isAccepted()
  world.buy('bob', 95, 100).isAccepted()
  world.sell('maker', 95, 100).isAccepted()
  world.place('bob', { market: 2, side: 'buy', price: 5_000, lots: 100 }).isAccepted()
  world.do({ type: 'spot.cancelAll', user: world.user('bob'), clientId: '', market: 1, only: 'spot' }).isAccepted()
  return world
}

test('SPOT-CORE-002: an exchange that is restored in the middle of its work shows the same and does the same from then on', () => {
  const world = busy()
  const copy = busy()
  copy.exchange = Exchange.restore(world.exchange.dump())
  assert.equal(copy.exchange.hash(), world.exchange.hash())
  for (const name of ['alice', 'bob', 'carol']) assert.deepEqual(copy.open(name), world.open(name), name)
  for (const market of [1, 2] as MarketId[]) assert.deepEqual(copy.exchange.book(market), world.exchange.book(market))
  for (let step = 0; step < 12; step++) {
    const told = [world, copy].map((one) => {
      one.atMs += 40_000
      if (step === 3) return one.index(93).events
      if (step === 5) return one.buy('bob', 110, 150).events
      if (step === 6) return one.sell('maker', 81, 100).events
      if (step === 7) return one.buy('bob', 112, 200).events
      return one.tick().events
    })
    assert.deepEqual(told[1], told[0], `step ${step}`)
  }
  assert.equal(copy.exchange.hash(), world.exchange.hash())
  world.isReplayable()
})

test('SPOT-CORE-002: a dump is the same whether it is taken as a whole or in parts', () => {
  const world = busy()
  const x = restoreState(world.exchange.dump())
  const [into, parts]: [Records, number[]] = [new Records(), []]
  for (const _ of dumpSome(x, into)) {
    parts.push(...into.data.subarray(0, into.length))
    into.clear()
  }
  parts.push(...into.data.subarray(0, into.length))
  assert.ok(parts.every(Number.isSafeInteger), 'without client ids, it has whole numbers only')
  assert.deepEqual(Float64Array.from(parts), new Float64Array(new Uint8Array(world.exchange.dump()).buffer))
})

test('SPOT-CORE-002: a dump of many users and orders pauses again and again', () => {
  const x = new State()
  const pauses = (): number => [...dumpSome(x, new Records())].length
  const before = pauses()
  for (let user = 1; user <= 2_048; user++) x.addUser(0, 0 as UserId)
  assert.equal(pauses(), before + 2)
  for (let number = 1; number <= 2_047; number++) x.orders.add(number as OrderId, 1 as UserId, 1 as MarketId)
  assert.equal(pauses(), before + 3)
  x.orders.add(2_048 as OrderId, 1 as UserId, 1 as MarketId)
  assert.equal(pauses(), before + 4)
})

test('SPOT-OCO-001: the legs of a list find each other after a restart, wherever they are in memory', () => {
  const x = restoreState(given({ alice: {} }).exchange.dump())
  const [limit, stop, alone] = [1, 2, 3].map((number) => x.orders.add(number as OrderId, 1 as UserId, 1 as MarketId))
  x.orders.extra(limit!).sibling = stop!
  x.orders.extra(stop!).sibling = limit!
  x.orders.extra(alone!).display = 7
  const { orders } = restoreState(dumpState(x).bytes())
  const slots = [1, 2, 3].map((number) => orders.find(number as OrderId) as OrderSlot)
  assert.deepEqual(
    slots.map((slot) => orders.extra(slot).sibling),
    [slots[1], slots[0], -1],
  )
  assert.deepEqual([limit, orders.extra(slots[2]!).display], [0, 7])
})

test('ENGINE-UPGRADE-001: the markets of a dump of version 12 are open and its orders not triggered; the markets of a newer dump are as they were', () => {
  const opensAt = (dump: Uint8Array): readonly (number | undefined)[] => restoreState(dump).venues.map((venue) => venue?.opensAtMs)
  assert.deepEqual(new Set(opensAt(earlier)), new Set([undefined, 0]))
  const { orders } = restoreState(earlier)
  const woken = [...orders.slots()].map((slot) => orders.extras.get(orders.i[slot * I + EXTRA]!)).filter((extra) => extra !== undefined)
  assert.ok(woken.length > 0 && woken.every(({ wokeAtMs, isParked }) => wokeAtMs === 0 && !isParked))
  const world = given()
  const halt = (isTrading: boolean) =>
    world.do({ type: 'market.set', market: 1, terms: { ...world.exchange.listing().markets[0]!.terms, isTrading } }).isAccepted()
  halt(false)
  assert.deepEqual(opensAt(world.exchange.dump()), [undefined, Infinity, 0])
  world.atMs += 3_000
  halt(true)
  assert.deepEqual(opensAt(world.exchange.dump()), [undefined, world.atMs + 5_000, 0])
})

test('SPOT-STOP-004: triggered orders that wait at a restart act once after it', () => {
  const world = given({ alice: { BTC: '3' }, bob: { USDT: '1000' } }).prints(100)
  const trigger = { kind: 'stop', price: 90, direction: 'falls-to' }
  for (let n = 0; n < 40; n++) world.sell('alice', 80, 63, { price: 82, trigger }).isAccepted()
  world.buy('bob', 90, 100)
  assert.equal(world.sell('maker', 90, 100).of('order.triggered').length, 32)
  world.exchange = Exchange.restore(world.exchange.dump())
  assert.equal(world.tick().of('order.triggered').length, 8)
  const told = world.buy('taker', 82, 63).isAccepted().traded('82×63')
  assert.deepEqual([told.of('order.triggered'), world.open('alice').length], [[], 39])
})

test('SPOT-OCO-004: a sleeping leg that is set aside while the other one is retried sleeps on after a restart', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' } }).prints(100)
  const list = world.oco('alice', { lots: 100, limitTrigger: 104, limitPrice: 104, stopPrice: 99 }).isAccepted().order
  world.buy('bob', 99, 60).isAccepted()
  const hit = world.sell('maker', 99, 60).isAccepted().traded('99×60')
  assert.deepEqual(
    hit.of('order.triggered').map(({ order }) => order),
    [list + 2],
  )
  world.exchange = Exchange.restore(world.exchange.dump())
  world.sell('maker', 104, 100).isAccepted()
  const told = world.buy('taker', 104, 100).isAccepted().traded('104×100')
  assert.deepEqual([told.of('order.triggered'), world.open('alice').length], [[], 2])
})

test('PERP-STOP-001: after a restart a stop by mark waits for the mark, and one by last for a trade', () => {
  const perp = givenPerp({ alice: '1000', bob: '1000', carol: '1000' })
  perp.sell('bob', 100, 1_000).isAccepted()
  perp.buy('alice', 100, 1_000).isAccepted()
  const [byMark, byLast] = (['mark', 'last'] as const).map(
    (triggerBy) => perp.closes('alice', 'sell', 95, 'falls-to', { triggerBy }).isAccepted().order,
  )
  const triggered = (told: Told) => told.of('order.triggered').map(({ order }) => order)
  perp.world.exchange = Exchange.restore(perp.exchange.dump())
  assert.deepEqual(triggered(perp.index(94)), [byMark])
  perp.buy('carol', 94, 100).isAccepted()
  assert.deepEqual(triggered(perp.sell('bob', 94, 100).isAccepted()), [byLast])
})

test('PERP-STOP-001: a trailing stop by mark keeps its best price over a restart', () => {
  const perp = givenPerp({ alice: '1000', bob: '1000' })
  perp.sell('bob', 100, 1_000).isAccepted()
  perp.buy('alice', 100, 1_000).isAccepted()
  const trigger = { kind: 'trailing', trailPpm: 50_000, direction: 'falls-to' }
  const shape = { side: 'sell', orderType: 'market', timeInForce: 'IOC', lots: 1_000, isReduceOnly: true }
  const { order } = perp.place('alice', { ...shape, trigger, triggerBy: 'mark' }).isAccepted()
  assert.deepEqual(perp.index(110).of('order.triggered'), [])
  perp.world.exchange = Exchange.restore(perp.exchange.dump())
  assert.deepEqual(perp.index(105).of('order.triggered'), [])
  assert.deepEqual(
    perp
      .index(104)
      .of('order.triggered')
      .map((event) => event.order),
    [order],
  )
})

test('SPOT-CORE-002: a restored state has the bits and referrers of its users, and the fee tiers', () => {
  const x = restoreState(given({ alice: {}, bob: {} }).exchange.dump())
  const count = x.userCount
  const user = x.addUser(1, 2 as UserId)
  x.users[1] = x.users[1]! | 1
  x.volumes.setTiers([{ volumeMin: 5 as Units, makerPpm: 7 as Ppm, takerPpm: 9 as Ppm }])
  const restored = restoreState(dumpState(x).bytes())
  assert.deepEqual([...restored.users.subarray(0, count + 2)], [...x.users.subarray(0, count + 2)])
  assert.deepEqual([...restored.referrers.subarray(0, count + 2)], [...x.referrers.subarray(0, count + 2)])
  assert.equal(restored.referrers[user], 2)
  assert.deepEqual(restored.volumes.tiers, x.volumes.tiers)
})
