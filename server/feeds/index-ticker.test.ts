import assert from 'node:assert/strict'
import test from 'node:test'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import { PriceBoard } from './board.ts'
import { IndexTicker, type PricedMarket } from './index-ticker.ts'
import { simulatedVenues } from './simulated/market.ts'
import { keepLog, keepTicks } from './test/world.ts'
import { venueNames, venueNumber } from './venue/names.ts'
import { venues } from './venue/venues.ts'

const btc = { id: 1 as MarketId, symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT' } satisfies PricedMarket
const eth = { id: 2 as MarketId, symbol: 'ETHUSDT', base: 'ETH', quote: 'USDT' } satisfies PricedMarket

function boardWith(prices: Readonly<Record<string, number>>, at = 0): PriceBoard {
  const board = new PriceBoard()
  for (const venue of ['a', 'b', 'c']) {
    for (const [base, price] of Object.entries(prices)) board.put(venue, { base, quote: 'USDT' }, price, 'book', at)
  }
  return board
}

test('FEEDS-TICK-001: one command carries all markets whose index changed; without changes it is empty', async () => {
  const { ticks, submit } = keepTicks()
  const ticker = new IndexTicker([btc, eth], submit, keepLog())
  const board = boardWith({ BTC: 100, ETH: 10 })
  ticker.tick(board, 0)
  await ticker.idle()
  ticker.tick(board, 100)
  await ticker.idle()
  for (const venue of ['a', 'b', 'c']) board.put(venue, eth, 11, 'book', 200)
  ticker.tick(board, 200)
  await ticker.idle()
  assert.deepEqual(ticks, [
    {
      type: 'index.tick',
      prices: [
        { market: 1, price: 100, sources: 3, isGood: true },
        { market: 2, price: 10, sources: 3, isGood: true },
      ],
    },
    { type: 'index.tick', prices: [] },
    { type: 'index.tick', prices: [{ market: 2, price: 11, sources: 3, isGood: true }] },
  ])
})

test('FEEDS-TICK-002: when all sources fall silent, the last price is sent once as not good, and the next price is good again', async () => {
  const { submit, ticks, last } = keepTicks()
  const ticker = new IndexTicker([btc], submit, keepLog())
  const board = boardWith({ BTC: 100 })
  for (const now of [0, 3_000, 3_001, 3_250, 3_500]) {
    ticker.tick(board, now)
    await ticker.idle()
  }
  assert.deepEqual(
    ticks.map(({ prices }) => prices.length),
    [1, 0, 1, 0, 0],
  )
  assert.deepEqual(last(1), { market: 1, price: 100, sources: 0, isGood: false })
  for (const venue of ['a', 'b', 'c']) board.put(venue, btc, 101, 'book', 4_000)
  ticker.tick(board, 4_000)
  await ticker.idle()
  assert.equal(last(1)?.isGood, true)
})

test('FEEDS-TICK-003: every twentieth tick repeats all prices', async () => {
  const { ticks, submit } = keepTicks()
  const ticker = new IndexTicker([btc, eth], submit, keepLog())
  const board = boardWith({ BTC: 100, ETH: 10 })
  for (let n = 0; n < 45; n++) {
    ticker.tick(board, n)
    await ticker.idle()
  }
  assert.deepEqual(
    ticks.flatMap(({ prices }, n) => (prices.length === 2 ? [n] : prices.length === 0 ? [] : [-1])),
    [0, 20, 40],
  )
})

test('FEEDS-TICK-004: a price names the venues whose median it is, by their numbers', async () => {
  const { ticks, submit } = keepTicks()
  const ticker = new IndexTicker([btc], submit, keepLog())
  const board = new PriceBoard()
  for (const [venue, price] of [
    ['kraken', 1_003],
    ['binance', 1_000],
    ['coinbase', 1_500],
    ['okx', 1_001],
  ] as const) {
    board.put(venue, btc, price, 'book', 0)
  }
  ticker.tick(board, 0)
  await ticker.idle()
  const quotes = [
    { venue: venueNumber('binance'), price: 1_000 },
    { venue: venueNumber('okx'), price: 1_001 },
    { venue: venueNumber('kraken'), price: 1_003 },
  ]
  assert.deepEqual(ticks[0]?.prices, [{ market: 1, price: 1_001, sources: 3, isGood: true, quotes }])
})

test('TAPE-VENUES-001: every venue that can give a price has a number', () => {
  for (const name of [...venues.map((venue) => venue.name), ...simulatedVenues]) assert.notEqual(venueNumber(name), undefined, name)
  assert.equal(new Set(venueNames).size, venueNames.length)
  assert.ok(venueNames.length <= 32)
})

test('a market that never had a price is not mentioned', async () => {
  const { ticks, submit } = keepTicks()
  const ticker = new IndexTicker([btc, eth], submit, keepLog())
  ticker.tick(boardWith({ BTC: 100 }), 0)
  await ticker.idle()
  assert.deepEqual(
    ticks[0].prices.map((price) => price.market),
    [1],
  )
})

test('never two ticks are in flight, and the prices of a lost one are sent again', async () => {
  const sent: number[] = []
  let answer: (outcome: Outcome | Error) => void = () => undefined
  const log = keepLog()
  const ticker = new IndexTicker(
    [btc],
    (command) => {
      if (command.type === 'index.tick') sent.push(command.prices[0]?.price ?? 0)
      return new Promise((resolve, reject) => {
        answer = (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome))
      })
    },
    log,
  )
  const settle = async (outcome: Outcome | Error): Promise<void> => {
    answer(outcome)
    await ticker.idle()
  }
  ticker.tick(boardWith({ BTC: 100 }), 0)
  ticker.tick(boardWith({ BTC: 101 }), 0)
  assert.deepEqual(sent, [100])
  await settle(new Error('not accepting'))
  ticker.tick(boardWith({ BTC: 100 }), 0)
  await settle({ refusal: 'CLOCK_UNSYNCED' } as Outcome)
  ticker.tick(boardWith({ BTC: 100 }), 0)
  await settle({ refusal: undefined } as Outcome)
  ticker.tick(boardWith({ BTC: 100 }), 0)
  assert.deepEqual(sent, [100, 100, 100, 0])
  assert.equal(log.lines.length, 1, 'logged once')
})
