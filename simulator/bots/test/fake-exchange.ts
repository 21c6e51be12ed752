import type { IncomingMessage, ServerResponse } from 'node:http'
import { startLoopback, type Loopback } from '@candor/client/test/loopback.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireAmend, WireOrder, WirePlaceOrder } from '@candor/core/protocol/wire/spot.ts'

export type Sent = {
  readonly at: number
  readonly user: string
  readonly kind: 'place' | 'trade' | 'amend' | 'cancel' | 'cancelAll' | 'faucet'
  readonly symbol: string
}
/** Answer to every request except the login: as usual, or this status and code. */
export type Mood = 'well' | { readonly status: number; readonly code: string; readonly retryAfter?: number }

export type FakeExchange = AsyncDisposable & {
  readonly url: string
  readonly sent: Sent[]
  readonly requests: { readonly at: number; readonly path: string }[]
  readonly index: Map<string, number>
  mood: Mood
  /** Forgets sessions and keeps orders, as a restart does. */
  restart(): void
  orders(symbol?: string): WireOrder[]
  put(user: string, order: Partial<WireOrder> & { readonly id: string; readonly symbol: string }): void
}

const market = (id: number, symbol: string, base: string, tick: string, lot: string): WireMarket => ({
  id,
  symbol,
  base,
  quote: 'USDT',
  tick,
  lot,
  priceDigits: 2,
  quantityDigits: 5,
  notionalMin: '5',
  quantityMin: lot,
  quantityMax: '900000',
  bandPpm: 200_000,
  slippagePpm: 50_000,
  openOrdersMax: 200,
  makerFeePpm: 1_000,
  takerFeePpm: 1_000,
  isTrading: true,
  kind: 'spot',
  hasMargin: true,
  hasOption: true,
})

/** Accepts and keeps orders; nothing ever trades. Tests read from it what the bots send, when, and after which answers. */
export async function startFakeExchange(): Promise<FakeExchange> {
  const markets = [
    market(1, 'BTCUSDT', 'BTC', '0.1', '0.00001'),
    market(2, 'ETHUSDT', 'ETH', '0.01', '0.0001'),
    market(3, 'SOLUSDT', 'SOL', '0.01', '0.001'),
  ]
  const index = new Map([
    ['BTCUSDT', 100_000],
    ['ETHUSDT', 2_500],
    ['SOLUSDT', 150],
  ])
  const sessions = new Map<string, string>()
  const orders = new Map<string, WireOrder & { user: string }>()
  const held = new Map<string, number>()
  let counter = 0

  const handle = (request: IncomingMessage, body: string, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://x')
    const path = url.pathname.replace('/app/v1', '')
    const at = performance.now()
    fake.requests.push({ at, path })
    const answer = (status: number, content: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(content))
    }
    const refuse = (status: number, code: string, retryAfter?: number): void =>
      answer(status, { code, message: code, requestId: 'r', ...(retryAfter === undefined ? {} : { retryAfter }) })
    if (fake.mood !== 'well') return refuse(fake.mood.status, fake.mood.code, fake.mood.retryAfter)
    if (path === '/auth/login') {
      const session = `s${++counter}`
      sessions.set(session, (JSON.parse(body) as { to: string }).to)
      return answer(200, {}, { 'set-cookie': `sid=${session}` })
    }
    if (path === '/config') return answer(200, { markets })
    if (path === '/tickers') return answer(200, { tickers: [...index].map(([symbol, value]) => ({ symbol, index: String(value) })) })
    const user = sessions.get(/sid=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? '')
    if (user === undefined) return refuse(401, 'UNAUTHENTICATED')
    const note = (kind: Sent['kind'], symbol: string): void => void fake.sent.push({ at, user, kind, symbol })
    const own = (): (WireOrder & { user: string })[] => [...orders.values()].filter((order) => order.user === user)

    if (path === '/spot/orders/open') return answer(200, { orders: own() })
    if (path === '/balances') {
      const coins = ['USDT', 'BTC', 'ETH', 'SOL'].map((asset) => ({
        asset,
        available: String(held.get(`${user} ${asset}`) ?? 0),
        held: '0',
      }))
      return answer(200, { accounts: [{ kind: 'spot', balances: coins }], totalUsdt: '0', todayProfitUsdt: null })
    }
    if (path === '/sandbox/faucet') {
      const { asset } = JSON.parse(body) as { asset: string }
      note('faucet', asset)
      held.set(`${user} ${asset}`, 1_000_000)
      return answer(200, { asset, amount: '1000000' })
    }
    if (path === '/spot/orders' && request.method === 'POST') {
      const placed = JSON.parse(body) as WirePlaceOrder
      note(placed.type === 'market' ? 'trade' : 'place', placed.symbol)
      const order = {
        ...placed,
        id: String(++counter),
        user,
        timeInForce: 'GTC',
        status: placed.type === 'market' ? 'filled' : 'open',
        executed: '0',
        executedQuote: '0',
        postOnly: true,
        placedAt: 1,
        updatedAt: 1,
      } as unknown as WireOrder & { user: string }
      if (placed.type === 'limit') orders.set(order.id, order)
      return answer(200, { order, fills: [], isRepeat: false })
    }
    if (path === '/spot/orders') {
      note('cancelAll', '')
      for (const order of own()) orders.delete(order.id)
      return answer(200, { cancelled: 1 })
    }
    const order = orders.get(path.replace('/spot/orders/', ''))
    if (request.method === 'PATCH') {
      const amended = JSON.parse(body) as WireAmend
      note('amend', amended.symbol)
      if (order === undefined) return refuse(404, 'ORDER_UNKNOWN')
      orders.set(order.id, { ...order, price: amended.price ?? order.price ?? '', quantity: amended.quantity ?? order.quantity ?? '' })
      return answer(200, { order: orders.get(order.id), fills: [], isRepeat: false })
    }
    if (request.method === 'DELETE') {
      note('cancel', url.searchParams.get('symbol') ?? '')
      if (order === undefined) return refuse(404, 'ORDER_UNKNOWN')
      orders.delete(order.id)
      return answer(200, { ...order, status: 'cancelled' })
    }
    return refuse(404, 'NOT_FOUND')
  }

  const loopback: Loopback = await startLoopback({ request: handle, socket: () => undefined })
  const fake: FakeExchange = {
    url: loopback.url,
    sent: [],
    requests: [],
    index,
    mood: 'well',
    restart() {
      sessions.clear()
      for (const socket of loopback.sockets) socket.terminate()
    },
    orders: (symbol) => [...orders.values()].filter((order) => symbol === undefined || order.symbol === symbol),
    put(user, order) {
      orders.set(order.id, {
        clientId: 'x',
        side: 'buy',
        type: 'limit',
        timeInForce: 'GTC',
        status: 'open',
        price: '1',
        quantity: '1',
        executed: '0',
        executedQuote: '0',
        postOnly: false,
        placedAt: 1,
        updatedAt: 1,
        ...order,
        user,
      })
    },
    [Symbol.asyncDispose]: () => loopback[Symbol.asyncDispose](),
  }
  return fake
}
