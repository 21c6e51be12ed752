import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { type Program, programOf } from '../../test/program.ts'
import { ed25519Key, hmacKey, type Key, Socket, until } from './socket.ts'

let exchange: TestExchange
let alice: TestUser
let bob: TestUser
let a: Program
let b: Program
before(async () => {
  exchange = await startExchange({ seed: 'user-data', hasFeeds: false })
  const prices = [1, 2].map((market) => ({ market, price: market === 1 ? 6e12 : 3e11, sources: 4, isGood: true }))
  await exchange.link.submit(commandOf({ type: 'index.tick', prices }))
  alice = await exchange.user({ funds: { USDT: '1000000', BTC: '1' }, isCertified: true, class: 'bench' })
  bob = await exchange.user({ funds: { BTC: '10', USDT: '100000' }, isCertified: true, class: 'bench' })
  a = await programOf(exchange.url, alice)
  b = await programOf(exchange.url, bob)
})
after(() => exchange[Symbol.asyncDispose]())

const limit = (side: 'BUY' | 'SELL', price: string, quantity: string, more: object = {}) => ({
  ...{ symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'GTC', price, quantity },
  ...more,
})
const byKey = async (program: Program, method: string, path: string, query = ''): Promise<any> => {
  const response = await fetch(`${exchange.url}${path}${query}`, { method, headers: { 'X-MBX-APIKEY': program.key } })
  return { status: response.status, body: await response.json() }
}

async function subscribed(user: TestUser): Promise<{ socket: Socket; key: Key }> {
  const socket = await Socket.open(exchange, '/ws-api/v3')
  const key = await hmacKey(user)
  assert.deepEqual(await socket.done('userDataStream.subscribe.signature', key.sign({})), { subscriptionId: 0 })
  return { socket, key }
}

const kinds = (events: readonly any[]) => events.map(({ e, x, X }) => (x === undefined ? e : `${x} ${X}`))

test('API-USER-001: the reports of an order come in the order of its events, followed by the account’s balances', async () => {
  const { socket } = await subscribed(alice)
  using _ = socket
  const placed = await a.done('POST', '/api/v3/order', limit('BUY', '59000', '0.02', { newClientOrderId: 'mine-1' }))
  await b.done('POST', '/api/v3/order', limit('SELL', '59000', '0.005'))
  await b.done('POST', '/api/v3/order', limit('SELL', '59000', '0.015'))
  await until(() => socket.events.length >= 6, 'six events')
  assert.deepEqual(kinds(socket.events), [
    ...['NEW NEW', 'outboundAccountPosition'],
    ...['TRADE PARTIALLY_FILLED', 'outboundAccountPosition'],
    ...['TRADE FILLED', 'outboundAccountPosition'],
  ])
  assert.ok(socket.received.slice(1).every(({ subscriptionId }) => subscriptionId === 0))
  const [begun, , part, , whole, held] = socket.events
  assert.deepEqual(
    [begun.s, begun.c, begun.S, begun.o, begun.f, begun.q, begun.p, begun.i, begun.w, begun.t, begun.N, begun.C],
    ['BTCUSDT', 'mine-1', 'BUY', 'LIMIT', 'GTC', '0.02000', '59000.0', placed.orderId, true, -1, null, ''],
  )
  assert.deepEqual([part.l, part.z, part.L, part.N, part.m, part.w], ['0.00500', '0.00500', '59000.0', 'BTC', true, true])
  assert.deepEqual([whole.l, whole.z, whole.Z, whole.w], ['0.01500', '0.02000', '1180', false])
  assert.ok(whole.t > part.t && whole.I > part.I && Number(whole.n) > 0)
  const { balances } = await a.done('GET', '/api/v3/account')
  for (const { a: asset, f, l } of held.B) {
    const balance = balances.find((one: any) => one.asset === asset)
    assert.deepEqual([Number(f), Number(l)], [Number(balance.free), Number(balance.locked)], asset)
  }
})

test('API-USER-002: fills, expiry, cancels, amendments and triggers of an order are each reported', async () => {
  const { socket } = await subscribed(alice)
  using _ = socket
  const reports = () => socket.events.filter(({ e }) => e === 'executionReport')
  const since = async (count: number) => {
    await until(() => reports().length >= count, `${count} reports of ${JSON.stringify(socket.events)}`)
    return reports().splice(0)
  }
  await b.done('POST', '/api/v3/order', limit('SELL', '60500', '0.01'))
  await a.done('POST', '/api/v3/order', {
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'IOC',
    price: '60500',
    quantity: '0.03',
  })
  assert.deepEqual(kinds(await since(3)), ['NEW NEW', 'TRADE PARTIALLY_FILLED', 'EXPIRED EXPIRED'])
  assert.equal(reports()[1].m, false)

  const { orderId } = await a.done('POST', '/api/v3/order', limit('BUY', '58000', '0.02', { newClientOrderId: 'to-cancel' }))
  await a.done('PUT', '/api/v3/order/amend/keepPriority', { symbol: 'BTCUSDT', orderId, newQty: '0.01' })
  await a.done('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', orderId, newClientOrderId: 'the-cancel' })
  const cancelled = (await since(6)).slice(3)
  assert.deepEqual(kinds(cancelled), ['NEW NEW', 'REPLACED NEW', 'CANCELED CANCELED'])
  assert.deepEqual([cancelled[1].q, cancelled[2].c, cancelled[2].C], ['0.01000', 'the-cancel', 'to-cancel'])

  const stop = {
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'STOP_LOSS_LIMIT',
    timeInForce: 'GTC',
    quantity: '0.01',
    price: '61000',
    stopPrice: '60900',
  }
  await a.done('POST', '/api/v3/order', stop)
  await b.done('POST', '/api/v3/order', limit('SELL', '60900', '0.002'))
  await a.done('POST', '/api/v3/order', limit('BUY', '60900', '0.002'))
  const woken = (await since(10)).slice(6)
  const own = woken.filter(({ o }) => o === 'STOP_LOSS_LIMIT')
  assert.deepEqual(kinds(own), ['NEW NEW', 'NEW NEW'])
  assert.deepEqual([own[0].w, own[0].W, own[1].w, own[1].P], [false, undefined, true, '60900.0'])
  assert.deepEqual(kinds(woken.filter(({ o }) => o === 'LIMIT')), ['NEW NEW', 'TRADE FILLED'])
  await a.done('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
})

test('API-SPOT-017: self-trade prevention is reported for both orders, with the end of the one that has nothing left', async () => {
  const { socket } = await subscribed(alice)
  using _ = socket
  const maker = await a.done('POST', '/api/v3/order', limit('SELL', '62000', '0.02'))
  const decrement = { selfTradePreventionMode: 'DECREMENT' }
  const first = await a.done('POST', '/api/v3/order', limit('BUY', '62000', '0.005', decrement))
  const second = await a.done('POST', '/api/v3/order', limit('BUY', '62000', '0.02', decrement))
  await a.done('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', orderId: second.orderId })
  const kept = await a.done('POST', '/api/v3/order', limit('SELL', '62000', '0.01'))
  const expired = await a.done('POST', '/api/v3/order', limit('BUY', '62000', '0.01'))
  await socket.find(({ event }) => event?.i === expired.orderId && event.x === 'TRADE_PREVENTION')
  const told = socket.events.filter(({ e, x }) => e === 'executionReport' && x === 'TRADE_PREVENTION')
  assert.deepEqual(
    told.map(({ i, X, A, B, U, pL, w, l, t }) => [i, X, A, B, U, pL, w, l, t]),
    [
      [maker.orderId, 'NEW', '0.00500', '0.00500', first.orderId, '62000.0', true, '0.00000', -1],
      [first.orderId, 'EXPIRED_IN_MATCH', '0.00500', '0.00500', maker.orderId, '62000.0', false, '0.00000', -1],
      [maker.orderId, 'EXPIRED_IN_MATCH', '0.02000', '0.01500', second.orderId, '62000.0', false, '0.00000', -1],
      [second.orderId, 'NEW', '0.01500', '0.01500', maker.orderId, '62000.0', true, '0.00000', -1],
      [expired.orderId, 'EXPIRED_IN_MATCH', '0.01000', '0.01000', kept.orderId, '62000.0', false, '0.00000', -1],
    ],
  )
  await a.done('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
})

test('API-SPOT-018: reports of an order have its strategy', async () => {
  const { socket } = await subscribed(alice)
  using _ = socket
  const { orderId } = await a.done('POST', '/api/v3/order', limit('SELL', '62000', '0.02', { strategyId: 3, strategyType: 1_000_000 }))
  await a.done('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', orderId })
  await socket.find(({ event }) => event?.x === 'CANCELED' && event.i === orderId)
  const reports = socket.events.filter(({ i }) => i === orderId)
  assert.deepEqual(
    reports.map(({ x, j, J }) => [x, j, J]),
    [
      ['NEW', 3, 1_000_000],
      ['CANCELED', 3, 1_000_000],
    ],
  )
})

test('API-USER-003: a list is reported when it begins and when its last leg has ended', async () => {
  const { socket } = await subscribed(alice)
  using _ = socket
  const list = {
    symbol: 'BTCUSDT',
    side: 'SELL',
    quantity: '0.01',
    aboveType: 'LIMIT_MAKER',
    abovePrice: '63000',
    belowType: 'STOP_LOSS',
    belowStopPrice: '57000',
  }
  const { orderListId, orders } = await a.done('POST', '/api/v3/orderList/oco', list)
  const begun = await socket.find(({ event }) => event?.e === 'listStatus')
  assert.deepEqual([begun.event.g, begun.event.c, begun.event.l, begun.event.L], [orderListId, 'OCO', 'EXEC_STARTED', 'EXECUTING'])
  assert.deepEqual(begun.event.O.map(({ i }: any) => i).sort(), orders.map(({ orderId }: any) => orderId).sort())
  await a.done('DELETE', '/api/v3/orderList', { symbol: 'BTCUSDT', orderListId })
  await socket.find(({ event }) => event?.l === 'ALL_DONE')
  const ends = socket.events.filter(({ x }) => x === 'CANCELED')
  assert.equal(ends.length, 2)
})

test('API-USER-003: an order that waits for another is reported as PENDING_NEW, and as NEW when it is placed', async () => {
  const { socket } = await subscribed(alice)
  using _ = socket
  const working = { workingType: 'LIMIT', workingSide: 'BUY', workingPrice: '58500', workingQuantity: '0.01', workingTimeInForce: 'GTC' }
  const pending = { pendingType: 'LIMIT_MAKER', pendingSide: 'SELL', pendingPrice: '63000', pendingQuantity: '0.01' }
  const names = { listClientOrderId: 'waits', workingClientOrderId: 'works', pendingClientOrderId: 'pends' }
  const { orderListId } = await a.done('POST', '/api/v3/orderList/oto', { symbol: 'BTCUSDT', ...working, ...pending, ...names })
  const begun = await socket.find(({ event }) => event?.e === 'listStatus')
  assert.deepEqual([begun.event.g, begun.event.c, begun.event.L, begun.event.O.length], [orderListId, 'OTO', 'EXECUTING', 2])
  await b.done('POST', '/api/v3/order', limit('SELL', '58500', '0.01'))
  await socket.find(({ event }) => event?.c === 'pends' && event.w === true)
  await a.done('DELETE', '/api/v3/orderList', { symbol: 'BTCUSDT', orderListId })
  await socket.find(({ event }) => event?.l === 'ALL_DONE')
  const reports = socket.events.filter(({ e }) => e === 'executionReport').map(({ C, c, x, X }) => `${x === 'CANCELED' ? C : c} ${x} ${X}`)
  assert.deepEqual(reports, ['works NEW NEW', 'pends NEW PENDING_NEW', 'works TRADE FILLED', 'pends NEW NEW', 'pends CANCELED CANCELED'])
  assert.equal(socket.events.filter(({ l }) => l === 'ALL_DONE').length, 1)
})

test('API-USER-004: a transfer is reported as a change of a balance, and streams of other accounts and users get nothing about an order', async () => {
  const { socket } = await subscribed(alice)
  const other = await subscribed(bob)
  using _ = socket
  using __ = other.socket
  await a.done('POST', '/sapi/v1/asset/transfer', { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '1000' })
  const change = await socket.find(({ event }) => event?.e === 'balanceUpdate')
  assert.deepEqual([change.event.a, Number(change.event.d)], ['USDT', -1_000])
  await socket.find(({ event }) => event?.e === 'outboundAccountPosition')
  await a.done('POST', '/fapi/v1/order', limit('BUY', '59000', '0.001'))
  await a.done('DELETE', '/fapi/v1/allOpenOrders', { symbol: 'BTCUSDT' })
  await a.done('POST', '/api/v3/order', limit('BUY', '57000', '0.001', { newClientOrderId: 'last' }))
  await socket.find(({ event }) => event?.c === 'last')
  assert.deepEqual(
    socket.events.filter(({ e }) => e === 'executionReport').map(({ c }) => c),
    ['last'],
  )
  assert.deepEqual(other.socket.events, [])
  await a.done('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
})

test('API-USER-017: each step of a deposit and a withdrawal is reported on the spot stream, before its balances, and on no other', async () => {
  const { socket } = await subscribed(alice)
  const other = await subscribed(bob)
  using _ = socket
  using __ = other.socket
  const send = async (command: object): Promise<number> => {
    const { refusal, seq } = await exchange.link.submit(commandOf(command as Parameters<typeof commandOf>[0]))
    assert.equal(refusal, undefined)
    return seq
  }
  const about = { network: 2, credit: 1 }
  await send({ type: 'chain.credit', ...about, user: alice.id, asset: 1, amount: 2_500_000, isFinal: false })
  await send({ type: 'chain.orphan', ...about })
  const terms = {
    isOpen: true,
    min: 2_000_000,
    fee: 1_000_000,
    autoMax: 500_000_000,
    singleMax: 1e10,
    proposer: 0,
    approver: 0,
    reason: 'test',
  }
  await send({ type: 'withdraw.setTerms', asset: 1, network: 2, terms })
  const request = { type: 'withdraw.request', user: alice.id, clientId: 'w1', asset: 1, network: 2, destination: 1 }
  const withdrawal = await send({ ...request, amount: 10_000_000, fee: 1_000_000 })
  await send({ type: 'withdraw.cancel', user: alice.id, withdrawal })
  await until(() => socket.events.some(({ X }) => X === 'CANCELED'), 'the end')
  const said = socket.events.map(({ e, X, a, n, d, w, D, i, q, f }) =>
    [e, X, a, n, d ?? q, w ?? i, D ?? f].filter((one) => one !== undefined),
  )
  assert.deepEqual(
    said.filter(([e]) => e !== 'outboundAccountPosition'),
    [
      ['depositUpdate', 'CREDITED', 'USDT', '2', '2.5', false, '0'],
      ['balanceUpdate', 'USDT', '2.5'],
      ['depositUpdate', 'DROPPED', 'USDT', '2', '2.5', false, '0'],
      ['balanceUpdate', 'USDT', '-2.5'],
      ['withdrawUpdate', 'REQUESTED', 'USDT', '2', '9', String(withdrawal), '1'],
      ['withdrawUpdate', 'CANCELED', 'USDT', '2', '9', String(withdrawal), '1'],
    ],
  )
  assert.deepEqual(other.socket.events, [])
})

test('API-USER-005: there is one subscription of each kind; it ends on request, with its session and with its key', async () => {
  using socket = await Socket.open(exchange, '/ws-api/v3')
  const key = await ed25519Key(alice)
  assert.equal((await socket.ask('userDataStream.subscribe')).error.code, -2015)
  assert.equal((await socket.ask('userDataStream.unsubscribe', { subscriptionId: 0 })).error.code, -2036)
  await socket.done('session.logon', key.sign({}))
  assert.deepEqual(await socket.done('userDataStream.subscribe'), { subscriptionId: 0 })
  assert.equal((await socket.ask('userDataStream.subscribe')).error.code, -2035)
  assert.deepEqual(await socket.done('session.subscriptions'), [{ subscriptionId: 0 }])
  assert.deepEqual(await socket.done('userDataStream.unsubscribe', { subscriptionId: 0 }), {})
  await socket.find(({ subscriptionId, event }) => subscriptionId === 0 && event.e === 'eventStreamTerminated')

  const { subscriptionId: second } = await socket.done('userDataStream.subscribe')
  await socket.done('session.logout')
  await socket.find(({ subscriptionId, event }) => subscriptionId === second && event.e === 'eventStreamTerminated')

  const { subscriptionId: third } = await socket.done('userDataStream.subscribe.signature', key.sign({}))
  assert.equal((await alice.call('PATCH', `/keys/${key.id}`, { ips: ['192.0.2.1'] })).status, 200)
  await socket.find(({ subscriptionId, event }) => subscriptionId === third && event.e === 'eventStreamTerminated')
  await a.done('POST', '/api/v3/order', limit('BUY', '57000', '0.001'))
  await a.done('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  await socket.done('ping')
  assert.deepEqual(
    socket.events.filter(({ e }) => e !== 'eventStreamTerminated'),
    [],
  )
})

test('API-USER-006: a listen key opens the stream by its path or by a subscription, until it is deleted', async () => {
  const made = await byKey(a, 'POST', '/api/v3/userDataStream')
  const { listenKey } = made.body
  assert.match(listenKey, /^[A-Za-z0-9]{64}$/)
  assert.equal((await byKey(a, 'POST', '/api/v3/userDataStream')).body.listenKey, listenKey)
  assert.deepEqual((await byKey(a, 'PUT', '/api/v3/userDataStream', `?listenKey=${listenKey}`)).body, {})
  const foreign = await byKey(b, 'PUT', '/api/v3/userDataStream', `?listenKey=${listenKey}`)
  assert.deepEqual([foreign.status, foreign.body], [400, { code: -1125, msg: 'This listenKey does not exist.' }])
  using plain = await Socket.open(exchange, `/ws/${listenKey}`)
  using combined = await Socket.open(exchange, `/stream?streams=${listenKey}/btcusdt@trade`)
  using later = await Socket.open(exchange, '/ws')
  later.send({ method: 'SUBSCRIBE', params: [listenKey], id: 1 })
  assert.deepEqual(await later.find(({ id }) => id === 1), { result: null, id: 1 })
  later.send({ method: 'SUBSCRIBE', params: ['x'.repeat(64)], id: 2 })
  assert.ok((await later.find(({ id }) => id === 2)).error)
  // A client that names the key in the path gets no message when the stream is ready.
  for (const socket of [plain, combined]) {
    socket.send({ method: 'LIST_SUBSCRIPTIONS', id: 9 })
    await until(() => socket.received.some(({ id, result }) => id === 9 && result.includes(listenKey)), 'the key is listed')
  }
  await until(async () => {
    await a.done('POST', '/api/v3/order', limit('BUY', '57000', '0.001', { newClientOrderId: `lk-${Date.now()}` }))
    return [plain, combined, later].every((socket) => socket.events.some(({ e }) => e === 'executionReport'))
  }, 'all three hear of orders')
  assert.equal(combined.received.find(({ data }) => data?.e === 'executionReport').stream, listenKey)
  assert.deepEqual((await byKey(a, 'DELETE', '/api/v3/userDataStream', `?listenKey=${listenKey}`)).body, {})
  for (const socket of [plain, combined, later]) await until(() => socket.events.some(({ e }) => e === 'listenKeyExpired'), 'its end')
  const counts = [plain, combined, later].map(({ events }) => events.length)
  await a.done('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  assert.deepEqual(
    [plain, combined, later].map(({ events }) => events.length),
    counts,
  )
  assert.equal((await byKey(a, 'PUT', '/api/v3/userDataStream', `?listenKey=${listenKey}`)).body.code, -1125)
})

test('API-USER-007: a listen key ends after its hour, and with its API key', async () => {
  const { listenKey } = (await byKey(a, 'POST', '/api/v3/userDataStream')).body
  using socket = await Socket.open(exchange, `/ws/${listenKey}`)
  socket.send({ method: 'LIST_SUBSCRIPTIONS', id: 1 })
  await until(() => socket.received.some(({ result }) => result?.includes(listenKey)), 'attached for an hour')
  await exchange.store.pool.query('update listen_keys set expires_at = $1 where hash = sha256($2)', [
    Date.now() + 2_000,
    Buffer.from(listenKey),
  ])
  using soon = await Socket.open(exchange, `/ws/${listenKey}`)
  await soon.find(({ e }) => e === 'listenKeyExpired')
  assert.equal(socket.events.length, 0, 'known to end in an hour, until it is looked up again')

  const program = await programOf(exchange.url, alice)
  const mine = (await byKey(program, 'POST', '/fapi/v1/listenKey')).body.listenKey
  using contracts = await Socket.open(exchange, `/fstream/private/ws?listenKey=${mine}`)
  contracts.send({ method: 'LIST_SUBSCRIPTIONS', id: 1 })
  await until(() => contracts.received.some(({ result }) => result?.includes(mine)), 'attached')
  const { keys } = (await alice.call('GET', '/keys')).body
  assert.equal((await alice.call('DELETE', `/keys/${keys.find(({ key }: any) => key === program.key).id}`)).status, 204)
  assert.equal((await contracts.find(({ e }) => e === 'listenKeyExpired')).listenKey, mine)
})

test('API-USER-014: the database has only the hashes of listen keys and tokens; one made with another server key is replaced', async () => {
  const post = async (path: string) => (await byKey(a, 'POST', path)).body
  const { listenKey } = await post('/api/v3/userDataStream')
  const { token } = await post('/sapi/v1/userListenToken')
  const { pool } = exchange.store
  const { rows } = await pool.query<{ text: string; hash: string }>(
    `select to_jsonb(k)::text as text, encode(hash, 'hex') as hash from listen_keys k`,
  )
  for (const secret of [listenKey, token]) {
    assert.ok(rows.some(({ hash }) => hash === createHash('sha256').update(secret).digest('hex')))
    const spellings = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]
    for (const { text } of rows) assert.ok(!spellings.some((spelling) => text.includes(spelling)), text)
  }

  await pool.query('update listen_keys set hash = sha256(hash) where hash = sha256($1)', [Buffer.from(listenKey)])
  const other = (await post('/api/v3/userDataStream')).listenKey
  assert.match(other, /^[A-Za-z0-9]{64}$/)
  assert.notEqual(other, listenKey)
  assert.equal((await post('/api/v3/userDataStream')).listenKey, other)
  assert.equal((await byKey(a, 'PUT', '/api/v3/userDataStream', `?listenKey=${listenKey}`)).body.code, -1125)
  using socket = await Socket.open(exchange, `/ws/${other}`)
  socket.send({ method: 'LIST_SUBSCRIPTIONS', id: 1 })
  await until(() => socket.received.some(({ result }) => result?.includes(other)), 'attached')
})
