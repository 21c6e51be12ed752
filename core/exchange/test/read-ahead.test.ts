/** Which memory is read before the next commands are decided: a wrong place would cost speed and change no answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDS, LEVELS, LOTS, TAIL } from '../../book/ladder.ts'
import {
  C,
  EXECUTED_LOTS,
  F,
  FLAGS,
  I,
  ID,
  LEVEL,
  MARKET,
  NEXT,
  OWNER,
  PREV,
  UPDATED_AT,
  USER_NEXT,
  USER_PREV,
} from '../../book/order-fields.ts'
import type { Ticks } from '../../money/brand.ts'
import { REF_CLIENT_ID, SELL } from '../../protocol/codec/layout.ts'
import type { MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import { Ahead } from '../ahead.ts'
import { restoreState } from '../dump.ts'
import type { State } from '../state/state.ts'
import { encoded, type Sent } from './encoded.ts'
import { given } from './world.ts'

const users = 12

/** The dump of a busy book: orders that were partly filled, neighbours in levels and lists, and a second market. */
function played(): Uint8Array {
  const world = given({}, { openOrdersMax: 500 })
  const name = (n: number): string => `u${n}`
  for (let n = 0; n < users; n++)
    world
      .gives(name(n), 'BTC', `${10 + n}`)
      .gives(name(n), 'USDT', '100000')
      .gives(name(n), 'ETH', '100')
  for (let n = 0; n < 200; n++) {
    const [who, side] = [name((n * 5) % users), n % 2 === 0 ? 'buy' : 'sell'] as const
    const price = side === 'buy' ? 100 - (n % 7) : 101 + (n % 5)
    world.place(who, { side, price, lots: 60 + n, clientId: `c${n}` }).isAccepted()
    if (n % 9 === 0) world.place(who, { market: 2, side, price: side === 'buy' ? 4_000 : 4_001, lots: 100 + n }).isAccepted()
  }
  for (let n = 0; n < 200; n += 6) world.cancel(name((n * 5) % users), 0, { orderClientId: `c${n}` })
  for (const side of ['buy', 'sell'] as const) {
    const fills = world.place('taker', { side, price: side === 'buy' ? 103 : 95, lots: 1, timeInForce: 'IOC' })
    assert.ok(fills.events.length > 0)
  }
  world.gives('taker', 'BTC', '10').gives('taker', 'USDT', '1000')
  world.sell('taker', 100, 250, { timeInForce: 'IOC' }).isAccepted()
  world.buy('taker', 101, 250, { timeInForce: 'IOC' }).isAccepted()
  return world.exchange.dump()
}

let dump: Uint8Array | undefined

function busy(): State {
  dump ??= played()
  const x = restoreState(dump)
  // Restored orders are dense: these leave free slots behind.
  const more = [1, 2, 3, 4, 5].map((n) => x.orders.add((90_000 + n) as OrderId, n as UserId, 1 as MarketId))
  for (const slot of more) x.orders.c.fill(slot * 1_000 + 7, slot * C, slot * C + C)
  for (const slot of more) x.orders.remove(slot)
  return x
}

/** The words of everything that a cancel of the order at `slot` touches. */
function ofOrder(x: State, slot: number): number {
  const { f, i, c } = x.orders
  const at = (field: number): number => i[slot * I + field]!
  const next = (neighbour: number): number => (neighbour < 0 ? 0 : i[neighbour * I + NEXT]!)
  const venue = x.venues[f[slot * F + MARKET]!]!
  const asset = (at(FLAGS) & SELL) !== 0 ? venue.base : venue.quote
  let read = f[slot * F + EXECUTED_LOTS]! ^ c[slot * C]! ^ c[slot * C + UPDATED_AT]!
  for (const field of [NEXT, PREV, USER_NEXT, USER_PREV]) read ^= next(at(field))
  return read ^ venue.book.ladder.lots[(at(LEVEL) & LEVELS) * LOTS]! ^ x.ledger.available(x.ledger.nearRow(at(OWNER) as UserId, asset))
}

/** What `look` reads, one command at a time. */
function looked(x: State, sent: readonly Sent[]): number {
  const { data, starts } = encoded(sent)
  let read = 0
  let places = 0
  for (const [n, { type, user = 1, market = 1, side = 'buy', price = 99, order = 0 }] of sent.entries()) {
    const id = user as UserId
    if (type === 'spot.cancel') {
      const at = starts[n]! + REF_CLIENT_ID
      const number = order === 0 ? x.requests.numberNear(id, data, at) : order
      read ^= x.orders.countOf(id) ^ (order === 0 ? x.requests.reachId(id, data, at) : 0)
      const slot = x.orders.find(number as OrderId)
      if (slot >= 0) read ^= ofOrder(x, slot)
    }
    const venue = type === 'spot.place' ? x.venue(market as MarketId) : undefined
    if (venue === undefined) continue
    places++
    const { ladder } = venue.book
    const level = ladder.near(price as Ticks)
    read ^= x.users[user]! ^ (side === 'sell' ? SELL : 0)
    for (const slot of [x.orders.firstOf(id), level < 0 ? -1 : ladder.ends[level * ENDS + TAIL]! - 1]) {
      if (slot >= 0) read ^= x.orders.i[slot * I + NEXT]!
    }
  }
  return read ^ x.orders.reachFree(places)
}

function kinds(x: State): readonly Sent[] {
  const sent: Sent[] = [{ type: 'clock.tick' }]
  for (let user = 1; user <= users; user++) {
    for (const side of ['buy', 'sell'] as const) {
      for (const price of [94, 97, 100, 101, 105, 2_000_000]) sent.push({ type: 'spot.place', user, side, price })
      sent.push({ type: 'spot.place', user, side, market: 2, price: 4_000 }, { type: 'spot.place', user, side, market: 9 })
    }
    for (let n = 0; n < 200; n += 17) sent.push({ type: 'spot.cancel', user, orderClientId: `c${n}` })
  }
  for (const slot of x.orders.slots()) {
    const { f, i } = x.orders
    const named = { user: i[slot * I + OWNER]!, market: f[slot * F + MARKET]!, order: f[slot * F + ID]! }
    sent.push({ type: 'spot.cancel', ...named }, { type: 'spot.amend', ...named })
  }
  sent.push({ type: 'spot.cancel', order: 77_777 }, { type: 'spot.cancel', user: 1_000, orderClientId: 'none' })
  return sent
}

test('SPOT-GROW-002: before orders and cancels are decided, they, their neighbours, levels and accounts are read', () => {
  const x = busy()
  const ahead = new Ahead(32)
  const look = (sent: readonly Sent[]): number => {
    const { data, length } = encoded(sent)
    return ahead.look(x, data, 0, length)
  }
  const all = kinds(x)
  const seen = new Set<number>()
  for (const one of all) {
    const read = look([one])
    assert.equal(read, looked(x, [one]), JSON.stringify(one))
    seen.add(read)
  }
  assert.ok(seen.size > 100, `${seen.size} different reads`)
  for (let from = 0; from + 32 <= all.length; from += 13) {
    const sent = all.slice(from, from + 32)
    assert.equal(look(sent), looked(x, sent), `${from}`)
  }
  // Only the commands from slot to slot count.
  const { data, starts } = encoded(all.slice(40, 60))
  assert.equal(ahead.look(x, data, starts[5]!, starts[9]!), looked(x, all.slice(45, 49)))
})

test('SPOT-GROW-002: of medium-sized tables only the cancelled and amended orders and their accounts are read', () => {
  const x = busy()
  const ahead = new Ahead(32)
  /** What is read of one command. */
  const glanced = ({ type, user = 1, market = 1, order = 0 }: Sent): number => {
    if (type !== 'spot.cancel' && type !== 'spot.amend') return 0
    const flags = new Int32Array(1)
    const read = x.orders.reach(Int32Array.of(order | 0), flags, 1)
    const venue = x.venue(market as MarketId)
    if (venue === undefined) return read
    const asset = (flags[0]! & SELL) !== 0 ? venue.base : venue.quote
    return read ^ x.ledger.reach(Int32Array.of(x.ledger.nearRow(user as UserId, asset)), 1)
  }
  const glance = (sent: readonly Sent[]): number => {
    const { data, length } = encoded(sent)
    return ahead.glance(x, data, 0, length)
  }
  const all: readonly Sent[] = [
    ...kinds(x).filter(({ orderClientId }) => orderClientId === undefined),
    { type: 'spot.cancel', market: 9, order: 5 },
  ]
  const seen = new Set<number>()
  for (const one of all) {
    const read = glance([one])
    assert.equal(read, glanced(one), JSON.stringify(one))
    seen.add(read)
  }
  assert.ok(seen.size > 10, `${seen.size} different reads`)
  for (let from = 0; from + 32 <= all.length; from += 13) {
    const sent = all.slice(from, from + 32)
    const expected = sent.reduce((read, one) => read ^ glanced(one), 0)
    assert.equal(glance(sent), expected, `${from}`)
  }
  const { data, starts } = encoded(all.slice(-30))
  assert.equal(ahead.glance(x, data, starts[5]!, starts[6]!), glanced(all.at(-25)!))
})
