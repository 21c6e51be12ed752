import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountRef } from '@candor/core/protocol/account.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import { Auditor } from '../auditor.ts'

type Loose = { readonly type: Event['type']; readonly [field: string]: unknown }

let seq = 0
const outcome = (refusal?: string): Loose => ({ type: 'outcome', seq: ++seq, at: 1000 + seq, user: 1, order: 0, refusal, isRepeat: false })
const entry = (account: object, reason: string, delta: number, heldDelta: number, available: number, held: number): Loose => ({
  type: 'entry',
  account,
  reason,
  delta,
  heldDelta,
  available,
  held,
})
const alice = { user: 1, kind: 'spot', asset: 1 }
const bobsCoins = { user: 2, kind: 'spot', asset: 2 }
const source = { system: 'outside:sandbox', asset: 1 }
const market = { id: 1, symbol: 'BTCUSDT', base: 2, quote: 1, basePerLot: 10, quotePerTickLot: 1 }
const accepted = (order: number, user: number, side: string, price: number, lots: number): Loose => ({
  type: 'order.accepted',
  order,
  user,
  market: 1,
  side,
  price,
  lots,
})
const level = (update: number, side: string, price: number, lots: number): Loose => ({
  type: 'book.level',
  market: 1,
  update,
  side,
  price,
  lots,
})
const traded = (change: object): Loose => ({
  type: 'traded',
  market: 1,
  trade: 1,
  price: 5,
  lots: 2,
  quote: 10,
  takerSide: 'buy',
  makerOrder: 1,
  takerOrder: 2,
  makerUser: 1,
  takerUser: 2,
  makerFee: 0,
  takerFee: 0,
  ...change,
})

/** The auditor's message for these events. */
function audit(...events: Loose[]): string {
  seq = 0
  const auditor = new Auditor()
  try {
    auditor.follow(events.map((event) => (event.type === 'outcome' ? { ...event, seq: ++seq } : event)) as unknown as Event[])
    auditor.checkAll()
    return 'good'
  } catch (error) {
    return (error as Error).message
  }
}

const faucet = [entry(source, 'faucet', -100, 0, -100, 0), entry(alice, 'faucet', 100, 0, 100, 0)]
const listed: Loose = { type: 'market.listed', market }

test('SIM-AUDIT-001: entries that do not sum to zero, do not add up or go below zero are found', () => {
  assert.equal(audit(...faucet, outcome()), 'good')
  assert.match(audit(faucet[1]!, outcome()), /sum to 100/)
  assert.match(
    audit(...faucet, outcome(), entry(alice, 'hold', -10, 10, 91, 10), outcome()),
    /has 91 \+ 10 by its last entry, but by all entries 90 \+ 10/,
  )
  assert.match(audit(entry(alice, 'trade', -1, 0, -1, 0), outcome()), /below zero/)
  assert.match(audit(...faucet, faucet[1]!, outcome()), /by all entries 200/)
  assert.match(audit(...faucet, outcome(), entry(alice, 'hold', -10, 9, 90, 9), outcome()), /hold of user 1 spot 1 moves/)
  assert.match(audit(...faucet, outcome('NOT_FOUND')), /refused/)
})

test('SIM-AUDIT-002: money without a faucet or a trade is found', () => {
  const gift = [entry(source, 'transfer', -5, 0, -5, 0), entry(alice, 'transfer', 5, 0, 5, 0)]
  assert.match(audit(...gift, outcome()), /hold 5, faucets and trades give 0/)
})

test('SIM-AUDIT-003: a trade at another price, of a wrong value, of a closed or overfilled order is found', () => {
  const orders = [listed, accepted(1, 1, 'sell', 5, 2), accepted(2, 2, 'buy', 6, 2)]
  assert.match(audit(...orders, traded({ price: 6, quote: 12 }), outcome()), /not at its maker/)
  assert.match(audit(...orders, traded({ quote: 11 }), outcome()), /is worth 11/)
  assert.match(audit(...orders, traded({ lots: 3, quote: 15 }), outcome()), /overfilled/)
  assert.match(audit(...orders, traded({ trade: 2 }), outcome()), /trade 2 after 0/)
  assert.match(audit(...orders, traded({ makerUser: 3 }), outcome()), /wrong owner/)
  assert.match(audit(...orders, traded({ takerFee: 21 }), outcome()), /fee of 21/)
  const closed: Loose = { type: 'order.closed', order: 1, user: 1, market: 1, reason: 'cancelled', executedLots: 0, executedQuote: 0 }
  assert.match(audit(...orders, closed, traded({}), outcome()), /order 1 is closed/)
  assert.match(audit(...orders, { ...closed, executedLots: 1 }, outcome()), /closed with 1 lots/)
  assert.match(audit(...orders, traded({}), outcome()), /hold 0, faucets and trades give/)
})

test('SIM-AUDIT-004: a crossed book, a missing level update and a gap in the journal are found', () => {
  assert.equal(audit(listed, level(1, 'buy', 5, 1), level(2, 'sell', 6, 1), outcome()), 'good')
  assert.match(audit(listed, level(1, 'buy', 5, 1), level(2, 'sell', 5, 1), outcome()), /crossed/)
  assert.match(audit(listed, level(2, 'buy', 5, 1), outcome()), /level update 2/)
  assert.match(audit(listed, level(1, 'buy', 5, 1)), /inside a command/)
  const auditor = new Auditor()
  assert.throws(() => auditor.follow([{ ...outcome(), seq: 2 } as unknown as Event]), /seq 2 after 0/)
})

test('SIM-AUDIT-007: a prevented match is found that is out of turn, of strangers, takes too much or too little, or has no consequence', () => {
  const orders = [listed, accepted(1, 1, 'sell', 5, 2), accepted(2, 1, 'buy', 6, 3)]
  const match = (change: object): Loose => {
    const lots = { makerLots: 2, takerLots: 3 }
    const pair = { match: 1, mode: 'expire-both', user: 1, price: 5, makerOrder: 1, takerOrder: 2, ...lots }
    return { type: 'match.prevented', market: 1, ...pair, ...change }
  }
  const closed = (order: number, reason = 'self-trade'): Loose => ({
    ...{ type: 'order.closed', order, user: 1, market: 1, reason },
    ...{ executedLots: 0, executedQuote: 0 },
  })
  const both = [closed(1), closed(2)]
  assert.equal(audit(...orders, match({}), ...both, outcome()), 'good')
  assert.match(audit(...orders, match({ match: 2 }), ...both, outcome()), /prevented match 2 after 0/)
  assert.match(audit(...orders, match({ user: 2 }), ...both, outcome()), /another's/)
  assert.match(audit(...orders, match({ takerOrder: 1 }), ...both, outcome()), /met itself/)
  assert.match(audit(...orders, match({ price: 6 }), ...both, outcome()), /maker's price/)
  assert.match(audit(...orders, match({ mode: 'none', makerLots: 0, takerLots: 0 }), outcome()), /mode none/)
  for (const lots of [0, 1, 3]) assert.match(audit(...orders, match({ makerLots: lots }), ...both, outcome()), /order 1 lost/)
  assert.match(audit(...orders, match({ mode: 'expire-maker' }), closed(1), outcome()), /order 2 lost 3/)
  assert.match(audit(...orders, match({}), closed(1), outcome()), /order 2 stayed/)
  assert.match(audit(...orders, match({}), closed(1), closed(2, 'ioc'), outcome()), /order 2 ended as ioc/)
  assert.match(audit(...orders, closed(1), outcome()), /without a prevented match/)
  const part = match({ mode: 'decrement', takerLots: 2 })
  const reduced: Loose = { type: 'order.prevented', market: 1, user: 1, price: 5, lots: 2, makerOrder: 1, takerOrder: 2 }
  assert.equal(audit(...orders, part, reduced, closed(1), outcome()), 'good')
  assert.match(audit(...orders, part, closed(1), outcome()), /reduced nothing/)
  assert.match(audit(...orders, part, outcome()), /reduced nothing/)
  assert.match(audit(...orders, reduced, outcome()), /untold/)
  assert.match(audit(...orders, part, { ...reduced, lots: 1 }, outcome()), /untold/)
  assert.match(audit(...orders, match({ mode: 'decrement', makerLots: 1, takerLots: 2 }), outcome()), /mode decrement/)
})

test('SIM-AUDIT-005: the exchange’s own balances are listed by account', () => {
  const auditor = new Auditor()
  seq = 0
  auditor.follow([...faucet, outcome()] as unknown as Event[])
  assert.deepEqual(auditor.balance(alice as AccountRef), { available: 100n, held: 0n })
  assert.deepEqual(auditor.balance(bobsCoins as AccountRef), { available: 0n, held: 0n })
  assert.deepEqual([...auditor.balances().keys()], ['outside:sandbox 1', 'user 1 spot 1'])
})
