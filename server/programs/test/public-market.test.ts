import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openInterest } from '../../store/query/programs/perp.ts'
import { exchange, firstTradeAt, lastTradeAt, get, refused } from './public-books.ts'

test('API-DEPTH-001: depth lists the best levels first, with the update that a socket’s changes continue', async () => {
  const depth = await get('/api/v3/depth?symbol=BTCUSDT&limit=5')
  assert.deepEqual(Object.keys(depth), ['lastUpdateId', 'bids', 'asks'])
  assert.deepEqual(depth.bids, [['59990.0', '0.03000']])
  assert.deepEqual(depth.asks, [['60010.0', '0.03000']])
  assert.ok(depth.lastUpdateId > 0)
  const contracts = await get('/fapi/v1/depth?symbol=BTCUSDT&limit=5')
  assert.deepEqual(Object.keys(contracts), ['lastUpdateId', 'E', 'T', 'bids', 'asks'])
  await refused('/fapi/v1/depth?symbol=BTCUSDT&limit=7', -1130)
})

test('API-TRADES-001: trades are listed oldest first: the newest ones, or from a number on', async () => {
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

test('API-TRADES-002: an aggregate has the trades of one taker order at one price and time; lists start at a number or a time', async () => {
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

test('API-KLINES-001: every interval adds up to the trades, with takers’ volumes', async () => {
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

test('API-KLINES-002: a bar without trades is flat; ranges end at their bounds', async () => {
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

test('API-TICKER-001: the rolling day has lowest ≤ open, last ≤ highest; spot markets have best levels in it, Futures none', async () => {
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
    'before its first trade the index is its price',
  )
})

test('API-TICKER-002: prices, best levels, averages and windows of any length are given for one market, some or all', async () => {
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

test('API-FUTURES-001: Futures have mark, index, funding and open interest', async () => {
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

test('PERP-INTEREST-004: a position that leaves the users without a trade, as in a take-over, stays in the open interest', async () => {
  for (const side of ['quantity > 0', 'quantity < 0']) {
    const client = await exchange.store.pool.connect()
    try {
      await client.query('begin')
      const { rowCount } = await client.query(`delete from positions where market = 'BTCUSDTPERP' and ${side}`)
      assert.equal(rowCount, 1)
      assert.equal(Number(await openInterest(client, 'BTCUSDTPERP')), 0.02, side)
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
})

test('API-FUTURES-002: Futures have klines of the mark, the index and the trades', async () => {
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
