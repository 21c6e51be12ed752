import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tapeFault } from '../../../proof/tape.ts'
import { given, start, unlimited, usdt } from './world.ts'

test('TAPE-CHAIN-001: every index tick extends the tape, an empty one too; a refused one does not', () => {
  const world = given()
  world.world.atMs += 250
  world.tick()
  world.world.atMs += 250
  const refused = world.do({ type: 'index.tick', prices: [{ market: 9, price: 1, sources: 3, isGood: true }] })
  refused.isRefused('MARKET_UNKNOWN')
  world.tick({ 3: 3001, 1: 60_001 })
  assert.deepEqual(
    world.tape.map(({ tick, at, prices }) => [tick, at - start, prices.map(({ market }) => market)]),
    [
      [1, 0, [1, 3]],
      [2, 250, []],
      [3, 500, [1, 3]],
    ],
  )
  assert.equal(tapeFault('0'.repeat(64), world.tape), undefined)
  world.world.isReplayable()
})

test('OPTION-SETTLE-005: an order that waits for its turn keeps the ticks that decide it, however late the next tick comes', () => {
  const world = given(unlimited)
  world.trader('alice')
  const orders = Array.from({ length: 65 }, () => world.open('alice', 'up', { stake: 5 }).isAccepted().order)
  world.run(31_500, (sinceMs) => (sinceMs <= 1_750 ? 60_000 : 60_001))
  assert.equal(world.settled.size, 64)
  // No clock tick comes for a minute, and the next tick has a lower price.
  world.world.atMs += 60_000
  world.tick({ 1: 59_000 })
  for (const order of orders) world.isSettled(order, 'win 60001')
})

test('TAPE-CHAIN-002: the tape is kept in addition to the index events and does not change them', () => {
  const world = given()
  const told = world.tick({ 1: 60_002 })
  assert.deepEqual(told.of('index.ticked'), [{ type: 'index.ticked', market: 1, price: usdt(60_002), sources: 3, isGood: true }])
  assert.deepEqual(world.tick().of('index.ticked'), [])
})

test('TAPE-QUOTES-001: the whole tick is refused when its quotes do not explain its price', () => {
  const world = given()
  const quote = (venue: number, price: number) => ({ venue, price: usdt(price) })
  const tick = (price: number, sources: number, quotes: readonly object[]) =>
    world.do({ type: 'index.tick', prices: [{ market: 1, price: usdt(price), sources, isGood: true, quotes }] })
  const three = [quote(0, 60_000), quote(2, 60_010), quote(5, 60_003)]
  const [price] = tick(60_003, 3, three).isAccepted().of('tape.extended')[0]!.prices
  assert.deepEqual(
    price!.quotes.map(({ venue, price: said }) => ({ venue, price: said })),
    three,
  )
  const four = [...three, quote(7, 60_004)]
  tick(60_003.5, 4, four).isAccepted()
  tick(60_003, 4, four).isRefused('FIELD_INVALID')
  tick(60_010, 3, three).isRefused('FIELD_INVALID')
  tick(60_003, 4, three).isRefused('FIELD_INVALID')
  tick(60_003, 3, [three[1]!, three[0]!, three[2]!]).isRefused('FIELD_INVALID')
  tick(60_003, 3, [three[0]!, three[0]!, three[2]!]).isRefused('FIELD_INVALID')
  tick(60_003, 3, [quote(0, 0), three[1]!, three[2]!]).isRefused('FIELD_INVALID')
})
