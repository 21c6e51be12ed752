import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request as httpRequest } from 'node:http'
import { type AddressInfo, connect, Socket as TcpSocket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startExchange, type TestExchange } from '../../main/test/exchange.ts'
import { Socket } from '../../programs/socket/test/socket.ts'
import { Connections } from '../../http/connections.ts'
import { accountBy } from '../callers.ts'
import { Replaceable } from '../../http/replaceable.ts'
import { Proxies } from '../../http/proxies.ts'

/** All requests come through a proxy, which adds the client's address. */
let exchange: TestExchange
before(async () => {
  exchange = await startExchange({
    seed: 'doors',
    hasFeeds: false,
    settings: { trustedProxies: ['127.0.0.1'], publicUrls: ['https://exchange.example'], metricsToken: 'x'.repeat(32) },
  })
})
after(() => exchange[Symbol.asyncDispose]())

type Answer = { readonly status: number; readonly body: string; readonly headers: NodeJS.Dict<string | string[]> }

/** Sends a request with any headers, even those that `fetch` does not allow. */
function send(path: string, headers: Record<string, string> = {}, body?: Buffer | string, method = body === undefined ? 'GET' : 'POST') {
  return new Promise<Answer>((resolve, reject) => {
    const request = httpRequest(`${exchange.url}${path}`, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString(), headers: response.headers }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

const via = (ip: string) => ({ 'x-forwarded-for': ip })
const json = { 'content-type': 'application/json' }

test('GATEWAY-HOST-001: a request for a foreign host name is refused, for the inbox too', async () => {
  for (const host of ['attacker.example', 'attacker.example:3000', 'exchange.example.attacker.example', '127.0.0.1.attacker.example']) {
    const { status, body } = await send('/inbox.json', { host })
    assert.deepEqual([status, JSON.parse(body).code], [421, 'HOST_REFUSED'], host)
  }
  assert.equal((await send('/api/v3/ping', { host: 'attacker.example' })).status, 421)
  for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000', 'exchange.example', '192.168.1.5:3000'])
    assert.equal((await send('/inbox.json', { host })).status, 200, host)
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  }
  assert.equal((await send('/wss', { host: 'attacker.example', ...upgrade })).status, 421)
})

test('GATEWAY-HEALTH-003: strangers learn whether the exchange is up, the operator also which part is missing', async () => {
  const stranger = await send('/healthz', { host: 'attacker.example', ...via('203.0.113.1') })
  assert.deepEqual(Object.keys(JSON.parse(stranger.body)), ['status'])
  const operator = await send('/healthz', { authorization: `Bearer ${'x'.repeat(32)}` })
  assert.ok(JSON.parse(operator.body).checks.includes('engine'))
})

test('GATEWAY-TRANSPORT-001: where the public address is https, every answer tells browsers to use nothing else', async () => {
  const alice = await exchange.user()
  for (const [path, headers] of [
    ['/app/v1/tickers', {}],
    ['/api/v3/time', {}],
    ['/inbox', {}],
    ['/app/v1/spot/orders', { cookie: alice.cookie }],
  ] as const)
    assert.equal((await send(path, headers)).headers['strict-transport-security'], 'max-age=31536000', path)
  const hot = await send('/app/v1/spot/orders', { cookie: alice.cookie, ...json }, '{}')
  assert.equal(hot.headers['strict-transport-security'], 'max-age=31536000')
  // A refused host name, a refused handshake, a preflight, a network that is shut out.
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket' }
  const preflight = { headers: via('203.0.113.30'), method: 'OPTIONS' }
  for (const answer of [
    await send('/app/v1/tickers', { host: 'attacker.example' }),
    await send('/nowhere', upgrade),
    await fetch(`${exchange.url}/api/v3/order`, preflight).then(({ headers }) => ({ headers: Object.fromEntries(headers) })),
  ])
    assert.equal(answer.headers['strict-transport-security'], 'max-age=31536000')
  for (;;) {
    const { status, body, headers } = await send('/app/v1/auth/login', { ...json, ...via('203.0.113.31') }, '{}')
    if (status !== 429) continue
    assert.equal(headers['strict-transport-security'], 'max-age=31536000')
    if (JSON.parse(body).requestId === '-') break
  }
})

test('GATEWAY-TRANSPORT-002: no answer can be framed, and none has a type to guess', async () => {
  const broken = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(exchange.url).port), '127.0.0.1', () => socket.end('no HTTP\r\n\r\n'))
    let text = ''
    socket.setEncoding('utf8').on('data', (part) => (text += part))
    socket.on('end', () => resolve(text)).on('error', reject)
  })
  const shut = async (): Promise<Answer['headers']> => {
    for (;;) {
      const { body, headers } = await send('/app/v1/auth/login', { ...json, ...via('203.0.113.32') }, '{}')
      if (JSON.parse(body).requestId === '-') return headers
    }
  }
  const headersOf = (text: string) => Object.fromEntries([...text.matchAll(/^([\w-]+): (.*)\r$/gm)].map(([, name, value]) => [name, value]))
  for (const [what, headers] of [
    ['data', (await send('/app/v1/tickers', {})).headers],
    ['a refused host', (await send('/app/v1/tickers', { host: 'attacker.example' })).headers],
    ['a refused handshake', (await send('/nowhere', { connection: 'Upgrade', upgrade: 'websocket' })).headers],
    ['bytes that are not HTTP', headersOf(broken)],
    ['a network that is shut out', await shut()],
  ] as const) {
    assert.equal(headers['x-content-type-options'], 'nosniff', what)
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, what)
  }
})

test('GATEWAY-INPUT-008: a stranger’s body has at most 8 kB, whether or not its length is announced', async () => {
  const large = JSON.stringify({ channel: 'email', to: 'a@test.example', password: 'x'.repeat(9_000), lang: 'en' })
  for (const path of ['/app/v1/auth/login', '/app/v1/nowhere']) {
    assert.equal((await send(path, { ...json, ...via('203.0.113.2') }, large)).status, 413, path)
    assert.equal((await send(path, { ...json, ...via('203.0.113.2'), 'transfer-encoding': 'chunked' }, large)).status, 413, path)
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal((await send('/api/v3/order', form, `symbol=${'X'.repeat(9_000)}`)).status, 413)
  assert.equal((await send('/api/v3/order', { ...form, 'x-mbx-apikey': 'A'.repeat(64) }, `symbol=${'X'.repeat(9_000)}`)).status, 413)
})

test('GATEWAY-INPUT-009: a compressed body is refused as such', async () => {
  const login = JSON.stringify({ channel: 'email', to: 'a@test.example', password: 'wrong password', lang: 'en' })
  for (const coding of ['gzip', 'br', 'deflate, gzip', 'x']) {
    const answer = await send('/app/v1/auth/login', { ...json, 'content-encoding': coding, ...via('203.0.113.3') }, login)
    assert.deepEqual([answer.status, JSON.parse(answer.body).code], [415, 'MEDIA_TYPE_UNSUPPORTED'], coding)
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': coding }
    assert.equal((await send('/api/v3/order', form, 'symbol=BTCUSDT')).status, 415, coding)
  }
  const alice = await exchange.user()
  const order = JSON.stringify({ clientId: 'a', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '1', quantity: '1' })
  assert.equal((await send('/app/v1/spot/orders', { ...json, cookie: alice.cookie, 'content-encoding': 'gzip' }, order)).status, 415)
  assert.equal((await send('/app/v1/auth/login', { ...json, 'content-encoding': 'identity', ...via('203.0.113.3') }, login)).status, 401)
})

test('GATEWAY-INPUT-003: the sparkline of tickers is 0 or 1', async () => {
  assert.equal((await send('/app/v1/tickers?sparkline=1')).status, 200)
  for (const bad of ['2', 'yes', '', "1'--", '%00']) assert.equal((await send(`/app/v1/tickers?sparkline=${bad}`)).status, 400, bad)
})

test('GATEWAY-LIMITS-002: made-up sessions are refused by the limit of their network, before any look-up', async (t) => {
  const guess = async (i: number): Promise<number> => {
    const cookie = `__Host-candor=${String(i).padStart(4, '0')}${'A'.repeat(39)}`
    return (await send('/app/v1/me', { cookie, ...via(`2001:db8:5:5::${(i + 1).toString(16)}`) })).status
  }
  const many = (from: number, count: number) => Promise.all(Array.from({ length: count }, (_, i) => guess(from + i)))
  // The clock of the limits stands still: otherwise a busy machine sends so slowly that the allowance grows faster than it is used.
  const now = performance.now()
  const clock = t.mock.method(performance, 'now', () => now)
  const first = [...(await many(0, 200)), ...(await many(200, 200)), ...(await many(400, 20))]
  assert.deepEqual([first.filter((status) => status === 401).length, first.filter((status) => status === 429).length], [400, 20])
  // A client over the limit gets its answer even while no session can be looked up.
  const client = await exchange.store.pool.connect()
  try {
    await client.query('begin; lock table sessions in access exclusive mode')
    assert.ok((await many(600, 20)).every((status) => status === 429))
  } finally {
    await client.query('rollback')
    client.release()
  }
  clock.mock.restore()
  const alice = await exchange.user()
  assert.equal((await send('/app/v1/me', { cookie: alice.cookie, ...via('203.0.113.77') })).status, 200)
})

test('GATEWAY-LIMITS-003: the requests of a network in progress are limited, however slowly it sends them', async () => {
  const slow = Array.from({ length: 300 }, (_, i) => {
    const headers = { ...json, ...via(`2001:db8:6:6::${(i + 1).toString(16)}`), 'content-length': '100' }
    const request = httpRequest(`${exchange.url}/app/v1/auth/login`, { method: 'POST', headers, agent: false })
    request.on('error', () => undefined)
    request.write('{')
    return request
  })
  const statuses: number[] = []
  for (const request of slow) request.on('response', (response) => statuses.push(response.statusCode ?? 0))
  while (statuses.length < 44) await sleep(20)
  assert.ok(statuses.every((status) => status === 429))
  assert.equal((await send('/app/v1/tickers', via('203.0.113.78'))).status, 200)
  for (const request of slow) request.destroy()
})

test('GATEWAY-LIMITS-004: the connections of a network are limited; a further one replaces its oldest stranger, never a known device', async () => {
  const server = createServer((_request, response) => response.end())
  const accountOf = ({ headers }: IncomingMessage): string | undefined => headers.cookie
  const isKnown = (request: IncomingMessage): boolean => accountOf(request) !== undefined
  const connections = new Connections({ proxies: new Proxies([]), mode: 'production', isKnown, accountOf, max: 4 })
  connections.listen(server)
  server.prependListener('request', (request) => connections.note(request))
  server.on('upgrade', (request, socket) => {
    connections.noteSocket(request)
    socket.on('error', () => undefined).write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const [closed, sockets]: [string[], TcpSocket[]] = [[], []]
  /** Opens a connection and sends a request. Resolves with what was answered before it was cut off, if it was. */
  const open = async (name: string, headers = ''): Promise<string> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket)
    let said = ''
    socket.on('error', () => undefined).on('close', () => closed.push(name))
    socket.on('data', (chunk) => (said += chunk))
    socket.write(`GET / HTTP/1.1\r\nhost: x\r\n${headers}\r\n`)
    await Promise.race([once(socket, 'data'), once(socket, 'close')])
    return said.slice(0, 12)
  }
  const isClosed = async (...names: readonly string[]): Promise<void> => {
    while (closed.length < names.length) await sleep(5)
    assert.deepEqual(closed, names)
  }
  assert.match(await open('socket', 'connection: upgrade\r\nupgrade: websocket\r\n'), /101/)
  assert.match(await open('alice', 'cookie: alice\r\n'), /200/)
  for (const name of ['first', 'second']) assert.match(await open(name), /200/)
  assert.deepEqual(closed, [])
  // Strangers who open one connection after the other replace only each other.
  assert.match(await open('third'), /200/)
  await isClosed('first')
  assert.match(await open('bob', 'cookie: bob\r\n'), /200/)
  await isClosed('first', 'second')
  assert.match(await open('alice again', 'cookie: alice\r\n'), /200/)
  await isClosed('first', 'second', 'third')
  // Now known devices and a WebSocket have all of them.
  assert.equal(await open('fourth'), '')
  await isClosed('first', 'second', 'third', 'fourth')
  for (const socket of sockets) socket.destroy()
  server.close()
})

test('GATEWAY-LIMITS-004: an account keeps at most 30 connections of a network', () => {
  const replaceable = new Replaceable()
  const sockets = Array.from({ length: 32 }, () => new TcpSocket())
  for (const socket of sockets) {
    replaceable.add('203.0.113.7', socket)
    replaceable.keepFor('mallory', socket)
  }
  assert.deepEqual([replaceable.takeOldest('203.0.113.7'), replaceable.takeOldest('203.0.113.7')], sockets.slice(30))
  assert.equal(replaceable.takeOldest('203.0.113.7'), undefined)
  const other = new TcpSocket()
  replaceable.add('203.0.113.8', other)
  assert.equal(replaceable.takeOldest('203.0.113.7'), undefined, 'neighbours stay')
  assert.equal(replaceable.takeOldest('203.0.113.8'), other)
})

test('GATEWAY-LIMITS-003: an account is one caller by its browsers, one by its sessions and keys, and one by its signal addresses', () => {
  const accountOf = accountBy({
    cookies: { tokenOf: ({ headers }) => headers.cookie },
    sessions: { userOf: (token) => ({ t1: 7, t2: 7 })[token] },
    deviceOf: ({ headers }) => (headers['user-agent'] === undefined ? undefined : { account: headers['user-agent'] }),
    userOfKey: (key) => (key === 'k1' || key === 'k2' ? 7 : undefined),
    ownerOfSignal: (url) => (url?.startsWith('/hooks/v1/s') ? 'a' : undefined),
  })
  const of = (headers: Record<string, string>, url = '/') => accountOf({ headers, url } as unknown as IncomingMessage)
  const sent = [{ cookie: 't1' }, { cookie: 't2' }, { 'x-mbx-apikey': 'k1' }, { cookie: 'made up', 'x-mbx-apikey': 'k2' }]
  assert.deepEqual(
    sent.map((headers) => of(headers)),
    Array(4).fill('user 7'),
  )
  assert.deepEqual([of({}, '/hooks/v1/s1'), of({}, '/hooks/v1/s2'), of({}, '/hooks/v1/x')], ['signals a', 'signals a', undefined])
  assert.deepEqual([of({ 'user-agent': 'a', cookie: 't1' }), of({ 'user-agent': 'a' })], ['device a', 'device a'])
  assert.deepEqual([of({}), of({ cookie: 'made up' }), of({ 'x-mbx-apikey': 'made up' })], Array(3).fill(undefined))
})

test('GATEWAY-LIMITS-010: when all connections are in use, the oldest stranger makes room, and a known customer stays', async () => {
  const server = createServer((_request, response) => response.end())
  const isKnown = ({ headers }: IncomingMessage): boolean => headers.cookie === 'known'
  const connections = new Connections({ proxies: new Proxies(['127.0.0.1']), mode: 'production', isKnown, total: 3 })
  connections.listen(server)
  server.prependListener('request', (request) => connections.note(request))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const closed: string[] = []
  /** Opens a connection and sends a request. Resolves when the connection was answered or cut off. */
  const open = async (name: string, cookie: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined).on('close', () => closed.push(name))
    socket.write(`GET / HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\n\r\n`)
    await Promise.race([once(socket, 'data'), once(socket, 'close')])
    return socket
  }
  const isClosed = async (...names: readonly string[]): Promise<void> => {
    while (closed.length < names.length) await sleep(10)
    assert.deepEqual(closed, names)
  }
  const sockets = [await open('alice', 'known'), await open('first', ''), await open('second', 'unknown')]
  assert.deepEqual(closed, [], 'as many as may be open')
  sockets.push(await open('bob', 'known'))
  await isClosed('first')
  sockets.push(await open('carol', 'known'))
  await isClosed('first', 'second')
  sockets.push(await open('dave', 'known'))
  await isClosed('first', 'second', 'dave')
  sockets[0]!.destroy()
  await isClosed('first', 'second', 'dave', 'alice')
  for (;;) {
    const socket = await open('erin', '')
    sockets.push(socket)
    if (!socket.destroyed && socket.bytesRead > 0) break
  }
  for (const socket of sockets) socket.destroy()
  server.close()
})

test('API-USER-016: an address names at most one listen key, and a network that guesses them is refused without a look-up', async () => {
  const key = (i: number) => String(i).padStart(64, 'K')
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'A'.repeat(22) + '==' }
  const many = Array.from({ length: 200 }, (_, i) => key(i)).join('/')
  for (const path of [`/ws/${key(1)}/${key(2)}`, `/stream?streams=${many}`, `/ws/${key(1)}?listenKey=${key(2)}`, `/fstream/ws/${many}`])
    assert.equal((await send(path, { ...upgrade, ...via('203.0.113.90') })).status, 400, path.slice(0, 40))

  const guessing = via('2001:db8:7:7::1')
  {
    using socket = await Socket.open(exchange, '/ws', guessing)
    socket.send({ method: 'SUBSCRIBE', params: [key(1), key(2)], id: 1 })
    assert.match((await socket.find(({ id }) => id === 1)).error.msg, /one listenKey/)
  }
  for (let i = 0; i < 25; i++) {
    using socket = await Socket.open(exchange, `/ws/${key(i)}`, guessing)
    socket.send({ method: 'LIST_SUBSCRIPTIONS', id: 2 })
    await socket.find(({ id }) => id === 2)
  }
  const client = await exchange.store.pool.connect()
  try {
    await client.query('begin; lock table listen_keys in access exclusive mode')
    using socket = await Socket.open(exchange, '/ws', guessing)
    socket.send({ method: 'SUBSCRIBE', params: [key(99)], id: 3 })
    assert.match((await socket.find(({ id }) => id === 3)).error.msg, /does not exist/)
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('GATEWAY-LIMITS-006: a network that keeps sending after refusals is shut out, but its known customers are not', async () => {
  const alice = await exchange.user()
  const here = (i: number) => via(`2001:db8:8:8::${i.toString(16)}`)
  assert.equal((await send('/app/v1/me', { cookie: alice.cookie, ...here(1) })).status, 200)
  const login = JSON.stringify({ channel: 'email', to: 'nobody@test.example', password: 'wrong password', lang: 'en' })
  let last = await send('/healthz', here(2))
  for (let i = 0; i < 600 && !last.body.includes('"requestId":"-"'); i += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, n) => send('/app/v1/auth/login', { ...json, ...here(i + n) }, login)))
    last = await send('/app/v1/tickers', here(9))
  }
  assert.deepEqual([last.status, last.headers['retry-after'], last.headers.connection], [429, '10', 'close'])
  assert.equal((await send('/app/v1/me', { cookie: alice.cookie, ...here(3) })).status, 200)
  assert.equal((await send('/app/v1/tickers', via('203.0.113.80'))).status, 200)
})
