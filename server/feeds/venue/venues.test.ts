import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'node:test'
import fc from 'fast-check'
import { frames } from '../replay/recording.ts'
import { binance } from './binance.ts'
import { CoinbaseBook } from './coinbase-book.ts'
import { coinbase } from './coinbase.ts'
import { kraken } from './kraken.ts'
import { okx } from './okx.ts'
import type { Reading, Venue } from './venue.ts'
import { pairsOn, venues } from './venues.ts'

const btc = { base: 'BTC', quote: 'USDT' }
const btcUsd = { base: 'BTC', quote: 'USD' }
const markets = [btc, { base: 'ETH', quote: 'BTC' }]
const book = (pair: typeof btc, price: number): readonly Reading[] => [{ kind: 'book', pair, price }]
const last = (pair: typeof btc, price: number): readonly Reading[] => [{ kind: 'last', pair, price }]
const alive: readonly Reading[] = [{ kind: 'alive' }]
const problem = (message: string): readonly Reading[] => [{ kind: 'problem', message }]

/** Messages as the venues document them, and their meaning. */
const documented: readonly [venue: Venue, text: string, expected: readonly Reading[]][] = [
  [binance, '{"result":null,"id":1}', alive],
  [
    binance,
    '{"stream":"btcusdt@bookTicker","data":{"u":400900217,"s":"BTCUSDT","b":"25.35190000","B":"31.21","a":"25.36520000","A":"40.66"}}',
    book(btc, 2_535_855_000),
  ],
  [binance, '{"u":400900217,"s":"BTCUSDT","b":"25","B":"31.21","a":"26","A":"40.66"}', book(btc, 2_550_000_000)],
  [
    binance,
    '{"stream":"btcusdt@trade","data":{"e":"trade","E":1,"s":"BTCUSDT","t":12345,"p":"0.001","q":"100","T":1,"m":true,"M":true}}',
    last(btc, 100_000),
  ],
  [binance, '{"stream":"btcusdt@depth@100ms","data":{"e":"depthUpdate","E":1,"s":"BTCUSDT","U":1,"u":2,"b":[],"a":[]}}', alive],
  [binance, '{"code":2,"msg":"Invalid request: unknown variant"}', problem('Invalid request: unknown variant')],
  [binance, '{"error":{"code":2,"msg":"bad"},"id":1}', problem('bad')],
  [binance, '{"stream":"x","data":{"e":"serverShutdown","E":1}}', [{ kind: 'leaving' }]],
  [binance, '{"stream":"btcusdt@bookTicker","data":{"u":1,"s":"BTCUSDT","b":"0.00000000","B":"0","a":"26","A":"1"}}', []],
  [binance, '{"stream":"dogeusdt@bookTicker","data":{"u":1,"s":"DOGEUSDT","b":"1","B":"0","a":"1","A":"1"}}', []],

  [okx, 'pong', alive],
  [okx, '{"event":"subscribe","arg":{"channel":"tickers","instId":"BTC-USDT"},"connId":"a4d3ae55"}', alive],
  [
    okx,
    '{"arg":{"channel":"tickers","instId":"BTC-USDT"},"data":[{"instType":"SPOT","instId":"BTC-USDT","last":"9999.99","askPx":"10000","askSz":"11","bidPx":"9998","bidSz":"5","ts":"1597026383085"}]}',
    book(btc, 999_900_000_000),
  ],
  [okx, '{"arg":{"channel":"tickers","instId":"BTC-USDT"},"data":[{"instId":"BTC-USDT","askPx":"","bidPx":"9998"}]}', []],
  [
    okx,
    '{"event":"error","code":"60018","msg":"channel:tickers,instId:LTC-USD doesn\'t exist","connId":"a"}',
    problem("channel:tickers,instId:LTC-USD doesn't exist"),
  ],
  [
    okx,
    '{"event":"notice","code":"64008","msg":"The connection will soon be closed for a service upgrade. Please reconnect.","connId":"a"}',
    [{ kind: 'leaving' }],
  ],

  [coinbase, '{"type":"subscriptions","channels":[{"name":"ticker","product_ids":["BTC-USD"]}]}', alive],
  [coinbase, '{"type":"heartbeat","sequence":90,"last_trade_id":20,"product_id":"BTC-USD","time":"2014-11-07T08:19:28.464459Z"}', alive],
  [
    coinbase,
    '{"type":"ticker","sequence":37475248783,"product_id":"BTC-USD","price":"1285.22","open_24h":"1310.79","best_bid":"1285.04","best_bid_size":"0.46","best_ask":"1285.26","best_ask_size":"1.5","side":"buy","time":"2022-10-19T23:28:22.061769Z","trade_id":370843401,"last_size":"11.4"}',
    last(btcUsd, 128_515_000_000),
  ],
  [coinbase, '{"type":"ticker","product_id":"BTC-USD","price":"1285.22"}', last(btcUsd, 128_522_000_000)],
  [
    coinbase,
    '{"type":"match","trade_id":10,"maker_order_id":"a","taker_order_id":"b","time":"2014-11-07T08:19:27.028459Z","product_id":"BTC-USD","size":"5.23512","price":"400.23","side":"sell"}',
    last(btcUsd, 40_023_000_000),
  ],
  [
    coinbase,
    '{"type":"error","message":"Failed to subscribe","reason":"TRX-USD is not a valid product"}',
    problem('Failed to subscribe: TRX-USD is not a valid product'),
  ],
  [coinbase, '{"type":"l2update","product_id":"BTC-USD","changes":[["buy","1","1"]]}', []],

  [
    kraken,
    '{"channel":"status","data":[{"api_version":"v2","connection_id":1,"system":"online","version":"2.0.0"}],"type":"update"}',
    alive,
  ],
  [kraken, '{"channel":"status","data":[{"system":"maintenance"}],"type":"update"}', problem('system is maintenance')],
  [
    kraken,
    '{"method":"subscribe","result":{"channel":"ticker","snapshot":true,"symbol":"BTC/USD"},"success":true,"time_in":"x","time_out":"y"}',
    alive,
  ],
  [
    kraken,
    '{"error":"Currency pair not supported XYZ/USD","method":"subscribe","success":false,"symbol":"XYZ/USD","time_in":"x"}',
    problem('Currency pair not supported XYZ/USD'),
  ],
  [kraken, '{"channel":"heartbeat"}', alive],
  [kraken, '{"method":"pong","req_id":1}', alive],
  [
    kraken,
    '{"channel":"ticker","type":"update","data":[{"symbol":"BTC/USD","bid":0.10025,"bid_qty":740.0,"ask":0.10036,"ask_qty":1361.44813783,"last":0.10035,"volume":997038.98,"vwap":0.10148,"low":0.09979,"high":0.10285,"change":-0.00017,"change_pct":-0.17}]}',
    book(btcUsd, 10_030_500),
  ],
  [kraken, '{"channel":"ticker","type":"update","data":[{"symbol":"BTC/USD","bid":2,"ask":1}]}', []],
]

test('each documented message is understood', () => {
  for (const [venue, text, expected] of documented) {
    const reader = venue.reader(pairsOn(venue, markets))
    assert.deepEqual(reader.read(text), expected, `${venue.name}: ${text}`)
  }
})

test('each venue is asked for the pairs that price our markets, by its own names', () => {
  const asked = Object.fromEntries(venues.map((venue) => [venue.name, venue.reader(pairsOn(venue, markets)).subscriptions]))
  assert.deepEqual(asked, {
    binance: ['{"method":"SUBSCRIBE","params":["btcusdt@bookTicker","ethbtc@bookTicker"],"id":1}'],
    okx: ['{"op":"subscribe","args":[{"channel":"tickers","instId":"BTC-USDT"},{"channel":"tickers","instId":"ETH-BTC"}]}'],
    coinbase: ['BTC-USD', 'ETH-BTC', 'USDT-USD'].map(
      (id) => `{"type":"subscribe","product_ids":["${id}"],"channels":["ticker","heartbeat"]}`,
    ),
    kraken: [
      '{"method":"subscribe","params":{"channel":"ticker","symbol":["BTC/USD","ETH/BTC","USDT/USD"],"event_trigger":"bbo","snapshot":true}}',
    ],
  })
})

test('cut, mistyped and arbitrary messages give nothing and throw nothing', () => {
  const texts = documented.map(([, text]) => text)
  const cut = fc.tuple(fc.constantFrom(...texts), fc.nat(400)).map(([text, length]) => text.slice(0, length))
  const anything: fc.Arbitrary<unknown> = fc.oneof(
    fc.constant(null),
    fc.string(),
    fc.double(),
    fc.array(fc.string()),
    fc.dictionary(fc.string(), fc.string()),
  )
  const mistyped = fc
    .tuple(fc.constantFrom(...texts.filter((text) => text.startsWith('{'))), fc.nat(20), anything)
    .map(([text, place, value]) => {
      const keys: [Record<string, unknown>, string][] = []
      const walk = (node: unknown): void => {
        if (typeof node !== 'object' || node === null) return
        for (const key of Object.keys(node)) {
          keys.push([node as Record<string, unknown>, key])
          walk((node as Record<string, unknown>)[key])
        }
      }
      const message: unknown = JSON.parse(text)
      walk(message)
      const [parent, key] = keys[place % keys.length]
      parent[key] = value
      return JSON.stringify(message)
    })
  fc.assert(
    fc.property(fc.constantFrom(...venues), fc.oneof(fc.string(), fc.json(), cut, mistyped), (venue, text) => {
      for (const reading of venue.reader(pairsOn(venue, markets)).read(text)) {
        if (reading.kind === 'book' || reading.kind === 'last') assert.ok(Number.isSafeInteger(reading.price) && reading.price > 0)
      }
    }),
    { numRuns: 1_000 },
  )
})

test('a level2 book keeps its best prices through any changes', () => {
  const level = fc.tuple(fc.constantFrom('buy', 'sell'), fc.integer({ min: 1, max: 30 }).map(String), fc.constantFrom('0', '0.0', '1.5'))
  fc.assert(
    fc.property(fc.array(level), (changes) => {
      const bids = new Set<number>()
      const asks = new Set<number>()
      const real = new CoinbaseBook([], [])
      for (const change of changes) {
        real.change([change])
        const side = change[0] === 'buy' ? bids : asks
        if (Number(change[2]) > 0) side.add(Number(change[1]))
        else side.delete(Number(change[1]))
        const bid = Math.max(...bids)
        const ask = Math.min(...asks)
        const expected = bids.size > 0 && asks.size > 0 && bid <= ask ? ((bid + ask) / 2) * 100_000_000 : undefined
        assert.equal(real.price, expected)
      }
    }),
  )
})

const recordings = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))
const without = existsSync(recordings) ? {} : { skip: 'recorded frames (../shared/data) are not here' }

test('recorded Binance frames: every quote and trade is parsed and lies near the market price', without, async () => {
  const reader = binance.reader([btc])
  const seen = { book: 0, last: 0, alive: 0 }
  let lowest = Number.MAX_SAFE_INTEGER
  let highest = 0
  for await (const frame of frames(`${recordings}spot_btcusdt_20240808.gz`)) {
    for (const reading of reader.read(frame.text)) {
      if (reading.kind !== 'book' && reading.kind !== 'last' && reading.kind !== 'alive') assert.fail(`${reading.kind} in ${frame.text}`)
      seen[reading.kind] += 1
      if (reading.kind === 'alive') continue
      lowest = Math.min(lowest, reading.price)
      highest = Math.max(highest, reading.price)
    }
  }
  assert.deepEqual(seen, { book: 28_040, last: 9_757, alive: 3_451 })
  assert.ok(lowest > 61_000_00000000 && highest < 62_500_00000000, `${lowest} to ${highest}`)
})

test('recorded Coinbase frames: books followed level by level agree with the recorded ticker', without, async () => {
  const pairs = ['SKL-USD', 'BAND-GBP', 'BAND-BTC', 'DASH-BTC', 'NU-GBP'].map((name) => ({
    base: name.split('-')[0],
    quote: name.split('-')[1],
  }))
  const reader = coinbase.reader(pairs)
  const books = new Map<string, number>()
  let updates = 0
  let compared = 0
  for await (const frame of frames(`${recordings}cryptofeed.COINBASE.ws.28.0.gz`)) {
    for (const reading of reader.read(frame.text)) {
      if (reading.kind !== 'book' && reading.kind !== 'last') continue
      const name = `${reading.pair.base}-${reading.pair.quote}`
      if (reading.kind === 'book') {
        updates += 1
        books.set(name, reading.price)
      } else if (books.has(name)) {
        compared += 1
        const off = Math.abs(reading.price / (books.get(name) ?? 1) - 1)
        assert.ok(off < 0.02, `${name}: ${reading.price} beside ${books.get(name)}`)
      }
    }
  }
  assert.ok(updates > 5_000, `${updates} updates`)
  assert.ok(compared > 20, `${compared} compared`)
})
