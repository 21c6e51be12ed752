import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Fields, type Program } from '../../test/program.ts'
import { limit, orderPath, refused, SpotWorld } from './spot.ts'

let world: SpotWorld
let alice: Program
let bob: Program
const symbol = 'BTCUSDT'

/** The last price becomes 60,000. */
before(async () => {
  world = await SpotWorld.start('api-spot-oto')
  alice = await world.program()
  bob = await world.program({ USDT: '1000000', BTC: '20' })
  await bob.done('POST', orderPath, limit('SELL', '60000', '0.1'))
  await alice.done('POST', orderPath, limit('BUY', '60000', '0.1'))
})
after(() => world[Symbol.asyncDispose]())

const otoPath = ['POST', '/api/v3/orderList/oto'] as const
const otocoPath = ['POST', '/api/v3/orderList/otoco'] as const
const ocoPath = ['POST', '/api/v3/orderList/oco'] as const
const working: Fields = {
  ...{ symbol, workingType: 'LIMIT', workingSide: 'BUY', workingPrice: '59000', workingQuantity: '0.2', workingTimeInForce: 'GTC' },
}
const oto: Fields = {
  ...{ ...working, pendingType: 'LIMIT', pendingSide: 'SELL', pendingPrice: '62000', pendingQuantity: '0.2', pendingTimeInForce: 'GTC' },
}
const otoco: Fields = {
  ...{ ...working, pendingSide: 'SELL', pendingQuantity: '0.2', pendingAboveType: 'LIMIT_MAKER', pendingAbovePrice: '62000' },
  ...{ pendingAboveIcebergQty: '0.05', pendingBelowType: 'STOP_LOSS', pendingBelowTrailingDelta: 500 },
}
const statuses = (list: any): readonly string[] => list.orderReports.map(({ status }: any) => status)
const found = (by: Program, orderListId: number) => by.done('GET', '/api/v3/orderList', { orderListId })
const order = (orderId: number) => alice.done('GET', orderPath, { symbol, orderId })
const free = async (asset: string) => {
  const { balances } = await alice.done('GET', '/api/v3/account', { omitZeroBalances: 'true' })
  const { free: available, locked } = balances.find((balance: any) => balance.asset === asset)
  return [available, locked]
}

test('API-OTO-001: the pending order is PENDING_NEW and holds nothing until the working order is filled', async () => {
  const placed = await alice.done(...otoPath, { ...oto, listClientOrderId: 'first' })
  const { orderReports, ...plain } = placed
  assert.deepEqual([placed.contingencyType, placed.listStatusType, placed.listOrderStatus], ['OTO', 'EXEC_STARTED', 'EXECUTING'])
  assert.deepEqual(statuses(placed), ['NEW', 'PENDING_NEW'])
  const [first, second] = orderReports
  assert.deepEqual([second.workingTime, second.type, second.side, second.price], [-1, 'LIMIT', 'SELL', '62000.0'])
  assert.deepEqual([await free('BTC'), (await free('USDT'))[1]], [['2.0999', '0'], '11800'])
  // A repeat of the same request is the same list; another request with its id is refused.
  assert.deepEqual(await alice.done(...otoPath, { ...oto, listClientOrderId: 'first' }), placed)
  await refused(alice, otoPath, { ...oto, workingQuantity: '0.3', listClientOrderId: 'first' }, -2010, 'Duplicate order sent.')
  assert.deepEqual(await found(alice, placed.orderListId), plain)
  assert.deepEqual(await alice.done('GET', '/api/v3/orderList', { origClientOrderId: 'first' }), plain)
  assert.deepEqual(await alice.done('GET', '/api/v3/openOrderList'), [plain])
  const waiting = await order(second.orderId)
  assert.deepEqual(
    [waiting.status, waiting.isWorking, waiting.workingTime, waiting.orderListId],
    ['PENDING_NEW', false, -1, placed.orderListId],
  )
  await refused(alice, ['DELETE', orderPath], { symbol, origClientOrderId: 'first' }, -2011)
  await bob.done('POST', orderPath, limit('SELL', '59000', '0.15'))
  assert.equal((await order(second.orderId)).status, 'PENDING_NEW')
  await bob.done('POST', orderPath, limit('SELL', '59000', '0.05'))
  const entered = await order(second.orderId)
  assert.deepEqual([entered.status, entered.isWorking], ['NEW', true])
  assert.ok(entered.workingTime > entered.time)
  assert.deepEqual([(await order(first.orderId)).status, (await found(alice, placed.orderListId)).listOrderStatus], ['FILLED', 'EXECUTING'])
  assert.equal((await free('BTC'))[1], '0.2')
  await bob.done('POST', orderPath, limit('BUY', '62000', '0.2'))
  assert.deepEqual([(await order(second.orderId)).status, (await found(alice, placed.orderListId)).listOrderStatus], ['FILLED', 'ALL_DONE'])
})

test('API-OTO-002: cancelling one order or the list cancels all of it; a working order that expires ends the others as EXPIRED', async () => {
  const one = await alice.done(...otoPath, oto)
  await alice.done('DELETE', orderPath, { symbol, orderId: one.orders[1].orderId })
  assert.equal((await found(alice, one.orderListId)).listOrderStatus, 'ALL_DONE')
  for (const { orderId } of one.orders) assert.equal((await order(orderId)).status, 'CANCELED')
  const two = await alice.done(...otocoPath, otoco)
  const ended = await alice.done('DELETE', '/api/v3/orderList', { symbol, orderListId: two.orderListId })
  assert.deepEqual([ended.listOrderStatus, ...statuses(ended)], ['ALL_DONE', 'CANCELED', 'CANCELED', 'CANCELED'])
  await alice.done(...otoPath, oto)
  await alice.done(...otocoPath, otoco)
  const all = await alice.done('DELETE', '/api/v3/openOrders', { symbol })
  assert.deepEqual(
    all.map(({ contingencyType, orders }: any) => [contingencyType, orders.length]),
    [
      ['OTO', 2],
      ['OTO', 3],
    ],
  )
  const expired = await alice.done(...otoPath, { ...oto, workingTimeInForce: 'IOC' })
  assert.deepEqual([expired.listOrderStatus, ...statuses(expired)], ['ALL_DONE', 'EXPIRED', 'EXPIRED'])
  assert.deepEqual(await alice.done('GET', '/api/v3/openOrders', { symbol }), [])
  // The tables follow a moment later.
  const waiting = "select from orders where status = 'pending' and list_id is not null limit 1"
  while ((await world.exchange.store.pool.query(waiting)).rowCount !== 0) await new Promise((resolve) => setTimeout(resolve, 20))
})

test('API-OTO-003: an OTOCO’s pending pair is placed with one hold, one of which cancels the other; legs may trail or be icebergs', async () => {
  const placed = await alice.done(...otocoPath, otoco)
  assert.deepEqual(statuses(placed), ['NEW', 'PENDING_NEW', 'PENDING_NEW'])
  const [, above, below] = placed.orderReports
  assert.deepEqual([above.type, Number(above.icebergQty), below.type, below.trailingDelta], ['LIMIT_MAKER', 0.05, 'STOP_LOSS', 500])
  await bob.done('POST', orderPath, limit('SELL', '59000', '0.2'))
  assert.equal((await free('BTC'))[1], '0.2')
  assert.deepEqual([(await order(above.orderId)).status, (await order(below.orderId)).status], ['NEW', 'NEW'])
  assert.deepEqual([(await order(above.orderId)).isWorking, (await order(below.orderId)).isWorking], [true, false])
  await bob.done('POST', orderPath, limit('BUY', '62000', '0.2'))
  assert.deepEqual([(await order(above.orderId)).status, (await order(below.orderId)).status], ['FILLED', 'EXPIRED'])
  const lists = await alice.done('GET', '/api/v3/allOrderList', { fromId: placed.orderListId })
  assert.deepEqual(
    lists.map((one: any) => [one.orderListId, one.contingencyType, one.orders.length]),
    [[placed.orderListId, 'OTO', 3]],
  )
})

test('API-OTO-004: a pending order that the account can’t pay ends as EXPIRED, and the list with it', async () => {
  const placed = await alice.done(...otoPath, { ...oto, pendingQuantity: '9' })
  await bob.done('POST', orderPath, limit('SELL', '59000', '0.2'))
  const [first, second] = placed.orders
  assert.deepEqual([(await order(first.orderId)).status, (await order(second.orderId)).status], ['FILLED', 'EXPIRED'])
  assert.equal((await found(alice, placed.orderListId)).listOrderStatus, 'ALL_DONE')
})

test('API-OTO-005: missing and contradictory parameters are refused under their own names', async () => {
  const without = (fields: Fields, name: string): Fields => Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))
  await refused(
    alice,
    otoPath,
    without(oto, 'pendingPrice'),
    -1102,
    "Mandatory parameter 'pendingPrice' was not sent, was empty/null, or malformed.",
  )
  await refused(alice, otoPath, without(oto, 'workingTimeInForce'), -1102)
  await refused(alice, otoPath, { ...oto, pendingStopPrice: '58000' }, -1106, "Parameter 'pendingStopPrice' sent when not required.")
  await refused(alice, otoPath, { ...oto, workingType: 'MARKET' }, -1130)
  await refused(
    alice,
    otocoPath,
    { ...otoco, pendingAboveType: 'STOP_LOSS' },
    -2010,
    'The relationship of the prices for the orders is not correct.',
  )
  await refused(alice, otocoPath, without(otoco, 'pendingBelowTrailingDelta'), -1102)
  await refused(alice, otoPath, { ...oto, workingClientOrderId: 'same', pendingClientOrderId: 'same' }, -2010, 'Duplicate order sent.')
  await refused(alice, otoPath, { ...oto, workingQuantity: '50' }, -2010, 'Account has insufficient balance for requested action.')
  assert.deepEqual(await alice.done('GET', '/api/v3/openOrderList'), [])
})

test('API-OTO-006: orders may have client ids of their own, and the working order may be amended', async () => {
  const names = { listClientOrderId: 'list-of-two', workingClientOrderId: 'two-works', pendingClientOrderId: 'two-waits' }
  const placed = await alice.done(...otoPath, { ...oto, ...names, newOrderRespType: 'ACK' })
  assert.deepEqual(
    placed.orders.map(({ clientOrderId }: any) => clientOrderId),
    ['two-works', 'two-waits'],
  )
  assert.equal((await alice.done('GET', '/api/v3/orderList', { origClientOrderId: 'list-of-two' })).orderListId, placed.orderListId)
  const path = '/api/v3/order/amend/keepPriority'
  await refused(alice, ['PUT', path], { symbol, origClientOrderId: 'two-waits', newQty: '0.1' }, -2038)
  await alice.done('PUT', path, { symbol, origClientOrderId: 'two-works', newQty: '0.1' })
  await bob.done('POST', orderPath, limit('SELL', '59000', '0.1'))
  assert.equal((await alice.done('GET', orderPath, { symbol, origClientOrderId: 'two-waits' })).status, 'NEW')
  await alice.done('DELETE', '/api/v3/orderList', { symbol, listClientOrderId: 'list-of-two' })
  assert.deepEqual(await alice.done('GET', '/api/v3/openOrderList'), [])
})

test('API-OCO-008: a leg of an OCO may trail or be an iceberg', async () => {
  const fields = { symbol, side: 'SELL', quantity: '0.2', aboveType: 'LIMIT_MAKER', abovePrice: '63000', aboveIcebergQty: '0.05' }
  const placed = await alice.done(...ocoPath, { ...fields, belowType: 'STOP_LOSS', belowTrailingDelta: 500, listClientOrderId: 'trails' })
  assert.deepEqual([placed.contingencyType, ...statuses(placed), placed.orderReports[1].trailingDelta], ['OCO', 'NEW', 'NEW', 500])
  assert.equal((await alice.done('GET', '/api/v3/orderList', { origClientOrderId: 'trails' })).orderListId, placed.orderListId)
  assert.equal((await free('BTC'))[1], '0.2')
  const open = await alice.done('GET', '/api/v3/openOrders', { symbol })
  assert.deepEqual(
    open.map(({ icebergQty }: any) => Number(icebergQty)),
    [0.05, 0],
  )
  await alice.done('DELETE', orderPath, { symbol, orderId: placed.orders[0].orderId })
  assert.deepEqual(await free('BTC').then(([, locked]) => locked), '0')
})
