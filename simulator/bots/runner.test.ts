import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '@candor/client/test/loopback.ts'
import { startBots, type BotsOptions } from './runner.ts'
import { levels } from './terms.ts'
import { startFakeExchange, type FakeExchange } from './test/fake-exchange.ts'

const credentials: BotsOptions['credentials'] = [
  { email: 'one@bots', password: 'p' },
  { email: 'two@bots', password: 'p' },
]
const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT']

const options = (exchange: FakeExchange): BotsOptions => ({
  baseUrl: exchange.url,
  credentials,
  seed: '1',
  log: () => undefined,
  everyMs: 50,
})
const isQuoted = (exchange: FakeExchange): boolean => symbols.every((symbol) => exchange.orders(symbol).length === 2 * levels)

// The tests run in parallel, because each waits for limits of two commands per second.
describe('bots', { concurrency: 5 }, () => {
  test('BOTS-RUN-001: the bots build all quotes of a market within the limits, with money from the faucet, and cancel all of them at the end', async () => {
    await using exchange = await startFakeExchange()
    const bots = await startBots(options(exchange))
    try {
      await until(() => isQuoted(exchange), 120_000)
      for (const symbol of symbols) {
        const orders = exchange.orders(symbol)
        const bids = orders.filter((order) => order.side === 'buy').map((order) => Number(order.price))
        const asks = orders.filter((order) => order.side === 'sell').map((order) => Number(order.price))
        assert.equal(bids.length, levels)
        assert.ok(Math.max(...bids) < Math.min(...asks))
        assert.ok(Math.abs(Math.max(...bids) / (exchange.index.get(symbol) ?? 1) - 1) < 0.001)
        assert.equal(new Set(orders.map((order) => (order as unknown as { user: string }).user)).size, 1, 'one user quotes a market')
      }
      const quoted = exchange.sent.length
      const commands = exchange.sent.filter((each) => each.kind !== 'faucet')
      for (const { at, symbol } of commands) {
        // Counted since the start, because a busy machine may deliver several seconds' commands at once.
        const own = commands.filter((each) => each.symbol === symbol && each.at <= at)
        const seconds = (at - (own[0]?.at ?? at)) / 1000
        assert.ok(own.length <= 2 * (seconds + 1) + 1, `${own.length} commands for ${symbol} in ${seconds} s`)
      }
      assert.ok(exchange.sent.some((each) => each.kind === 'faucet'))
      exchange.index.set('BTCUSDT', 100_010)
      await until(() => exchange.sent.slice(quoted).filter((each) => each.kind === 'amend').length === 2, 120_000)
      await new Promise((resolve) => setTimeout(resolve, 1_200))
      assert.deepEqual(
        exchange.sent
          .slice(quoted)
          .filter((each) => each.kind === 'amend' || each.kind === 'place' || each.kind === 'cancel')
          .map((each) => `${each.kind} ${each.symbol}`),
        ['amend BTCUSDT', 'amend BTCUSDT'],
        'one rung costs two commands, and the other markets none',
      )
    } finally {
      await bots[Symbol.asyncDispose]()
    }
    assert.equal(exchange.orders().length, 0)
    const after = exchange.requests.length
    await new Promise((resolve) => setTimeout(resolve, 200))
    assert.equal(exchange.requests.length, after, 'and nothing is sent any more')
  })

  test('BOTS-RUN-002: open orders from an earlier run are used or cancelled', async () => {
    await using exchange = await startFakeExchange()
    exchange.put('one@bots', { id: 'stray-1', symbol: 'BTCUSDT', price: '50000.0', quantity: '0.5' })
    exchange.put('two@bots', { id: 'stray-2', symbol: 'BTCUSDT', price: '40000.0', quantity: '0.5' })
    exchange.put('one@bots', { id: 'stray-3', symbol: 'GONEUSDT' })
    exchange.put('one@bots', { id: 'stray-4', symbol: 'BTCUSDT', status: 'pending' })
    await using _bots = await startBots(options(exchange))
    await until(() => isQuoted(exchange), 120_000)
    assert.ok(!exchange.orders().some((order) => ['stray-2', 'stray-3', 'stray-4'].includes(order.id)))
  })

  test('BOTS-RUN-003: the bots pause for as long as a busy exchange asks, and longer each time', async () => {
    await using exchange = await startFakeExchange()
    await using _bots = await startBots(options(exchange))
    await until(() => exchange.orders().length > 4, 120_000)
    exchange.mood = { status: 429, code: 'RATE_LIMITED', retryAfter: 1 }
    const from = exchange.requests.length
    await until(() => exchange.requests.length > from)
    await new Promise((resolve) => setTimeout(resolve, 150))
    const during = exchange.requests.length
    await new Promise((resolve) => setTimeout(resolve, 600))
    assert.equal(exchange.requests.length, during, 'silent for the second it was asked for')
    exchange.mood = { status: 503, code: 'UNAVAILABLE' }
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    const late = exchange.requests.filter((each) => each.at > performance.now() - 1_500).length
    assert.ok(late <= 6, `${late} requests in the last 1.5 s of an outage`)
    exchange.mood = 'well'
    await until(() => isQuoted(exchange), 120_000)
  })

  test('BOTS-RUN-004: the bots log in again after a restart that lost their sessions', async () => {
    await using exchange = await startFakeExchange()
    await using _bots = await startBots(options(exchange))
    await until(() => exchange.orders().length > 4, 120_000)
    exchange.restart()
    const sent = exchange.sent.length
    await until(() => exchange.sent.length > sent + 4, 120_000)
    const logins = exchange.requests.filter((each) => each.path === '/auth/login').length
    assert.ok(logins >= 4 && logins <= 8, `${logins} logins`)
  })

  test('BOTS-RUN-005: the bots wait for an exchange that does not answer yet', async () => {
    await using exchange = await startFakeExchange()
    exchange.mood = { status: 503, code: 'UNAVAILABLE' }
    setTimeout(() => (exchange.mood = 'well'), 400)
    await using bots = await startBots(options(exchange))
    await until(() => bots.commands > 3, 120_000)
  })
})
