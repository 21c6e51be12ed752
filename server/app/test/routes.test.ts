import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { indexOf, logIn, request, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { awayFromMidnight } from '../../main/test/midnight.ts'

let exchange: TestExchange
let alice: TestUser
let bob: TestUser
/** Index of BTCUSDT, in whole dollars. */
let index = 0

before(async () => {
  // Profits and practice funds count by UTC day.
  await awayFromMidnight()
  exchange = await startExchange({ seed: 'routes' })
  alice = await exchange.user({ funds: { USDT: '1000000' } })
  bob = await exchange.user({ funds: { BTC: '10', USDT: '1000' }, class: 'bench' })
  index = Math.floor(await indexOf(exchange.url))
})
after(() => exchange[Symbol.asyncDispose]())

const limit = (side: 'buy' | 'sell', price: number, quantity: string, more: object = {}) => ({
  clientId: randomUUID(),
  symbol: 'BTCUSDT',
  side,
  type: 'limit',
  price: String(price),
  quantity,
  ...more,
})

test('GATEWAY-SPOT-001: an order just placed is listed as open at once, and after its cancellation is in the history at once', async () => {
  const price = index - 5_000
  const placed = await alice.call('POST', '/spot/orders', limit('buy', price, '0.01'))
  assert.equal(placed.status, 200)
  assert.equal(placed.body.order.status, 'open')
  const { id } = placed.body.order
  const open = await alice.call('GET', '/spot/orders/open?symbol=BTCUSDT')
  assert.deepEqual(open.body.orders, [placed.body.order])
  const cancelled = await alice.call('DELETE', `/spot/orders/${id}?symbol=BTCUSDT`)
  assert.equal(cancelled.body.status, 'cancelled')
  const history = await alice.call('GET', '/spot/orders/history?limit=1')
  assert.deepEqual(history.body.items, [cancelled.body])
  const one = await alice.call('GET', `/spot/orders/${id}`)
  assert.deepEqual(one.body, { order: cancelled.body, fills: [] })
})

test('GATEWAY-SPOT-002: the same client id with the same body gives the same order, with another body a refusal', async () => {
  const body = limit('buy', index - 5_000, '0.01')
  const first = await alice.call('POST', '/spot/orders', body)
  const again = await alice.call('POST', '/spot/orders', body)
  assert.deepEqual(again.body.order, first.body.order)
  assert.equal(again.body.isRepeat, true)
  const other = await alice.call('POST', '/spot/orders', { ...body, quantity: '0.02' })
  assert.equal(other.status, 409)
  assert.equal(other.body.code, 'CLIENT_ID_REUSED')
  const races = await Promise.all(
    Array.from({ length: 50 }, () => alice.call('POST', '/spot/orders', limit('buy', index - 5_000, '0.01', { clientId: 'race' }))),
  )
  assert.equal(new Set(races.map((race) => race.body.order.id)).size, 1)
  await alice.call('DELETE', '/spot/orders')
})

test('GATEWAY-SPOT-003: a trade is in the fills, records and balances of both sides at once', async () => {
  const price = index - 10
  const maker = await alice.call('POST', '/spot/orders', limit('buy', price, '0.05'))
  const taker = await bob.call('POST', '/spot/orders', {
    clientId: 'take',
    symbol: 'BTCUSDT',
    side: 'sell',
    type: 'market',
    quantity: '0.02',
  })
  assert.equal(taker.body.order.status, 'filled')
  assert.equal(taker.body.fills.length, 1)
  const fills = await alice.call('GET', '/spot/fills')
  assert.equal(fills.body.items[0].orderId, maker.body.order.id)
  assert.equal(fills.body.items[0].role, 'maker')
  assert.deepEqual((await bob.call('GET', `/spot/fills?orderId=${taker.body.order.id}`)).body.items, taker.body.fills)
  const again = await bob.call('POST', '/spot/orders', {
    clientId: 'take',
    symbol: 'BTCUSDT',
    side: 'sell',
    type: 'market',
    quantity: '0.02',
  })
  assert.deepEqual(again.body, { ...taker.body, isRepeat: true })
  const records = await bob.call('GET', '/records?type=trade')
  assert.equal(records.body.items.length, 2)
  const balances = await alice.call('GET', '/balances')
  const btc = balances.body.accounts[0].balances.find((one: { asset: string }) => one.asset === 'BTC')
  assert.equal(btc.available, '0.01998')
  assert.equal(typeof balances.body.todayProfitUsdt, 'string')
  const { body } = await request(exchange.url, 'GET', '/markets/BTCUSDT/trades')
  assert.equal(body.trades[0].price, maker.body.order.price)
  const volume = await request(exchange.url, 'GET', '/volume')
  assert.equal(volume.body.h24, taker.body.fills[0].quote)
  const amended = await alice.call('PATCH', `/spot/orders/${maker.body.order.id}`, {
    clientId: 'less',
    symbol: 'BTCUSDT',
    quantity: '0.03',
  })
  assert.equal(amended.body.order.quantity, '0.03000')
  assert.equal(amended.body.order.status, 'partially-filled')
  assert.equal((await alice.call('DELETE', '/spot/orders')).body.cancelled, 1)
})

test('GATEWAY-SPOT-004: the answer has both legs of an OCO, and one cancels the other', async () => {
  const body = {
    clientId: 'oco',
    symbol: 'BTCUSDT',
    side: 'sell',
    quantity: '0.01',
    limitPrice: String(index + 500),
    stopPrice: String(index - 500),
  }
  const placed = await bob.call('POST', '/spot/orders/oco', body)
  assert.equal(placed.status, 200, JSON.stringify(placed.body))
  assert.deepEqual(placed.body.orders.map((order: { status: string }) => order.status).sort(), ['open', 'pending'])
  const again = await bob.call('POST', '/spot/orders/oco', body)
  assert.equal(again.body.isRepeat, true)
  assert.equal(again.body.orders.length, 2)
  await bob.call('DELETE', `/spot/orders/${placed.body.orders[0].id}?symbol=BTCUSDT`)
  assert.deepEqual((await bob.call('GET', '/spot/orders/open')).body.orders, [])
  const late = await bob.call('POST', '/spot/orders/oco', body)
  assert.equal(late.body.isRepeat, true, JSON.stringify(late.body))
  assert.equal(late.body.listId, placed.body.listId)
  assert.deepEqual(
    late.body.orders.map(({ id, status }: { id: string; status: string }) => [id, status]),
    placed.body.orders.map(({ id }: { id: string }) => [id, 'cancelled']),
  )
})

test('GATEWAY-SPOT-004: the number of the list cancels both legs and answers with one of them', async () => {
  const body = {
    clientId: 'oco-by-list',
    symbol: 'BTCUSDT',
    side: 'sell',
    quantity: '0.01',
    limitPrice: String(index + 500),
    stopPrice: String(index - 500),
  }
  const { listId, orders } = (await bob.call('POST', '/spot/orders/oco', body)).body
  const cancelled = await bob.call('DELETE', `/spot/orders/${listId}?symbol=BTCUSDT`)
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body))
  assert.equal(cancelled.body.listId, listId)
  assert.ok(orders.some(({ id }: { id: string }) => id === cancelled.body.id))
  assert.equal(cancelled.body.status, 'cancelled')
  assert.deepEqual((await bob.call('GET', '/spot/orders/open')).body.orders, [])
})

test('GATEWAY-FAUCET-001: the faucet gives no more than its daily amount, however many requests come at once', async () => {
  const carol = await exchange.user({ class: 'bench' })
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => carol.call('POST', '/sandbox/faucet', { clientId: `f${i}`, asset: 'ETH' })),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 5)
  assert.ok(answers.every(({ status, body }) => status === 200 || (status === 429 && body.code === 'FAUCET_LIMIT' && body.retryAfter > 0)))
  const { body } = await carol.call('GET', '/balances')
  assert.deepEqual(body.accounts[0].balances, [{ asset: 'ETH', available: '15', held: '0' }])
  assert.equal((await carol.call('GET', '/records?type=faucet')).body.items.length, 5)
})

test('GATEWAY-AUTHZ-001: nobody can read or change another user’s data', async () => {
  const placed = await alice.call('POST', '/spot/orders', limit('buy', index - 5_000, '0.01'))
  const { id } = placed.body.order
  const { body: mine } = await alice.call('GET', '/auth/sessions')
  const attempts: [string, string, unknown?][] = [
    ['GET', `/spot/orders/${id}`],
    ['DELETE', `/spot/orders/${id}?symbol=BTCUSDT`],
    ['PATCH', `/spot/orders/${id}`, { clientId: 'idor', symbol: 'BTCUSDT', quantity: '0.005' }],
    ['DELETE', `/auth/sessions/${mine.sessions[0].id}`],
  ]
  for (const [method, path, body] of attempts) {
    const answer = await bob.call(method, path, body)
    assert.equal(answer.status, 404, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  }
  for (const path of [
    '/spot/orders/open',
    '/spot/orders/history',
    '/records',
    '/balances',
    `/spot/fills?orderId=${id}`,
    '/me',
    '/auth/sessions',
  ]) {
    const text = JSON.stringify((await bob.call('GET', path)).body)
    for (const secret of [`"id":"${id}"`, alice.uid, alice.email, mine.sessions[0].id]) assert.equal(text.includes(secret), false, path)
  }
  assert.equal((await alice.call('GET', `/spot/orders/${id}`)).body.order.status, 'open')
  await alice.call('DELETE', '/spot/orders')
})

test('GATEWAY-AUTHZ-002: without a session no data of a user can be reached, and an ended session ends at once', async () => {
  const document = (await (await fetch(`${exchange.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { security?: unknown }>>
  }
  let closed = 0
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { security }] of Object.entries(methods)) {
      if (!security) continue
      closed++
      const answer = await request(exchange.url, method.toUpperCase(), path.slice('/app/v1'.length).replace(/\{[a-z]+\}/, '1'))
      assert.equal(answer.body.code, 'UNAUTHENTICATED', `${method} ${path}`)
    }
  }
  assert.ok(closed >= 15)
  const cookie = await logIn(exchange.url, bob.email, bob.password)
  assert.equal((await request(exchange.url, 'GET', '/me', undefined, cookie)).status, 200)
  assert.equal((await request(exchange.url, 'POST', '/auth/logout', undefined, cookie)).status, 204)
  assert.equal((await request(exchange.url, 'GET', '/me', undefined, cookie)).status, 401)
})

test('GATEWAY-LIMITS-001: a customer who sends too many requests is told how long to wait; others do not notice', async () => {
  const dave = await exchange.user()
  let limited: Awaited<ReturnType<typeof dave.call>>[] = []
  // More than once where the machine is so busy that the allowance keeps up with the requests.
  while (limited.length === 0) {
    const answers = await Promise.all(Array.from({ length: 300 }, () => dave.call('GET', '/spot/orders/open')))
    limited = answers.filter(({ status }) => status === 429)
  }
  assert.equal(limited[0]!.body.code, 'RATE_LIMITED')
  assert.ok(Number(limited[0]!.headers.get('retry-after')) >= 1)
  assert.equal((await alice.call('GET', '/spot/orders/open')).status, 200)
})

test('every answer fits its own schema and carries the headers of data', async () => {
  const config = await request(exchange.url, 'GET', '/config')
  assert.equal(config.body.markets.length, 26)
  assert.equal(config.headers.get('cache-control'), 'no-store')
  assert.match(config.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.equal(config.headers.get('x-content-type-options'), 'nosniff')
})

test('GATEWAY-COMPRESS-001: lists of markets are compressed as the client accepts, personal answers never are', async () => {
  const read = async (path: string, accepted: string, cookie = '') => {
    const headers = { 'accept-encoding': accepted, ...(cookie === '' ? {} : { cookie }) }
    const asked = get(`${exchange.url}/app/v1${path}`, { headers })
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    const bytes = Buffer.concat(await answer.toArray())
    const { 'content-encoding': encoding, 'content-length': length, vary } = answer.headers
    if (length !== undefined) assert.equal(Number(length), bytes.length)
    return { encoding, vary, bytes }
  }
  const plain = await read('/config', 'identity')
  assert.equal(plain.encoding, undefined)
  assert.equal(plain.vary, 'accept-encoding')
  const { markets } = JSON.parse(plain.bytes.toString())
  const brotli = await read('/config', 'gzip, deflate, br')
  assert.equal(brotli.encoding, 'br')
  assert.ok(brotli.bytes.length < plain.bytes.length / 4)
  assert.deepEqual(JSON.parse(brotliDecompressSync(brotli.bytes).toString()).markets, markets)
  const gzipped = await read('/config', 'br;q=0, gzip')
  assert.equal(gzipped.encoding, 'gzip')
  assert.deepEqual(JSON.parse(gunzipSync(gzipped.bytes).toString()).markets, markets)
  const own = await read('/spot/orders/history', 'gzip, br', alice.cookie)
  assert.ok(own.bytes.length > 1_400)
  assert.equal(own.encoding, undefined)
})

test('documents, health and metrics load nothing from other servers', async () => {
  const page = await fetch(`${exchange.url}/docs`)
  assert.equal(page.status, 200)
  assert.doesNotMatch(await page.text(), /https?:\/\//)
  assert.match(page.headers.get('content-security-policy') ?? '', /connect-src 'self'/)
  // A busy machine may have delayed the prices for a moment; health recovers by itself.
  let health = ''
  for (let attempt = 0; attempt < 150 && health !== 'ok'; attempt += 1) {
    health = ((await (await fetch(`${exchange.url}/healthz`)).json()) as { status: string }).status
    if (health !== 'ok') await new Promise((resolve) => setTimeout(resolve, 200))
  }
  assert.equal(health, 'ok')
  assert.match(await (await fetch(`${exchange.url}/metrics`)).text(), /candor_http_requests_total/)
})
