import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { ed25519Key, hmacKey, Socket, until } from './socket.ts'

let exchange: TestExchange
let alice: TestUser
before(async () => {
  exchange = await startExchange({ seed: 'ws-api', hasFeeds: false, settings: { trustedProxies: ['127.0.0.1'] } })
  const prices = [{ market: 1, price: 6e12, sources: 4, isGood: true }]
  await exchange.link.submit(commandOf({ type: 'index.tick', prices }))
  alice = await exchange.user({ funds: { USDT: '100000' }, isCertified: true, class: 'bench' })
})
after(() => exchange[Symbol.asyncDispose]())

const get = async (path: string): Promise<any> => (await fetch(exchange.url + path)).json()

test('API-WS-001: market data is answered as over HTTP, with the request’s id of any type', async () => {
  using socket = await Socket.open(exchange, '/ws-api/v3')
  assert.deepEqual(await socket.done('ping'), {})
  assert.ok(Math.abs((await socket.done('time')).serverTime - Date.now()) < 5_000)
  assert.deepEqual(await socket.done('depth', { symbol: 'BTCUSDT', limit: 5 }), await get('/api/v3/depth?symbol=BTCUSDT&limit=5'))
  assert.deepEqual(
    (await socket.done('exchangeInfo', { symbols: ['BTCUSDT', 'ETHUSDT'] })).symbols,
    (await get('/api/v3/exchangeInfo?symbols=["BTCUSDT","ETHUSDT"]')).symbols,
  )
  assert.equal((await socket.done('v3/ticker.price', { symbol: 'BTCUSDT' })).symbol, 'BTCUSDT')
  for (const id of [7, null, 'text', '7', -1.5]) {
    socket.received.length = 0
    socket.send({ id, method: 'ping' })
    assert.deepEqual((await socket.find(() => true)).id, id)
  }
  using futures = await Socket.open(exchange, '/ws-fapi/v1')
  const { lastUpdateId, bids } = await futures.done('depth', { symbol: 'BTCUSDT', limit: '5' })
  const { lastUpdateId: update, bids: levels } = await get('/fapi/v1/depth?symbol=BTCUSDT&limit=5')
  assert.deepEqual([lastUpdateId, bids], [update, levels])
  assert.ok('time' in (await futures.done('ticker.price', { symbol: 'BTCUSDT' })))
})

test('API-WS-002: an error is answered with status, code and sentence, and the socket stays open', async () => {
  using socket = await Socket.open(exchange, '/ws-api/v3')
  const refused = async (answer: Promise<any>, status: number, code: number, msg?: string) => {
    const { status: said, error } = await answer
    assert.deepEqual([said, error.code], [status, code], JSON.stringify(error))
    if (msg) assert.equal(error.msg, msg)
  }
  await refused(socket.ask('depth', { symbol: 'NOPE' }), 400, -1121, 'Invalid symbol.')
  await refused(socket.ask('depth'), 400, -1102, "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed.")
  await refused(socket.ask('depth', { symbol: 'BTCUSDT', nothing: 1 }), 400, -1104)
  await refused(socket.ask('no.such.method'), 400, -5000, 'Method no.such.method is invalid')
  await refused(socket.ask('order.place', { symbol: 'BTCUSDT' }), 401, -2014, 'API-key format invalid.')
  await refused(socket.ask('account.rateLimits.orders', { apiKey: 'x'.repeat(64) }), 401, -2015)
  for (const [bad, code] of [
    ['{', -1135],
    ['[]', -1135],
    ['"x"', -1135],
    ['{"id":{},"method":"ping"}', -1100],
    ['{"id":1}', -1102],
    ['{"id":1,"method":"ping","params":[]}', -1100],
    ['{"id":"\\u0000","method":"ping"}', -1135],
  ] as const) {
    socket.received.length = 0
    socket.send(bad)
    const { status, error } = await socket.find(() => true)
    assert.deepEqual([status, error.code], [400, code], bad)
  }
  socket.ws.send(Buffer.from('{"id":1,"method":"ping"}'))
  assert.equal((await socket.find(({ error }) => error?.code === -1135)).id, null)
  assert.deepEqual(await socket.done('ping'), {})
})

test('API-WS-002: any unexpected value in a request fails that request alone', async () => {
  using socket = await Socket.open(exchange, '/ws-api/v3')
  for (const odd of [{ toString: 1, valueOf: 1 }, [], { '': {} }, 0]) {
    assert.deepEqual(await socket.done('ping', { returnRateLimits: odd }), {})
    for (const name of ['symbol', 'apiKey', 'timestamp', 'signature', '__proto__', 'constructor']) {
      const id = `odd ${name} ${JSON.stringify(odd)}`
      const method = name === 'symbol' ? 'depth' : 'order.place'
      socket.send(`{"id":${JSON.stringify(id)},"method":"${method}","params":{"${name}":${JSON.stringify(odd)}}}`)
      const { status, error } = await socket.find((message) => message.id === id)
      assert.ok(status === 400 || status === 401, `${id}: ${JSON.stringify(error)}`)
    }
  }
  const deep = '['.repeat(20_000) + ']'.repeat(20_000)
  for (const name of ['returnRateLimits', 'symbol', 'timestamp']) {
    socket.received.length = 0
    socket.send(`{"id":1,"method":"depth","params":{"${name}":${deep}}}`)
    assert.equal((await socket.find(() => true)).error.code, -1135)
  }
  assert.deepEqual(await socket.done('ping'), {})
})

test('API-WS-003: many requests in flight are each answered once', async () => {
  using socket = await Socket.open(exchange, '/ws-api/v3?returnRateLimits=false')
  const ids = Array.from({ length: 2_000 }, (_, n) => n)
  for (const id of ids)
    socket.send({ id, method: id % 2 === 0 ? 'ticker.price' : 'time', params: id % 2 === 0 ? { symbol: 'BTCUSDT' } : {} })
  await until(() => socket.received.length >= ids.length, 'all answers')
  assert.deepEqual(
    socket.received.map(({ id }) => id).sort((a, b) => a - b),
    ids,
  )
  assert.ok(socket.received.every(({ status, rateLimits }) => status === 200 && rateLimits === undefined))
})

test('API-WS-004: each answer has the weight that its address has used, unless the client asks for none', async () => {
  using socket = await Socket.open(exchange, '/ws-api/v3')
  const first = await socket.ask('ping')
  assert.deepEqual(Object.keys(first.rateLimits[0]), ['rateLimitType', 'interval', 'intervalNum', 'limit', 'count'])
  assert.deepEqual([first.rateLimits[0].rateLimitType, first.rateLimits[0].limit], ['REQUEST_WEIGHT', 6_000])
  const before = (await socket.ask('ping')).rateLimits[0].count
  const after = (await socket.ask('depth', { symbol: 'BTCUSDT', limit: 1_000 })).rateLimits[0].count
  assert.ok(after - before >= 50 || after < before, `${before} and ${after}`)
  assert.equal((await socket.ask('ping', { returnRateLimits: false })).rateLimits, undefined)
  using quiet = await Socket.open(exchange, '/ws-api/v3?returnRateLimits=false')
  assert.equal((await quiet.ask('ping')).rateLimits, undefined)
  assert.ok((await quiet.ask('ping', { returnRateLimits: true })).rateLimits)
})

test('API-WS-005: above the limit the answer is 429 with the time to wait; an address that continues is banned from every socket and path', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.77' }
  using socket = await Socket.open(exchange, '/ws-api/v3', headers)
  // Close to the end of a minute, the count would start again in the middle of the test.
  if (Date.now() % 60_000 > 50_000) await new Promise((done) => setTimeout(done, 60_500 - (Date.now() % 60_000)))
  for (let i = 0; i < 90; i++) socket.send({ id: i, method: 'ticker.24hr' })
  const { status, error } = await socket.find((message) => message.status === 429)
  assert.deepEqual([status, error.code], [429, -1003])
  assert.ok(error.data.retryAfter > error.data.serverTime)
  for (let i = 0; i < 90; i++) socket.send({ id: 100 + i, method: 'ping' })
  assert.equal((await socket.find((message) => message.status === 418)).error.code, -1003)
  assert.equal(await socket.closed, 1008)
  for (const path of ['/ws-api/v3', '/ws', '/stream', '/fstream/ws']) {
    await assert.rejects(Socket.open(exchange, path, headers), /418/)
    using other = await Socket.open(exchange, path, { 'x-forwarded-for': '198.51.100.78' })
    assert.equal(other.ws.readyState, 1)
  }
})

test('API-WS-006: signed requests act for their owner; numbers may be sent as numbers or text', async () => {
  using socket = await Socket.open(exchange, '/ws-api/v3')
  const key = await hmacKey(alice)
  const limits = await socket.done('account.rateLimits.orders', key.sign({}))
  assert.deepEqual(
    limits.map(({ rateLimitType }: any) => rateLimitType),
    ['ORDERS', 'ORDERS'],
  )
  assert.ok(await socket.done('account.rateLimits.orders', key.sign({ recvWindow: 5_000.5 })))
  assert.ok(await socket.done('account.rateLimits.orders', key.sign({ recvWindow: '5000' })))
  const wrong = { ...key.sign({}), recvWindow: 7_000 }
  assert.equal((await socket.ask('account.rateLimits.orders', wrong)).error.code, -1022)
  const late = { ...key.sign({}), timestamp: Date.now() - 60_000 }
  assert.equal((await socket.ask('account.rateLimits.orders', late)).error.code, -1021)
})

test('API-WS-007: a session is opened with an Ed25519 key; requests in it need no signature', async () => {
  using socket = await Socket.open(exchange, '/ws-api/v3')
  const plain = await hmacKey(alice)
  const refused = await socket.ask('session.logon', plain.sign({}))
  assert.deepEqual([refused.status, refused.error.code], [401, -4056])
  const key = await ed25519Key(alice)
  const now = () => ({ timestamp: Date.now() })
  assert.equal((await socket.ask('account.rateLimits.orders', now())).error.code, -2014)
  const status = await socket.done('session.logon', key.sign({}))
  assert.equal(status.apiKey, key.key)
  assert.ok(status.authorizedSince >= status.connectedSince)
  assert.ok(await socket.done('account.rateLimits.orders', now()))
  assert.equal((await socket.ask('account.rateLimits.orders', {})).error.code, -1102)
  assert.equal((await socket.ask('account.rateLimits.orders', { timestamp: Date.now() - 60_000 })).error.code, -1021)
  assert.ok(await socket.done('account.rateLimits.orders', plain.sign({})), 'another key may be named')
  assert.equal((await socket.done('session.status')).apiKey, key.key)
  assert.equal((await socket.done('session.logout')).apiKey, null)
  assert.equal((await socket.ask('account.rateLimits.orders', now())).error.code, -2014)
})

test('API-WS-007: a session has only its key’s permissions: with a read-only key it changes nothing', async () => {
  using socket = await Socket.open(exchange, '/ws-api/v3')
  const [reads, trades] = [await ed25519Key(alice, ['read']), await ed25519Key(alice)]
  const now = (params: object) => ({ ...params, timestamp: Date.now() })
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.001', price: '59000' }
  await socket.done('session.logon', trades.sign({}))
  const { orderId } = await socket.done('order.place', now(order))
  const open = () => socket.done('openOrders.status', now({ symbol: 'BTCUSDT' }))
  const before = await open()
  assert.equal(before.length, 1)
  await socket.done('session.logon', reads.sign({}))
  const changes = [
    ['order.place', order],
    ['order.amend.keepPriority', { symbol: 'BTCUSDT', orderId, newQty: '0.0005' }],
    ['order.cancel', { symbol: 'BTCUSDT', orderId }],
    ['openOrders.cancelAll', { symbol: 'BTCUSDT' }],
  ] as const
  for (const [method, params] of changes) {
    const { status, error } = await socket.ask(method, now(params))
    assert.deepEqual([status, error.code], [401, -2015], method)
  }
  assert.deepEqual(await open(), before)
  using futures = await Socket.open(exchange, '/ws-fapi/v1')
  await futures.done('session.logon', reads.sign({}))
  const { status, error } = await futures.ask('order.place', now(order))
  assert.deepEqual([status, error.code], [401, -2015])
  assert.ok(await futures.done('account.balance', now({})))
  await socket.done('session.logon', trades.sign({}))
  assert.equal((await socket.done('order.cancel', now({ symbol: 'BTCUSDT', orderId }))).status, 'CANCELED')
})

test('API-WS-008: a session ends with its key, or when the key no longer permits its address', async () => {
  using socket = await Socket.open(exchange, '/ws-api/v3')
  const key = await ed25519Key(alice)
  const isLoggedOn = async () => (await socket.done('session.status')).apiKey === key.key
  await socket.done('session.logon', key.sign({}))
  assert.equal((await alice.call('PATCH', `/keys/${key.id}`, { ips: ['192.0.2.1'] })).status, 200)
  assert.equal(await isLoggedOn(), false)
  await alice.call('PATCH', `/keys/${key.id}`, { ips: [], password: alice.password })
  await socket.done('session.logon', key.sign({}))
  assert.equal(await isLoggedOn(), true)
  assert.equal((await alice.call('DELETE', `/keys/${key.id}`)).status, 204)
  assert.equal(await isLoggedOn(), false)
  assert.equal((await socket.ask('session.logon', key.sign({}))).error.code, -2015)
})
