import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'node:test'
import { createClient } from '@candor/client/client.ts'
import { openDepth, type Depth } from '@candor/client/socket/depth.ts'
import { openQuotes } from '@candor/client/socket/quotes.ts'
import { openStream } from '@candor/client/socket/stream.ts'
import type { WssData } from '@candor/core/protocol/wire/market.ts'
import { startExchange } from '@candor/server/main/test/exchange.ts'
import { startBots } from './runner.ts'

async function until<T>(what: string, ask: () => Promise<T | false | undefined>, limitMs = 120_000): Promise<T> {
  const end = Date.now() + limitMs
  for (;;) {
    const value = await ask()
    if (value !== false && value !== undefined) return value
    if (Date.now() > end) throw new Error(`${what} did not come in time`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const stock = {
  USDT: '2000000',
  BTC: '40',
  ETH: '900',
  BNB: '3000',
  SOL: '12000',
  XRP: '900000',
  TRX: '5000000',
  DOGE: '5000000',
  ADA: '2400000',
  AVAX: '60000',
  LINK: '120000',
  DOT: '300000',
  LTC: '20000',
}

test('BOTS-RUN-006: on the real exchange every market gets a book around its index and trades, an order of a customer is filled, and the client follows all of it', {
  timeout: 400_000,
}, async () => {
  await using exchange = await startExchange({ seed: 'bots' })
  const one = await exchange.user({ funds: stock, class: 'maker', isCertified: true })
  const two = await exchange.user({ funds: stock, class: 'maker', isCertified: true })
  const customer = await exchange.user({ funds: { USDT: '5000' } })
  const client = createClient({ baseUrl: exchange.url })
  const sockets = exchange.url.replace('http', 'ws')
  const stream = openStream({ url: `${sockets}/app/v1/stream` })
  const data: WssData[] = []
  const quotes = openQuotes({ url: `${sockets}/wss`, onData: (each) => data.push(each) })
  let local: Depth | undefined
  let trades = 0
  const depth = openDepth({
    stream,
    symbol: 'ETHUSDT',
    snapshot: () => client.market.depth('ETHUSDT', { limit: 1_000 }),
    onChange: (book) => (local = book),
  })
  stream.subscribe('ethusdt@trade', () => (trades += 1))
  const bots = await startBots({ baseUrl: exchange.url, credentials: [one, two], seed: 'bots', log: () => undefined })
  try {
    // Where the processor is busy, the bots follow the index later.
    const isNear = (price: string, index: string | undefined): boolean => Math.abs(Number(price) / Number(index) - 1) < 0.003
    const tickers = await until('a book around the index on every market', async () => {
      const all = await client.market.tickers()
      return all.every(({ bid, ask, index }) => Number(bid) > 0 && Number(ask) > 0 && isNear(bid, index) && isNear(ask, index)) && all
    })
    assert.equal(tickers.length, 26)
    for (const { symbol, bid, ask } of tickers) assert.ok(Number(bid) < Number(ask), symbol)
    const book = await until('twelve levels a side', async () => {
      const now = await client.market.depth('ETHUSDT', { limit: 50 })
      return now.bids.length >= 12 && now.asks.length >= 12 && now
    })
    assert.ok(book.update > 0)

    const placed = (
      await customer.call('POST', '/spot/orders', { clientId: 'c1', symbol: 'ETHUSDT', side: 'buy', type: 'market', spend: '100' })
    ).body
    assert.equal(placed.order.status, 'filled')
    const index = Number((await client.market.tickers()).find((ticker) => ticker.symbol === 'ETHUSDT')?.index)
    assert.ok(Math.abs(Number(placed.order.average) / index - 1) < 0.01)

    const perp = await customer.call('POST', '/perp/orders', {
      clientId: 'c2',
      symbol: 'ETHUSDTPERP',
      side: 'buy',
      type: 'market',
      quantity: '0.05',
    })
    assert.equal(perp.body.code, 'NOT_CERTIFIED')
    await customer.call('POST', '/sandbox/certify')
    await customer.call('POST', '/transfer', { clientId: 't', asset: 'USDT', from: 'spot', to: 'perp', amount: '1000' })
    const order = { clientId: 'c3', symbol: 'ETHUSDTPERP', side: 'buy', type: 'market', quantity: '0.05' }
    const opened = (await customer.call('POST', '/perp/orders', order)).body
    assert.equal(opened.order.status, 'filled')
    assert.ok(Math.abs(Number(opened.order.average) / index - 1) < 0.01)

    await until('trades of the bots', async () => trades >= 4)
    const seen = await client.market.trades('ETHUSDT', { limit: 50 })
    assert.ok(seen.length >= 4)
    assert.ok(Number((await client.market.volume()).h24) > 0)
    assert.ok((await client.market.candles('ETHUSDT', { interval: '1m', limit: 10 })).candles.length > 0)
    assert.ok(data.some((each) => (each.list?.length ?? 0) > 0))
    await until('the local book to be the exchange’s', async () => {
      const whole = await client.market.depth('ETHUSDT', { limit: 1_000 })
      if (local?.update !== whole.update) return false
      assert.deepEqual({ bids: local.bids, asks: local.asks }, { bids: whole.bids, asks: whole.asks })
      return true
    })
  } finally {
    depth.close()
    stream.close()
    quotes.close()
    await bots[Symbol.asyncDispose]()
  }
  for (const user of [one, two]) {
    for (const desk of ['spot', 'perp']) assert.deepEqual((await user.call('GET', `/${desk}/orders/open`)).body, { orders: [] })
  }
})

const recorded = fileURLToPath(new URL('../../../shared/data/spot_btcusdt_20240808.gz', import.meta.url))
const without = existsSync(recorded) ? {} : { skip: 'recorded frames (../shared/data) are not here' }
test('FEEDS-MODE-007: the exchange runs on a recording: its market has the recorded price, and the others follow', {
  ...without,
  timeout: 200_000,
}, async () => {
  await using exchange = await startExchange({ seed: '1', feed: `replay:${recorded}` })
  const client = createClient({ baseUrl: exchange.url })
  const tickers = await until('all indices', async () => {
    const all = await client.market.tickers()
    return all.every((ticker) => Number(ticker.index) > 0) && all
  })
  const index = Number(tickers.find((ticker) => ticker.symbol === 'BTCUSDT')?.index)
  assert.ok(index > 61_000 && index < 62_500, String(index))
  const cross = tickers.find((ticker) => ticker.symbol === 'ETHBTC')
  const eth = tickers.find((ticker) => ticker.symbol === 'ETHUSDT')
  assert.ok(Math.abs(Number(eth?.index) / index / Number(cross?.index) - 1) < 0.01)
  const { feed } = await client.market.config()
  assert.equal(feed.mode, 'replay')
  assert.ok(feed.venues.some((venue) => venue.name === 'binance' && venue.isUp))
})
