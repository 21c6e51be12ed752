import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { type Answer, ask, type Fields, Program, programOf, queryOf } from './program.ts'

let exchange: TestExchange
let user: TestUser
let maker: TestUser
let program: Program

before(async () => {
  exchange = await startExchange({ hasFeeds: false, settings: { trustedProxies: ['127.0.0.1'] } })
  const prices = [1, 2, 7].map((market) => ({ market, price: [6e12, 3e11][market - 1] ?? 15e6, sources: 4, isGood: true }))
  await exchange.link.submit(commandOf({ type: 'index.tick', prices }))
  user = await exchange.user({ funds: { USDT: '10000', BTC: '1' }, isCertified: true, class: 'maker' })
  maker = await exchange.user({ funds: { USDT: '1000000', BTC: '10' }, isCertified: true, class: 'maker' })
  program = await programOf(exchange.url, user)
  const moved = { asset: 'USDT', from: 'spot', to: 'perp' }
  await call(user, '/transfer', { clientId: randomUUID(), ...moved, amount: '2000' })
  await call(maker, '/transfer', { clientId: randomUUID(), ...moved, amount: '100000' })
  for (const symbol of ['BTCUSDT', 'BTCUSDTPERP']) {
    for (const [side, price] of [
      ['buy', '59990'],
      ['sell', '60010'],
    ]) {
      const path = symbol === 'BTCUSDT' ? '/spot/orders' : '/perp/orders'
      await call(maker, path, { clientId: randomUUID(), symbol, side, type: 'limit', price, quantity: '0.1' })
    }
  }
  for (const path of ['/api/v3/order', '/fapi/v1/order']) {
    await program.done('POST', path, { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.001' })
  }
})
after(() => exchange[Symbol.asyncDispose]())

async function call(who: TestUser, path: string, body: object): Promise<void> {
  const answer = await who.call('POST', path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

type Said = number | readonly [code: number, msg: string | RegExp, status?: number]

function check(answer: Answer, said: Said, what: string): void {
  const [code, msg, status = 400] = typeof said === 'number' ? [said, undefined] : said
  assert.deepEqual([answer.status, answer.body.code], [status, code], `${what}: ${JSON.stringify(answer.body)}`)
  if (typeof msg === 'string') assert.equal(answer.body.msg, msg, what)
  else if (msg) assert.match(answer.body.msg, msg, what)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
}

/** Checks rows of parameters and the expected error of each. */
async function refuses(method: string, path: string, rows: readonly (readonly [Fields, Said])[]): Promise<void> {
  for (const [fields, said] of rows) check(await program.signed(method, path, fields), said, `${method} ${path} ${queryOf(fields)}`)
}

/** The base with changed fields; a field with the value undefined is left out. */
function changed(base: Fields, change: Readonly<Record<string, string | number | undefined>>): Fields {
  return Object.fromEntries(Object.entries({ ...base, ...change }).filter(([, value]) => value !== undefined)) as Fields
}

const missing = (name: string): Said => [-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`]
const precision = (name: string): Said => [-1111, `Parameter '${name}' has too much precision.`]
const filter = (name: string): Said => [-1013, `Filter failure: ${name}`]
const unneeded = (name: string): Said => [-1106, `Parameter '${name}' sent when not required.`]

const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price: '55000' }
const market = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.001' }
const stop = { symbol: 'BTCUSDT', side: 'SELL', type: 'STOP_LOSS', quantity: '0.001', stopPrice: '57000' }

test('API-ERROR-010: an invalid order of a spot market is refused with code and sentence', async () => {
  const order = (change: Readonly<Record<string, string | number | undefined>>, base: Fields = limit) => changed(base, change)
  await refuses('POST', '/api/v3/order', [
    [order({ symbol: undefined }), missing('symbol')],
    [order({ side: undefined }), missing('side')],
    [order({ type: undefined }), missing('type')],
    [order({ symbol: '' }), missing('symbol')],
    [order({ price: undefined }), missing('price')],
    [order({ quantity: undefined }), missing('quantity')],
    [order({ timeInForce: undefined }), missing('timeInForce')],
    [order({ stopPrice: undefined }, stop), -1102],
    [order({ quantity: undefined }, market), -1102],
    [order({ price: '' }), [-1105, "Parameter 'price' was empty."]],
    [order({ symbol: 'NONE' }), [-1121, 'Invalid symbol.']],
    [order({ side: 'HOLD' }), [-1117, 'Invalid side.']],
    [order({ type: 'ABC' }), [-1116, 'Invalid orderType.']],
    [order({ timeInForce: 'ABC' }), [-1115, 'Invalid timeInForce.']],
    [order({ price: 'abc' }), [-1100, /^Illegal characters found in parameter 'price'; legal range is '/]],
    [order({ price: '-1' }), [-1100, /'price'/]],
    [order({ quantity: '1e3' }), [-1100, /'quantity'/]],
    [order({ newClientOrderId: 'with space' }), [-1100, /'newClientOrderId'/]],
    [order({ newClientOrderId: 'x'.repeat(37) }), [-1100, /'newClientOrderId'/]],
    [order({ color: 'red' }), [-1104, /^Not all sent parameters were read; read '\d+' parameter\(s\) but was sent '\d+'\.$/]],
    [order({ newOrderRespType: 'ALL' }), [-1130, "Data sent for parameter 'newOrderRespType' is not valid."]],
    [order({ selfTradePreventionMode: 'ABC' }), [-1130, "Data sent for parameter 'selfTradePreventionMode' is not valid."]],
    [order({ quantity: '0.0000000001' }), precision('quantity')],
    [order({ price: '55000.0000000001' }), precision('price')],
    [order({ quantity: '0.000015' }), filter('LOT_SIZE')],
    [order({ quantity: '20000' }), filter('LOT_SIZE')],
    [order({ price: '55000.05' }), filter('PRICE_FILTER')],
    [order({ quantity: '0.00002' }), filter('NOTIONAL')],
    [order({ price: '10000' }), filter('PERCENT_PRICE_BY_SIDE')],
    [order({ price: '55000' }, market), unneeded('price')],
    [order({ timeInForce: 'GTC' }, market), unneeded('timeInForce')],
    [order({ stopPrice: '57000' }), unneeded('stopPrice')],
    [order({ quantity: '1' }), [-2010, 'Account has insufficient balance for requested action.']],
    [order({ side: 'SELL', quantity: '5', price: '65000' }), [-2010, 'Account has insufficient balance for requested action.']],
    [order({ type: 'LIMIT_MAKER', timeInForce: undefined, price: '60010' }), [-2010, 'Order would immediately match and take.']],
    [order({ stopPrice: '63000' }, stop), [-2010, /^(Stop price|Order) would trigger immediately\.$/]],
  ])
  const first = { ...limit, newClientOrderId: 'mine' }
  await program.done('POST', '/api/v3/order', first)
  await refuses('POST', '/api/v3/order', [[{ ...first, quantity: '0.02' }, [-2010, 'Duplicate order sent.']]])
  await program.done('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', origClientOrderId: 'mine' })
})

test('API-ERROR-011: unknown orders, impossible changes and lists with wrong prices are refused with their codes', async () => {
  const symbol = 'BTCUSDT'
  const unknown = { symbol, orderId: 999_999_999 }
  const lost: Said = [-2013, 'Order does not exist.']
  const done: Said = [-2011, 'Unknown order sent.']
  await refuses('GET', '/api/v3/order', [
    [unknown, lost],
    [{ symbol, origClientOrderId: 'none' }, lost],
    [{ symbol }, -1102],
    [{ orderId: 1 }, missing('symbol')],
  ])
  await refuses('DELETE', '/api/v3/order', [
    [unknown, done],
    [{ symbol, origClientOrderId: 'none' }, done],
    [{ symbol }, -1102],
    [{ ...unknown, cancelRestrictions: 'ABC' }, -1130],
  ])
  await refuses('DELETE', '/api/v3/openOrders', [[{ symbol }, done]])
  await refuses('GET', '/api/v3/allOrders', [
    [{}, missing('symbol')],
    [{ symbol, startTime: 1, endTime: 2 * 86_400_000 }, -1127],
  ])
  await refuses('GET', '/api/v3/myTrades', [[{ symbol, startTime: 1, endTime: 2 * 86_400_000 }, -1127]])
  await refuses('GET', '/api/v3/myPreventedMatches', [
    [{ orderId: 1 }, missing('symbol')],
    [{ symbol }, [-1102, "Param 'preventedMatchId' or 'orderId' must be sent, but both were empty/null!"]],
    [{ symbol, orderId: 1, preventedMatchId: 1 }, [-1128, 'Combination of optional parameters invalid.']],
  ])
  const { orderId } = await program.done('POST', '/api/v3/order', limit)
  await refuses('PUT', '/api/v3/order/amend/keepPriority', [
    [{ symbol, orderId, newQty: '0.02' }, -2038],
    [{ symbol, orderId }, missing('newQty')],
    [{ ...unknown, newQty: '0.001' }, -2013],
  ])
  const replacing = { ...limit, cancelReplaceMode: 'STOP_ON_FAILURE' }
  const whole = await program.signed('POST', '/api/v3/order/cancelReplace', { ...replacing, cancelOrderId: 999_999_999 })
  check(whole, [-2022, 'Order cancel-replace failed.'], 'both fail')
  assert.deepEqual([whole.body.data.cancelResult, whole.body.data.newOrderResult], ['FAILURE', 'NOT_ATTEMPTED'])
  const half = await program.signed('POST', '/api/v3/order/cancelReplace', { ...replacing, cancelOrderId: orderId, quantity: '1' })
  check(half, [-2021, 'Order cancel-replace partially failed.', 409], 'the second half fails')
  assert.deepEqual(
    [half.body.data.cancelResult, half.body.data.newOrderResult, half.body.data.newOrderResponse.code],
    [...['SUCCESS', 'FAILURE', -2010]],
  )
  const oco = {
    ...{ symbol, side: 'SELL', quantity: '0.01', aboveType: 'LIMIT_MAKER', abovePrice: '61000' },
    ...{ belowType: 'STOP_LOSS', belowStopPrice: '59000' },
  }
  const relation: Said = [-2010, 'The relationship of the prices for the orders is not correct.']
  await refuses('POST', '/api/v3/orderList/oco', [
    [{ ...oco, abovePrice: '58000' }, relation],
    [{ ...oco, belowStopPrice: '60500' }, relation],
    [changed(oco, { abovePrice: undefined }), -1102],
    [{ ...oco, quantity: '5' }, [-2010, 'Account has insufficient balance for requested action.']],
  ])
})

test('API-ERROR-012: wrong requests are refused with codes: no key, an unknown key, a stale time, a wrong signature, a repeated parameter, an unknown path', async () => {
  const path = '/api/v3/account'
  const raw = (query: string, headers: Record<string, string> = { 'X-MBX-APIKEY': program.key }, method = 'GET', to = path) =>
    ask(`${exchange.url}${to}?${query}`, { method, headers })
  const signed = (query: string) => `${query}&signature=${createHmac('sha256', program.secret).update(query).digest('hex')}`
  const stamp = () => `timestamp=${Date.now()}`
  check(await raw(signed(stamp()), {}), [-2014, 'API-key format invalid.', 401], 'no key')
  check(await raw(signed(stamp()), { 'X-MBX-APIKEY': 'a-key' }), [-2014, 'API-key format invalid.', 401], 'no key')
  const strange = [-2015, 'Invalid API-key, IP, or permissions for action.', 401] as const
  check(await raw(signed(stamp()), { 'X-MBX-APIKEY': 'z'.repeat(64) }), strange, 'a strange key')
  check(await raw(signed('recvWindow=5000')), missing('timestamp'), 'no time')
  check(await raw(stamp()), missing('signature'), 'no signature')
  check(await raw(signed(`timestamp=${Date.now() - 6_000}`)), [-1021, 'Timestamp for this request is outside of the recvWindow.'], 'late')
  const early = [-1021, "Timestamp for this request was 1000ms ahead of the server's time."] as const
  check(await raw(signed(`timestamp=${Date.now() + 5_000}`)), early, 'early')
  check(await raw(signed(`recvWindow=60001&${stamp()}`)), [-1131, 'recvWindow must be less than 60000'], 'a long window')
  check(await raw(`${stamp()}&signature=${'0'.repeat(64)}`), [-1022, 'Signature for this request is not valid.'], 'another signature')
  check(await raw(signed(`${stamp()}&${stamp()}`)), [-1101, "Duplicate values for parameter 'timestamp'."], 'twice')
  const twice = signed(`${queryOf(limit)}&price=1&${stamp()}`)
  check(
    await raw(twice, { 'X-MBX-APIKEY': program.key }, 'POST', '/api/v3/order'),
    [-1101, "Duplicate values for parameter 'price'."],
    'twice',
  )
  check(await raw(signed(`${stamp()}&color=red`)), -1104, 'unread')
  const many = Array.from({ length: 70 }, (_, i) => `a${i}=1`).join('&')
  check(await raw(signed(`${many}&${stamp()}`)), -1101, 'too many')
  check(await raw(stamp(), {}, 'GET', '/api/v3/nothing'), [-1100, 'Path /api/v3/nothing, Method GET is invalid', 404], 'a path')
  check(await raw(stamp(), {}, 'DELETE', '/api/v3/account'), [-1100, 'Path /api/v3/account, Method DELETE is invalid', 405], 'a method')
  const reader = await programOf(exchange.url, user, ['read'])
  check(await reader.signed('POST', '/api/v3/order', limit), strange, 'a key that reads')
  const json = { 'X-MBX-APIKEY': program.key, 'content-type': 'application/json' }
  const answer = await ask(`${exchange.url}/api/v3/order`, { method: 'POST', headers: json, body: JSON.stringify(limit) })
  assert.deepEqual([answer.status, answer.body.code], [415, -1100])
})

test('API-ERROR-013: an invalid Futures order is refused with code and sentence', async () => {
  const order = (change: Readonly<Record<string, string | number | undefined>>, base: Fields = limit) => changed(base, change)
  await refuses('POST', '/fapi/v1/order', [
    [order({ symbol: undefined }), missing('symbol')],
    [order({ side: undefined }), missing('side')],
    [order({ price: undefined }), missing('price')],
    [order({ timeInForce: undefined }), missing('timeInForce')],
    [order({ symbol: 'ETHBTC' }), [-1121, 'Invalid symbol.']],
    [order({ side: 'HOLD' }), [-1117, 'Invalid side.']],
    [order({ type: 'ABC' }), [-1116, 'Invalid orderType.']],
    [order({ timeInForce: 'ABC' }), [-1115, 'Invalid timeInForce.']],
    [order({ price: 'abc' }), -1100],
    [order({ quantity: '0.0000000001' }), -1111],
    [order({ quantity: '0.00001' }), [-4164, /notional/i]],
    [order({ quantity: '5' }), [-2019, 'Margin is insufficient.']],
    [order({ reduceOnly: 'true' }), [-2022, 'ReduceOnly Order is rejected.']],
    [order({ timeInForce: 'GTX', price: '60020' }), [-5022, /could not be executed as maker/]],
    [order({ timeInForce: 'FOK', price: '60010', quantity: '0.2' }), -5021],
  ])
  const unknown = { symbol: 'BTCUSDT', orderId: 999_999_999 }
  await refuses('GET', '/fapi/v1/order', [[unknown, [-2013, 'Order does not exist.']]])
  await refuses('DELETE', '/fapi/v1/order', [[unknown, [-2011, 'Unknown order sent.']]])
  const conditional = { algoType: 'CONDITIONAL', symbol: 'BTCUSDT', side: 'SELL', type: 'STOP_MARKET', quantity: '0.01' }
  await refuses('POST', '/fapi/v1/algoOrder', [
    [{ ...conditional, triggerPrice: '63000' }, [-2021, 'Order would immediately trigger.']],
    [conditional, -1102],
  ])
  await refuses('POST', '/fapi/v1/leverage', [[{ symbol: 'BTCUSDT', leverage: 500 }, -4028]])
  await refuses('POST', '/fapi/v1/marginType', [[{ symbol: 'BTCUSDT', marginType: 'ABC' }, -1130]])
  await refuses('POST', '/fapi/v1/positionSide/dual', [[{ dualSidePosition: 'false' }, [-4059, 'No need to change position side.']]])
})

test('API-ERROR-014: an impossible transfer or loan is refused with its code', async () => {
  const transfer = { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '10' }
  await refuses('POST', '/sapi/v1/asset/transfer', [
    [changed(transfer, { type: undefined }), missing('type')],
    [changed(transfer, { asset: undefined }), missing('asset')],
    [changed(transfer, { amount: undefined }), missing('amount')],
    [{ ...transfer, type: 'ABC' }, -1130],
    [{ ...transfer, amount: 'abc' }, -1100],
    [{ ...transfer, amount: '1.000000000001' }, -1111],
    [{ ...transfer, amount: '1000000' }, [-5013, 'Account has insufficient balance for requested action.']],
  ])
  await refuses('POST', '/sapi/v1/margin/borrow-repay', [
    [{ asset: 'USDT', amount: '100', isIsolated: 'FALSE' }, missing('type')],
    [{ asset: 'USDT', amount: '10000000', isIsolated: 'FALSE', type: 'BORROW' }, -3006],
    [{ asset: 'USDT', amount: '10', isIsolated: 'FALSE', type: 'REPAY' }, -3015],
  ])
})

test('API-ERROR-015: too much weight is 429 with -1003 and then 418, too many orders are 429 with -1015, each with the seconds to wait', async () => {
  const via = { headers: { 'x-forwarded-for': '203.0.113.77' } }
  let answer: Answer | undefined
  for (let i = 0; i < 100 && answer?.status !== 429; i++) answer = await ask(`${exchange.url}/api/v3/depth?symbol=BTCUSDT&limit=5000`, via)
  check(answer as Answer, [-1003, /^Too much request weight used; current limit is 6000 request weight per 1 MINUTE/, 429], 'weight')
  assert.ok(Number(answer?.headers.get('retry-after')) >= 1)
  // In a new minute the weight starts again at 0.
  for (let i = 0; i < 500 && answer?.status !== 418; i++) answer = await ask(`${exchange.url}/api/v3/depth?symbol=BTCUSDT&limit=5000`, via)
  check(answer as Answer, [-1003, /banned/i, 418], 'going on')
  assert.ok(Number(answer?.headers.get('retry-after')) >= 60)

  const retail = await programOf(exchange.url, await exchange.user({ funds: { USDT: '100000' } }))
  // Windows of ten seconds follow the clock: at most two of them overlap so short a time.
  let refused: Answer | undefined
  for (let i = 0; i < 25 && refused === undefined; i++) {
    const orders = Array.from({ length: 10 }, (_, n) => ({ ...limit, quantity: '0.0001', price: String(55_000 + ((i * 10 + n) % 100)) }))
    for (const sent of await Promise.all(orders.map((order) => retail.signed('POST', '/api/v3/order', order)))) {
      if (sent.status === 429) refused = sent
      else assert.equal(sent.status, 200, JSON.stringify(sent.body))
    }
  }
  check(refused as Answer, [-1015, /^Too many new orders; current limit is 100 orders per 10 SECOND/, 429], 'orders')
  assert.ok(Number(refused?.headers.get('retry-after')) >= 1)
})

test('API-ERROR-016: a halted market accepts no orders', async () => {
  const { markets } = await exchange.link.ask.listing()
  const { id, terms } = markets.find(({ symbol }) => symbol === 'BTCUSDT')!
  const { refusal } = await exchange.link.submit(commandOf({ type: 'market.set', market: id, terms: { ...terms, isTrading: false } }))
  assert.equal(refusal, undefined)
  const answer = await program.signed('POST', '/api/v3/order', limit)
  assert.deepEqual([answer.status, [-1013, -2010].includes(answer.body.code)], [400, true], JSON.stringify(answer.body))
  assert.match(answer.body.msg, /closed|halted|not trading/i)
})
