import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Program } from '../../test/program.ts'
import { limit, market, orderPath, refused, SpotWorld } from './spot.ts'

let world: SpotWorld
let alice: Program
let bob: Program
before(async () => {
  world = await SpotWorld.start('api-spot-orders')
  alice = await world.program()
  bob = await world.program()
})
after(() => world[Symbol.asyncDispose]())

const place = ['POST', orderPath] as const
const done = (by: Program, fields: Parameters<Program['done']>[2]) => by.done('POST', orderPath, fields)
const query = (by: Program, fields: Parameters<Program['done']>[2]) => by.done('GET', orderPath, { symbol: 'BTCUSDT', ...fields })

test('API-SPOT-001: a limit order is answered with ACK, RESULT or FULL, and read back in its current state', async () => {
  const full = await done(alice, limit('SELL', '60100', '0.5', { newClientOrderId: 'first' }))
  assert.deepEqual(
    { ...full, orderId: 0, transactTime: 0, workingTime: 0 },
    {
      ...{
        symbol: 'BTCUSDT',
        orderId: 0,
        orderListId: -1,
        clientOrderId: 'first',
        price: '60100.0',
        origQty: '0.50000',
        executedQty: '0.00000',
      },
      ...{ origQuoteOrderQty: '0', cummulativeQuoteQty: '0', status: 'NEW', timeInForce: 'GTC', type: 'LIMIT', side: 'SELL' },
      ...{ transactTime: 0, workingTime: 0, selfTradePreventionMode: 'EXPIRE_TAKER', fills: [] },
    },
  )
  assert.equal(full.workingTime, full.transactTime)
  const ack = await done(alice, limit('SELL', '60200', '0.1', { newOrderRespType: 'ACK', selfTradePreventionMode: 'EXPIRE_BOTH' }))
  assert.deepEqual(Object.keys(ack), ['symbol', 'orderId', 'orderListId', 'clientOrderId', 'transactTime'])
  const result = await done(alice, limit('SELL', '60300', '0.1', { newOrderRespType: 'RESULT', icebergQty: '0.01' }))
  assert.deepEqual([result.fills, result.icebergQty, result.status], [undefined, '0.01000', 'NEW'])
  const read = await query(alice, { orderId: ack.orderId })
  assert.deepEqual(
    [read.clientOrderId, read.status, read.isWorking, read.workingTime, read.time, read.selfTradePreventionMode, read.stopPrice],
    [ack.clientOrderId, 'NEW', true, ack.transactTime, ack.transactTime, 'EXPIRE_BOTH', '0.0'],
  )
  assert.equal((await query(alice, { origClientOrderId: 'first' })).orderId, full.orderId)
  await refused(alice, ['GET', orderPath], { symbol: 'BTCUSDT', orderId: ack.orderId, origClientOrderId: 'first' }, -2013)
  await refused(bob, ['GET', orderPath], { symbol: 'BTCUSDT', orderId: ack.orderId }, -2013, 'Order does not exist.')
  await refused(alice, ['GET', orderPath], { symbol: 'ETHUSDT', orderId: ack.orderId }, -2013)
  await refused(alice, ['GET', orderPath], { symbol: 'BTCUSDT' }, -1102)
  const open = await alice.done('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  assert.deepEqual(
    open.map(({ orderId }: any) => orderId),
    [full.orderId, ack.orderId, result.orderId],
  )
  assert.deepEqual((await alice.done('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })).length, 3)
  await refused(alice, ['DELETE', '/api/v3/openOrders'], { symbol: 'BTCUSDT' }, -2011, 'Unknown order sent.')
})

test('API-SPOT-002: a market order by quantity or by amount returns its fills with the commission in the received asset', async () => {
  await done(alice, limit('SELL', '60000', '0.3'))
  await done(alice, limit('SELL', '60010', '0.3'))
  const bought = await done(bob, market('BUY', { quantity: '0.4' }))
  assert.deepEqual([bought.status, bought.type, bought.timeInForce, bought.executedQty], ['FILLED', 'MARKET', 'IOC', '0.40000'])
  assert.equal(bought.cummulativeQuoteQty, '24001')
  assert.deepEqual(
    bought.fills.map(({ price, qty, commissionAsset }: any) => [price, qty, commissionAsset]),
    [
      ['60000.0', '0.30000', 'BTC'],
      ['60010.0', '0.10000', 'BTC'],
    ],
  )
  const spent = await done(bob, market('BUY', { quoteOrderQty: '1000' }))
  assert.deepEqual([spent.status, spent.executedQty, spent.origQty, spent.origQuoteOrderQty], ['FILLED', '0.01666', '0.01666', '1000'])
  const mine = await bob.done('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT', orderId: bought.orderId })
  assert.deepEqual(
    mine.map(({ price, qty, isBuyer, isMaker, commission }: any) => [price, qty, isBuyer, isMaker, commission]),
    bought.fills.map(({ price, qty, commission }: any) => [price, qty, true, false, commission]),
  )
  const hers = await alice.done('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' })
  assert.deepEqual(
    hers.map(({ id, isMaker, commissionAsset }: any) => [id, isMaker, commissionAsset]),
    [1, 2, 3].map((id) => [id, true, 'USDT']),
  )
  const later = await bob.done('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT', fromId: 3 })
  assert.deepEqual([later.length, later[0].orderId, later[0].orderListId], [1, spent.orderId, -1])
  const idsOf = async (fields: Readonly<Record<string, number>>) =>
    (await alice.done('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT', ...fields })).map(({ id }: any) => id)
  assert.deepEqual(await idsOf({ limit: 2 }), [2, 3])
  assert.deepEqual(await idsOf({ startTime: hers[0].time, limit: 2 }), [1, 2])
  assert.deepEqual(await idsOf({ endTime: hers[1].time, limit: 1 }), [2])
  assert.deepEqual(await idsOf({ startTime: hers[2].time + 1 }), [])
  await refused(alice, ['GET', '/api/v3/myTrades'], { symbol: 'BTCUSDT', fromId: 1, startTime: 1 }, -1128)
  await refused(alice, ['GET', '/api/v3/myTrades'], { symbol: 'BTCUSDT', startTime: 1, endTime: 86_400_002 }, -1127)
  const maker = await query(alice, { orderId: hers[0].orderId })
  assert.deepEqual([maker.status, maker.executedQty, maker.isWorking], ['FILLED', '0.30000', false])
  await alice.done('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
})

test('API-SPOT-003: orders that cannot be filled at once expire: IOC, FOK and a market order against an empty book', async () => {
  const lost = await done(bob, market('BUY', { quantity: '0.1' }))
  assert.deepEqual([lost.status, lost.executedQty, lost.fills], ['EXPIRED', '0.00000', []])
  assert.equal(lost.workingTime, lost.transactTime)
  await done(alice, limit('SELL', '60000', '0.1'))
  const killed = await done(bob, limit('BUY', '60000', '0.2', { timeInForce: 'FOK' }))
  assert.deepEqual([killed.status, killed.timeInForce, killed.executedQty], ['EXPIRED', 'FOK', '0.00000'])
  assert.equal((await query(bob, { orderId: killed.orderId })).status, 'EXPIRED')
  const part = await done(bob, limit('BUY', '60000', '0.2', { timeInForce: 'IOC' }))
  assert.deepEqual([part.status, part.executedQty, part.fills.length], ['EXPIRED', '0.10000', 1])
})

test('API-SPOT-004: a maker order that would take is rejected; own orders that meet end by the taker’s mode', async () => {
  const own = await done(alice, limit('SELL', '60000', '0.1'))
  await refused(
    bob,
    place,
    { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT_MAKER', quantity: '0.1', price: '60000' },
    -2010,
    'Order would immediately match and take.',
  )
  const maker = await done(bob, {
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT_MAKER',
    quantity: '0.1',
    price: '59000',
    newOrderRespType: 'RESULT',
  })
  assert.deepEqual([maker.type, maker.status], ['LIMIT_MAKER', 'NEW'])
  await bob.done('DELETE', orderPath, { symbol: 'BTCUSDT', orderId: maker.orderId })
  const taker = await done(alice, limit('BUY', '60000', '0.1'))
  assert.equal(taker.status, 'EXPIRED_IN_MATCH')
  const other = await done(alice, limit('BUY', '60000', '0.1', { selfTradePreventionMode: 'EXPIRE_MAKER' }))
  assert.deepEqual([other.status, other.selfTradePreventionMode], ['NEW', 'EXPIRE_MAKER'])
  assert.equal((await query(alice, { orderId: own.orderId })).status, 'EXPIRED_IN_MATCH')
  const both = await done(alice, limit('SELL', '60000', '0.1', { selfTradePreventionMode: 'EXPIRE_BOTH' }))
  assert.equal(both.status, 'EXPIRED_IN_MATCH')
  await done(alice, limit('BUY', '60000', '0.1'))
  const traded = await done(alice, limit('SELL', '60000', '0.1', { selfTradePreventionMode: 'NONE' }))
  assert.deepEqual([traded.status, traded.fills.length], ['FILLED', 1])
  const sides = await alice.done('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT', fromId: traded.fills[0].tradeId })
  assert.deepEqual(
    sides.map(({ isBuyer, isMaker }: any) => [isBuyer, isMaker]),
    [
      [false, false],
      [true, true],
    ],
  )
})

test('API-SPOT-017: with DECREMENT own orders are reduced by the quantity that they would have traded', async () => {
  const carol = await world.program({ USDT: '20000', BTC: '1' })
  const info = await carol.done('GET', '/api/v3/exchangeInfo', { symbol: 'BTCUSDT' })
  assert.ok(info.symbols[0].allowedSelfTradePreventionModes.includes('DECREMENT'))
  const maker = await done(carol, limit('SELL', '59990', '0.3'))
  assert.equal(maker.preventedQuantity, undefined)
  const first = await done(carol, limit('BUY', '59990', '0.1', { selfTradePreventionMode: 'DECREMENT' }))
  assert.deepEqual(
    [first.status, first.executedQty, first.origQty, first.preventedQuantity, first.selfTradePreventionMode, first.fills],
    ['EXPIRED_IN_MATCH', '0.00000', '0.10000', '0.10000', 'DECREMENT', []],
  )
  const left = await query(carol, { orderId: maker.orderId })
  assert.deepEqual(
    [left.status, left.origQty, left.preventedQuantity, left.selfTradePreventionMode],
    ['NEW', '0.30000', '0.10000', 'EXPIRE_TAKER'],
  )
  const held = async (asset: string) => {
    const { balances } = await carol.done('GET', '/api/v3/account')
    return balances.find((one: any) => one.asset === asset).locked
  }
  assert.equal(await held('BTC'), '0.2')
  const change = { symbol: 'BTCUSDT', orderId: maker.orderId }
  await refused(carol, ['PUT', '/api/v3/order/amend/keepPriority'], { ...change, newQty: '0.1' }, -2038)
  const { amendedOrder } = await carol.done('PUT', '/api/v3/order/amend/keepPriority', { ...change, newQty: '0.25' })
  assert.deepEqual([amendedOrder.qty, amendedOrder.preventedQty, await held('BTC')], ['0.25000', '0.10000', '0.15'])
  // The taker is larger: the maker ends, and the rest of the taker rests in the book.
  const second = await done(carol, limit('BUY', '59990', '0.2', { selfTradePreventionMode: 'DECREMENT' }))
  assert.deepEqual([second.status, second.preventedQuantity, await held('BTC'), await held('USDT')], ['NEW', '0.15000', '0', '2999.5'])
  const ended = await query(carol, { orderId: maker.orderId })
  assert.deepEqual(
    [ended.status, ended.origQty, ended.executedQty, ended.preventedQuantity],
    ['EXPIRED_IN_MATCH', '0.25000', '0.00000', '0.25000'],
  )
  const cancelled = await carol.done('DELETE', orderPath, { symbol: 'BTCUSDT', orderId: second.orderId })
  assert.deepEqual([cancelled.status, cancelled.preventedQuantity], ['CANCELED', '0.15000'])
  const all = await carol.done('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })
  assert.deepEqual(
    all.map(({ status, preventedQuantity }: any) => [status, preventedQuantity]),
    [
      ['EXPIRED_IN_MATCH', '0.25000'],
      ['EXPIRED_IN_MATCH', '0.10000'],
      ['CANCELED', '0.15000'],
    ],
  )
  assert.deepEqual(await carol.done('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' }), [])
  await refused(carol, place, limit('BUY', '59990', '0.1', { selfTradePreventionMode: 'TRANSFER' }), -1130)
})

test('API-SPOT-018: an order’s strategy is in its answer, in queries and in the history', async () => {
  const dan = await world.program({ USDT: '20000', BTC: '1' })
  const told = { strategyId: 7, strategyType: 1_000_000 }
  const of = ({ strategyId, strategyType }: any) => [strategyId, strategyType]
  const standing = await done(dan, limit('BUY', '58500', '0.1', { ...told, newClientOrderId: 'strategic' }))
  assert.deepEqual(of(standing), [7, 1_000_000])
  const ended = await done(dan, limit('BUY', '58500', '0.1', { timeInForce: 'IOC', strategyType: '1000001' }))
  assert.deepEqual([ended.status, ...of(ended)], ['EXPIRED', undefined, 1_000_001])
  const plain = await done(dan, limit('BUY', '58400', '0.1'))
  assert.deepEqual(of(await query(dan, { orderId: standing.orderId })), [7, 1_000_000])
  assert.deepEqual(of(await query(dan, { origClientOrderId: 'strategic' })), [7, 1_000_000])
  const replaced = await dan.done('POST', '/api/v3/order/cancelReplace', {
    ...limit('BUY', '58300', '0.1', { strategyId: 0 }),
    ...{ cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: standing.orderId },
  })
  assert.deepEqual(
    [of(replaced.cancelResponse), of(replaced.newOrderResponse)],
    [
      [7, 1_000_000],
      [0, undefined],
    ],
  )
  const all = await dan.done('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })
  assert.deepEqual(
    all.map((one: any) => [one.orderId, ...of(one)]),
    [
      [standing.orderId, 7, 1_000_000],
      [ended.orderId, undefined, 1_000_001],
      [plain.orderId, undefined, undefined],
      [replaced.newOrderResponse.orderId, 0, undefined],
    ],
  )
  // A repeat of the same request is answered alike; with another strategy it is another request.
  assert.deepEqual(of(await done(dan, limit('BUY', '58500', '0.1', { ...told, newClientOrderId: 'strategic' }))), [7, 1_000_000])
  await refused(dan, place, limit('BUY', '58500', '0.1', { strategyId: 8, newClientOrderId: 'strategic' }), -2010, 'Duplicate order sent.')
  await refused(dan, place, limit('BUY', '58500', '0.1', { strategyType: 999_999 }), -1130)
  await refused(dan, ['POST', '/api/v3/order/test'], limit('BUY', '58500', '0.1', { strategyId: 'x' }), -1100)
  assert.deepEqual(await dan.done('POST', '/api/v3/order/test', limit('BUY', '58500', '0.1', told)), {})
  await dan.done('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
})

test('API-SPOT-005: stops wait for their price on the side of their type and become market or limit orders', async () => {
  const stop = (side: 'BUY' | 'SELL', type: string, more: object) => ({ symbol: 'BTCUSDT', side, type, quantity: '0.1', ...more })
  for (const [side, type, wrong, right] of [
    ['SELL', 'STOP_LOSS', '60100', '59900'],
    ['SELL', 'TAKE_PROFIT', '59900', '60100'],
    ['BUY', 'STOP_LOSS', '59900', '60100'],
    ['BUY', 'TAKE_PROFIT', '60100', '59900'],
  ] as const) {
    await refused(alice, place, stop(side, type, { stopPrice: wrong }), -2010, 'Stop price would trigger immediately.')
    const order = await done(alice, stop(side, type, { stopPrice: right }))
    const read = await query(alice, { orderId: order.orderId })
    assert.deepEqual([read.type, read.stopPrice, read.status, read.workingTime, read.isWorking], [type, `${right}.0`, 'NEW', -1, false])
    const cancelled = await alice.done('DELETE', orderPath, { symbol: 'BTCUSDT', orderId: order.orderId })
    assert.deepEqual([cancelled.status, cancelled.stopPrice, cancelled.workingTime > 0], ['CANCELED', `${right}.0`, true])
  }
  const resting = { timeInForce: 'GTC', price: '59800', newOrderRespType: 'RESULT' }
  const sleeping = await done(alice, stop('SELL', 'STOP_LOSS_LIMIT', { ...resting, stopPrice: '59900' }))
  assert.deepEqual([sleeping.type, sleeping.workingTime, sleeping.stopPrice], ['STOP_LOSS_LIMIT', -1, '59900.0'])
  const trailing = await done(
    alice,
    stop('SELL', 'TAKE_PROFIT_LIMIT', { ...resting, price: '61000', stopPrice: '61000', trailingDelta: 100 }),
  )
  assert.deepEqual([trailing.type, trailing.trailingDelta, trailing.stopPrice], ['TAKE_PROFIT_LIMIT', 100, '61000.0'])
  assert.equal((await done(alice, stop('SELL', 'STOP_LOSS', { trailingDelta: 2000, newOrderRespType: 'RESULT' }))).type, 'STOP_LOSS')
  await refused(alice, place, stop('SELL', 'STOP_LOSS', { trailingDelta: 2001 }), -1013, 'Filter failure: TRAILING_DELTA')
  // A trade at 59,900 triggers it: it takes the bid that is left, and rests.
  const carol = await world.program()
  await done(carol, limit('BUY', '59900', '0.05'))
  await done(bob, limit('SELL', '59900', '0.05', { timeInForce: 'IOC' }))
  const woken = await query(alice, { orderId: sleeping.orderId })
  assert.deepEqual([woken.status, woken.isWorking, woken.workingTime > woken.time], ['NEW', true, true])
  const ended = await alice.done('DELETE', orderPath, { symbol: 'BTCUSDT', orderId: sleeping.orderId })
  assert.deepEqual([ended.status, ended.workingTime], ['CANCELED', woken.workingTime])
  const all = await alice.done('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT', orderId: sleeping.orderId })
  assert.deepEqual(all.map(({ orderId, status, type }: any) => [orderId - sleeping.orderId, status, type]).slice(0, 2), [
    [0, 'CANCELED', 'STOP_LOSS_LIMIT'],
    [1, 'NEW', 'TAKE_PROFIT_LIMIT'],
  ])
  assert.deepEqual([all[0].workingTime, all[0].price, all[1].trailingDelta], [woken.workingTime, '59800.0', 100])
  await alice.done('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
})

test('API-SPOT-006: every mistake in an order has its code and sentence', async () => {
  const good = limit('BUY', '59000', '0.1')
  const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name))
  for (const name of ['symbol', 'side', 'type', 'timeInForce', 'quantity', 'price']) {
    await refused(alice, place, without(name), -1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`)
  }
  const cases: readonly (readonly [object, number, string])[] = [
    [{ symbol: 'NONE' }, -1121, 'Invalid symbol.'],
    [{ side: 'HOLD' }, -1117, 'Invalid side.'],
    [{ type: 'MAYBE' }, -1116, 'Invalid orderType.'],
    [{ timeInForce: 'GTX' }, -1115, 'Invalid timeInForce.'],
    [{ price: '59000.1234567' }, -1111, "Parameter 'price' has too much precision."],
    [{ quantity: '0.123456789' }, -1111, "Parameter 'quantity' has too much precision."],
    [{ price: '59000.01' }, -1013, 'Filter failure: PRICE_FILTER'],
    [{ price: '0' }, -1013, 'Filter failure: PRICE_FILTER'],
    [{ quantity: '0.000001' }, -1013, 'Filter failure: LOT_SIZE'],
    [{ quantity: '0' }, -1013, 'Filter failure: LOT_SIZE'],
    [{ quantity: '0.00001' }, -1013, 'Filter failure: NOTIONAL'],
    [{ price: '1000' }, -1013, 'Filter failure: PERCENT_PRICE_BY_SIDE'],
    [{ icebergQty: '0.1' }, -1013, 'Filter failure: ICEBERG_PARTS'],
    [{ quantity: '5' }, -2010, 'Account has insufficient balance for requested action.'],
    [{ stopPrice: '60000' }, -1106, "Parameter 'stopPrice' sent when not required."],
    [{ quoteOrderQty: '10' }, -1106, "Parameter 'quoteOrderQty' sent when not required."],
    [{ icebergQty: '0.01', timeInForce: 'IOC' }, -1130, "Data sent for parameter 'icebergQty' is not valid."],
    [{ selfTradePreventionMode: 'TRANSFER' }, -1130, "Data sent for parameter 'selfTradePreventionMode' is not valid."],
    [{ price: '-1' }, -1100, "Illegal characters found in parameter 'price'; legal range is '^([0-9]{1,20})(\\.[0-9]{1,20})?$'."],
    [
      { newClientOrderId: 'not allowed' },
      -1100,
      "Illegal characters found in parameter 'newClientOrderId'; legal range is '^[.A-Z:/a-z0-9_-]{1,36}$'.",
    ],
  ]
  for (const [more, code, msg] of cases) {
    const { status, body } = await alice.signed('POST', orderPath, { ...good, ...more })
    assert.deepEqual([status, body.code, body.msg], [400, code, msg], JSON.stringify(more))
    // The test path answers the same, but does not check balances.
    const tested = await alice.signed('POST', `${orderPath}/test`, { ...good, ...more })
    if (code !== -2010)
      assert.deepEqual([tested.status, tested.body.code, tested.body.msg], [400, code, msg], `test ${JSON.stringify(more)}`)
  }
  await refused(alice, place, market('BUY', {}), -1102, "Param 'quantity' or 'quoteOrderQty' must be sent, but both were empty/null!")
  await refused(alice, place, market('BUY', { quantity: '1', quoteOrderQty: '1' }), -1128)
  await refused(alice, place, market('BUY', { quantity: '1', price: '1' }), -1106)
  await refused(alice, place, market('BUY', { quoteOrderQty: '1' }), -1013, 'Filter failure: NOTIONAL')
  await refused(alice, place, { ...good, type: 'STOP_LOSS_LIMIT' }, -1102)
  assert.deepEqual(await alice.done('POST', `${orderPath}/test`, good), {})
  assert.deepEqual(await alice.done('POST', `${orderPath}/test`, market('BUY', { quantity: '0.1' })), {})
  const rates = await alice.done('POST', `${orderPath}/test`, { ...good, computeCommissionRates: 'true' })
  assert.equal(rates.standardCommissionForOrder.maker, '0.00100000')
  assert.deepEqual(await alice.done('GET', '/api/v3/openOrders'), [])
})

test('API-SPOT-007: a repeated order with the same client id gets the first outcome; another order with it is refused', async () => {
  await done(bob, limit('SELL', '60000', '0.1'))
  const order = limit('BUY', '60000', '0.3', { newClientOrderId: 'again' })
  const first = await done(alice, order)
  assert.deepEqual([first.status, first.fills.length], ['PARTIALLY_FILLED', 1])
  assert.deepEqual(await done(alice, order), first)
  await refused(alice, place, { ...order, quantity: '0.4' }, -2010, 'Duplicate order sent.')
  await done(bob, limit('SELL', '60000', '0.1'))
  const later = await done(alice, order)
  assert.deepEqual(
    [later.orderId, later.executedQty, later.fills, later.transactTime],
    [first.orderId, '0.20000', first.fills, first.transactTime],
  )
  const poor = { ...limit('BUY', '60000', '5'), newClientOrderId: 'poor' }
  await refused(alice, place, poor, -2010, 'Account has insufficient balance for requested action.')
  await refused(alice, place, poor, -2010, 'Account has insufficient balance for requested action.')
  const cancel = { symbol: 'BTCUSDT', origClientOrderId: 'again', newClientOrderId: 'gone' }
  const gone = await alice.done('DELETE', orderPath, cancel)
  assert.deepEqual([gone.status, gone.clientOrderId, gone.origClientOrderId, gone.executedQty], ['CANCELED', 'gone', 'again', '0.20000'])
  assert.deepEqual(await alice.done('DELETE', orderPath, cancel), gone)
  assert.equal((await done(alice, order)).status, 'CANCELED')
  assert.equal((await alice.done('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT', orderId: first.orderId })).length, 2)
  const seller = await world.program({ BTC: '1' }, 'maker')
  const quiet = limit('SELL', '61000', '0.1', { newClientOrderId: 'quiet' })
  const quoted = await done(seller, quiet)
  assert.equal((await query(seller, { origClientOrderId: 'quiet' })).orderId, quoted.orderId)
  assert.deepEqual(await done(seller, quiet), quoted)
  await seller.done('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
})
