import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange } from '../../../main/test/exchange.ts'
import { ask, type Fields, type Program, programOf, queryOf } from '../../test/program.ts'
import { descriptions } from '../all.ts'
import { listedRoutes } from '../listed.ts'

let exchange: TestExchange
let alice: Program
let bob: Program
const routes = new Map(listedRoutes().map((route) => [`${route.method} ${route.path}`, route]))
const seen = new Set<string>()
const symbol = 'BTCUSDT'
/** They need chains, or a firm: the tests of those check their answers. */
const checkedElsewhere = new Set([
  'GET /sapi/v1/capital/deposit/address',
  'POST /sapi/v1/capital/withdraw/apply',
  ...[...routes.keys()].filter((name) => name.includes('/sub-account/')),
])

before(async () => {
  exchange = await startExchange({ hasFeeds: false })
  const { markets } = await exchange.link.ask.listing()
  const spot = markets.filter((market) => market.perp === undefined && market.symbol.endsWith('USDT'))
  const prices = spot.map(({ id, symbol: name }) => ({
    market: id,
    price: (name === symbol ? 60_000 : 100) * 1e8,
    sources: 4,
    isGood: true,
  }))
  for (let tick = 0; tick < 2; tick++) await exchange.link.submit(commandOf({ type: 'index.tick', prices }))
  const funds = { USDT: '1000000', BTC: '10' }
  const users = await Promise.all([1, 2].map(() => exchange.user({ funds, isCertified: true, class: 'bench' })))
  ;[alice, bob] = (await Promise.all(users.map((user) => programOf(exchange.url, user)))) as [Program, Program]
  for (const program of [alice, bob]) {
    await program.done('POST', '/sapi/v1/asset/transfer', { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '200000' })
    await program.done('POST', '/sapi/v1/asset/transfer', { type: 'MAIN_MARGIN', asset: 'USDT', amount: '200000' })
  }
})
after(() => exchange[Symbol.asyncDispose]())

/** Sends a request and checks the answer against its schema. */
async function held(program: Program, name: string, fields: Fields = {}): Promise<any> {
  const route = routes.get(name)
  const description = descriptions[name]
  assert.ok(route && description, name)
  const [method = '', path = ''] = name.split(' ')
  let body: any
  if (route.isSigned) body = await program.done(method, path, fields)
  else {
    const headers = route.scope === undefined ? {} : { 'X-MBX-APIKEY': program.key }
    const answer = await ask(`${program.url}${path}?${queryOf(fields)}`, { method, headers })
    assert.equal(answer.status, 200, `${name} ${JSON.stringify(answer.body)}`)
    body = answer.body
  }
  const { answer, oneWith } = description
  const schema = oneWith !== undefined && fields[oneWith] === undefined ? answer.array() : answer
  const { error } = schema.safeParse(body)
  assert.equal(error, undefined, `${name} ${queryOf(fields)}: ${error?.message}\n${JSON.stringify(body)}`)
  seen.add(name)
  return body
}

const limit = (side: string, price: string, quantity: string, more: Fields = {}): Fields => ({
  ...{ symbol, side, type: 'LIMIT', timeInForce: 'GTC', price, quantity },
  ...more,
})

test('API-DOCS-004: answers about spot orders fit their description', async () => {
  const place = (fields: Fields, who = alice) => held(who, 'POST /api/v3/order', fields)
  await held(alice, 'POST /api/v3/order/test', limit('BUY', '59000', '0.01'))
  await held(alice, 'POST /api/v3/order/test', limit('BUY', '59000', '0.01', { computeCommissionRates: 'true' }))
  await place(limit('SELL', '60010', '0.05'), bob)
  await place({ symbol, side: 'BUY', type: 'MARKET', quantity: '0.01' })
  await place({ symbol, side: 'BUY', type: 'MARKET', quoteOrderQty: '100', newOrderRespType: 'RESULT' })
  const [one, two] = [await place(limit('BUY', '59000', '0.02', { icebergQty: '0.01' })), await place(limit('BUY', '58900', '0.02'))]
  await place({ symbol, side: 'SELL', type: 'STOP_LOSS', quantity: '0.01', stopPrice: '50000' })
  await place({ symbol, side: 'SELL', type: 'STOP_LOSS', quantity: '0.01', trailingDelta: 500, newOrderRespType: 'RESULT' })
  await place(limit('BUY', '58800', '0.01', { newOrderRespType: 'ACK' }))
  await held(alice, 'GET /api/v3/order', { symbol, orderId: one.orderId })
  await held(alice, 'PUT /api/v3/order/amend/keepPriority', { symbol, orderId: two.orderId, newQty: '0.01' })
  await held(alice, 'POST /api/v3/order/cancelReplace', {
    ...limit('BUY', '58950', '0.02'),
    ...{ cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: two.orderId },
  })
  const oco = { symbol, side: 'SELL', quantity: '0.01' }
  const first = await held(alice, 'POST /api/v3/orderList/oco', {
    ...oco,
    ...{ aboveType: 'LIMIT_MAKER', abovePrice: '65000', belowType: 'STOP_LOSS', belowStopPrice: '55000', newOrderRespType: 'ACK' },
  })
  await held(alice, 'POST /api/v3/order/oco', { ...oco, price: '66000', stopPrice: '54000' })
  const working = { symbol, workingType: 'LIMIT', workingSide: 'BUY', workingPrice: '58000', workingQuantity: '0.01' }
  const waiting = { ...working, workingTimeInForce: 'GTC', pendingSide: 'SELL', pendingQuantity: '0.01' }
  await held(alice, 'POST /api/v3/orderList/oto', { ...waiting, pendingType: 'STOP_LOSS', pendingStopPrice: '55000' })
  await held(alice, 'POST /api/v3/orderList/otoco', {
    ...{ ...waiting, pendingAboveType: 'LIMIT_MAKER', pendingAbovePrice: '65000' },
    ...{ pendingBelowType: 'STOP_LOSS', pendingBelowStopPrice: '55000' },
  })
  await held(alice, 'GET /api/v3/orderList', { orderListId: first.orderListId })
  await held(alice, 'GET /api/v3/openOrderList')
  await held(alice, 'GET /api/v3/openOrders')
  await held(alice, 'GET /api/v3/openOrders', { symbol })
  await held(alice, 'DELETE /api/v3/orderList', { symbol, orderListId: first.orderListId })
  await held(alice, 'DELETE /api/v3/order', { symbol, orderId: one.orderId })
  await held(alice, 'DELETE /api/v3/openOrders', { symbol })
  await held(alice, 'GET /api/v3/allOrders', { symbol })
  await held(alice, 'GET /api/v3/allOrderList')
  await held(bob, 'DELETE /api/v3/openOrders', { symbol })
  const own = await place(limit('SELL', '60500', '0.02'), bob)
  await place(limit('BUY', '60500', '0.01', { selfTradePreventionMode: 'EXPIRE_BOTH' }), bob)
  assert.equal((await held(bob, 'GET /api/v3/myPreventedMatches', { symbol, orderId: own.orderId })).length, 1)
  assert.ok((await held(alice, 'GET /api/v3/myTrades', { symbol })).length > 0)
})

test('API-DOCS-004: answers about accounts, the wallet and keys fit their description', async () => {
  await held(alice, 'GET /api/v3/account')
  await held(alice, 'GET /api/v3/account/commission', { symbol })
  for (const name of ['GET /sapi/v1/account/apiRestrictions', 'GET /api/v3/rateLimit/order', 'GET /fapi/v1/rateLimit/order'])
    await held(alice, name)
  await held(alice, 'GET /sapi/v1/capital/config/getall')
  await held(alice, 'GET /sapi/v1/capital/deposit/hisrec')
  await held(alice, 'GET /sapi/v1/capital/withdraw/history')
  await held(alice, 'POST /sapi/v1/asset/get-funding-asset')
  await held(alice, 'POST /sapi/v3/asset/getUserAsset', { needBtcValuation: 'true' })
  await held(alice, 'GET /sapi/v1/asset/wallet/balance')
  await held(alice, 'POST /sapi/v1/asset/transfer', { type: 'MAIN_ISOLATED_MARGIN', asset: 'USDT', amount: '5000', toSymbol: symbol })
  await held(alice, 'GET /sapi/v1/asset/transfer', { type: 'MAIN_ISOLATED_MARGIN' })
  await held(alice, 'GET /sapi/v1/asset/transfer', { type: 'MAIN_UMFUTURE' })
  await held(alice, 'GET /sapi/v1/asset/tradeFee')
  for (const path of ['/api/v3/userDataStream', '/sapi/v1/userDataStream', '/sapi/v1/userDataStream/isolated', '/fapi/v1/listenKey']) {
    const pair = path.endsWith('isolated') ? { symbol } : {}
    const { listenKey } = await held(alice, `POST ${path}`, pair)
    const named = path.startsWith('/fapi') ? {} : { ...pair, listenKey }
    await held(alice, `PUT ${path}`, named)
    await held(alice, `DELETE ${path}`, named)
  }
  await held(alice, 'POST /sapi/v1/userListenToken')
})

test('API-DOCS-004: answers about conversions fit their description', async () => {
  const root = '/sapi/v1/convert'
  await held(bob, 'POST /api/v3/order', limit('SELL', '60030', '0.05'))
  await held(alice, `GET ${root}/assetInfo`)
  assert.ok((await held(alice, `GET ${root}/exchangeInfo`, { fromAsset: 'USDT' })).length > 0)
  const { quoteId } = await held(alice, `POST ${root}/getQuote`, { fromAsset: 'USDT', toAsset: 'BTC', fromAmount: '10' })
  const { createTime } = await held(alice, `POST ${root}/acceptQuote`, { quoteId })
  await held(alice, `GET ${root}/orderStatus`, { quoteId })
  const { list } = await held(alice, `GET ${root}/tradeFlow`, { startTime: createTime, endTime: createTime })
  assert.equal(list.length, 1)
})

test('API-DOCS-004: answers about Margin accounts fit their description', async () => {
  const root = '/sapi/v1/margin'
  for (const path of ['allPairs', 'isolated/allPairs', 'allAssets', 'tradeCoeff', 'crossMarginData', 'isolatedMarginData'])
    await held(alice, `GET ${root}/${path}`)
  for (const path of ['pair', 'isolated/pair', 'priceIndex', 'isolatedMarginTier']) await held(alice, `GET ${root}/${path}`, { symbol })
  await held(alice, `GET ${root}/asset`, { asset: 'USDT' })
  await held(alice, `GET ${root}/next-hourly-interest-rate`, { assets: 'BTC,USDT' })
  await held(alice, `GET ${root}/interestRateHistory`, { asset: 'USDT' })
  await held(alice, `POST ${root}/borrow-repay`, { asset: 'USDT', amount: '1000', type: 'BORROW' })
  await held(alice, `POST ${root}/borrow-repay`, { asset: 'USDT', amount: '100', type: 'REPAY' })
  await held(alice, `GET ${root}/borrow-repay`, { type: 'BORROW' })
  await held(alice, `GET ${root}/borrow-repay`, { type: 'REPAY' })
  await held(alice, `GET ${root}/interestHistory`)
  await held(alice, `GET ${root}/forceLiquidationRec`)
  for (const path of ['account', 'isolated/account', 'isolated/accountLimit']) await held(alice, `GET ${root}/${path}`)
  await held(alice, `GET ${root}/isolated/account`, { symbols: symbol })
  for (const path of ['maxBorrowable', 'maxTransferable']) await held(alice, `GET ${root}/${path}`, { asset: 'USDT' })
  await held(bob, 'POST /api/v3/order', limit('SELL', '60020', '0.05'))
  await held(alice, `POST ${root}/order`, { symbol, side: 'BUY', type: 'MARKET', quantity: '0.02', sideEffectType: 'MARGIN_BUY' })
  const rest = await held(alice, `POST ${root}/order`, limit('BUY', '59000', '0.01', { newOrderRespType: 'RESULT' }))
  await held(alice, `POST ${root}/order`, limit('BUY', '59000', '0.01', { isIsolated: 'TRUE' }))
  const oco = await held(alice, `POST ${root}/order/oco`, { symbol, side: 'SELL', quantity: '0.01', price: '66000', stopPrice: '54000' })
  await held(alice, `GET ${root}/order`, { symbol, orderId: rest.orderId })
  await held(alice, `GET ${root}/openOrders`, { symbol, isIsolated: 'TRUE' })
  await held(alice, `GET ${root}/orderList`, { orderListId: oco.orderListId })
  await held(alice, `GET ${root}/openOrderList`)
  await held(alice, `GET ${root}/rateLimit/order`)
  await held(alice, `DELETE ${root}/order`, { symbol, orderId: rest.orderId })
  await held(alice, `DELETE ${root}/orderList`, { symbol, orderListId: oco.orderListId })
  await held(alice, `DELETE ${root}/openOrders`, { symbol, isIsolated: 'TRUE' })
  await held(alice, `GET ${root}/allOrderList`)
  await held(alice, `GET ${root}/allOrders`, { symbol })
  await held(alice, `GET ${root}/myTrades`, { symbol })
  await held(alice, `GET ${root}/myPreventedMatches`, { symbol, preventedMatchId: 1 })
})

test('API-DOCS-004: answers about Futures fit their description', async () => {
  const root = '/fapi/v1'
  await held(alice, `POST ${root}/leverage`, { symbol, leverage: 5 })
  await held(alice, `POST ${root}/marginType`, { symbol, marginType: 'CROSSED' })
  await held(alice, `POST ${root}/marginType`, { symbol, marginType: 'ISOLATED' })
  await held(alice, `POST ${root}/positionSide/dual`, { dualSidePosition: 'true' })
  await held(alice, `POST ${root}/positionSide/dual`, { dualSidePosition: 'false' })
  await held(alice, `GET ${root}/positionSide/dual`)
  await held(alice, `POST ${root}/countdownCancelAll`, { symbol, countdownTime: 600_000 })
  await held(alice, `POST ${root}/multiAssetsMargin`, { multiAssetsMargin: 'false' })
  await held(alice, `GET ${root}/multiAssetsMargin`)
  await held(alice, `POST ${root}/order/test`, limit('BUY', '59000', '0.01'))
  await held(bob, `POST ${root}/order`, limit('SELL', '60000', '0.05'))
  await held(alice, `POST ${root}/order`, limit('BUY', '60000', '0.05'))
  const one = await held(alice, `POST ${root}/order`, limit('BUY', '59000', '0.01'))
  await held(alice, `GET ${root}/order`, { symbol, orderId: one.orderId })
  await held(alice, `GET ${root}/openOrder`, { symbol, orderId: one.orderId })
  await held(alice, `GET ${root}/openOrders`)
  await held(alice, `PUT ${root}/order`, { symbol, orderId: one.orderId, side: 'BUY', quantity: '0.02', price: '58900' })
  const batch = [limit('BUY', '58000', '0.01'), limit('BUY', '58000.01234', '0.01')]
  const [placed] = await held(alice, `POST ${root}/batchOrders`, { batchOrders: JSON.stringify(batch) })
  const change = [{ symbol, orderId: placed.orderId, side: 'BUY', quantity: '0.02', price: '58100' }]
  await held(alice, `PUT ${root}/batchOrders`, { batchOrders: JSON.stringify(change) })
  await held(alice, `DELETE ${root}/batchOrders`, { symbol, orderIdList: JSON.stringify([placed.orderId, 1]) })
  await held(alice, `DELETE ${root}/order`, { symbol, orderId: one.orderId })
  const algo = { algoType: 'CONDITIONAL', symbol, side: 'SELL', quantity: '0.01' }
  const stop = await held(alice, `POST ${root}/algoOrder`, { ...algo, type: 'STOP_MARKET', triggerPrice: '50000' })
  await held(alice, `POST ${root}/algoOrder`, { ...algo, type: 'TRAILING_STOP_MARKET', callbackRate: '1', activatePrice: '70000' })
  await held(alice, `GET ${root}/algoOrder`, { algoId: stop.algoId })
  await held(alice, `GET ${root}/openAlgoOrders`, { symbol })
  await held(alice, `DELETE ${root}/algoOrder`, { algoId: stop.algoId })
  await held(alice, `DELETE ${root}/algoOpenOrders`, { symbol })
  await held(alice, `DELETE ${root}/allOpenOrders`, { symbol })
  await held(alice, `GET ${root}/allAlgoOrders`, { symbol })
  await held(alice, `GET ${root}/allOrders`, { symbol })
  await held(alice, `POST ${root}/positionMargin`, { symbol, amount: '10', type: 1 })
  for (const version of ['v2', 'v3']) {
    for (const path of ['account', 'balance', 'positionRisk']) await held(alice, `GET /fapi/${version}/${path}`)
  }
  for (const path of ['accountConfig', 'symbolConfig', 'leverageBracket', 'adlQuantile', 'income', 'forceOrders'])
    await held(alice, `GET ${root}/${path}`)
  for (const path of ['commissionRate', 'userTrades', 'positionMargin/history']) await held(alice, `GET ${root}/${path}`, { symbol })
})

test('API-DOCS-004: public answers fit their description, and no route is left out', async () => {
  for (const [name, route] of routes) {
    if (route.scope !== undefined) continue
    const { example = {}, oneWith } = descriptions[name] ?? {}
    await held(alice, name, example)
    if (oneWith !== undefined && !['/api/v3/ticker', '/api/v3/ticker/tradingDay'].includes(route.path)) await held(alice, name)
  }
  await held(alice, 'GET /api/v3/exchangeInfo')
  await held(alice, 'GET /api/v3/ticker/24hr', { symbol, type: 'MINI' })
  await held(alice, 'GET /api/v3/ticker', { symbol, type: 'MINI', windowSize: '1h' })
  assert.deepEqual(
    [...routes.keys()].filter((name) => !seen.has(name) && !checkedElsewhere.has(name)),
    [],
  )
})

test('API-DOCS-005: both documents and the page are served, and load nothing from other servers', async () => {
  const get = async (path: string) => {
    const response = await fetch(exchange.url + path)
    assert.equal(response.status, 200, path)
    return { text: await response.text(), headers: response.headers }
  }
  const programs = JSON.parse((await get('/openapi-api.json')).text)
  const operations = Object.entries(programs.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  )
  assert.deepEqual(operations.toSorted(), [...routes.keys()].toSorted())
  assert.deepEqual(programs.paths['/api/v3/order'].post.security, [{ key: [], signature: [] }])
  assert.equal(programs.paths['/api/v3/order'].post['x-socket-method'], 'order.place')
  const app = JSON.parse((await get('/openapi.json')).text)
  assert.ok(Object.keys(app.paths).every((path) => path.startsWith('/app/v1/')))
  const page = await get('/docs')
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'; style-src 'self';/)
  const addresses = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1] as string)
  const queue = addresses
  const read = new Set<string>()
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (read.has(path)) continue
    read.add(path)
    const { text, headers } = await get(path)
    assert.match(headers.get('content-type') ?? '', path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/)
    assert.doesNotMatch(text, /innerHTML|https?:\/\/(?!\[)/)
    for (const [, next = ''] of text.matchAll(/from '(\.[^']+)'/g)) queue.push(new URL(next, `http://x${path}`).pathname)
  }
  assert.ok(read.has('/docs/program/sign.ts'), 'the page signs with the client’s own code')
})

test('API-DOCS-006: every route of the app’s API has a summary, parameters, answers and refusals', async () => {
  const { paths } = (await (await fetch(`${exchange.url}/openapi.json`)).json()) as { paths: Record<string, Record<string, any>> }
  const faults: string[] = []
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { summary, tags, responses, parameters = [] }] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`
      const statuses = Object.keys(responses)
      const good = statuses.filter((status) => status.startsWith('2'))
      if (!summary || tags?.length !== 1) faults.push(`${name}: summary and tag`)
      if (good.length === 0 || good.some((status) => status !== '204' && responses[status].content === undefined))
        faults.push(`${name}: answer`)
      if (!statuses.some((status) => status.startsWith('4'))) faults.push(`${name}: refusals`)
      const placed = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      for (const one of placed) if (!parameters.some((each: any) => each.in === 'path' && each.name === one)) faults.push(`${name}: ${one}`)
    }
  }
  assert.deepEqual(faults, [])
})
