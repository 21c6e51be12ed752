/**
 * Two hundred hostile clients of one network, in a process of their own. Each sends one of the tricks at a steady rate, whether or
 * not the last one was answered. Started by `hostile.ts`; prints at its end how the tricks were answered.
 *
 *   node tools/bench/hostile/clients.ts URL SECONDS [TRICK]   TRICK: number of a single trick
 *   node tools/bench/hostile/clients.ts                       prints the number of tricks
 *
 * The control run uses a URL that refuses connections.
 *
 * CANDOR_HOSTILE_ARMS: what the clients' own accounts have, as JSON.
 */
import { connect, type Socket } from 'node:net'

export type Arms = {
  /** Session cookies, keys and webhooks of the clients' own accounts. */
  readonly cookies: readonly string[]
  readonly keys: readonly string[]
  readonly webhooks: readonly string[]
  /** A prepared hour of the tape. */
  readonly hour: number
}

const [url = '', seconds = '5', only] = process.argv.slice(2)
const none: Arms = { cookies: [], keys: [], webhooks: [], hour: 0 }
const { cookies, keys, webhooks, hour } = JSON.parse(process.env['CANDOR_HOSTILE_ARMS'] ?? JSON.stringify(none)) as Arms
const cookie = (i: number): string => `Cookie: ${cookies[i % cookies.length] ?? `candor=${token(i)}`}\r\n`
const key = (i: number): string => `X-MBX-APIKEY: ${keys[i % keys.length] ?? letters(i)}\r\n`
/** The webhook of the account that has the cookie of the same number. */
const hook = (i: number): string => `/app/v1/webhooks/${webhooks[i % webhooks.length] ?? '00000000-0000-4000-8000-000000000000'}`
const { hostname, port } = new URL(url || 'http://localhost')
const clients = 200
/** Tricks per client and second. */
const perSecond = 5
/** Duration of a flood on one WebSocket; then a new one is opened. */
const socketMs = 2_000

const token = (i: number): string => String(i).padStart(8, '0') + 'A'.repeat(35)
const letters = (i: number): string => String(i).padStart(64, 'K')
const json = (body: string, length = Buffer.byteLength(body)): string =>
  `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`
const login = (i: number): string =>
  JSON.stringify({ channel: 'email', to: `victim${i % 5}@bench.example`, password: 'a wrong password', lang: 'en' })
const poor = (i: number): string =>
  JSON.stringify({ clientId: `h${i}`, symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '50000', quantity: '1', timeInForce: 'GTC' })
/** An order on borrowed money, on a market without Margin. */
const unlent = (i: number): string =>
  JSON.stringify({
    ...{ clientId: `u${i}`, symbol: 'ETHBTC', side: 'buy', type: 'limit', price: '0.05', quantity: '1', timeInForce: 'GTC' },
    margin: { account: 'margin-cross', borrow: 'needed' },
  })
const newHook = (i: number): string =>
  JSON.stringify({
    url: `https://127.0.0.1:1/h${i}`,
    kinds: ['spot.fill'],
    password: i % 2 ? 'a wrong password' : 'correct horse battery staple',
  })
const upgrade =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://localhost\r\n\r\n'

/** The requests of a client, by its number plus the number of requests so far. The rest of the head is the same for all. */
const tricks: readonly ((i: number) => { readonly line: string; readonly rest: string; readonly host?: string })[] = [
  () => ({ line: 'GET /app/v1/proof/tape.ndjson?limit=7200', rest: '\r\n' }),
  () => ({ line: 'GET /app/v1/proof/tape.ndjson', rest: '\r\n' }),
  (i) => ({ line: 'GET /app/v1/me', rest: `Cookie: candor=${token(i)}\r\n\r\n` }),
  (i) => ({ line: 'GET /app/v1/spot/orders/open', rest: `Cookie: candor=${token(i)}\r\n\r\n` }),
  (i) => ({ line: 'POST /app/v1/auth/login', rest: json(login(i)) }),
  (i) => ({
    line: 'POST /app/v1/auth/code',
    rest: json(JSON.stringify({ purpose: 'reset', channel: 'email', to: `victim${i % 5}@bench.example`, lang: 'en' })),
  }),
  (i) => ({
    line: 'POST /app/v1/auth/reset/code',
    rest: json(JSON.stringify({ channel: 'email', to: `victim${i % 5}@bench.example`, code: String(i % 1e6).padStart(6, '0') })),
  }),
  // A body that is too large and never completed.
  () => ({ line: 'POST /app/v1/auth/login', rest: json('{"channel":"'.padEnd(60_000, 'x'), 200_000) }),
  () => ({ line: 'POST /app/v1/auth/login', rest: json('{', 500) }),
  (i) => ({
    line: 'POST /api/v3/order?symbol=BTCUSDT&timestamp=1&signature=00',
    rest: `X-MBX-APIKEY: ${letters(i)}\r\nContent-Length: 0\r\n\r\n`,
  }),
  () => ({ line: 'GET /api/v3/depth?symbol=BTCUSDT&limit=5000', rest: '\r\n' }),
  () => ({ line: 'GET /api/v3/exchangeInfo', rest: '\r\n' }),
  () => ({ line: 'GET /app/v1/lend/pools', rest: '\r\n' }),
  () => ({ line: 'GET /app/v1/option/terms', rest: '\r\n' }),
  () => ({ line: 'GET /healthz', rest: '\r\n' }),
  () => ({ line: 'GET /app/v1/tickers?sparkline=1', rest: '\r\n' }),
  // With a session: queries of the engine or the tables, and orders without the money for them.
  ...['balances', 'perp/account', 'margin/accounts', 'lend/claims', 'option/me', 'spot/orders/open', 'spot/orders/history?limit=100'].map(
    (path) => (i: number) => ({ line: `GET /app/v1/${path}`, rest: `${cookie(i)}\r\n` }),
  ),
  (i) => ({ line: 'POST /app/v1/spot/orders', rest: `${cookie(i)}${json(poor(i))}` }),
  (i) => ({ line: 'POST /app/v1/spot/orders', rest: `${cookie(i)}${json(unlent(i))}` }),
  (i) => ({ line: 'POST /app/v1/sandbox/faucet', rest: `${cookie(i)}${json(JSON.stringify({ clientId: `f${i}`, asset: 'USDT' }))}` }),
  (i) => ({ line: 'POST /app/v1/webhooks', rest: `${cookie(i)}${json(newHook(i))}` }),
  (i) => ({ line: `POST ${hook(i)}/challenge`, rest: `${cookie(i)}Content-Length: 0\r\n\r\n` }),
  (i) => ({ line: `POST ${hook(i)}/test`, rest: `${cookie(i)}Content-Length: 0\r\n\r\n` }),
  (i) => ({ line: `POST ${hook(i)}/replay`, rest: `${cookie(i)}${json('{"since":0}')}` }),
  (i) => ({ line: `POST ${hook(i)}/deliveries/${1 + (i % 1_000)}/replay`, rest: `${cookie(i)}Content-Length: 0\r\n\r\n` }),
  // Of the own key: the newest timestamp with no time to arrive, and a body that would have to be unpacked.
  (i) => ({
    line: `POST /api/v3/order?symbol=BTCUSDT&recvWindow=0&timestamp=${Date.now()}&signature=00`,
    rest: `${key(i)}Content-Length: 0\r\n\r\n`,
  }),
  (i) => ({
    line: 'POST /api/v3/order',
    rest: `${key(i)}Content-Encoding: br\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 500\r\n\r\n${'x'.repeat(500)}`,
  }),
  () => ({ line: 'GET /inbox.json', rest: '\r\n', host: 'attacker.example' }),
  (i) => ({ line: 'POST /app/v1/auth/login', rest: json(login(i)), host: 'attacker.example' }),
  () => ({ line: 'GET /app/v1/proof/tape/hours?limit=1000', rest: '\r\n' }),
  () => ({ line: `GET /app/v1/proof/tape/hours/${hour}`, rest: '\r\n' }),
  () => ({ line: 'GET /app/v1/tickers?sparkline=everything', rest: '\r\n' }),
  (i) => ({
    line: 'POST /app/v1/auth/code',
    rest: json(JSON.stringify({ purpose: 'register', channel: 'phone', to: `+4179${String(i % 1e7).padStart(7, '0')}`, lang: 'en' })),
  }),
  (i) => ({
    line: 'OPTIONS /api/v3/order',
    rest: `Origin: https://o${i}.example\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: x-mbx-apikey\r\n\r\n`,
  }),
  (i) => ({
    line: 'POST /app/v1/auth/code',
    rest: json(JSON.stringify({ purpose: 'register', channel: 'email', to: `new${i}@bench.example`, lang: 'en' })),
  }),
  () => ({ line: 'POST /app/v1/auth/login', rest: `Content-Encoding: gzip\r\n${json('x'.repeat(500))}` }),
  () => ({ line: 'GET /api/v3/klines?symbol=BTCUSDT&interval=1m&limit=1000', rest: '\r\n' }),
  () => ({ line: 'GET /fapi/v1/ticker/24hr', rest: '\r\n' }),
  (i) => ({ line: `GET /app/v1/proof/tape?from=${i % 1_000}&limit=1000`, rest: '\r\n' }),
  (i) => ({ line: `GET /nothing/${i}`, rest: '\r\n' }),
  () => ({ line: 'GET /ws-api/v3', rest: upgrade }),
  () => ({ line: 'GET /wss', rest: upgrade }),
  (i) => ({ line: `GET /ws/${letters(i)}`, rest: upgrade }),
  (i) => ({ line: `GET /stream?streams=${Array.from({ length: 150 }, (_, n) => letters(i + n)).join('/')}`, rest: upgrade }),
]

/** A client's frame, with a mask of zeros. */
function clientFrame(text: string): Buffer {
  const body = Buffer.from(text)
  return Buffer.concat([Buffer.of(0x81, 0x80 | body.length, 0, 0, 0, 0), body])
}
const flood = Buffer.concat([
  clientFrame('{"action":"Subscribe","params":{"tradingPairsId":0,"period":""}}'),
  ...Array.from({ length: 90 }, () => clientFrame('{"type":"PING"}')),
])

const answers: Record<string, number> = {}
const sockets = new Set<Socket>()
const count = (what: string): void => void (answers[what] = (answers[what] ?? 0) + 1)

function play(client: number, turn: number): void {
  const i = client * 100_003 + turn * 7
  const trick = tricks[only === undefined ? (client + turn) % tricks.length : Number(only)]!(i)
  const socket = connect({ host: hostname, port: Number(port) })
  sockets.add(socket)
  let isAnswered = false
  socket.on('connect', () => {
    const from = `2001:db8:66:1::${(client + 1).toString(16)}`
    socket.write(`${trick.line} HTTP/1.1\r\nHost: ${trick.host ?? 'localhost'}\r\nX-Forwarded-For: ${from}\r\n${trick.rest}`)
  })
  socket.on('data', (chunk: Buffer) => {
    if (isAnswered) return
    isAnswered = true
    const status = /^HTTP\/1\.1 ([0-9]{3})/.exec(chunk.toString('latin1', 0, 16))?.[1] ?? '?'
    count(status)
    if (status !== '101') return
    const again = setInterval(() => socket.write(flood), 500)
    socket.write(flood)
    socket.once('close', () => clearInterval(again))
  })
  socket.on('error', () => undefined)
  socket.once('close', () => {
    if (!isAnswered) count('cut off')
    sockets.delete(socket)
  })
  setTimeout(() => socket.destroy(), socketMs).unref()
}

if (url === '') {
  console.log(tricks.length)
  process.exit(0)
}
const until = performance.now() + Number(seconds) * 1_000
for (let client = 0; client < clients; client++) {
  let turn = 0
  const timer = setInterval(() => {
    if (performance.now() >= until) clearInterval(timer)
    else play(client, turn++)
  }, 1_000 / perSecond)
}
setTimeout(
  () => {
    for (const socket of sockets) socket.destroy()
    process.stdout.write(`${JSON.stringify(answers)}\n`, () => process.exit(0))
  },
  Number(seconds) * 1_000 + 500,
)
