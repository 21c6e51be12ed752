import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Fields, type Program, programOf } from '../../test/program.ts'
import { hmacKey, Socket } from '../../socket/test/socket.ts'
import { limit, orderPath, refused, SpotWorld } from './spot.ts'

let world: SpotWorld
let alice: Program
let bob: Program
before(async () => {
  world = await SpotWorld.start('api-spot-changes')
  alice = await world.program()
  bob = await world.program()
})
after(() => world[Symbol.asyncDispose]())

const symbol = 'BTCUSDT'
const cancelPath = ['DELETE', orderPath] as const
const amendPath = ['PUT', `${orderPath}/amend/keepPriority`] as const
const replacePath = `${orderPath}/cancelReplace`
const done = (by: Program, fields: Fields) => by.done('POST', orderPath, fields)
const statusOf = async (by: Program, orderId: number) => (await by.done('GET', orderPath, { symbol, orderId })).status

test('API-SPOT-010: an order is cancelled by number or client id, by its owner, once', async () => {
  const one = await done(alice, limit('SELL', '60100', '0.1', { newClientOrderId: 'one' }))
  await refused(alice, cancelPath, { symbol }, -1102, "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!")
  await refused(bob, cancelPath, { symbol, orderId: one.orderId }, -2011, 'Unknown order sent.')
  await refused(alice, cancelPath, { symbol: 'ETHUSDT', orderId: one.orderId }, -2011)
  await refused(alice, cancelPath, { symbol, orderId: one.orderId, origClientOrderId: 'two' }, -2011)
  await refused(alice, cancelPath, { symbol, origClientOrderId: 'two' }, -2011)
  const told = await alice.done('DELETE', orderPath, { symbol, origClientOrderId: 'one' })
  assert.deepEqual(
    [told.symbol, told.origClientOrderId, told.orderId, told.orderListId, told.status, told.price, told.origQty, told.executedQty],
    [symbol, 'one', one.orderId, -1, 'CANCELED', '60100.0', '0.10000', '0.00000'],
  )
  assert.ok(told.transactTime >= one.transactTime && told.clientOrderId !== 'one')
  await refused(alice, cancelPath, { symbol, origClientOrderId: 'one' }, -2011)
})

test('API-SPOT-016: an order of a Margin account does not count as one of the spot account, by any name', async () => {
  const user = await world.exchange.user({ funds: { USDT: '10000' }, isCertified: true })
  const eve = await programOf(world.exchange.url, user)
  await eve.done('POST', '/sapi/v1/asset/transfer', { type: 'MAIN_MARGIN', asset: 'USDT', amount: '5000' })
  const onMargin = await eve.done('POST', '/sapi/v1/margin/order', limit('BUY', '59000', '0.01', { newClientOrderId: 'margin' }))
  for (const which of [{ orderId: onMargin.orderId }, { origClientOrderId: 'margin' }]) {
    await refused(eve, cancelPath, { symbol, ...which }, -2011, 'Unknown order sent.')
    await refused(eve, amendPath, { symbol, ...which, newQty: '0.005' }, -2013)
    await refused(eve, ['GET', orderPath], { symbol, ...which }, -2013)
  }
  const replaced = { ...limit('BUY', '58000', '0.01'), cancelReplaceMode: 'STOP_ON_FAILURE' }
  for (const which of [{ cancelOrderId: onMargin.orderId }, { cancelOrigClientOrderId: 'margin' }]) {
    await refused(eve, ['POST', replacePath], { ...replaced, ...which }, -2022)
  }
  assert.deepEqual(await eve.done('GET', '/api/v3/openOrders'), [])
  assert.deepEqual(await eve.done('GET', '/api/v3/allOrders', { symbol }), [])
  await refused(eve, ['DELETE', '/api/v3/openOrders'], { symbol }, -2011)
  assert.equal((await eve.done('GET', '/sapi/v1/margin/order', { symbol, orderId: onMargin.orderId })).status, 'NEW')
  const own = await eve.done('POST', orderPath, limit('BUY', '58000', '0.01', { newClientOrderId: 'own' }))
  for (const which of [{ orderId: own.orderId }, { origClientOrderId: 'own' }]) {
    for (const isIsolated of ['FALSE', 'TRUE']) {
      await refused(eve, ['DELETE', '/sapi/v1/margin/order'], { symbol, isIsolated, ...which }, -2011, 'Unknown order sent.')
    }
  }
  assert.equal(await statusOf(eve, own.orderId), 'NEW')
})

test('API-SPOT-016: on the WebSocket API, too, an order of a Margin account does not count as one of the spot account', async () => {
  const user = await world.exchange.user({ funds: { USDT: '10000' }, isCertified: true })
  const eve = await programOf(world.exchange.url, user)
  await eve.done('POST', '/sapi/v1/asset/transfer', { type: 'MAIN_MARGIN', asset: 'USDT', amount: '5000' })
  const key = await hmacKey(user)
  using socket = await Socket.open(world.exchange, '/ws-api/v3')
  for (const name of ['margin-1', 'margin-2']) {
    const { orderId } = await eve.done('POST', '/sapi/v1/margin/order', limit('BUY', '59000', '0.01', { newClientOrderId: name }))
    for (const which of [{ origClientOrderId: name }, { orderId }]) {
      const { status, error } = await socket.ask('order.cancel', key.sign({ symbol, ...which }))
      assert.deepEqual([status, error.code], [400, -2011])
    }
    assert.equal((await eve.done('GET', '/sapi/v1/margin/order', { symbol, orderId })).status, 'NEW')
  }
})

test('API-SPOT-011: a cancel may be restricted to a new or a partly filled order', async () => {
  const { orderId } = await done(alice, limit('SELL', '60100', '0.2'))
  const restriction = 'Order was not canceled due to cancel restrictions.'
  await refused(alice, cancelPath, { symbol, orderId, cancelRestrictions: 'ONLY_PARTIALLY_FILLED' }, -2011, restriction)
  await done(bob, limit('BUY', '60100', '0.1'))
  await refused(alice, cancelPath, { symbol, orderId, cancelRestrictions: 'ONLY_NEW' }, -2011, restriction)
  const told = await alice.done('DELETE', orderPath, { symbol, orderId, cancelRestrictions: 'ONLY_PARTIALLY_FILLED' })
  assert.deepEqual([told.status, told.executedQty, told.cummulativeQuoteQty], ['CANCELED', '0.10000', '6010'])
})

test('API-SPOT-012: a reduced order keeps its place and its client id; a larger, equal or already filled quantity is refused', async () => {
  const first = await done(alice, limit('SELL', '60200', '0.3', { newClientOrderId: 'shrink' }))
  const second = await done(bob, limit('SELL', '60200', '0.3'))
  const by = { symbol, orderId: first.orderId }
  await refused(alice, amendPath, { ...by, newQty: '0.4' }, -2038)
  await refused(alice, amendPath, { ...by, newQty: '0.3' }, -2038, 'The requested action would change no state; rejecting.')
  await refused(bob, amendPath, { ...by, newQty: '0.1' }, -2013, 'Order does not exist.')
  await refused(alice, amendPath, { symbol, orderId: 1e9, newQty: '0.1' }, -2013)
  await refused(alice, amendPath, { ...by, newQty: '0.000001' }, -1013, 'Filter failure: LOT_SIZE')
  const told = await alice.done(...amendPath, { ...by, newQty: '0.2', newClientOrderId: 'amend-1' })
  const { amendedOrder } = told
  assert.deepEqual(
    [amendedOrder.orderId, amendedOrder.clientOrderId, amendedOrder.qty, amendedOrder.executedQty, amendedOrder.status],
    [first.orderId, 'shrink', '0.20000', '0.00000', 'NEW'],
  )
  assert.ok(told.executionId > 0 && told.transactTime >= first.transactTime)
  const again = await alice.done(...amendPath, { ...by, newQty: '0.2', newClientOrderId: 'amend-1' })
  assert.deepEqual([again.amendedOrder.qty, again.transactTime], ['0.20000', told.transactTime])
  await done(await world.program(), limit('BUY', '60200', '0.2'))
  assert.deepEqual([await statusOf(alice, first.orderId), await statusOf(bob, second.orderId)], ['FILLED', 'NEW'])
  await refused(alice, amendPath, { ...by, newQty: '0.1' }, -2013)
  await bob.done('DELETE', '/api/v3/openOrders', { symbol })
})

test('API-SPOT-013: cancel and replace: both halves, one half or none, by its mode', async () => {
  const old = await done(alice, limit('SELL', '60300', '0.1'))
  const next = { ...limit('SELL', '60400', '0.2'), cancelReplaceMode: 'STOP_ON_FAILURE' }
  const both = await alice.done('POST', replacePath, { ...next, cancelOrderId: old.orderId, newClientOrderId: 'new-1' })
  assert.deepEqual([both.cancelResult, both.newOrderResult], ['SUCCESS', 'SUCCESS'])
  assert.deepEqual([both.cancelResponse.orderId, both.cancelResponse.status], [old.orderId, 'CANCELED'])
  assert.deepEqual([both.newOrderResponse.clientOrderId, both.newOrderResponse.status, both.newOrderResponse.fills], ['new-1', 'NEW', []])
  // A repeat of the same request gets the first outcome, both halves of it.
  assert.deepEqual(await alice.done('POST', replacePath, { ...next, cancelOrderId: old.orderId, newClientOrderId: 'new-1' }), both)

  const stopped = await refused(
    alice,
    ['POST', replacePath],
    { ...next, cancelOrderId: old.orderId },
    -2022,
    'Order cancel-replace failed.',
  )
  assert.deepEqual(stopped.data, {
    cancelResult: 'FAILURE',
    newOrderResult: 'NOT_ATTEMPTED',
    cancelResponse: { code: -2011, msg: 'Unknown order sent.' },
    newOrderResponse: null,
  })
  const half = await alice.signed('POST', replacePath, { ...next, cancelOrderId: old.orderId, cancelReplaceMode: 'ALLOW_FAILURE' })
  assert.deepEqual([half.status, half.body.code, half.body.msg], [409, -2021, 'Order cancel-replace partially failed.'])
  assert.deepEqual(
    [half.body.data.cancelResult, half.body.data.newOrderResult, half.body.data.newOrderResponse.status],
    ['FAILURE', 'SUCCESS', 'NEW'],
  )
  const dear = { ...next, quantity: '50', cancelOrigClientOrderId: 'new-1' }
  const lost = await alice.signed('POST', replacePath, dear)
  assert.deepEqual(
    [lost.status, lost.body.code, lost.body.data.cancelResult, lost.body.data.newOrderResult],
    [409, -2021, 'SUCCESS', 'FAILURE'],
  )
  assert.deepEqual(lost.body.data.newOrderResponse, { code: -2010, msg: 'Account has insufficient balance for requested action.' })
  const none = await refused(alice, ['POST', replacePath], { ...dear, cancelReplaceMode: 'ALLOW_FAILURE' }, -2022)
  assert.deepEqual([none.data.cancelResult, none.data.newOrderResult], ['FAILURE', 'FAILURE'])
  // An order that is never valid is refused before anything is cancelled.
  const kept = half.body.data.newOrderResponse.orderId
  await refused(alice, ['POST', replacePath], { ...next, price: '60400.01', cancelOrderId: kept }, -1013, 'Filter failure: PRICE_FILTER')
  await refused(alice, ['POST', replacePath], { ...next, quantity: '0.00001', cancelOrderId: kept }, -1013, 'Filter failure: NOTIONAL')
  await refused(alice, ['POST', replacePath], next, -1102)
  assert.equal(await statusOf(alice, kept), 'NEW')
  await alice.done('DELETE', '/api/v3/openOrders', { symbol })
})

test('API-SPOT-014: past orders are listed from a number or between two times, oldest first', async () => {
  const carol = await world.program()
  const ids: number[] = []
  for (let n = 0; n < 5; n++) ids.push((await done(carol, limit('SELL', `6${n}000`, '0.1'))).orderId)
  await carol.done('DELETE', orderPath, { symbol, orderId: ids[1] as number })
  const all = (fields: Fields) => carol.done('GET', '/api/v3/allOrders', { symbol, ...fields })
  const numbers = (list: any[]) => list.map(({ orderId }) => ids.indexOf(orderId))
  const whole = await all({})
  assert.deepEqual(numbers(whole), [0, 1, 2, 3, 4])
  assert.deepEqual(
    whole.map(({ status }: any) => status),
    ['NEW', 'CANCELED', 'NEW', 'NEW', 'NEW'],
  )
  assert.deepEqual(numbers(await all({ limit: 2 })), [3, 4])
  assert.deepEqual(numbers(await all({ orderId: ids[1] as number, limit: 2 })), [1, 2])
  assert.deepEqual(numbers(await all({ startTime: whole[1].time, limit: 2 })), [1, 2])
  assert.deepEqual(numbers(await all({ endTime: whole[2].time, limit: 2 })), [1, 2])
  await refused(carol, ['GET', '/api/v3/allOrders'], { symbol, startTime: 1, endTime: 86_400_002 }, -1127)
  await refused(carol, ['GET', '/api/v3/allOrders'], {}, -1102)
  const open = await carol.done('GET', '/api/v3/openOrders')
  assert.deepEqual(numbers(open), [0, 2, 3, 4])
  const cancelled = await carol.done('DELETE', '/api/v3/openOrders', { symbol })
  assert.deepEqual([numbers(cancelled), new Set(cancelled.map(({ status }: any) => status))], [[0, 2, 3, 4], new Set(['CANCELED'])])
  assert.deepEqual(await carol.done('GET', '/api/v3/openOrders', { symbol }), [])
})

test('API-SPOT-015: an order beyond the rate limit is -1015 and changes nothing; cancels still work', async () => {
  const dan = await world.program()
  const { orderId } = await done(dan, limit('SELL', '60500', '0.1'))
  const order = limit('SELL', '60500', '0.001', { timeInForce: 'IOC' })
  assert.equal((await dan.signed('POST', orderPath, order)).headers.get('x-mbx-order-count-1d'), '2')
  // A hundred orders may be sent in ten seconds; this loop sends twice as many at some time.
  let refusal: Awaited<ReturnType<Program['signed']>> | undefined
  for (let n = 0; n < 20 && !refusal; n++) {
    const answers = await Promise.all(Array.from({ length: 110 }, () => dan.signed('POST', orderPath, order)))
    refusal = answers.find(({ status }) => status !== 200)
  }
  assert.ok(refusal)
  assert.deepEqual([refusal.status, refusal.body.code, Number(refusal.headers.get('retry-after')) > 0], [429, -1015, true])
  assert.equal((await dan.done('DELETE', orderPath, { symbol, orderId })).status, 'CANCELED')
})
