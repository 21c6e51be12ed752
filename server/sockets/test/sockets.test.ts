import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawData, WebSocket } from 'ws'
import { indexOf, request, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'

let exchange: TestExchange
let alice: TestUser
let bob: TestUser
let index: number

before(async () => {
  exchange = await startExchange({ seed: 'sockets', patience: { wssSilentMs: 1_000 } })
  alice = await exchange.user({ funds: { USDT: '1000000' }, class: 'bench' })
  bob = await exchange.user({ funds: { BTC: '10' }, class: 'bench' })
  index = Math.floor(await indexOf(exchange.url))
})
after(() => exchange[Symbol.asyncDispose]())

class Client {
  readonly ws: WebSocket
  readonly received: any[] = []

  constructor(path: string, cookie?: string) {
    this.ws = new WebSocket(exchange.url.replace('http', 'ws') + path, cookie ? { headers: { cookie } } : {})
    this.ws.on('message', (data: RawData) => this.received.push(JSON.parse(String(data))))
  }

  static async open(path: string, cookie?: string): Promise<Client> {
    const client = new Client(path, cookie)
    await new Promise((done, fail) => client.ws.once('open', done).once('error', fail))
    if (path === '/wss') {
      const beat = setInterval(() => client.send({ type: 'PING' }), 200)
      client.ws.on('close', () => clearInterval(beat))
    }
    return client
  }

  send(message: object): void {
    this.ws.send(JSON.stringify(message))
  }

  /** The first message, past or within the next half minute, that fits. */
  async find(fits: (message: any) => boolean): Promise<any> {
    for (const end = Date.now() + 30_000; Date.now() < end; await sleep(10)) {
      const found = this.received.find(fits)
      if (found) return found
    }
    throw new Error(`no such message among ${JSON.stringify(this.received).slice(0, 2_000)}`)
  }

  [Symbol.dispose](): void {
    this.ws.terminate()
  }
}

async function trade(quantity: string, price = index - 10): Promise<void> {
  const order = { symbol: 'BTCUSDT', type: 'limit', price: String(price), quantity }
  const maker = await alice.call('POST', '/spot/orders', { ...order, clientId: randomUUID(), side: 'buy' })
  const taker = await bob.call('POST', '/spot/orders', { ...order, clientId: randomUUID(), side: 'sell' })
  assert.equal(taker.body.order?.status, 'filled', JSON.stringify([maker.body, taker.body]))
}

test('GATEWAY-WSS-001: pair 0 without a period gives the quotes of all pairs at once, and then those that change', async () => {
  using client = await Client.open('/wss')
  client.send({ action: 'Subscribe', params: { tradingPairsId: 0, period: '' } })
  const first = await client.find(({ data }) => data?.list)
  assert.equal(first.code, 200)
  assert.equal(first.data.list.length, 26)
  assert.deepEqual(Object.keys(first.data.list[0]), [
    'tradingPairsId',
    'symbol',
    'price',
    'open',
    'high',
    'low',
    'volume',
    'change',
    'time',
  ])
  assert.equal(first.data.kline, undefined)
  await trade('0.01')
  const next = await client.find(({ data }) => data?.list?.some((one: any) => one.symbol === 'BTCUSDT' && one.volume === '0.01'))
  assert.ok(next.data.list.length <= 26)
})

test('GATEWAY-WSS-002: a pair and a period give its candles as well, history first and then each change', async () => {
  using client = await Client.open('/wss')
  client.send({ action: 'Subscribe', params: { tradingPairsId: 0, period: '' } })
  client.send({ action: 'Subscribe', params: { tradingPairsId: 1, period: '1m' } })
  await trade('0.01')
  const kline = await client.find(({ data }) => data?.kline?.rows.length > 0)
  assert.equal(kline.data.kline.tradingPairsId, 1)
  assert.equal(kline.data.kline.period, '1m')
  assert.equal(kline.data.kline.rows[0].length, 6)
  await client.find(({ data }) => data?.list?.length === 26)
})

test('GATEWAY-WSS-003: a client that sends no PING is closed; PING is answered with fresh quotes', async () => {
  using silent = new Client('/wss')
  using lively = await Client.open('/wss')
  lively.send({ action: 'Subscribe', params: { tradingPairsId: 2, period: '' } })
  const code = await new Promise((done) => silent.ws.on('close', done))
  assert.equal(code, 1000)
  assert.equal(lively.ws.readyState, 1)
  const before = lively.received.length
  await lively.find((message) => lively.received.indexOf(message) >= before)
})

test('GATEWAY-WSS-004: however often a client asks, it gets a few answers a second, the last one for its last request', async () => {
  using client = new Client('/wss')
  await new Promise((done, fail) => client.ws.once('open', done).once('error', fail))
  const began = performance.now()
  const seconds = (): number => Math.ceil((performance.now() - began) / 1_000)
  const lists = () => client.received.filter(({ data }) => data?.list).length
  client.send({ action: 'Subscribe', params: { tradingPairsId: 0, period: '' } })
  for (let i = 0; i < 80; i++) client.send({ type: 'PING' })
  client.send({ action: 'Subscribe', params: { tradingPairsId: 999_999, period: '' } })
  await client.find(({ code }) => code === 400)
  // Further messages have only changes; in this test nothing changes but the index.
  const whole = client.received.filter(({ data }) => data?.list?.length === 26).length
  assert.ok(whole <= 1 + 2 * seconds(), `${whole} answers`)
  for (let i = 0; i < 90; i++) client.send({ action: 'Subscribe', params: { tradingPairsId: 1 + (i % 3), period: '' } })
  client.send({ action: 'Subscribe', params: { tradingPairsId: 5, period: '' } })
  await client.find(({ data }) => data?.list?.length === 1 && data.list[0].tradingPairsId === 5)
  assert.ok(lists() <= 40 + 30 * seconds(), `${lists()} answers`)
})

test('GATEWAY-STREAM-001: public streams carry trades, candles, depth and best prices in the format that clients know', async () => {
  const names = ['trade', 'aggTrade', 'kline_1m', 'kline_2h', 'miniTicker', 'ticker', 'bookTicker', 'depth', 'depth5', 'depth10@100ms'].map(
    (kind) => `btcusdt@${kind}`,
  )
  using raw = await Client.open(`/ws/${names.join('/')}`)
  using combined = await Client.open(`/stream?streams=${names.join('/')}`)
  using other = await Client.open('/stream/0')
  other.send({ method: 'SUBSCRIBE', params: ['btcusdt@trade'], id: 1 })
  assert.deepEqual(await other.find(({ id }) => id === 1), { result: null, id: 1 })
  await trade('0.02')
  const told = await raw.find(({ e }) => e === 'trade')
  assert.deepEqual(Object.keys(told), ['e', 'E', 's', 't', 'p', 'q', 'T', 'm', 'M'])
  assert.equal(told.m, true)
  for (const e of ['aggTrade', 'kline', '24hrMiniTicker', '24hrTicker', 'depthUpdate']) await raw.find((message) => message.e === e)
  await raw.find((message) => message.lastUpdateId > 0)
  for (const stream of names) await combined.find((message) => message.stream === stream)
  assert.deepEqual((await other.find(({ stream }) => stream === 'btcusdt@trade')).data, told)
  other.send({ method: 'UNSUBSCRIBE', params: ['btcusdt@trade'], id: 2 })
  await other.find(({ id }) => id === 2)
  const count = other.received.length
  await trade('0.01')
  await sleep(250)
  assert.equal(other.received.length, count)
})

test('GATEWAY-STREAM-002: depth changes continue a snapshot without a gap and end at the same book', async () => {
  using client = await Client.open('/app/v1/stream')
  client.send({ method: 'SUBSCRIBE', params: ['ethusdt@depth@100ms', 'ethusdt@depth'], id: 1 })
  await client.find(({ id }) => id === 1)
  const eth = Math.floor(await indexOf(exchange.url, 'ETHUSDT'))
  const place = (i: number) =>
    alice.call('POST', '/spot/orders', {
      clientId: randomUUID(),
      symbol: 'ETHUSDT',
      side: 'buy',
      type: 'limit',
      price: String(eth - 20 - (i % 7)),
      quantity: '0.1',
    })
  await place(0)
  const snapshot = (await request(exchange.url, 'GET', '/markets/ETHUSDT/depth?limit=1000')).body
  for (let i = 1; i < 30; i++) {
    await place(i)
    await sleep(10)
  }
  const end = (await request(exchange.url, 'GET', '/markets/ETHUSDT/depth?limit=1000')).body
  const counts: number[] = []
  for (const name of ['ethusdt@depth@100ms', 'ethusdt@depth']) {
    await client.find(({ stream, data }) => stream === name && data.u >= end.update)
    const bids = new Map<string, string>(snapshot.bids)
    let update = snapshot.update
    const changes = client.received.filter(({ stream }) => stream === name)
    counts.push(changes.length)
    for (const { data } of changes) {
      if (data.u <= update) continue
      assert.ok(data.U <= update + 1, `gap: ${update} → ${data.U}`)
      update = data.u
      for (const [price, quantity] of data.b) {
        if (Number(quantity) === 0) bids.delete(price)
        else bids.set(price, quantity)
      }
    }
    assert.equal(update, end.update)
    assert.deepEqual([...bids].sort(), [...end.bids].sort())
  }
  assert.ok((counts[0] as number) > (counts[1] as number), `without a speed it is told once a second: ${counts.join(' and ')}`)
})

test('GATEWAY-STREAM-005: one stream has the day of every spot market that traded, and candles have takers’ volumes', async () => {
  using client = await Client.open('/ws/!miniTicker@arr/btcusdt@kline_1d')
  using combined = await Client.open('/stream?streams=!miniTicker@arr')
  await trade('0.03')
  const days = await client.find((message) => Array.isArray(message))
  assert.deepEqual(Object.keys(days[0]), ['e', 'E', 's', 'c', 'o', 'h', 'l', 'v', 'q'])
  assert.deepEqual(
    days.map(({ s }: any) => s),
    ['BTCUSDT'],
  )
  assert.deepEqual((await combined.find(({ stream }) => stream === '!miniTicker@arr')).data.length, 1)
  const { k } = await client.find(({ e }) => e === 'kline')
  assert.deepEqual([Number(k.V), Number(k.Q)], [0, 0], 'only sellers were takers so far')
  const order = { symbol: 'BTCUSDT', type: 'limit', price: String(index), quantity: '0.02' }
  const maker = await bob.call('POST', '/spot/orders', { ...order, clientId: randomUUID(), side: 'sell' })
  assert.equal(maker.status, 200, JSON.stringify(maker.body))
  await alice.call('POST', '/spot/orders', { ...order, clientId: randomUUID(), side: 'buy' })
  const bought = await client.find((message) => message.e === 'kline' && Number(message.k.V) > 0)
  assert.deepEqual([bought.k.V, bought.k.Q], ['0.02000', String((index * 2) / 100)])
})

test('GATEWAY-STREAM-003: a user gets messages about their own orders, fills and balances, and about nobody else’s', async () => {
  using mine = await Client.open('/app/v1/stream', alice.cookie)
  using his = await Client.open('/app/v1/stream', bob.cookie)
  using visitor = await Client.open('/app/v1/stream')
  for (const client of [mine, his]) client.send({ method: 'SUBSCRIBE', params: ['user'], id: 1 })
  visitor.send({ method: 'SUBSCRIBE', params: ['user'], id: 1 })
  assert.ok((await visitor.find(({ id }) => id === 1)).error)
  await Promise.all([mine.find(({ id }) => id === 1), his.find(({ id }) => id === 1)])
  const placed = await alice.call('POST', '/spot/orders', {
    clientId: 'mine',
    symbol: 'LTCUSDT',
    side: 'buy',
    type: 'limit',
    price: '50',
    quantity: '1',
  })
  if (placed.status !== 200) assert.equal(placed.body.code, 'PRICE_OUTSIDE_BAND')
  await trade('0.03')
  const fill = await mine.find(({ data }) => data?.e === 'fill' && data.fill.quantity === '0.03000')
  assert.equal(fill.data.fill.role, 'maker')
  assert.equal((await his.find(({ data }) => data?.e === 'fill')).data.fill.role, 'taker')
  const order = await mine.find(({ data }) => data?.e === 'order' && data.order.status === 'filled')
  assert.equal(order.data.order.executed, '0.03000')
  assert.equal((await mine.find(({ data }) => data?.e === 'balance' && data.balance.asset === 'BTC')).data.account, 'spot')
  assert.equal(
    mine.received.some(({ data }) => data?.fill?.role === 'taker'),
    false,
  )
  assert.deepEqual(
    visitor.received.filter(({ stream }) => stream),
    [],
  )
})

test('GATEWAY-STREAM-004: the sockets of a session end with it', async () => {
  const carol = await exchange.user()
  const client = await Client.open('/app/v1/stream', carol.cookie)
  client.send({ method: 'SUBSCRIBE', params: ['user'], id: 1 })
  await client.find(({ id }) => id === 1)
  const closed = new Promise((done) => client.ws.on('close', done))
  await carol.call('POST', '/auth/logout')
  assert.equal(await closed, 4001)
  assert.equal(client.received.at(-1).data.e, 'ended')
})

test('GATEWAY-SOCKET-004: a client that sends more bytes than messages need is closed with 1008', async () => {
  for (const path of ['/wss', '/ws', '/app/v1/stream']) {
    using client = await Client.open(path)
    const closed = new Promise<number>((done) => client.ws.once('close', done))
    for (let i = 0; i < 5; i++) client.send({ action: 'x'.repeat(63_000) })
    const code = await Promise.race([closed, sleep(30_000, 0, { ref: false })])
    assert.equal(code, 1008, path)
  }
})
