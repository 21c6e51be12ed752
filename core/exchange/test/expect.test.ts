/** Tests which memory the core reads ahead for the next commands. A wrong place would cost speed, but change no answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLIENT_ID } from '../../protocol/codec/layout.ts'
import { Records } from '../../protocol/codec/records.ts'
import type { MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import { Ahead } from '../ahead.ts'
import { dumpState, restoreState } from '../dump.ts'
import { Exchange, expectedMax } from '../exchange.ts'
import type { State } from '../state/state.ts'
import { encoded, type Sent } from './encoded.ts'
import { given } from './world.ts'

const users = 5

/** A dump of an exchange where each user has other balances and two orders with client ids. */
function played(): Uint8Array {
  const world = given()
  for (let n = 1; n <= users; n++) {
    const name = `u${n}`
    world
      .gives(name, 'USDT', `${1_000 * n}`)
      .gives(name, 'BTC', `${n}`)
      .gives(name, 'ETH', `${10 + n}`)
    world.buy(name, 90 + n, 60 + n, { clientId: `buy-${n}` }).isAccepted()
    world.sell(name, 100 + n, 60 + n, { clientId: `sell-${n}` }).isAccepted()
  }
  // With this many ids, nearly every place holds one.
  for (let n = 0; n < 1_000; n++) world.cancel('u1', 0, { clientId: `c${n}`, orderClientId: 'none' }).isRefused('ORDER_UNKNOWN')
  return world.exchange.dump()
}

let made: Uint8Array | undefined
const busy = (): Uint8Array => (made ??= played())

/** The memory read ahead for these commands at any size of the tables: the places of their ids, and the accounts that pay. */
function read(x: State, sent: readonly Sent[]): number {
  const { data, starts } = encoded(sent)
  const rows = new Int32Array(expectedMax)
  let count = 0
  x.requests.expectNone()
  for (const [n, { type, user = 1, clientId = '', market = 1, side = 'buy' }] of sent.entries()) {
    if (type !== 'clock.tick' && clientId !== '') x.requests.expect(user as UserId, data, starts[n]! + CLIENT_ID)
    const venue = type === 'spot.place' ? x.venue(market as MarketId) : undefined
    if (venue !== undefined) rows[count++] = x.ledger.nearRow(user as UserId, side === 'sell' ? venue.base : venue.quote)
  }
  return x.requests.reach() ^ x.ledger.reach(rows, count)
}

/** Commands of every kind, with and without ids, known and unknown ones. */
const kinds: readonly Sent[] = Array.from({ length: users + 1 }, (_, n) => n + 1).flatMap((user): readonly Sent[] => [
  { type: 'spot.place', user, clientId: `new-${user}` },
  { type: 'spot.place', user, side: 'sell' },
  { type: 'spot.place', user, market: 2, clientId: `buy-${user}` },
  { type: 'spot.place', user, market: 2, side: 'sell' },
  { type: 'spot.place', user, market: 9, clientId: `other-${user}` },
  { type: 'spot.cancel', user, order: user, clientId: `sell-${user}` },
  { type: 'spot.cancel', user, order: user },
  { type: 'clock.tick' },
])

test('SPOT-GROW-002: of the next commands the places of their ids and the accounts that orders pay from are read', () => {
  const dump = busy()
  const [exchange, x] = [Exchange.restore(dump), restoreState(dump)]
  const announced = (sent: readonly Sent[]): number => {
    const { data, length } = encoded(sent)
    assert.equal(exchange.expect(data, 0, length), length)
    return exchange.reached
  }
  const seen = new Set<number>()
  for (const one of kinds) {
    const reached = announced([one])
    assert.equal(reached, read(x, [one]), JSON.stringify(one))
    seen.add(reached)
  }
  assert.ok(seen.size > 4 * users, `${seen.size} different reads`)
  for (let from = 0; from + 3 <= kinds.length; from++) {
    const sent = kinds.slice(from, from + 3)
    assert.equal(announced(sent), read(x, sent), `${from}`)
  }
  assert.equal(exchange.hash(), Exchange.restore(dump).hash())
})

test('SPOT-GROW-002: at most 32 commands are announced at once, and none from the given end on', () => {
  const dump = busy()
  const [exchange, x] = [Exchange.restore(dump), restoreState(dump)]
  const { data, length, starts } = encoded(kinds)
  assert.equal(expectedMax, 32)
  assert.equal(exchange.expect(data, 0, length), starts[32])
  assert.equal(exchange.reached, read(x, kinds.slice(0, 32)))
  assert.equal(exchange.expect(data, starts[32]!, length), length)
  assert.equal(exchange.expect(data, starts[3]!, starts[5]!), starts[5])
  assert.equal(exchange.reached, read(x, kinds.slice(3, 5)))
  assert.equal(exchange.expect(data, starts[3]!, starts[3]!), starts[3])
  assert.equal(exchange.reached, 0)
})

test('SPOT-GROW-002: the orders that commands name are read from 8,192 orders on, and all else from 131,072 users on', () => {
  const [middling, far] = [2 ** 13, 2 ** 17]
  // Two commands of the same order would hide what is read of it.
  const sent = kinds.filter((_, n) => n % 8 === 0 || n % 8 === 5)
  const { data, length } = encoded(sent)
  const ahead = new Ahead(expectedMax)
  for (const [userCount, orderCount, depth] of [
    [far - 1, 0, 'none'],
    [far, 0, 'look'],
    [0, middling - 1, 'none'],
    [0, middling, 'glance'],
  ] as const) {
    const large = restoreState(busy())
    while (large.userCount < userCount) large.addUser(0, 0 as UserId)
    for (let number = 1_000; large.orders.count < orderCount; number++) large.orders.add(number as OrderId, 1 as UserId, 1 as MarketId)
    const dump = dumpState(large).bytes()
    const [exchange, x] = [Exchange.restore(dump), restoreState(dump)]
    exchange.expect(data, 0, length)
    const [look, glance] = [ahead.look(x, data, 0, length), ahead.glance(x, data, 0, length)]
    assert.equal(new Set([look, glance, 0]).size, 3)
    const more = { none: 0, glance, look }[depth]
    assert.equal(exchange.reached, read(x, sent) ^ more, `${userCount} users, ${orderCount} orders`)
  }
})

test('SPOT-GROW-002: commands that are executed together give the same events as one by one', () => {
  const dump = busy()
  const [together, apart] = [Exchange.restore(dump), Exchange.restore(dump)]
  const { data, length, starts } = encoded([...kinds, ...kinds], together.seq)
  const [ofAll, ofEach] = [new Records(), new Records()]
  together.executeAll(data, starts[0]!, starts[40]!, ofAll)
  assert.equal(together.seq, apart.seq + 40)
  together.executeAll(data, starts[40]!, length, ofAll)
  for (const at of starts) apart.execute(data, at, ofEach)
  assert.equal(ofAll.length > 2 * kinds.length, true)
  assert.deepEqual(Buffer.from(ofAll.bytes()), Buffer.from(ofEach.bytes()))
  assert.equal(together.hash(), apart.hash())
})
