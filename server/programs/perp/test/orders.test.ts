import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { crossed, limitOrder, type PerpDesk, refused, startPerpDesk, type Trader } from './desk.ts'

const order = '/fapi/v1/order'
const symbol = 'ETHUSDT'
let desk: PerpDesk
let alice: Trader
let bob: Trader

before(async () => {
  desk = await startPerpDesk()
  ;[alice, bob] = [await crossed(await desk.trader()), await crossed(await desk.trader())]
})
after(() => desk[Symbol.asyncDispose]())

const place = (trader: Trader, side: 'BUY' | 'SELL', price: string, quantity: string, more = {}) =>
  trader.done('POST', order, limitOrder(side, price, quantity, more))

test('API-PERP-001: a limit order rests, is found by number and by client id, keeps its number when changed, and is answered whole when cancelled', async () => {
  const { status, body, headers } = await alice.signed('POST', order, limitOrder('BUY', '2900', '0.5', { newClientOrderId: 'rest-1' }))
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(Number(headers.get('x-mbx-order-count-10s')) >= 1)
  const { orderId, time, updateTime, ...rest } = body
  assert.ok(Number.isSafeInteger(orderId) && Math.abs(time - Date.now()) < 10_000 && updateTime === time)
  assert.deepEqual(rest, {
    ...{ symbol, status: 'NEW', clientOrderId: 'rest-1', price: '2900.00', avgPrice: '0', origQty: '0.5000', executedQty: '0.0000' },
    ...{ cumQty: '0.0000', cumQuote: '0', timeInForce: 'GTC', type: 'LIMIT', reduceOnly: false, closePosition: false, side: 'BUY' },
    ...{ positionSide: 'BOTH', stopPrice: '0.00', workingType: 'CONTRACT_PRICE', priceMatch: 'NONE', priceProtect: false },
    ...{ origType: 'LIMIT', selfTradePreventionMode: 'EXPIRE_TAKER', goodTillDate: 0 },
  })
  assert.deepEqual(await alice.done('GET', order, { symbol, orderId }), body)
  assert.deepEqual(await alice.done('GET', order, { symbol, origClientOrderId: 'rest-1' }), body)
  assert.deepEqual(await alice.done('GET', '/fapi/v1/openOrder', { symbol, orderId }), body)
  assert.deepEqual(await alice.done('GET', '/fapi/v1/openOrders', { symbol }), [body])
  assert.deepEqual(await alice.done('GET', '/fapi/v1/openOrders'), [body])
  assert.deepEqual(await bob.done('GET', '/fapi/v1/openOrders'), [])
  await refused(bob, 'GET', order, { symbol, orderId }, -2013, 'Order does not exist.')
  await refused(bob, 'DELETE', order, { symbol, orderId }, -2011, 'Unknown order sent.')
  await refused(alice, 'GET', order, { symbol: 'BTCUSDT', orderId }, -2013)

  const changed = await alice.done('PUT', order, { symbol, orderId, side: 'BUY', quantity: '0.6', price: '2910' })
  assert.deepEqual([changed.orderId, changed.clientOrderId, changed.price, changed.origQty], [orderId, 'rest-1', '2910.00', '0.6000'])
  await refused(
    alice,
    'PUT',
    order,
    { symbol, orderId, side: 'BUY', quantity: '0.6', price: '2910' },
    -5027,
    'No need to modify the order.',
  )
  await refused(alice, 'PUT', order, { symbol, orderId, side: 'SELL', quantity: '0.7', price: '2910' }, -1117, 'Invalid side.')

  const cancelled = await alice.done('DELETE', order, { symbol, origClientOrderId: 'rest-1' })
  assert.deepEqual([cancelled.orderId, cancelled.status, cancelled.origQty], [orderId, 'CANCELED', '0.6000'])
  assert.equal((await alice.done('GET', order, { symbol, origClientOrderId: 'rest-1' })).status, 'CANCELED')
  await refused(alice, 'DELETE', order, { symbol, orderId }, -2011, 'Unknown order sent.')
  await refused(alice, 'GET', '/fapi/v1/openOrder', { symbol, orderId }, -2013)
  await refused(alice, 'PUT', order, { symbol, orderId, side: 'BUY', quantity: '1', price: '2910' }, -2013)
})

test('API-PERP-002: an order repeated with its client id is the first one, without a second effect; with other content it is refused as a duplicate', async () => {
  const fields = limitOrder('BUY', '2890', '0.1', { newClientOrderId: 'again-1' })
  const first = await alice.done('POST', order, fields)
  assert.deepEqual(await alice.done('POST', order, fields), first)
  assert.equal((await alice.done('GET', '/fapi/v1/openOrders', { symbol })).length, 1)
  await refused(alice, 'POST', order, { ...fields, quantity: '0.2' }, -2010, 'Duplicate order sent.')
  await alice.done('DELETE', order, { symbol, orderId: first.orderId })
  assert.equal((await alice.done('POST', order, fields)).status, 'CANCELED', 'the first outcome as it stands, not a second order')
  const at = limitOrder('BUY', '2880', '0.1', { newClientOrderId: 'at-once' })
  const answers = await Promise.all(Array.from({ length: 10 }, () => alice.done('POST', order, at)))
  assert.deepEqual([...new Set(answers.map(({ orderId }) => orderId))], [answers[0].orderId])
  assert.equal((await alice.done('GET', '/fapi/v1/openOrders', { symbol })).length, 1)
  await alice.done('DELETE', '/fapi/v1/allOpenOrders', { symbol })
  assert.deepEqual(await alice.done('GET', '/fapi/v1/openOrders', { symbol }), [])
})

test('API-PERP-003: answers to market and immediate orders have the executed quantity and average; the rest ends as EXPIRED', async () => {
  await place(alice, 'SELL', '3000', '0.1')
  await place(alice, 'SELL', '3002', '0.2')
  const market = await bob.done('POST', order, { symbol, side: 'BUY', type: 'MARKET', quantity: '0.2' })
  assert.deepEqual(
    [market.status, market.executedQty, market.avgPrice, market.cumQuote, market.type, market.price],
    ['FILLED', '0.2000', '3001', '600.2', 'MARKET', '0.00'],
  )
  const part = await place(bob, 'BUY', '3002', '0.3', { timeInForce: 'IOC' })
  assert.deepEqual([part.status, part.executedQty, part.timeInForce], ['EXPIRED', '0.1000', 'IOC'])
  await refused(
    bob,
    ...(['POST', order, limitOrder('BUY', '3002', '1', { timeInForce: 'FOK' }), -5021] as const),
    'Due to the order could not be filled immediately, the FOK order has been rejected. The order will not be recorded in the order history',
  )
  await place(alice, 'SELL', '3003', '0.1')
  await refused(
    bob,
    ...(['POST', order, limitOrder('BUY', '3003', '0.1', { timeInForce: 'GTX' }), -5022] as const),
    'Due to the order could not be executed as maker, the Post Only order will be rejected. The order will not be recorded in the order history',
  )
  const posted = await place(bob, 'BUY', '2990', '0.1', { timeInForce: 'GTX' })
  assert.deepEqual([posted.status, posted.timeInForce], ['NEW', 'GTX'])
  assert.equal((await place(bob, 'BUY', '3003', '0.1', { timeInForce: 'FOK' })).status, 'FILLED')
  await refused(bob, 'POST', order, { symbol, side: 'BUY', type: 'MARKET', quantity: '0.1' }, -2020, 'Unable to fill.')
  assert.deepEqual(await bob.done('DELETE', '/fapi/v1/allOpenOrders', { symbol }), {
    code: 200,
    msg: 'The operation of cancel all open order is done.',
  })
  assert.deepEqual(await bob.done('GET', '/fapi/v1/openOrders'), [])
})

test('API-PERP-004: a reduce-only order needs a position and never reverses it', async () => {
  const stranger = await desk.trader()
  await refused(stranger, 'POST', order, limitOrder('SELL', '3100', '0.1', { reduceOnly: 'true' }), -2022, 'ReduceOnly Order is rejected.')
  const held = (await bob.done('GET', '/fapi/v3/positionRisk', { symbol }))[0].positionAmt
  assert.equal(held, '0.4000')
  await place(alice, 'BUY', '2999', '1')
  const closed = await bob.done('POST', order, { symbol, side: 'SELL', type: 'MARKET', quantity: '0.9', reduceOnly: 'true' })
  assert.deepEqual([closed.status, closed.executedQty, closed.reduceOnly], ['FILLED', '0.4000', true])
  assert.deepEqual(await bob.done('GET', '/fapi/v3/positionRisk', { symbol }), [])
  await alice.done('DELETE', '/fapi/v1/allOpenOrders', { symbol })
})

test('API-PERP-005: an invalid order is refused with exactly the code and sentence that clients know', async () => {
  const good = limitOrder('BUY', '2900', '0.5')
  const wrong = async (change: object, code: number, msg?: string) => refused(alice, 'POST', order, { ...good, ...change }, code, msg)
  await wrong({ symbol: 'NOPE' }, -1121, 'Invalid symbol.')
  await wrong({ side: 'HOLD' }, -1117, 'Invalid side.')
  await wrong({ type: 'HOPE' }, -1116, 'Invalid orderType.')
  await wrong({ timeInForce: 'DAY' }, -1115, 'Invalid timeInForce.')
  await wrong({ quantity: '0.50001' }, -1111, "Parameter 'quantity' has too much precision.")
  await wrong({ price: '2900.001' }, -1111, "Parameter 'price' has too much precision.")
  await wrong({ quantity: '0' }, -4003, 'Quantity less than or equal to zero.')
  await wrong({ quantity: '-1' }, -1100)
  await wrong({ price: '0' }, -4001, 'Price less than 0.')
  await wrong({ price: '99999999999' }, -4002, 'Price greater than max price.')
  await wrong({ quantity: '0.001' }, -4164, "Order's notional must be no smaller than 5 (unless you choose reduce only)")
  await wrong({ quantity: '10000000' }, -4005, 'Quantity greater than max quantity.')
  await wrong({ quantity: '300' }, -2019, 'Margin is insufficient.')
  await wrong({ price: '9000' }, -4016)
  await wrong({ price: '100' }, -4024)
  await wrong({ positionSide: 'LONG' }, -4061, "Order's position side does not match user's setting.")
  await wrong({ positionSide: 'UP' }, -4060, 'Invalid position side.')
  await wrong({ priceProtect: 'true' }, -1020)
  await wrong({ stopPrice: '2800' }, -1106, "Parameter 'stopPrice' sent when not required.")
  await wrong({ closePosition: 'true' }, -4136)
  await wrong({ type: 'MARKET' }, -1106, "Parameter 'timeInForce' sent when not required.")
  await wrong({ newClientOrderId: 'ä' }, -1100)
  const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([field]) => field !== name))
  for (const name of ['symbol', 'side', 'type', 'timeInForce', 'quantity', 'price']) {
    const msg = `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`
    await refused(alice, 'POST', order, without(name), -1102, msg)
  }
  await refused(alice, 'GET', order, { symbol }, -1102, "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!")
  assert.deepEqual(await alice.done('POST', `${order}/test`, good), {})
  for (const [change, code] of [
    [{ quantity: '0.001' }, -4164],
    [{ price: '9000' }, -4016],
    [{ price: '100' }, -4024],
    [{ side: 'X' }, -1117],
  ] as const)
    await refused(alice, 'POST', `${order}/test`, { ...good, ...change }, code)
  assert.deepEqual(await alice.done('GET', '/fapi/v1/openOrders'), [])
  assert.equal((await alice.signed('POST', order, good)).status, 200)
  await alice.done('DELETE', '/fapi/v1/allOpenOrders', { symbol })
})

test('API-PERP-006: several orders are placed in one request independently, and changed and cancelled together in either spelling', async () => {
  const list = [
    limitOrder('BUY', '2900', '0.1', { newClientOrderId: 'b-1' }),
    limitOrder('BUY', '2901', '0'),
    limitOrder('BUY', '2902', '0.1'),
  ]
  const placed = await alice.done('POST', '/fapi/v1/batchOrders', { batchOrders: JSON.stringify(list) })
  assert.deepEqual(
    placed.map((one: any) => [one.status, one.price, one.code]),
    [
      ['NEW', '2900.00', undefined],
      [undefined, undefined, -4003],
      ['NEW', '2902.00', undefined],
    ],
  )
  const [first, , third] = placed
  const changes = [first, third].map(({ orderId }: any) => ({ symbol, orderId, side: 'BUY', quantity: 0.2, price: '2903' }))
  const changed = await alice.done('PUT', '/fapi/v1/batchOrders', { batchOrders: JSON.stringify(changes) })
  assert.deepEqual(
    changed.map((one: any) => [one.orderId, one.origQty, one.price]),
    [first, third].map(({ orderId }: any) => [orderId, '0.2000', '2903.00']),
  )
  const gone = await alice.done('DELETE', '/fapi/v1/batchOrders', { symbol, orderIdList: JSON.stringify([first.orderId, 1]) })
  assert.deepEqual([gone[0].status, gone[1].code, gone[1].msg], ['CANCELED', -2011, 'Unknown order sent.'])
  const [last] = await alice.done('DELETE', '/fapi/v1/batchOrders', { symbol, orderidlist: `[${third.orderId}]` })
  assert.equal(last.status, 'CANCELED')
  await place(alice, 'BUY', '2900', '0.1', { newClientOrderId: 'b-2' })
  const [named] = await alice.done('DELETE', '/fapi/v1/batchOrders', { symbol, origclientorderidlist: '["b-2"]' })
  assert.deepEqual([named.status, named.clientOrderId], ['CANCELED', 'b-2'])
  await refused(alice, 'POST', '/fapi/v1/batchOrders', { batchOrders: JSON.stringify(Array(6).fill(list[0])) }, -4082)
  await refused(alice, 'POST', '/fapi/v1/batchOrders', { batchOrders: '[' }, -1100)
  await refused(alice, 'POST', '/fapi/v1/batchOrders', { batchOrders: '[1]' }, -1130)
  for (const item of ['{"toString":1}', '[[1]]', 'null']) {
    await refused(alice, 'DELETE', '/fapi/v1/batchOrders', { symbol, orderIdList: `[${item}]` }, -1130)
  }
})

test('API-PERP-007: all orders of a Futures market are listed oldest first, open and ended, from a number or a time on, or the newest', async () => {
  const carol = await desk.trader()
  const ids: number[] = []
  for (const price of ['2900', '2901', '2902', '2903']) ids.push((await place(carol, 'BUY', price, '0.1')).orderId)
  await carol.done('DELETE', order, { symbol, orderId: ids[1] as number })
  const listed = async (more = {}) => (await carol.done('GET', '/fapi/v1/allOrders', { symbol, ...more })).map((one: any) => one.orderId)
  assert.deepEqual(await listed(), ids)
  assert.deepEqual(await listed({ limit: 2 }), ids.slice(-2))
  assert.deepEqual(await listed({ orderId: ids[1] as number, limit: 2 }), ids.slice(1, 3))
  assert.deepEqual(await listed({ startTime: 1, limit: 3 }), ids.slice(0, 3))
  assert.deepEqual(await listed({ startTime: Date.now() + 60_000 }), [])
  assert.deepEqual(
    (await carol.done('GET', '/fapi/v1/allOrders', { symbol })).map((one: any) => one.status),
    ['NEW', 'CANCELED', 'NEW', 'NEW'],
  )
  await refused(carol, 'GET', '/fapi/v1/allOrders', { symbol, startTime: 2, endTime: 1 }, -1127)
})
