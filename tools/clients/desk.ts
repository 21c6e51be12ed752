/**
 * A whole exchange on loopback for clients written for another exchange, with a counter-account that quotes its markets through the
 * app's API. Index prices are constant, so that results can be compared with fixed figures.
 */
import { randomUUID } from 'node:crypto'
import { test as plainTest } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { loadClient } from './packages.ts'

/** USDT per coin; constant. */
const indexPrices: Readonly<Record<string, number>> = {
  ...{ BTCUSDT: 60_000, ETHUSDT: 3_000, BNBUSDT: 600, SOLUSDT: 150, XRPUSDT: 0.5, TRXUSDT: 0.12, DOGEUSDT: 0.15, ADAUSDT: 0.45 },
  ...{ AVAXUSDT: 30, LINKUSDT: 15, DOTUSDT: 6, LTCUSDT: 80, ETHBTC: 0.05, SOLBTC: 0.0025 },
}

export type Side = 'buy' | 'sell'
export type Trader = { readonly user: TestUser; readonly key: string; readonly secret: string }

export type Desk = AsyncDisposable & {
  readonly exchange: TestExchange
  readonly url: string
  /** Base address of sockets, such as ws://127.0.0.1:40123 */
  readonly wsUrl: string
  readonly maker: TestUser
  /** A verified user with funds and an HMAC key that may trade, or has the given `scopes`. */
  trader(funds?: Readonly<Record<string, string>>, scopes?: readonly string[], ips?: readonly string[]): Promise<Trader>
  /** Places an order of the counter-account; symbols that end in `PERP` are futures. Returns its id, for cancelling. */
  quote(symbol: string, side: Side, price: string, quantity: string): Promise<string>
  /** Cancels all orders of the counter-account. */
  clear(): Promise<void>
  /** Sets the index of a market, in its quote. */
  index(symbol: string, price: number): Promise<void>
}

/** `hasChains`: with test chains, for deposits and withdrawals. */
export async function startDesk({ hasChains = false }: { readonly hasChains?: boolean } = {}): Promise<Desk> {
  await using parts = new AsyncDisposableStack()
  const exchange = parts.use(await startExchange({ hasFeeds: false, hasChains }))
  const { markets } = await exchange.link.ask.listing()
  const prices = new Map(Object.entries(indexPrices))
  const tick = async (): Promise<void> => {
    const told = [...prices].map(([symbol, price]) => {
      const { id } = markets.find((one) => one.symbol === symbol)!
      return { market: id, price: Math.round(price * 1e8), sources: 4, isGood: true }
    })
    const { refusal } = await exchange.link.submit(commandOf({ type: 'index.tick', prices: told }))
    if (refusal) throw new Error(`index: ${refusal}`)
  }
  await tick()
  const clock = setInterval(() => void tick().catch(() => undefined), 500)
  parts.defer(() => clearInterval(clock))

  const plenty = { USDT: '9000000', BTC: '100', ETH: '1000', SOL: '10000', XRP: '1000000', BNB: '1000' }
  const maker = await exchange.user({ class: 'maker', isCertified: true, funds: plenty })
  await done(maker, 'POST', '/transfer', { clientId: randomUUID(), asset: 'USDT', from: 'spot', to: 'perp', amount: '2000000' })
  const owned = parts.move()
  return {
    exchange,
    url: exchange.url,
    wsUrl: exchange.url.replace(/^http/, 'ws'),
    maker,
    async trader(funds = { USDT: '100000', BTC: '2', ETH: '20' }, scopes = ['read', 'trade'], ips = []) {
      const user = await exchange.user({ isCertified: true, funds })
      const { key, secret } = await done(user, 'POST', '/keys', { label: 'client', scopes, ips, password: user.password })
      return { user, key: key.key, secret }
    },
    async quote(symbol, side, price, quantity) {
      const path = symbol.endsWith('PERP') ? '/perp/orders' : '/spot/orders'
      const { order } = await done(maker, 'POST', path, { clientId: randomUUID(), symbol, side, type: 'limit', price, quantity })
      return order.id
    },
    async clear() {
      await done(maker, 'DELETE', '/spot/orders')
      await done(maker, 'DELETE', '/perp/orders')
    },
    async index(symbol, price) {
      prices.set(symbol, price)
      await tick()
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function done(user: TestUser, method: string, path: string, body?: object): Promise<any> {
  const answer = await user.call(method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

/**
 * The ccxt client's classes for Binance. Only their addresses are changed, as docs/api.md describes. Close the client at the end.
 */
export async function ccxtOf(desk: Pick<Desk, 'url' | 'wsUrl'>, trader?: Trader, options: object = {}): Promise<any> {
  const { default: ccxt } = await loadClient('ccxt')
  const client = new ccxt.pro.binance({
    ...(trader ? { apiKey: trader.key, secret: trader.secret } : {}),
    enableRateLimit: false,
    // The window is wide for busy machines; stale timestamps have tests of their own.
    options: { fetchMarkets: { types: ['spot', 'linear'] }, recvWindow: 60_000, ...options },
  })
  const { url, wsUrl } = desk
  Object.assign(client.urls.api, {
    ...{ public: `${url}/api/v3`, private: `${url}/api/v3`, v1: `${url}/api/v1` },
    ...{ sapi: `${url}/sapi/v1`, sapiV2: `${url}/sapi/v2`, sapiV3: `${url}/sapi/v3`, sapiV4: `${url}/sapi/v4` },
    ...{ fapiPublic: `${url}/fapi/v1`, fapiPublicV2: `${url}/fapi/v2`, fapiPublicV3: `${url}/fapi/v3` },
    ...{ fapiPrivate: `${url}/fapi/v1`, fapiPrivateV2: `${url}/fapi/v2`, fapiPrivateV3: `${url}/fapi/v3` },
    ...{ fapiData: `${url}/futures/data`, dapiPublic: `${url}/dapi/v1`, dapiPrivate: `${url}/dapi/v1`, dapiPrivateV2: `${url}/dapi/v2` },
  })
  Object.assign(client.urls.api.ws, {
    ...{ spot: `${wsUrl}/stream`, margin: `${wsUrl}/stream`, future: `${wsUrl}/fstream/ws` },
    'ws-api': { spot: `${wsUrl}/ws-api/v3`, future: `${wsUrl}/ws-fapi/v1` },
  })
  // In Node, ccxt needs this for plain ws:// addresses.
  await client.loadHttpProxyAgent()
  return client
}

/** Waits for a result that comes with delay, such as a projection or an event. throws  Error after ten seconds */
export async function until<T>(what: string, look: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  const end = Date.now() + 10_000
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`${what} did not come within ten seconds`)
    await sleep(20)
  }
}

/** A test with a time limit, so that it fails instead of waiting forever for an answer. */
export function test(name: string, body: () => unknown): void {
  void plainTest(name, { timeout: 60_000 }, async () => {
    await body()
  })
}
