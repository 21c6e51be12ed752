import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { exchange, alice, ask, get, refused, type Answer } from './public-books.ts'

test('API-FRAME-001: unknown paths and wrong methods are answered in JSON, and never reach the app’s routes', async () => {
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

test('API-FRAME-002: an invalid parameter is refused with its code', async () => {
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

test('API-FRAME-003: signed requests to open paths, and extra parameters on paths of Futures, are accepted', async () => {
  const signed = 'timestamp=1&recvWindow=5000&signature=ab'
  assert.deepEqual(await get(`/api/v3/ping?${signed}`), {})
  assert.equal((await get(`/api/v3/ticker/price?symbol=BTCUSDT&${signed}`)).symbol, 'BTCUSDT')
  assert.equal((await get('/fapi/v1/ticker/price?symbol=BTCUSDT&color=red')).symbol, 'BTCUSDT')
  assert.equal((await get('/api/v3/depth?symbol=BTCUSDT&limit=99999')).bids.length, 1, 'a limit above the maximum is reduced to it')
})

test('API-FRAME-004: any origin may send requests, with or without a preflight, and can read the headers of the limits', async () => {
  const { headers } = await ask('/api/v3/ping', { headers: { origin: 'https://elsewhere.example', cookie: alice.cookie } })
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.match(headers.get('access-control-expose-headers') ?? '', /X-MBX-USED-WEIGHT-1M.*Retry-After/)
  assert.equal(headers.get('cache-control'), 'no-store')
  const preflight = await fetch(`${exchange.url}/api/v3/order`, { method: 'OPTIONS', headers: { origin: 'https://elsewhere.example' } })
  assert.equal(preflight.status, 204)
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /X-MBX-APIKEY/)
})

test('API-LIMIT-001: weight is counted by address and minute; above the limit the answer is 429, and an address that continues is banned with 418', async () => {
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
  assert.equal((await ask('/fapi/v1/ping', via('203.0.113.7'))).status, 200, 'Futures count separately')
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
    assert.equal(lost.headers.get('x-mbx-used-weight-1m'), '1', 'a wrong request has weight, too')
    const wrong = { headers: { ...via(ip).headers, 'x-mbx-apikey': 'x'.repeat(64) } }
    const strange = await ask('/api/v3/userDataStream', { ...wrong, method: 'POST' })
    assert.deepEqual([strange.body.code, strange.headers.get('x-mbx-used-weight-1m')], [-2015, '21'], 'a key is looked up')
    for (let i = 0; i < 24; i++) await ask('/api/v3/depth?symbol=BTCUSDT&limit=5000', via(ip))
    const held = [await ask('/api/v3/userDataStream', { ...wrong, method: 'POST' }), await ask('/api/v3/none', wrong)]
    return minute() === begun ? held : inOneMinute(last + 1)
  }
  const held = await inOneMinute(9)
  assert.deepEqual([held[0]?.status, held[1]?.status], [429, 429], 'and has the same limit')
})

test('API-LIMIT-004: an account can ask with its key how many orders it has sent', async () => {
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

test('API-INFO-001: exchangeInfo lists spot markets with the filters of their orders: all, one or some', async () => {
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

test('API-INFO-002: Futures are listed separately, by the name of their pair; the list of coin-margined ones is empty', async () => {
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
