/** Index ticks with the venues' quotes: which are refused, and what of them goes onto the tape. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Composition } from '../../proof/composition.ts'
import { compose } from '../../proof/composition.ts'
import { tapeFault } from '../../proof/tape.ts'
import { encodeCommand } from '../../protocol/codec/command.ts'
import { INDEX_PRICES, INDEX_QUOTES, INDEX_SLOTS, INDEX_SOURCES } from '../../protocol/codec/layout.ts'
import { Records } from '../../protocol/codec/records.ts'
import type { Command } from '../../protocol/command/index.ts'
import { given, type Told, type World } from './world.ts'

const unit = 100_000_000
type Quotes = readonly (readonly [venue: number, price: number])[]
type Price = {
  readonly market?: number
  readonly price: number
  readonly quotes?: Quotes
  readonly sources?: number
  readonly isGood?: boolean
}

const quotesOf = (quotes: Quotes) => quotes.map(([venue, price]) => ({ venue, price }))

function tick(world: World, ...prices: readonly Price[]): Told {
  const list = prices.map(({ market = 1, price, quotes = [], sources = quotes.length, isGood = true }) => ({
    ...{ market, price, sources, isGood },
    ...(quotes.length === 0 ? {} : { quotes: quotesOf(quotes) }),
  }))
  return world.do({ type: 'index.tick', prices: list })
}

test('TAPE-QUOTES-001: a price is the median of its quotes, and of an even number the mean of the middle two, rounded down', () => {
  const world = given()
  const prices = [60_009, 60_001, 60_020, 60_000, 60_014, 60_006, 60_003, 60_011].map((price) => price * unit)
  for (const [count, median] of [
    [1, 60_009 * unit],
    [2, 60_005 * unit],
    [3, 60_009 * unit],
    [4, 60_005 * unit],
    [5, 60_009 * unit],
    [7, 60_006 * unit],
    [8, 60_007.5 * unit],
  ] as const) {
    const quotes = prices.slice(0, count).map((price, n) => [n * 4, price] as const)
    for (const off of [-1, 1]) tick(world, { price: median + off, quotes }).isRefused('FIELD_INVALID')
    for (const off of [-1, 1]) tick(world, { price: median, quotes, sources: count + off }).isRefused('FIELD_INVALID')
    const [price] = tick(given(), { price: median, quotes }).isAccepted().of('tape.extended')[0]!.prices
    assert.deepEqual([price!.price, price!.quotes.map(({ venue, price: said }) => [venue, said])], [median, quotes])
  }
  const odd: Quotes = [
    [1, 60_000 * unit],
    [2, 60_000 * unit + 5],
  ]
  tick(world, { price: 60_000 * unit + 3, quotes: odd }).isRefused('FIELD_INVALID')
  tick(world, { price: 60_000 * unit + 2, quotes: odd }).isAccepted()
  // A price without quotes needs no venues.
  tick(world, { price: 60_001 * unit, sources: 3 }).isAccepted()
})

test('TAPE-QUOTES-001: each venue gives one quote above zero, in the order of their numbers', () => {
  const world = given()
  const price = 100 * unit
  const quotes = (...venues: readonly number[]): Quotes => venues.map((venue) => [venue, price])
  for (const wrong of [quotes(3, 3), quotes(0, 0), quotes(4, 3), quotes(0, 2, 1)])
    tick(world, { price, quotes: wrong }).isRefused('FIELD_INVALID')
  for (const right of [quotes(0), quotes(1), quotes(0, 1), quotes(0, 31)]) tick(world, { price, quotes: right }).isAccepted()
  const three = (least: number): Quotes => [
    [0, least],
    [1, price],
    [2, price],
  ]
  for (const least of [-1, 0]) tick(world, { price, quotes: three(least) }).isRefused('FIELD_INVALID')
  tick(world, { price, quotes: three(1) }).isAccepted()
})

test('TAPE-QUOTES-001: a tick with more than eight quotes of one price is refused', () => {
  const world = given()
  const quotes = Array.from({ length: 8 }, (_, venue) => ({ venue, price: 100 * unit }))
  const command = { type: 'index.tick', prices: [{ market: 1, price: 100 * unit, sources: 8, isGood: true, quotes }] }
  const written = new Records()
  encodeCommand(command as Command, { seq: world.exchange.seq + 1, at: world.atMs, keyId: 0 }, written)
  // No program writes such a tick: here the last quote is repeated for venue 8.
  const data = Float64Array.from([...written.data.subarray(0, written.length), written.data[written.length - 1]! + 1])
  data[0] = data[0]! + 1
  data[INDEX_PRICES + INDEX_SOURCES] = 9
  data[INDEX_PRICES + INDEX_QUOTES] = 9
  assert.equal(data.length, INDEX_PRICES + INDEX_SLOTS + 9)
  const events = new Records()
  const before = world.exchange.goodPrices()
  world.exchange.execute(data, 0, events)
  assert.deepEqual(world.exchange.goodPrices(), before)
})

test('TAPE-QUOTES-001: a price with quotes must stay above the lowest tick whatever the corrections are, one without quotes need not', () => {
  const world = given()
  // The tick is 1 USDT. Corrections and shift move a price by less than a twentieth.
  const least = 105_263_157
  const quotes: Quotes = [[1, least]]
  tick(world, { price: least - 1, quotes: [[1, least - 1]] }).isRefused('FIELD_INVALID')
  tick(world, { price: least, quotes }).isAccepted()
  tick(world, { price: least - 1, sources: 1 }).isAccepted()
  tick(world, { price: unit, sources: 1 }).isAccepted()
  tick(world, { price: unit - 1, sources: 1 }).isRefused('FIELD_INVALID')
})

test('TAPE-QUOTES-001: all prices of a tick are checked, also those after one with quotes, and refused together', () => {
  const world = given()
  const [btc, eth] = [60_000 * unit, 5_000_000]
  const good: Price = {
    price: btc,
    quotes: [
      [0, btc - 7],
      [2, btc],
      [9, btc + 3],
    ],
  }
  tick(world, good, { market: 3, price: eth, sources: 3 }).isRefused('MARKET_UNKNOWN')
  tick(world, good, { market: 2, price: eth, sources: -1 }).isRefused('FIELD_INVALID')
  tick(world, good, { market: 2, price: eth, quotes: [[1, eth - 1]] }).isRefused('FIELD_INVALID')
  tick(world, { market: 2, price: eth, quotes: [[1, eth]] }, { ...good, price: btc + 1 }).isRefused('FIELD_INVALID')
  assert.deepEqual(world.exchange.goodPrices(), [])
  tick(world, good, { market: 2, price: eth, quotes: [[1, eth]] }).isAccepted()
  assert.deepEqual(world.exchange.goodPrices(), [
    { market: 1, price: btc },
    { market: 2, price: eth },
  ])
  world.isReplayable()
})

test('TAPE-CORRECTION-001: each price follows from its quotes and the last good tick of its market', () => {
  const world = given()
  const known = new Map<number, Composition>()
  let state = 5
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const tape: Parameters<typeof tapeFault>[1][number][] = []
  const base = [0, 60_000 * unit, 5_000_000]
  let moved = 0
  for (let step = 0; step < 300; step++) {
    world.atMs += below(3_000)
    const prices = [1, 2].slice(0, below(3)).map((market): Price & { market: number; isGood: boolean } => {
      const isGood = below(5) > 0
      const venues = [0, 1, 4, 30].filter(() => below(4) > 0)
      if (below(6) === 0 || venues.length === 0) return { market, price: base[market]! + below(1_000), sources: below(4), isGood }
      const quotes = venues.map((venue) => [venue, base[market]! + venue * 1_000 + below(500)] as const)
      const sorted = quotes.map(([, price]) => price).sort((a, b) => a - b)
      const middle = sorted[(sorted.length - 1) >>> 1]! + sorted[sorted.length >>> 1]!
      return { market, price: Math.floor(middle / 2), quotes, isGood }
    })
    const told = tick(world, ...prices).isAccepted()
    const [extended] = told.of('tape.extended')
    const expected = prices.map(({ market, price, quotes = [], sources = quotes.length, isGood }) => {
      if (quotes.length === 0) {
        if (isGood) known.delete(market)
        return { market, price, sources, isGood, quotes: [] }
      }
      const composed = compose(known.get(market), world.atMs, quotesOf(quotes))
      if (isGood) known.set(market, composed)
      if (composed.price !== price) moved++
      return { market, price: composed.price, sources, isGood, quotes: composed.quotes, shift: composed.shift }
    })
    assert.deepEqual(extended!.prices, expected)
    assert.deepEqual([extended!.tick, extended!.at, extended!.format], [step + 1, world.atMs, 2])
    assert.deepEqual(
      told.of('index.ticked').map(({ market, price, sources, isGood }) => [market, price, sources, isGood]),
      expected.map(({ market, price, sources, isGood }) => [market, price, sources, isGood]),
    )
    tape.push(extended!)
    if (step % 50 === 0) world.isReplayable()
  }
  assert.ok(moved > 100, 'corrections move the prices')
  assert.equal(tapeFault('0'.repeat(64), tape), undefined)
})
