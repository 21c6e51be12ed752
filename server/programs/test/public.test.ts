import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'

let exchange: TestExchange
let alice: TestUser
let bob: TestUser
const firstTradeAt = Date.now()
let lastTradeAt = firstTradeAt

before(async () => {
  exchange = await startExchange({ hasFeeds: false, settings: { trustedProxies: ['127.0.0.1'] } })
  const prices = [1, 2].map((market) => ({ market, price: market === 1 ? 6e12 : 3e11, sources: 4, isGood: true }))
  await exchange.link.submit({ type: 'index.tick', prices } as never)
  alice = await exchange.user({ funds: { USDT: '1000000' }, isCertified: true, class: 'bench' })
  bob = await exchange.user({ funds: { BTC: '10', ETH: '10', USDT: '100000' }, isCertified: true, class: 'bench' })
  // Two makers at one price and one beyond; one taker sweeps them. Then somebody buys.
  await place(alice, 'buy', '60000', '0.01')
  await place(alice, 'buy', '60000', '0.02')
  await place(alice, 'buy', '59990', '0.05')
  await place(bob, 'sell', '59990', '0.05')
  await place(bob, 'sell', '60010', '0.04')
  await place(alice, 'buy', '60010', '0.01')
  lastTradeAt = Date.now()
  for (const user of [alice, bob]) {
    await ok(user, 'POST', '/transfer', { clientId: randomUUID(), asset: 'USDT', from: 'spot', to: 'perp', amount: '20000' })
  }
  await contract(alice, 'buy', '60000', '0.02')
  await contract(bob, 'sell', '60000', '0.02')
})
after(() => exchange[Symbol.asyncDispose]())

async function ok(user: TestUser, method: string, path: string, body: object): Promise<any> {
  const answer = await user.call(method, path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

const limit = (side: 'buy' | 'sell', price: string, quantity: string) => ({ clientId: randomUUID(), side, type: 'limit', price, quantity })
const place = (user: TestUser, side: 'buy' | 'sell', price: string, quantity: string) =>
  ok(user, 'POST', '/spot/orders', { ...limit(side, price, quantity), symbol: 'BTCUSDT' })
const contract = (user: TestUser, side: 'buy' | 'sell', price: string, quantity: string) =>
  ok(user, 'POST', '/perp/orders', { ...limit(side, price, quantity), symbol: 'BTCUSDTPERP' })

type Answer = { readonly status: number; readonly body: any; readonly headers: Headers }

async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(exchange.url + path, { redirect: 'error', ...init })
  return { status: response.status, body: JSON.parse(await response.text()), headers: response.headers }
}

async function get(path: string): Promise<any> {
  const { status, body } = await ask(path)
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
  return body
}

async function refused(path: string, code: number, msg?: string | RegExp, status = 400): Promise<void> {
  const answer = await ask(path)
  assert.deepEqual([answer.status, answer.body.code], [status, code], `${path}: ${JSON.stringify(answer.body)}`)
  assert.deepEqual(Object.keys(answer.body), ['code', 'msg'])
  if (typeof msg === 'string') assert.equal(answer.body.msg, msg)
  else if (msg) assert.match(answer.body.msg, msg)
}

test('API-FRAME-001: what is not there, and a method that a path does not take, answer in JSON and lead nowhere else', async () => {
  for (const path of ['/api/v3/nothing', '/api/v3/ping/', '/sapi/v1/none', '/fapi/v9/ping', '/dapi/v1/ping', '/api/v3/%zz']) {
    await refused(path, -1100, undefined, 404)
  }
  const wrong = await ask('/api/v3/ping', { method: 'POST', headers: { 'content-type': 'application/json' } })
  assert.deepEqual([wrong.status, wrong.body.code], [405, -1100])
  assert.deepEqual(await get('/api/v3/ping'), {})
  assert.deepEqual(await get('/fapi/v1/ping'), {})
  assert.deepEqual(await get('/sapi/v1/system/status'), { status: 0, msg: 'normal' })
  assert.ok(Math.abs((await get('/api/v3/time')).serverTime - Date.now()) < 5_000)
})

test('API-FRAME-002: what is wrong with a parameter is said by its code', async () => {
  const missing = "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed."
  await refused('/api/v3/depth', -1102, missing)
  await refused('/api/v3/depth?symbol=', -1102, missing)
  await refused('/api/v3/depth?symbol=BTCUSDT&limit=', -1105, "Parameter 'limit' was empty.")
  await refused('/api/v3/depth?symbol=NONE', -1121, 'Invalid symbol.')
  await refused('/api/v3/depth?symbol=BTCUSDTPERP', -1121)
  await refused('/fapi/v1/depth?symbol=ETHBTC', -1121)
  await refused('/api/v3/depth?symbol=btcusdt', -1100, /^Illegal characters found in parameter 'symbol'; legal range is/)
  await refused('/api/v3/depth?symbol=%E0%A4', -1100)
  await refused('/api/v3/depth?symbol=BTC%00', -1100)
  await refused('/api/v3/depth?symbol=BTCUSDT&limit=-5', -1100)
  await refused('/api/v3/depth?symbol=BTCUSDT&limit=1.5', -1100)
  await refused('/api/v3/depth?symbol=BTCUSDT&limit=0', -1130, "Data sent for parameter 'limit' is not valid.")
  await refused('/api/v3/depth?symbol=BTCUSDT&symbol=ETHUSDT', -1101, /symbol/)
  await refused(
    '/api/v3/depth?symbol=BTCUSDT&color=red',
    -1104,
    "Not all sent parameters were read; read '1' parameter(s) but was sent '2'.",
  )
  await refused(`/api/v3/depth?${Array.from({ length: 65 }, (_, i) => `a${i}=1`).join('&')}`, -1101)
  await refused('/api/v3/klines?symbol=BTCUSDT', -1102, /'interval'/)
  await refused('/api/v3/klines?symbol=BTCUSDT&interval=7m', -1120, 'Invalid interval.')
  await refused('/api/v3/klines?symbol=BTCUSDT&interval=1m&startTime=2&endTime=1', -1127)
  await refused('/api/v3/klines?symbol=BTCUSDT&interval=1d&timeZone=5:30', -1130)
  await refused('/api/v3/ticker/price?symbol=BTCUSDT&symbols=["BTCUSDT"]', -1128)
  await refused('/api/v3/ticker/price?symbols=[]', -1130)
  await refused('/api/v3/ticker/price?symbols=["BTCUSDT","BTCUSDT"]', -1101)
  await refused('/api/v3/ticker?symbol=BTCUSDT&windowSize=60m', -1100)
  await refused('/api/v3/ticker', -1102)
  await refused('/api/v3/aggTrades?symbol=BTCUSDT&fromId=1&startTime=1', -1128)
})

test('API-FRAME-003: signed requests to open paths, and more parameters than a contract’s path knows, are no mistake', async () => {
  const signed = 'timestamp=1&recvWindow=5000&signature=ab'
  assert.deepEqual(await get(`/api/v3/ping?${signed}`), {})
  assert.equal((await get(`/api/v3/ticker/price?symbol=BTCUSDT&${signed}`)).symbol, 'BTCUSDT')
  assert.equal((await get('/fapi/v1/ticker/price?symbol=BTCUSDT&color=red')).symbol, 'BTCUSDT')
  assert.equal((await get('/api/v3/depth?symbol=BTCUSDT&limit=99999')).bids.length, 1, 'more than the most is the most')
})

test('API-FRAME-004: any origin may read, with or without a preflight, and sees the headers of the limits', async () => {
  const { headers } = await ask('/api/v3/ping', { headers: { origin: 'https://elsewhere.example', cookie: alice.cookie } })
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.match(headers.get('access-control-expose-headers') ?? '', /X-MBX-USED-WEIGHT-1M.*Retry-After/)
  assert.equal(headers.get('cache-control'), 'no-store')
  const preflight = await fetch(`${exchange.url}/api/v3/order`, { method: 'OPTIONS', headers: { origin: 'https://elsewhere.example' } })
  assert.equal(preflight.status, 204)
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /X-MBX-APIKEY/)
})

test('API-LIMIT-001: weight is counted by address and minute; above the limit comes 429, and who goes on is shut out with 418', async () => {
  const via = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
  const first = await ask('/api/v3/depth?symbol=BTCUSDT&limit=5000', via('203.0.113.7'))
  assert.equal(first.headers.get('x-mbx-used-weight-1m'), first.headers.get('x-mbx-used-weight'))
  assert.equal(first.headers.get('x-mbx-used-weight-1m'), '250')
  let over: Answer | undefined
  for (let i = 0; i < 100 && over?.status !== 429; i++) over = await ask('/api/v3/depth?symbol=BTCUSDT&limit=5000', via('203.0.113.7'))
  assert.equal(over?.status, 429)
  assert.equal(over.body.code, -1003)
  assert.match(over.body.msg, /^Too much request weight used; current limit is 6000 request weight per 1 MINUTE\./)
  const wait = Number(over.headers.get('retry-after'))
  assert.ok(wait >= 1 && wait <= 60, String(wait))
  assert.equal((await ask('/api/v3/ping', via('203.0.113.8'))).status, 200, 'others do not notice')
  assert.equal((await ask('/fapi/v1/ping', via('203.0.113.7'))).status, 200, 'contracts count apart')
  let banned: Answer | undefined
  for (let i = 0; i < 6_500 && banned?.status !== 418; i++)
    banned = await ask('/api/v3/depth?symbol=BTCUSDT&limit=5000', via('203.0.113.7'))
  assert.equal(banned?.status, 418)
  assert.equal(banned.headers.get('retry-after'), '120')
  assert.equal((await ask('/fapi/v1/ping', via('203.0.113.7'))).status, 418)
  const inOneMinute = async (last: number): Promise<readonly (Answer | undefined)[]> => {
    const minute = (): number => Math.floor(Date.now() / 60_000)
    const begun = minute()
    const ip = `203.0.113.${last}`
    const lost = await ask('/api/v3/none', via(ip))
    assert.equal(lost.headers.get('x-mbx-used-weight-1m'), '1', 'asking wrongly is not free')
    for (let i = 0; i < 24; i++) await ask('/api/v3/depth?symbol=BTCUSDT&limit=5000', via(ip))
    const wrong = { headers: { ...via(ip).headers, 'x-mbx-apikey': 'x'.repeat(64) } }
    const held = [await ask('/api/v3/userDataStream', { ...wrong, method: 'POST' }), await ask('/api/v3/none', wrong)]
    return minute() === begun ? held : inOneMinute(last + 1)
  }
  const held = await inOneMinute(9)
  assert.deepEqual([held[0]?.status, held[1]?.status], [429, 429], 'and has the same limit')
})

test('API-LIMIT-004: an account asks with its key how many orders it has sent', async () => {
  const made = await alice.call('POST', '/keys', { label: 'bot', scopes: ['read'], ips: [], password: alice.password })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  for (const path of ['/api/v3/rateLimit/order', '/fapi/v1/rateLimit/order']) {
    const query = `timestamp=${Date.now()}`
    const signature = createHmac('sha256', made.body.secret).update(query).digest('hex')
    const headers = { 'X-MBX-APIKEY': made.body.key.key }
    const { status, body } = await ask(`${path}?${query}&signature=${signature}`, { headers })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(
      body.map((one: any) => [one.rateLimitType, one.interval, one.intervalNum, one.count]),
      [
        ['ORDERS', 'SECOND', 10, 0],
        ['ORDERS', 'DAY', 1, 0],
      ],
    )
    const unknown = await ask(`${path}?${query}&color=red&signature=${signature}`, { headers })
    assert.equal(unknown.body.code, -1022)
  }
})

test('API-INFO-001: exchangeInfo lists spot markets with the filters that orders are held to, all, one or some', async () => {
  const info = await get('/api/v3/exchangeInfo')
  assert.equal(info.timezone, 'UTC')
  assert.deepEqual(
    info.rateLimits.map((one: any) => [one.rateLimitType, one.interval, one.intervalNum, one.limit]),
    [
      ['REQUEST_WEIGHT', 'MINUTE', 1, 6000],
      ['ORDERS', 'SECOND', 10, 100],
      ['ORDERS', 'DAY', 1, 200000],
      ['RAW_REQUESTS', 'MINUTE', 5, 61000],
    ],
  )
  assert.equal(info.symbols.length, 14)
  const { serverTime: _, ...one } = await get('/api/v3/exchangeInfo?symbol=BTCUSDT')
  assert.deepEqual(one.symbols, [info.symbols[0]])
  const [btc] = one.symbols
  assert.deepEqual(
    [btc.symbol, btc.status, btc.baseAsset, btc.quoteAsset, btc.baseAssetPrecision, btc.quotePrecision],
    ['BTCUSDT', 'TRADING', 'BTC', 'USDT', 8, 6],
  )
  assert.equal('contractType' in btc, false)
  const filter = (type: string) => btc.filters.find((each: any) => each.filterType === type)
  assert.deepEqual(filter('PRICE_FILTER'), { filterType: 'PRICE_FILTER', minPrice: '0.1', maxPrice: '214748364.7', tickSize: '0.1' })
  assert.deepEqual(filter('LOT_SIZE'), { filterType: 'LOT_SIZE', minQty: '0.00001', maxQty: '10000.00000', stepSize: '0.00001' })
  assert.equal(filter('NOTIONAL').minNotional, '5')
  assert.deepEqual(
    [filter('PERCENT_PRICE_BY_SIDE').bidMultiplierUp, filter('PERCENT_PRICE_BY_SIDE').askMultiplierDown],
    ['1.200000', '0.800000'],
  )
  assert.deepEqual(btc.permissionSets, [['SPOT', 'MARGIN']])
  const some = await get(`/api/v3/exchangeInfo?symbols=${encodeURIComponent('["ETHBTC","BTCUSDT"]')}`)
  assert.deepEqual(
    some.symbols.map((each: any) => each.symbol),
    ['ETHBTC', 'BTCUSDT'],
  )
  assert.equal((await get('/api/v3/exchangeInfo?permissions=MARGIN')).symbols.length, 12)
  assert.equal((await get('/api/v3/exchangeInfo?symbolStatus=HALT')).symbols.length, 0)
  assert.equal((await get('/api/v3/exchangeInfo?showPermissionSets=false')).symbols[0].permissionSets, undefined)
  await refused('/api/v3/exchangeInfo?symbol=NONE', -1121)
  await refused('/api/v3/exchangeInfo?symbol=BTCUSDT&permissions=SPOT', -1128)
})

test('API-INFO-002: contracts are listed apart, by the name of their pair; of coin-margined ones there are none', async () => {
  const { symbols } = await get('/fapi/v1/exchangeInfo')
  assert.equal(symbols.length, 12)
  const [btc] = symbols
  assert.deepEqual(
    [btc.symbol, btc.pair, btc.contractType, btc.marginAsset, btc.pricePrecision, btc.quantityPrecision, btc.deliveryDate],
    ['BTCUSDT', 'BTCUSDT', 'PERPETUAL', 'USDT', 1, 5, 4133404800000],
  )
  assert.deepEqual([btc.maintMarginPercent, btc.requiredMarginPercent, btc.liquidationFee], ['2.5000', '10.0000', '0.005000'])
  assert.equal(btc.filters.find((one: any) => one.filterType === 'MIN_NOTIONAL').notional, '5')
  assert.deepEqual((await get('/dapi/v1/exchangeInfo')).symbols, [])
})

test('API-DEPTH-001: depth gives the best levels first with the update that a socket’s changes join', async () => {
  const depth = await get('/api/v3/depth?symbol=BTCUSDT&limit=5')
  assert.deepEqual(Object.keys(depth), ['lastUpdateId', 'bids', 'asks'])
  assert.deepEqual(depth.bids, [['59990.0', '0.03000']])
  assert.deepEqual(depth.asks, [['60010.0', '0.03000']])
  assert.ok(depth.lastUpdateId > 0)
  const contracts = await get('/fapi/v1/depth?symbol=BTCUSDT&limit=5')
  assert.deepEqual(Object.keys(contracts), ['lastUpdateId', 'E', 'T', 'bids', 'asks'])
  await refused('/fapi/v1/depth?symbol=BTCUSDT&limit=7', -1130)
})

test('API-TRADES-001: trades come oldest first, the newest of them or from a number on', async () => {
  const trades = await get('/api/v3/trades?symbol=BTCUSDT')
  assert.deepEqual(
    trades.map((one: any) => [one.id, one.price, one.qty, one.quoteQty, one.isBuyerMaker, one.isBestMatch]),
    [
      [1, '60000.0', '0.01000', '600', true, true],
      [2, '60000.0', '0.02000', '1200', true, true],
      [3, '59990.0', '0.02000', '1199.8', true, true],
      [4, '60010.0', '0.01000', '600.1', false, true],
    ],
  )
  assert.ok(trades.every((one: any) => one.time >= firstTradeAt && one.time <= Date.now()))
  assert.deepEqual(await get('/api/v3/trades?symbol=BTCUSDT&limit=2'), trades.slice(-2))
  assert.deepEqual(await get('/api/v3/historicalTrades?symbol=BTCUSDT'), trades, 'from memory and from the tables')
  assert.deepEqual(await get('/api/v3/historicalTrades?symbol=BTCUSDT&fromId=2&limit=2'), trades.slice(1, 3))
  assert.deepEqual(await get('/api/v3/historicalTrades?symbol=BTCUSDT&fromId=9'), [])
  const [one] = await get('/fapi/v1/trades?symbol=BTCUSDT')
  assert.deepEqual([one.id, one.price, one.qty, one.isBuyerMaker, 'isBestMatch' in one], [1, '60000.0', '0.02000', true, false])
})

test('API-TRADES-002: an aggregate is what one order took at one price and time, from a number or a time on', async () => {
  const all = await get('/api/v3/aggTrades?symbol=BTCUSDT')
  assert.deepEqual(
    all.map(({ T: _, ...one }: any) => one),
    [
      { a: 1, p: '60000.0', q: '0.03000', f: 1, l: 2, m: true, M: true },
      { a: 3, p: '59990.0', q: '0.02000', f: 3, l: 3, m: true, M: true },
      { a: 4, p: '60010.0', q: '0.01000', f: 4, l: 4, m: false, M: true },
    ],
  )
  const at = all.map(({ T }: any) => T)
  const some = (query: string) => get(`/api/v3/aggTrades?symbol=BTCUSDT&${query}`)
  assert.deepEqual(await some('limit=1'), all.slice(-1))
  assert.deepEqual(await some('fromId=2&limit=1'), all.slice(1, 2), 'the first that begins at or after the number')
  assert.deepEqual(await some(`startTime=${at[2]}`), all.slice(2))
  assert.deepEqual(await some(`endTime=${at[0]}&limit=1`), all.slice(1, 2))
  assert.deepEqual(await some(`startTime=${at[0]}&endTime=${at[1]}`), all.slice(0, 2))
  assert.deepEqual(await some(`endTime=${at[0] - 1}`), [])
  const [contractTrade] = await get('/fapi/v1/aggTrades?symbol=BTCUSDT')
  assert.equal('M' in contractTrade, false)
})

const intervals = ['1s', '1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '8h', '12h', '1d', '3d', '1w', '1M']

test('API-KLINES-001: every interval adds up to the trades, with what takers bought', async () => {
  const sum = (rows: any[], field: number) => rows.reduce((total, row) => total + Math.round(Number(row[field]) * 1e6), 0)
  for (const interval of intervals) {
    const rows = await get(`/api/v3/klines?symbol=BTCUSDT&interval=${interval}&startTime=${firstTradeAt - 40 * 86_400_000}`)
    assert.ok(rows.length >= 1, interval)
    assert.ok(rows.every((row: any[]) => row.length === 12 && row[11] === '0'))
    assert.deepEqual(
      [5, 7, 9, 10].map((field) => sum(rows, field)),
      [60_000, 3_599_900_000, 10_000, 600_100_000],
      interval,
    )
    assert.equal(
      rows.reduce((total: number, row: any[]) => total + row[8], 0),
      4,
      interval,
    )
    assert.deepEqual([rows[0][1], rows.at(-1)[4]], ['60000.0', '60010.0'], interval)
    assert.equal(Math.min(...rows.map((row: any[]) => Number(row[3]))), 59_990, interval)
    for (let i = 1; i < rows.length; i++) assert.equal(rows[i][0], rows[i - 1][6] + 1, interval)
  }
  const [day] = await get('/api/v3/klines?symbol=BTCUSDT&interval=1d&limit=1')
  assert.deepEqual([day[0] % 86_400_000, day[6] - day[0]], [0, 86_399_999])
  assert.deepEqual(await get('/api/v3/uiKlines?symbol=BTCUSDT&interval=1d&limit=1'), [day])
  const [week] = await get('/api/v3/klines?symbol=BTCUSDT&interval=1w&limit=1')
  assert.equal(new Date(week[0]).getUTCDay(), 1)
  const [local] = await get('/api/v3/klines?symbol=BTCUSDT&interval=1d&limit=1&timeZone=8')
  assert.equal(new Date(local[0]).getUTCHours(), 16)
})

test('API-KLINES-002: a bar without trades is flat; ranges end where they are told to', async () => {
  await new Promise<void>((resolve) => {
    const poll = setInterval(() => Date.now() - lastTradeAt > 4_000 && (clearInterval(poll), resolve()), 50)
  })
  const rows = await get(`/api/v3/klines?symbol=BTCUSDT&interval=1s&startTime=${firstTradeAt - 10_000}`)
  for (let i = 1; i < rows.length; i++) assert.equal(rows[i][0], rows[i - 1][0] + 1_000)
  const last = rows.at(-1)
  assert.deepEqual([last[1], last[2], last[3], last[4], last[5], last[8]], ['60010.0', '60010.0', '60010.0', '60010.0', '0.00000', 0])
  const some = (query: string) => get(`/api/v3/klines?symbol=BTCUSDT&interval=1s&${query}`)
  assert.deepEqual(await some(`startTime=${rows[1][0]}&limit=1`), [rows[1]])
  assert.deepEqual((await some(`startTime=${rows[0][0] + 1}&limit=1`))[0], rows[1])
  assert.deepEqual(await some(`endTime=${rows[1][0]}&limit=2`), rows.slice(0, 2))
  assert.deepEqual(await some(`startTime=${rows[0][0]}&endTime=${rows[1][6]}`), rows.slice(0, 2))
  assert.deepEqual(await some(`endTime=${rows[0][0] - 1}`), [])
  assert.deepEqual(await some(`startTime=${Date.now() + 60_000}`), [])
  assert.deepEqual(await get('/api/v3/klines?symbol=ETHUSDT&interval=1m'), [])
  assert.equal(
    (await get(`/api/v3/klines?symbol=BTCUSDT&interval=1s&startTime=${lastTradeAt + 3_000}&limit=1`))[0][4],
    '60010.0',
    'after the last',
  )
})

test('API-TICKER-001: the rolling day of spot markets has best levels and keeps lowest ≤ open, last ≤ highest; of contracts it has none', async () => {
  const day = await get('/api/v3/ticker/24hr?symbol=BTCUSDT')
  const { openTime, closeTime, ...rest } = day
  assert.equal(closeTime - openTime, 86_400_000)
  assert.deepEqual(rest, {
    symbol: 'BTCUSDT',
    priceChange: '10.0',
    priceChangePercent: '0.02',
    weightedAvgPrice: '59998.33333333',
    prevClosePrice: '60000.0',
    lastPrice: '60010.0',
    lastQty: '0.01000',
    openPrice: '60000.0',
    highPrice: '60010.0',
    lowPrice: '59990.0',
    volume: '0.06',
    quoteVolume: '3599.9',
    firstId: 1,
    lastId: 4,
    count: 4,
    bidPrice: '59990.0',
    bidQty: '0.03000',
    askPrice: '60010.0',
    askQty: '0.03000',
  })
  assert.equal((await get('/api/v3/ticker/24hr')).length, 14)
  const mini = await get('/api/v3/ticker/24hr?symbol=BTCUSDT&type=MINI')
  assert.equal('bidQty' in mini || 'priceChange' in mini, false)
  const future = await get('/fapi/v1/ticker/24hr?symbol=BTCUSDT')
  assert.deepEqual([future.symbol, future.lastPrice, 'bidQty' in future], ['BTCUSDT', '60000.0', false])
  const quiet = await get('/api/v3/ticker/24hr?symbol=ETHUSDT')
  assert.deepEqual(
    [quiet.lastPrice, quiet.volume, quiet.firstId, quiet.count],
    ['3000.00', '0', -1, 0],
    'before its first trade the index stands in',
  )
})

test('API-TICKER-002: prices, best levels, averages and windows of any length, of one market, some or all', async () => {
  assert.deepEqual(await get('/api/v3/ticker/price?symbol=BTCUSDT'), { symbol: 'BTCUSDT', price: '60010.0' })
  const both = await get(`/api/v3/ticker/price?symbols=${encodeURIComponent('["ETHUSDT","BTCUSDT"]')}`)
  assert.deepEqual(
    both.map((one: any) => one.symbol),
    ['ETHUSDT', 'BTCUSDT'],
  )
  const best = { symbol: 'BTCUSDT', bidPrice: '59990.0', bidQty: '0.03000', askPrice: '60010.0', askQty: '0.03000' }
  assert.deepEqual(await get('/api/v3/ticker/bookTicker?symbol=BTCUSDT'), best)
  assert.equal((await get('/api/v3/ticker/bookTicker')).length, 14)
  for (const version of ['v1', 'v2']) assert.equal((await get(`/fapi/${version}/ticker/price?symbol=BTCUSDT`)).price, '60000.0')
  assert.ok((await get('/fapi/v1/ticker/bookTicker?symbol=BTCUSDT')).time > 0)
  const average = await get('/api/v3/avgPrice?symbol=BTCUSDT')
  assert.deepEqual([average.mins, average.price], [5, '59998.33333333'])
  for (const size of ['2m', '1h', '1d', '7d']) {
    const window = await get(`/api/v3/ticker?symbol=BTCUSDT&windowSize=${size}`)
    assert.deepEqual(
      [
        window.openPrice,
        window.highPrice,
        window.lowPrice,
        window.lastPrice,
        window.volume,
        window.quoteVolume,
        window.count,
        window.firstId,
      ],
      ['60000.0', '60010.0', '59990.0', '60010.0', '0.06', '3599.9', 4, 1],
      size,
    )
    assert.equal('bidQty' in window, false)
  }
  const [day] = await get(`/api/v3/ticker/tradingDay?symbols=${encodeURIComponent('["BTCUSDT"]')}`)
  assert.equal(day.openTime % 86_400_000, 0)
})

test('API-FUTURES-001: mark, index and funding of contracts, and what is held of them', async () => {
  const premium = await get('/fapi/v1/premiumIndex?symbol=BTCUSDT')
  const { time, nextFundingTime, ...rest } = premium
  assert.deepEqual(rest, {
    symbol: 'BTCUSDT',
    markPrice: '60000.0',
    indexPrice: '60000',
    estimatedSettlePrice: '60000',
    lastFundingRate: '0.000100000',
    interestRate: '0.000100000',
  })
  assert.equal(nextFundingTime % (8 * 3_600_000), 0)
  assert.ok(time > 0)
  assert.deepEqual(
    (await get('/fapi/v1/premiumIndex')).map((one: any) => one.symbol),
    ['BTCUSDT', 'ETHUSDT'],
    'those with a price',
  )
  await refused('/fapi/v1/premiumIndex?symbol=SOLUSDT', -1001, undefined, 503)
  const held = await get('/fapi/v1/openInterest?symbol=BTCUSDT')
  assert.deepEqual([held.symbol, held.openInterest], ['BTCUSDT', '0.02000'])
  const [info] = await get('/fapi/v1/fundingInfo')
  assert.deepEqual(info, {
    symbol: 'BTCUSDT',
    adjustedFundingRateCap: '0.007500000',
    adjustedFundingRateFloor: '-0.007500000',
    fundingIntervalHours: 8,
    disclaimer: false,
  })
  assert.deepEqual(await get('/fapi/v1/fundingRate?symbol=BTCUSDT'), [])
  await refused('/fapi/v1/fundingRate?symbol=NONE', -1121)
})

test('API-FUTURES-002: klines of the mark, the index and the trades of a contract', async () => {
  for (const [path, query] of [
    ['markPriceKlines', 'symbol=BTCUSDT'],
    ['indexPriceKlines', 'pair=BTCUSDT'],
  ]) {
    const rows = await get(`/fapi/v1/${path}?${query}&interval=1h&startTime=${firstTradeAt - 3_600_000}`)
    assert.ok(rows.length >= 1)
    assert.deepEqual([Number(rows[0][1]), rows[0][5], rows[0].length], [60_000, '0', 12])
    await refused(`/fapi/v1/${path}?${query}&interval=1s`, -1120)
  }
  const rows = await get('/fapi/v1/klines?symbol=BTCUSDT&interval=1d')
  assert.deepEqual([rows.at(-1)[5], rows.at(-1)[9]], ['0.02000', '0.00000'])
})
