import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { described } from '../../test/described.ts'
import { ask, type Fields, type Program, programOf, queryOf } from '../../test/program.ts'

const convert = '/sapi/v1/convert'
const dayMs = 86_400_000

let exchange: TestExchange
let user: TestUser
let program: Program
/** The core's clock, which a test can move. */
const time = { shift: 0 }

before(async () => {
  const clock = { wall: () => Date.now() + time.shift, steady: () => performance.now() + time.shift }
  exchange = await startExchange({ seed: 'api-convert', hasFeeds: false, time: clock })
  await index()
  const maker = await exchange.user({ funds: { USDT: '2000000', BTC: '30' }, class: 'bench' })
  for (const [side, price] of [
    ['buy', '59990'],
    ['sell', '60010'],
  ]) {
    const order = { clientId: `book-${side}`, symbol: 'BTCUSDT', side, type: 'limit', price, quantity: '10' }
    assert.equal((await maker.call('POST', '/spot/orders', order)).status, 200)
  }
  user = await exchange.user({ funds: { USDT: '200000', BTC: '2', ETH: '5' }, isCertified: true })
  program = await programOf(exchange.url, user)
})
after(() => exchange[Symbol.asyncDispose]())

/** Ticks of the index, in USDT. Coins other than these two cost 100. */
async function index({ btc = 60_000, isEthGood = true } = {}): Promise<void> {
  const { markets } = await exchange.link.ask.listing()
  const spot = markets.filter(({ perp, symbol }) => perp === undefined && symbol.endsWith('USDT'))
  const prices = spot.map(({ id, symbol }) => ({
    ...{ market: id, price: (symbol === 'BTCUSDT' ? btc : 100) * 1e8, sources: 4 },
    isGood: symbol !== 'ETHUSDT' || isEthGood,
  }))
  assert.equal((await exchange.link.submit(commandOf({ type: 'index.tick', prices }))).refusal, undefined)
}

const get = (path: string, fields: Fields = {}, by = program) => described(by, 'GET', `${convert}/${path}`, fields)
const post = (path: string, fields: Fields = {}, by = program) => described(by, 'POST', `${convert}/${path}`, fields)

/** What anybody gets, without a key. */
async function pairs(fields: Fields = {}): Promise<any[]> {
  const { status, body } = await ask(`${exchange.url}${convert}/exchangeInfo?${queryOf(fields)}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const toBtc = { fromAsset: 'USDT', toAsset: 'BTC' }
const toUsdt = { fromAsset: 'BTC', toAsset: 'USDT' }

async function refused(method: string, path: string, fields: Fields, code: number, by = program): Promise<string> {
  const { status, body } = await by.signed(method, `${convert}/${path}`, fields)
  assert.deepEqual([status, body.code], [code === -2015 ? 401 : 400, code], `${path} ${JSON.stringify(fields)}: ${JSON.stringify(body)}`)
  return body.msg
}

/** Available and held, by coin. */
async function spot(): Promise<Readonly<Record<string, readonly [string, string]>>> {
  const { balances } = await described(program, 'GET', '/api/v3/account')
  return Object.fromEntries(balances.map((one: any) => [one.asset, [one.free, one.locked]]))
}

/** Brings the first tick after the delay of an acceptance, and returns the order once the tables have its end. */
async function decide(orderId: string, { btc = 60_000, by = program } = {}): Promise<any> {
  time.shift += 2_000
  await index({ btc })
  for (;;) {
    const order = await get('orderStatus', { orderId }, by)
    if (order.orderStatus !== 'PROCESS') return order
    await sleep(20)
  }
}

test('API-CONVERT-001: coins and the limits of pairs are those by which the core decides', async () => {
  const coins = await get('assetInfo')
  assert.equal(coins.length, 13)
  assert.deepEqual(
    coins.filter(({ asset }: any) => ['USDT', 'BTC'].includes(asset)),
    [
      { asset: 'USDT', fraction: 6 },
      { asset: 'BTC', fraction: 8 },
    ],
  )
  // 5 to 50,000 USDT; a spread of 0.1 %.
  const btc = { least: '0.00008334', most: '0.83333333', mostAfterSpread: '0.8325' }
  assert.deepEqual(await get('exchangeInfo', toUsdt), [
    {
      ...{ ...toUsdt, fromAssetMinAmount: btc.least, fromAssetMaxAmount: btc.most },
      ...{ toAssetMinAmount: '5', toAssetMaxAmount: '49950' },
    },
  ])
  assert.deepEqual(await pairs(toBtc), [
    {
      ...{ ...toBtc, fromAssetMinAmount: '5', fromAssetMaxAmount: '50000' },
      ...{ toAssetMinAmount: btc.least, toAssetMaxAmount: btc.mostAfterSpread },
    },
  ])
  for (const fromAmount of [btc.least, btc.most]) assert.equal((await post('getQuote', { ...toUsdt, fromAmount })).fromAmount, fromAmount)
  for (const fromAmount of ['0.00008333', '0.83333334']) await refused('POST', 'getQuote', { ...toUsdt, fromAmount }, -1013)
  assert.equal((await post('getQuote', { ...toBtc, toAmount: btc.least })).toAmount, btc.least)

  assert.equal((await pairs()).length, 13 * 12)
  assert.equal((await pairs({ fromAsset: 'ETH' })).length, 12)
  await index({ isEthGood: false })
  assert.deepEqual(await pairs({ fromAsset: 'ETH' }), [])
  assert.deepEqual([(await pairs()).length, (await pairs({ toAsset: 'BTC' })).length], [12 * 11, 11])
  await index()
  assert.deepEqual(await pairs({ fromAsset: 'BTC', toAsset: 'BTC' }), [])
  await refused('GET', 'exchangeInfo', { fromAsset: 'NONE' }, -1108)

  const terms = (await exchange.link.ask.convertTerms())!
  await exchange.link.submit({ type: 'convert.setTerms', terms: { ...terms, isOpen: false } })
  assert.deepEqual([await get('assetInfo'), await pairs()], [[], []])
  await refused('POST', 'getQuote', { ...toBtc, fromAmount: '100' }, -1013)
  await exchange.link.submit({ type: 'convert.setTerms', terms })
  assert.equal((await get('assetInfo')).length, 13)
})

test('API-CONVERT-002: a quote is accepted once, waits for the index, and converts at its amounts or not at all', async () => {
  await index()
  const before = await spot()
  const quote = await post('getQuote', { ...toBtc, fromAmount: '6001', walletType: 'SPOT', validTime: '8s' })
  // 60,010 in the book, and the spread of 0.1 %.
  assert.deepEqual([quote.fromAmount, quote.toAmount, quote.ratio], ['6001', '0.0999', '0.000016647225'])
  assert.ok(Math.abs(quote.validTimestamp - (Date.now() + time.shift) - 8_000) < 5_000)
  assert.ok(Math.abs(Number(quote.ratio) * Number(quote.inverseRatio) - 1) < 1e-6)
  assert.deepEqual(await spot(), before)
  const accept = () => post('acceptQuote', { quoteId: quote.quoteId })
  const accepted = await accept()
  assert.deepEqual([accepted.orderId, accepted.orderStatus], [quote.quoteId, 'PROCESS'])
  assert.deepEqual(await accept(), accepted)
  assert.deepEqual((await spot())['USDT'], [String(Number(before['USDT']![0]) - 6001), '6001'])
  const order = {
    ...{ orderId: Number(quote.quoteId), ...toBtc, fromAmount: '6001', toAmount: '0.0999' },
    ...{ ratio: quote.ratio, inverseRatio: quote.inverseRatio, createTime: accepted.createTime },
  }
  assert.deepEqual(await get('orderStatus', { orderId: quote.quoteId }), { ...order, orderStatus: 'PROCESS' })
  await decide(quote.quoteId)
  const both = { orderId: quote.quoteId, quoteId: quote.quoteId }
  for (const fields of [{ quoteId: quote.quoteId }, both])
    assert.deepEqual(await get('orderStatus', fields), { ...order, orderStatus: 'SUCCESS' })
  assert.deepEqual(await accept(), { ...accepted, orderStatus: 'SUCCESS' })
  const after = await spot()
  assert.deepEqual(after['USDT'], [String(Number(before['USDT']![0]) - 6001), '0'])
  assert.deepEqual(after['BTC'], ['2.0999', '0'])

  const moved = await post('getQuote', { ...toUsdt, toAmount: '1000' })
  assert.equal(moved.toAmount, '1000')
  await post('acceptQuote', { quoteId: moved.quoteId })
  assert.equal((await decide(moved.quoteId, { btc: 61_000 })).orderStatus, 'FAIL')
  assert.deepEqual(await spot(), after)
  await index()
})

test('API-CONVERT-003: the history has a span of time, oldest first, and says whether there are more', async () => {
  await index()
  const owner = await exchange.user({ funds: { USDT: '1000' }, isCertified: true })
  const own = await programOf(exchange.url, owner)
  const taken: string[] = []
  for (const fromAmount of ['10', '20', '30']) {
    const { quoteId } = await post('getQuote', { ...toBtc, fromAmount }, own)
    await post('acceptQuote', { quoteId }, own)
    await decide(quoteId, { by: own })
    taken.push(quoteId)
  }
  const now = Date.now() + time.shift
  const span = { startTime: now - 30 * dayMs, endTime: now }
  const all = await get('tradeFlow', span, own)
  const { list, ...rest } = all
  assert.deepEqual(rest, { ...span, limit: 100, moreData: false })
  assert.deepEqual(
    list.map((one: any) => [one.quoteId, one.orderId, one.fromAmount, one.orderStatus]),
    ['10', '20', '30'].map((amount, i) => [taken[i], Number(taken[i]), amount, 'SUCCESS']),
  )
  const { quoteId: _, ...first } = list[0]
  assert.deepEqual(first, await get('orderStatus', { orderId: taken[0]! }, own))
  const two = await get('tradeFlow', { ...span, limit: 2 }, own)
  assert.deepEqual([two.list, two.limit, two.moreData], [list.slice(0, 2), 2, true])
  const exact = { startTime: list[1].createTime, endTime: list[2].createTime }
  assert.deepEqual((await get('tradeFlow', exact, own)).list, list.slice(1))
  assert.deepEqual((await get('tradeFlow', { startTime: exact.startTime + 1, endTime: exact.endTime - 1 }, own)).list, [])
  assert.equal((await get('tradeFlow', { ...span, limit: 5_000 }, own)).limit, 1_000)
  await refused('GET', 'tradeFlow', { startTime: now, endTime: now - 1 }, -1127)
  await refused('GET', 'tradeFlow', { startTime: now - 30 * dayMs - 1, endTime: now }, -1127)
  await refused('GET', 'tradeFlow', { startTime: now }, -1102)
})

test('API-CONVERT-004: an impossible quote or acceptance is refused with its code and moves nothing', async () => {
  await index()
  const before = await spot()
  const asked = { ...toBtc, fromAmount: '100' }
  await refused('POST', 'getQuote', toBtc, -1102)
  await refused('POST', 'getQuote', { fromAsset: 'USDT', fromAmount: '100' }, -1102)
  await refused('POST', 'getQuote', { ...asked, toAmount: '0.001' }, -1128)
  await refused('POST', 'getQuote', { ...asked, toAsset: 'NONE' }, -1108)
  await refused('POST', 'getQuote', { ...asked, toAsset: 'USDT' }, -1108)
  await refused('POST', 'getQuote', { ...asked, fromAmount: '100.0000001' }, -1111)
  await refused('POST', 'getQuote', { ...toBtc, toAmount: '0.000000001' }, -1111)
  await refused('POST', 'getQuote', { ...asked, fromAmount: '-1' }, -1100)
  for (const fromAmount of ['0', '4.999999', '50000.000001']) await refused('POST', 'getQuote', { ...asked, fromAmount }, -1013)
  assert.equal(
    await refused('POST', 'getQuote', { fromAsset: 'BTC', toAsset: 'USDT', fromAmount: '2.5' }, -2010),
    'Account has insufficient balance for requested action.',
  )
  // Nobody trades ETH here.
  await refused('POST', 'getQuote', { ...asked, toAsset: 'ETH' }, -2010)
  await index({ isEthGood: false })
  assert.equal(await refused('POST', 'getQuote', { ...asked, toAsset: 'ETH' }, -2010), 'There is no reliable index price now.')
  await index()
  for (const walletType of ['FUNDING', 'EARN', 'SPOT_FUNDING']) await refused('POST', 'getQuote', { ...asked, walletType }, -1130)
  for (const validTime of ['10s', '8m', '1m', '80s']) await refused('POST', 'getQuote', { ...asked, validTime }, -1130)
  for (const validTime of ['8', '8000ms', '0s', '8h']) await refused('POST', 'getQuote', { ...asked, validTime }, -1100)

  await refused('POST', 'acceptQuote', {}, -1102)
  await refused('POST', 'acceptQuote', { quoteId: '1' }, -1100)
  await refused('POST', 'acceptQuote', { quoteId: 'none' }, -1100)
  const [replaced, open] = [await post('getQuote', asked), await post('getQuote', asked)]
  await refused('POST', 'acceptQuote', { quoteId: replaced.quoteId }, -1100)
  time.shift += 9_000
  assert.equal(await refused('POST', 'acceptQuote', { quoteId: open.quoteId }, -1100), 'The quote has expired.')
  await refused('GET', 'orderStatus', {}, -1102)
  await refused('GET', 'orderStatus', { orderId: open.quoteId }, -2013)
  await refused('GET', 'orderStatus', { orderId: '1', quoteId: '2' }, -1128)
  assert.deepEqual(await spot(), before)

  const terms = (await exchange.link.ask.convertTerms())!
  await index()
  await exchange.link.submit(commandOf({ type: 'convert.setTerms', terms: { ...terms, max: 100_000_000, userMax: 150_000_000 } }))
  const rich = await exchange.user({ funds: { USDT: '1000' }, isCertified: true })
  const own = await programOf(exchange.url, rich)
  const { quoteId } = await post('getQuote', asked, own)
  await post('acceptQuote', { quoteId }, own)
  assert.equal(await refused('POST', 'getQuote', asked, -2010, own), 'The conversions of the UTC day would exceed the limit.')
  await exchange.link.submit({ type: 'convert.setTerms', terms })
})

test('API-CONVERT-005: a quote needs a key that may trade, and nobody accepts or sees those of others', async () => {
  await index()
  const reader = await programOf(exchange.url, user, ['read'])
  const asked = { ...toBtc, fromAmount: '100' }
  const { quoteId } = await post('getQuote', asked)
  await refused('POST', 'getQuote', asked, -2015, reader)
  await refused('POST', 'acceptQuote', { quoteId }, -2015, reader)
  const other = await programOf(exchange.url, await exchange.user({ funds: { USDT: '1000' }, isCertified: true }))
  await refused('POST', 'acceptQuote', { quoteId }, -1100, other)
  await post('acceptQuote', { quoteId })
  await refused('POST', 'acceptQuote', { quoteId }, -1100, other)
  assert.equal((await get('orderStatus', { quoteId }, reader)).orderId, Number(quoteId))
  await refused('GET', 'orderStatus', { quoteId }, -2013, other)
  const now = Date.now() + time.shift
  assert.deepEqual((await get('tradeFlow', { startTime: now - dayMs, endTime: now + dayMs }, other)).list, [])
})
