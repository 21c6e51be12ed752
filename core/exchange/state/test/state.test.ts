/** Tests the state’s users, markets, orders and prices, and which commands name a user or open something. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXTRA, F, I, ID } from '../../../book/order-fields.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import type { IndexPrice, Ticks, Units } from '../../../money/brand.ts'
import { ordersMax } from '../../../book/orders.ts'
import { commandCodes } from '../../../protocol/codec/layout.ts'
import { packText } from '../../../protocol/codec/text.ts'
import { userClasses } from '../../../protocol/command/user.ts'
import type { AssetId, MarketId, OrderId, UserId } from '../../../protocol/ids.ts'
import { marketOf } from '../../../protocol/test/literals.ts'
import { isFromUser } from '../../handlers.ts'
import { perpTerms } from '../../perp/test/world.ts'
import { Venue } from '../../records/venue.ts'
import { refuseLarge } from '../../test/short-memory.ts'
import { terms } from '../../test/world.ts'
import { UNKNOWN } from '../../requests/entry.ts'
import { opens, wholeRoom } from '../room.ts'
import { State } from '../state.ts'

const id = (user: number): UserId => user as UserId
const asset = (number: number): AssetId => number as AssetId
const market = (number: number): MarketId => number as MarketId
const order = (number: number): OrderId => number as OrderId
const units = (amount: number): Units => amount as Units
const [usdt, btc, eth] = [1, 2, 3].map(asset) as [AssetId, AssetId, AssetId]

/** A state with three assets, BTCUSDT (a tick of 1 USDT, a lot of 0.001 BTC), ETHBTC and a contract on BTC. */
function given(): State {
  const x = new State()
  for (const [at, symbol] of ['USDT', 'BTC', 'ETH'].entries()) x.addAsset({ id: asset(at + 1), symbol, scale: at === 0 ? 6 : 8 })
  const btcusdt = {
    id: 1,
    symbol: 'BTCUSDT',
    base: btc,
    quote: usdt,
    tick: '1',
    lot: '0.001',
    basePerLot: 100_000,
    quotePerTickLot: 1_000,
    terms,
  }
  const ethbtc = { ...btcusdt, id: 2, symbol: 'ETHBTC', base: eth, quote: btc, tick: '0.00001', quotePerTickLot: 1 }
  for (const one of [btcusdt, ethbtc, { ...btcusdt, id: 3, perp: perpTerms }]) x.addVenue(new Venue(marketOf(one), x.orders))
  return x
}

test('FUNDS-USER-001: a user’s class, freezing, verification and house flag do not affect each other', () => {
  const x = given()
  const flags = (user: number) => [x.isFrozen(id(user)), x.isMaker(id(user)), x.isHouse(id(user)), x.isCertified(id(user))]
  for (const [at, name] of userClasses.entries()) {
    const user = x.addUser(at, id(0))
    assert.equal(user, at + 1)
    const maker = name !== 'retail'
    assert.deepEqual(flags(user), [false, maker, false, false], name)
    x.setHouse(user, true)
    assert.deepEqual(flags(user), [false, maker, true, false], name)
    x.setCertified(user, true)
    x.users[user] = x.users[user]! | 1
    assert.deepEqual(flags(user), [true, maker, true, true], name)
    x.setHouse(user, false)
    assert.deepEqual(flags(user), [true, maker, false, true], name)
    x.setHouse(user, true)
    x.setCertified(user, false)
    assert.deepEqual(flags(user), [true, maker, true, false], name)
  }
  assert.equal(x.isMaker(id(0)), true, 'the exchange itself')
  assert.deepEqual(
    [0, 1, x.userCount, x.userCount + 1].map((user) => x.isUser(id(user))),
    [false, true, true, false],
  )
})

test('FUNDS-ROWS-002: users keep their class and referrer while the tables grow', () => {
  const x = given()
  const [retail, maker] = [userClasses.indexOf('retail'), userClasses.findIndex((name) => name !== 'retail')]
  for (let user = 1; user <= 5_000; user++) x.addUser(user % 2 === 0 ? maker : retail, id(user - 1))
  for (let user = 1; user <= 5_000; user++) {
    if (x.isMaker(id(user)) !== (user % 2 === 0) || x.referrers[user] !== user - 1) assert.fail(`user ${user}`)
  }
})

test('FUNDS-ROWS-002: once they are large, the tables of users get room for all users at once', () => {
  const x = given()
  x.userCount = 2 ** 21 - 1
  const user = x.addUser(userClasses.indexOf('maker'), id(3))
  assert.deepEqual([user, x.isMaker(user), x.referrers[user]], [2 ** 21, true, 3])
  assert.deepEqual([x.users.length, x.referrers.length], [wholeRoom.users + 1, wholeRoom.users + 1])
})

test('SPOT-LIST-001: a market is found by its whole number, a spot market and a contract each as such', () => {
  const x = given()
  const numbers = [-1, 0, 0.5, 1, 1.5, 2, 3, 4, 2 ** 32 + 1]
  assert.deepEqual(
    numbers.map((number) => x.venue(market(number))?.id),
    [undefined, undefined, undefined, 1, undefined, 2, 3, undefined, undefined],
  )
  assert.deepEqual(
    numbers.map((number) => x.spotVenue(market(number))?.id),
    [undefined, undefined, undefined, 1, undefined, 2, undefined, undefined, undefined],
  )
  assert.deepEqual(
    [-1, 0, 1, 3, 4].map((number) => x.isAsset(asset(number))),
    [false, false, true, true, false],
  )
})

test('SPOT-FEE-003: an asset is valued at the last price of its first market in USDT, else at the index, rounded down', () => {
  const x = given()
  const value = (of: AssetId, amount: number): number => x.usdtValue(of, units(amount))
  assert.deepEqual([value(usdt, 123), value(eth, 1e8), value(btc, 1e8)], [123, 0, 0])
  const [venue] = [x.venues[1]!]
  venue.setIndex((60_000.9 * 1e8) as IndexPrice, 3, false)
  assert.equal(value(btc, 1e8), 60_000e6)
  venue.lastPrice = 7 as Ticks
  assert.deepEqual([value(btc, 99_999), value(btc, 14), value(btc, 15), value(btc, 0)], [6_999, 0, 1, 0])
  // Another market in USDT does not count, nor does a contract.
  const other = marketOf({ ...venue.market, id: 4, symbol: 'BTC2USDT' })
  x.addVenue(new Venue(other, x.orders))
  x.venues[4]!.lastPrice = 9 as Ticks
  x.venues[3]!.lastPrice = 9 as Ticks
  assert.equal(value(btc, 1e8), 7e6)
  assert.deepEqual(x.usdtVenues[btc]?.id, 1)
  // Nor does a market in another asset.
  x.venues[2]!.lastPrice = 9 as Ticks
  assert.equal(value(eth, 1e8), 0)
})

test('SPOT-FEE-005: any amount has its exact value, up to 2^48', () => {
  const x = given()
  const venue = x.venues[1]!
  let state = 9
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  let large = 0
  for (let n = 0; n < 5_000; n++) {
    venue.lastPrice = (1 + below(2 ** (1 + below(31)))) as Ticks
    const amount = below(2 ** (1 + below(32))) * (below(2) === 0 ? 1 : 2 ** 19 + 1)
    const exact = (BigInt(amount) * BigInt(venue.lastPrice) * 1_000n) / 100_000n
    const expected = exact < 2n ** 48n ? Number(exact) : 2 ** 48
    if (amount * venue.lastPrice * 1_000 > 2 ** 53 && expected < 2 ** 48) large++
    if (x.usdtValue(btc, units(amount)) !== expected) assert.fail(`${amount} at ${venue.lastPrice}`)
  }
  assert.ok(large > 100)
})

test('SPOT-OCO-001: a list is open while one of its two legs is', () => {
  const x = given()
  const leg = (number: number, list: number): OrderSlot => {
    const slot = x.orders.add(order(number), id(1), market(1))
    x.orders.extra(slot).list = order(list)
    x.lastOrder = order(Math.max(x.lastOrder, number))
    return slot
  }
  const plain = x.orders.add(order(1), id(1), market(1))
  x.orders.extra(plain)
  const [limit, stop, alone] = [leg(11, 10), leg(12, 10), leg(22, 20)]
  leg(38, 30)
  assert.deepEqual(
    [limit, stop, alone].map((slot) => x.orders.i[slot * I + EXTRA]! > 0),
    [true, true, true],
  )
  assert.deepEqual(
    [1, 2, 9, 10, 11, 12, 13, 20, 21, 22, 30, 38].map((number) => x.isOpen(order(number))),
    [true, false, false, true, true, true, false, true, false, true, false, true],
  )
  assert.deepEqual([x.legOf(order(10)), x.legOf(order(20)), x.legOf(order(38)), x.legOf(order(0))], [limit, alone, -1, -1])
  x.orders.remove(limit)
  assert.deepEqual([x.isOpen(order(10)), x.legOf(order(10))], [true, stop])
  x.orders.remove(stop)
  assert.deepEqual([x.isOpen(order(10)), x.isOpen(order(1))], [false, plain >= 0])
})

test('SPOT-OCO-001: a list is found by a leg in the first place of memory, and an order of no list is no leg', () => {
  const x = given()
  const leg = x.orders.add(order(2), id(1), market(1))
  x.orders.extra(leg).list = order(1)
  x.orders.add(order(5), id(1), market(1))
  x.lastOrder = order(9)
  assert.deepEqual([leg, x.legOf(order(1)), x.legOf(order(3)), x.legOf(order(4))], [0, 0, -1, -1])
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((number) => x.isOpen(order(number))),
    [true, true, false, false, true],
  )
  assert.deepEqual(x.ordersOf(id(1)), [leg, x.orders.find(order(5))])
})

test('SPOT-ONCE-001: the state remembers more requests of a maker than of a retail user, and those of open orders longer', () => {
  const x = given()
  const [retail, maker] = [x.addUser(userClasses.indexOf('retail'), id(0)), x.addUser(userClasses.indexOf('maker'), id(0))]
  assert.deepEqual([x.requests.room(retail).ring, x.requests.room(maker).ring], [1_000, 20_000])
  const slots = new Float64Array(8)
  const send = (name: string, number: number): boolean => {
    packText(name, slots, 0, 6)
    const isNew = x.requests.meet(retail, slots, 0, 11, 6, 7) === UNKNOWN
    if (isNew) x.requests.keep(number, 0)
    return isNew
  }
  x.orders.add(order(7), retail, market(1))
  send('open', 7)
  send('closed', 8)
  for (let n = 0; n < 1_000; n++) send(`later-${n}`, 0)
  assert.deepEqual([send('open', 0), send('closed', 0)], [false, true])
})

test('SPOT-GROW-001: a user’s orders are listed by age, wherever they are in memory', () => {
  const x = given()
  const slots = [1, 2, 3].map((number) => x.orders.add(order(number), id(1), market(1)))
  x.orders.remove(slots[0]!)
  x.orders.add(order(4), id(2), market(1))
  x.orders.remove(slots[1]!)
  const reused = x.orders.add(order(5), id(1), market(1))
  assert.deepEqual([x.ordersOf(id(1)), x.ordersOf(id(3))], [[slots[2]!, reused], []])
  assert.ok(reused < slots[2]!)
  const many = Array.from({ length: 8 }, (_, n) => x.orders.add(order(10 + n), id(3), market(1)))
  for (const at of [5, 0, 3]) x.orders.remove(many[at]!)
  for (const number of [20, 21, 22]) x.orders.add(order(number), id(3), market(1))
  assert.deepEqual(
    x.ordersOf(id(3)).map((slot) => x.orders.f[slot * F + ID]),
    [11, 12, 14, 16, 17, 20, 21, 22],
  )
})

test('FUNDS-ROWS-007: the state reports it when the system refuses the memory of any one table', (t) => {
  const whole: number[] = []
  for (let refused = 0; ; refused++) {
    const x = given()
    const isRefused = refuseLarge(t, refused)
    if (x.reserve()) whole.push(refused)
    t.mock.restoreAll()
    assert.equal(x.addUser(0, id(0)), 1)
    if (!isRefused()) break
  }
  // The index of requests asks a second time, and the last round refuses nothing.
  assert.deepEqual([whole.length, whole.at(-1)! > 10], [2, true])
})

test('FUNDS-FULL-001: the commands that a full exchange refuses are those that may open accounts or orders', () => {
  const types = Object.keys(commandCodes) as (keyof typeof commandCodes)[]
  assert.deepEqual(types.filter((type) => opens[commandCodes[type]] === 1).toSorted(), [
    'algo.place',
    'asset.list',
    'convert.hedge',
    'funds.faucet',
    'funds.system',
    'funds.transfer',
    'lend.supply',
    'margin.borrow',
    'market.list',
    'option.open',
    'option.operate',
    'perp.list',
    'perp.place',
    'perp.reverse',
    'presale.subscribe',
    'spot.place',
    'spot.placeList',
    'spot.placeOco',
  ])
})

test('FUNDS-FULL-002: there is room for 8,388,608 users, 4,096 assets and 4,128,768 open orders, and a reserve of accounts for all of these', () => {
  const { users, assets, orders, blocks, reserve } = wholeRoom
  assert.deepEqual([users, assets, orders], [8_388_608, 4_096, 4_128_768])
  assert.ok(orders < ordersMax, 'orders are refused before their table is full')
  assert.ok(reserve > orders && blocks > 2 * reserve, `${reserve} of ${blocks} blocks`)
})

test('a command that names a user is refused when there is no such user, and those of operators and the clock name none', () => {
  const types = Object.keys(commandCodes) as (keyof typeof commandCodes)[]
  assert.deepEqual(types.filter((type) => isFromUser[commandCodes[type]] !== 1).toSorted(), [
    'asset.list',
    'chain.final',
    'chain.orphan',
    'clock.tick',
    'convert.setTerms',
    'exchange.operate',
    'fees.set',
    'firm.setTerms',
    'funds.post',
    'funds.system',
    'index.tick',
    'margin.setTerms',
    'market.list',
    'market.set',
    'mode.set',
    'option.setTerms',
    'perp.list',
    'perp.set',
    'presale.cancel',
    'presale.set',
    'referral.setTerms',
    'region.operate',
    'user.open',
    'withdraw.decide',
    'withdraw.finish',
    'withdraw.setTerms',
  ])
})
