import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Fields, type Program, programOf } from '../../test/program.ts'
import { limit, orderPath, refused, SpotWorld } from './spot.ts'

let world: SpotWorld
let alice: Program
let bob: Program
const symbol = 'BTCUSDT'
const done = (by: Program, fields: Fields) => by.done('POST', orderPath, fields)

/** The last price becomes 60,000. */
before(async () => {
  world = await SpotWorld.start('api-spot-lists')
  alice = await world.program()
  bob = await world.program()
  await done(bob, limit('SELL', '60000', '0.1'))
  await done(alice, limit('BUY', '60000', '0.1'))
})
after(() => world[Symbol.asyncDispose]())

const ocoPath = ['POST', '/api/v3/orderList/oco'] as const
const sell: Fields = {
  ...{ symbol, side: 'SELL', quantity: '0.1', aboveType: 'LIMIT_MAKER', abovePrice: '61000' },
  ...{ belowType: 'STOP_LOSS_LIMIT', belowPrice: '58900', belowStopPrice: '59000', belowTimeInForce: 'GTC' },
}
const list = (by: Program, fields: Fields) => by.done('GET', '/api/v3/orderList', fields)
const free = async (by: Program, asset: string) => {
  const { balances } = await by.done('GET', '/api/v3/account', { omitZeroBalances: 'true' })
  const found = balances.find((balance: any) => balance.asset === asset)
  return [found.free, found.locked]
}

test('API-OCO-001: a list of two orders is placed with one hold and found by its number and its client id', async () => {
  const placed = await alice.done(...ocoPath, { ...sell, listClientOrderId: 'my-list' })
  assert.deepEqual(
    [placed.contingencyType, placed.listStatusType, placed.listOrderStatus, placed.listClientOrderId, placed.symbol, placed.orders.length],
    ['OCO', 'EXEC_STARTED', 'EXECUTING', 'my-list', symbol, 2],
  )
  const { orderReports, ...plain } = placed
  const [maker, stop] = orderReports
  assert.deepEqual([maker.type, maker.price, maker.status, maker.orderListId], ['LIMIT_MAKER', '61000.0', 'NEW', placed.orderListId])
  assert.deepEqual([stop.type, stop.price, stop.stopPrice, stop.workingTime], ['STOP_LOSS_LIMIT', '58900.0', '59000.0', -1])
  assert.deepEqual(await free(alice, 'BTC'), ['1.9999', '0.1'])
  assert.deepEqual(await list(alice, { orderListId: placed.orderListId }), plain)
  assert.deepEqual(await list(alice, { origClientOrderId: 'my-list' }), plain)
  assert.deepEqual(await alice.done('GET', '/api/v3/openOrderList'), [plain])
  await refused(bob, ['GET', '/api/v3/orderList'], { orderListId: placed.orderListId }, -2018, 'Order list does not exist.')
  await refused(alice, ['GET', '/api/v3/orderList'], {}, -1102)
  // A repeat of the same request is the same list; another request with its id is refused.
  assert.deepEqual(await alice.done(...ocoPath, { ...sell, listClientOrderId: 'my-list' }), placed)
  await refused(alice, ocoPath, { ...sell, quantity: '0.2', listClientOrderId: 'my-list' }, -2010, 'Duplicate order sent.')
  const ended = await alice.done('DELETE', '/api/v3/orderList', { symbol, listClientOrderId: 'my-list' })
  assert.deepEqual(
    [ended.listStatusType, ended.listOrderStatus, ...ended.orderReports.map(({ status }: any) => status)],
    ['ALL_DONE', 'ALL_DONE', 'CANCELED', 'CANCELED'],
  )
  assert.equal((await list(alice, { orderListId: placed.orderListId })).listOrderStatus, 'ALL_DONE')
  assert.deepEqual(await alice.done('GET', '/api/v3/openOrderList'), [])
  assert.deepEqual(await free(alice, 'BTC'), ['2.0999', '0'])
  await refused(alice, ['DELETE', '/api/v3/orderList'], { symbol, orderListId: placed.orderListId }, -2011, 'Unknown order sent.')
})

test('API-OCO-002: legs may have client ids of their own; the list is found by its own id all the same', async () => {
  const names = {
    listClientOrderId: 'a-list-with-a-name-of-36-characters!'.slice(0, 35),
    aboveClientOrderId: 'leg-up',
    belowClientOrderId: 'leg-down',
  }
  const named = await alice.done(...ocoPath, { ...sell, ...names, newOrderRespType: 'ACK' })
  assert.deepEqual(
    named.orders.map(({ clientOrderId }: any) => clientOrderId),
    ['leg-up', 'leg-down'],
  )
  assert.deepEqual(Object.keys(named.orderReports[0]), ['symbol', 'orderId', 'orderListId', 'clientOrderId', 'transactTime'])
  const found = await list(alice, { origClientOrderId: names.listClientOrderId })
  assert.deepEqual([found.orderListId, found.listClientOrderId], [named.orderListId, names.listClientOrderId])
  const long = { ...sell, listClientOrderId: 'x'.repeat(36) }
  const first = await alice.done(...ocoPath, long)
  assert.deepEqual(await alice.done(...ocoPath, long), first)
  assert.equal((await list(alice, { orderListId: first.orderListId })).listClientOrderId, long.listClientOrderId)
  const unnamed = await alice.done(...ocoPath, sell)
  assert.equal((await list(alice, { origClientOrderId: unnamed.listClientOrderId })).orderListId, unnamed.orderListId)
  const lists = await alice.done('GET', '/api/v3/allOrderList', { fromId: named.orderListId })
  assert.deepEqual(
    lists.map(({ orderListId, listClientOrderId }: any) => [orderListId, listClientOrderId]),
    [named, first, unnamed].map(({ orderListId, listClientOrderId }) => [orderListId, listClientOrderId]),
  )
  assert.equal((await alice.done('GET', '/api/v3/allOrderList', { limit: 2 }))[0].orderListId, first.orderListId)
  const cancelled = await alice.done('DELETE', '/api/v3/openOrders', { symbol })
  assert.deepEqual(
    cancelled.map(({ orderListId, orderReports, listOrderStatus }: any) => [orderListId, orderReports.length, listOrderStatus]),
    [named, first, unnamed].map(({ orderListId }) => [orderListId, 2, 'ALL_DONE']),
  )
})

test('API-OCO-007: a refused list leaves no client id behind', async () => {
  const carol = await world.program()
  const names = async (): Promise<readonly (readonly [string, string])[]> => {
    const { rows } = await world.exchange.store.pool.query(
      `select leg_client_id as leg, list_client_id as list from order_list_client_ids
       where leg_client_id like 'carol-%' or list_client_id like 'carol-%' order by leg`,
    )
    return rows.map(({ leg, list: name }) => [leg, name] as const)
  }
  const place = (listClientOrderId: string, leg: string, more: Fields = {}) =>
    carol.signed(...ocoPath, { ...sell, listClientOrderId, aboveClientOrderId: leg, ...more })
  for (let n = 0; n < 5; n++) assert.equal((await place('carol-poor', `carol-poor-${n}`, { quantity: '50' })).status, 400)
  assert.deepEqual(await names(), [])
  const { body } = await place('carol-list', 'carol-leg')
  const taken = [['carol-leg', 'carol-list']]
  assert.deepEqual(await names(), taken)
  // Neither another list with the same name, nor one with the same leg, nor the same list again.
  for (const [name, leg, more] of [
    ['carol-list', 'carol-other', {}],
    ['carol-other', 'carol-leg', {}],
    ['carol-list', 'carol-leg', { quantity: '0.2' }],
  ] as const) {
    assert.equal((await place(name, leg, more)).status, 400)
    assert.deepEqual(await names(), taken)
  }
  assert.deepEqual((await place('carol-list', 'carol-leg')).body, body)
  // Both are sent at once, so that the refused one may be the first to write.
  const both = await Promise.all(['0.1', '0.2'].map((quantity) => place('carol-two', 'carol-both', { quantity })))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400])
  assert.deepEqual(await names(), [['carol-both', 'carol-two'], ...taken])
  await carol.done('DELETE', '/api/v3/openOrders', { symbol })
})

test('API-OCO-003: a leg that begins to trade expires the other; cancelling a leg cancels the other', async () => {
  const one = await alice.done(...ocoPath, sell)
  await done(bob, limit('BUY', '61000', '0.04'))
  const [maker, stop] = one.orders
  const read = (orderId: number) => alice.done('GET', orderPath, { symbol, orderId })
  assert.deepEqual([(await read(maker.orderId)).status, (await read(stop.orderId)).status], ['PARTIALLY_FILLED', 'EXPIRED'])
  await alice.done('DELETE', orderPath, { symbol, orderId: maker.orderId })
  const statuses = async () => {
    const all = await alice.done('GET', '/api/v3/allOrders', { symbol, orderId: maker.orderId, limit: 2 })
    return all.map(({ status }: any) => status)
  }
  assert.deepEqual(await statuses(), ['CANCELED', 'EXPIRED'])
  const buy = { symbol, side: 'BUY', quantity: '0.1', aboveType: 'STOP_LOSS', belowType: 'LIMIT_MAKER', belowPrice: '59000' }
  const fields = { ...buy, aboveStopPrice: '62000' }
  const other = await alice.done(...ocoPath, fields)
  const told = await alice.done('DELETE', orderPath, { symbol, orderId: other.orders[0].orderId })
  assert.deepEqual([told.status, told.orderListId], ['CANCELED', other.orderListId])
  assert.deepEqual([(await read(other.orders[0].orderId)).status, (await read(other.orders[1].orderId)).status], ['CANCELED', 'CANCELED'])
  // The stop of a third list is triggered: the limit leg expires.
  const third = await alice.done(...ocoPath, { ...sell, abovePrice: '63000' })
  await done(bob, limit('BUY', '59000', '0.01'))
  await done(await world.program(), limit('SELL', '59000', '0.01', { timeInForce: 'IOC' }))
  assert.deepEqual([(await read(third.orders[0].orderId)).status, (await read(third.orders[1].orderId)).status], ['EXPIRED', 'NEW'])
  await alice.done('DELETE', '/api/v3/openOrders', { symbol })
})

test('API-OCO-004: prices on the wrong sides, legs of wrong types and parameters that a list cannot have are refused', async () => {
  const relation = 'The relationship of the prices for the orders is not correct.'
  const cases: readonly (readonly [Readonly<Record<string, string | undefined>>, number, string?])[] = [
    [{ abovePrice: '58000' }, -2010, relation],
    [{ belowStopPrice: '64000', belowPrice: '63900' }, -2010, relation],
    [{ aboveType: 'STOP_LOSS' }, -2010, relation],
    [{ belowType: 'LIMIT_MAKER' }, -2010, relation],
    [{ belowType: 'TAKE_PROFIT' }, -2010, relation],
    [{ aboveType: 'TAKE_PROFIT', aboveStopPrice: '61000' }, -1106],
    [{ aboveType: 'TAKE_PROFIT', abovePrice: undefined }, -1102],
    [{ aboveType: 'TAKE_PROFIT_LIMIT' }, -1102],
    [{ aboveType: 'TAKE_PROFIT_LIMIT', aboveStopPrice: '61000' }, -1102],
    [{ aboveType: 'TAKE_PROFIT_LIMIT', aboveStopPrice: '58500', aboveTimeInForce: 'GTC' }, -2010, relation],
    [{ aboveType: 'TAKE_PROFIT_LIMIT', aboveStopPrice: '61000', aboveTimeInForce: 'GTX' }, -1115],
    [{ aboveTimeInForce: 'IOC' }, -1106],
    [{ belowTimeInForce: undefined }, -1102],
    [{ belowPrice: '40000' }, -1013, 'Filter failure: PERCENT_PRICE_BY_SIDE'],
    [{ aboveStopPrice: '61000' }, -1106],
    [{ belowType: 'STOP_LOSS' }, -1106],
    [{ abovePrice: '61000.01' }, -1013, 'Filter failure: PRICE_FILTER'],
    [{ quantity: '50' }, -2010, 'Account has insufficient balance for requested action.'],
    [{ quantity: '0.00001' }, -1013, 'Filter failure: NOTIONAL'],
  ]
  // The last price is 59,000 by now.
  const low = { ...sell, belowPrice: '57900', belowStopPrice: '58000' }
  for (const [more, code, msg] of cases) {
    const fields = Object.fromEntries(Object.entries({ ...low, ...more }).filter(([, value]) => value !== undefined))
    await refused(alice, ocoPath, fields as Fields, code, msg)
  }
  assert.deepEqual(await alice.done('GET', '/api/v3/openOrders'), [])
})

test('API-OCO-005: the older path of a list with one limit and one stop price is served, too', async () => {
  const old = {
    ...{ symbol, side: 'SELL', quantity: '0.1', price: '61000', stopPrice: '58000', stopLimitPrice: '57900', stopLimitTimeInForce: 'GTC' },
    ...{ listClientOrderId: 'old', limitClientOrderId: 'old-1', stopClientOrderId: 'old-2' },
  }
  const placed = await alice.done('POST', `${orderPath}/oco`, old)
  assert.deepEqual(
    [placed.listClientOrderId, ...placed.orderReports.map(({ type, clientOrderId }: any) => `${type} ${clientOrderId}`)],
    ['old', 'LIMIT_MAKER old-1', 'STOP_LOSS_LIMIT old-2'],
  )
  const ended = await alice.done('DELETE', '/api/v3/orderList', { symbol, orderListId: placed.orderListId, newClientOrderId: 'end' })
  assert.deepEqual(
    ended.orderReports.map(({ origClientOrderId, clientOrderId }: any) => [origClientOrderId, clientOrderId]),
    [
      ['old-1', 'end'],
      ['old-2', 'end'],
    ],
  )
})

test('API-OCO-006: the take-profit leg may wait for its trigger, too, and legs may be immediate once triggered', async () => {
  const dora = await world.program({ USDT: '20000', BTC: '1' })
  const base = { symbol, quantity: '0.1', listClientOrderId: 'both-sleep' }
  const loss = { belowType: 'STOP_LOSS_LIMIT', belowStopPrice: '58000', belowPrice: '57900', belowTimeInForce: 'IOC' }
  const gain = { aboveType: 'TAKE_PROFIT_LIMIT', aboveStopPrice: '60500', abovePrice: '60400', aboveTimeInForce: 'FOK' }
  const placed = await dora.done(...ocoPath, { ...base, side: 'SELL', ...gain, ...loss })
  assert.deepEqual(
    placed.orderReports.map(({ type, price, stopPrice, timeInForce, status, workingTime }: any) => [
      ...[type, price, stopPrice, timeInForce, status, workingTime],
    ]),
    [
      ['TAKE_PROFIT_LIMIT', '60400.0', '60500.0', 'FOK', 'NEW', -1],
      ['STOP_LOSS_LIMIT', '57900.0', '58000.0', 'IOC', 'NEW', -1],
    ],
  )
  assert.deepEqual(await free(dora, 'BTC'), ['0.9', '0.1'])
  // A repeat of the same request is the same list; with another time in force it is another request.
  const again = { ...base, side: 'SELL', ...gain, ...loss }
  assert.deepEqual(await dora.done(...ocoPath, again), placed)
  await refused(dora, ocoPath, { ...again, belowTimeInForce: 'FOK' }, -2010, 'Duplicate order sent.')
  const read = async (by: Program, ids: readonly any[]) => {
    const found = []
    for (const { orderId } of ids) found.push((await by.done('GET', orderPath, { symbol, orderId })).status)
    return found
  }
  // The price rises to the take profit: that leg trades with the book, and the stop is cancelled.
  await done(bob, limit('SELL', '60500', '0.01'))
  await done(bob, limit('BUY', '60450', '0.1'))
  await done(await world.program(), limit('BUY', '60500', '0.01', { timeInForce: 'IOC' }))
  assert.deepEqual(await read(dora, placed.orders), ['FILLED', 'EXPIRED'])
  assert.equal((await list(dora, { orderListId: placed.orderListId })).listOrderStatus, 'ALL_DONE')
  // The last price is 60,450. A market order that waits below it buys to take a profit.
  const falls = { belowType: 'TAKE_PROFIT', belowStopPrice: '60000', aboveType: 'STOP_LOSS', aboveStopPrice: '61000' }
  const buys = await dora.done(...ocoPath, { ...base, side: 'BUY', ...falls, listClientOrderId: 'buys' })
  assert.deepEqual(
    buys.orderReports.map(({ type, stopPrice, side }: any) => [type, stopPrice, side]),
    [
      ['TAKE_PROFIT', '60000.0', 'BUY'],
      ['STOP_LOSS', '61000.0', 'BUY'],
    ],
  )
  await done(bob, limit('SELL', '60100', '0.1'))
  await done(bob, limit('BUY', '60000', '0.01'))
  const other = await world.program()
  await done(other, limit('SELL', '60000', '0.01', { timeInForce: 'IOC' }))
  assert.deepEqual(await read(dora, buys.orders), ['FILLED', 'EXPIRED'])
  // Cancelled by its name, while both legs wait.
  const third = { ...base, side: 'BUY', ...falls, belowStopPrice: '59000', listClientOrderId: 'third' }
  const sleeping = await dora.done(...ocoPath, third)
  await dora.done('DELETE', '/api/v3/orderList', { symbol, listClientOrderId: 'third' })
  assert.deepEqual(await read(dora, sleeping.orders), ['CANCELED', 'CANCELED'])
  for (const by of [dora, bob]) await by.signed('DELETE', '/api/v3/openOrders', { symbol })
  await done(bob, limit('SELL', '59000', '0.01'))
  await done(other, limit('BUY', '59000', '0.01', { timeInForce: 'IOC' }))
})

test('API-ACCOUNT-001: the account shows its balances, its rates and its key’s permissions', async () => {
  const carol = await world.program({ USDT: '1000' })
  const account = await carol.done('GET', '/api/v3/account')
  assert.deepEqual(
    [account.accountType, account.makerCommission, account.takerCommission, account.canTrade, account.canWithdraw, account.permissions],
    ['SPOT', 10, 10, true, false, ['SPOT']],
  )
  assert.deepEqual(account.commissionRates, { maker: '0.00100000', taker: '0.00100000', buyer: '0.00000000', seller: '0.00000000' })
  assert.ok(account.updateTime > 0 && Number.isSafeInteger(account.uid))
  assert.ok(account.balances.length > 2)
  const held = await done(carol, limit('BUY', '59000', '0.01'))
  const { balances } = await carol.done('GET', '/api/v3/account', { omitZeroBalances: 'true' })
  assert.deepEqual(balances, [{ asset: 'USDT', free: '410', locked: '590' }])
  await carol.done('DELETE', orderPath, { symbol, orderId: held.orderId })
  const rates = await carol.done('GET', '/api/v3/account/commission', { symbol })
  assert.deepEqual([rates.symbol, rates.standardCommission.taker, rates.discount.enabledForAccount], [symbol, '0.00100000', false])
  await refused(carol, ['GET', '/api/v3/account/commission'], { symbol: 'NONE' }, -1121)
})

test('API-SPOT-016: a list’s client id names no order: no path for one order cancels or changes its legs, in any account', async () => {
  const user = await world.exchange.user({ funds: { USDT: '1000', BTC: '2' }, isCertified: true })
  const eve = await programOf(world.exchange.url, user)
  await eve.done('POST', '/sapi/v1/asset/transfer', { type: 'MAIN_MARGIN', asset: 'BTC', amount: '1' })
  const old = {
    ...{ symbol, side: 'SELL', quantity: '0.1', price: '63000' },
    ...{ stopPrice: '57000', stopLimitPrice: '56900', stopLimitTimeInForce: 'GTC' },
  }
  const lists = [
    await eve.done('POST', '/api/v3/order/oco', { ...old, listClientOrderId: 'spot-list' }),
    await eve.done('POST', '/sapi/v1/margin/order/oco', { ...old, listClientOrderId: 'margin-list' }),
    await eve.done('POST', '/api/v3/order/oco', {
      ...old,
      listClientOrderId: 'named-list',
      limitClientOrderId: 'up',
      stopClientOrderId: 'down',
    }),
  ]
  const replace = { ...limit('SELL', '64000', '0.1'), cancelReplaceMode: 'STOP_ON_FAILURE' }
  for (const { orderListId: orderId, listClientOrderId } of lists) {
    for (const which of [{ orderId }, { origClientOrderId: listClientOrderId }]) {
      for (const path of ['/api/v3/order', '/sapi/v1/margin/order']) {
        await refused(eve, ['DELETE', path], { symbol, ...which }, -2011, 'Unknown order sent.')
      }
      await refused(eve, ['PUT', '/api/v3/order/amend/keepPriority'], { symbol, ...which, newQty: '0.05' }, -2013)
    }
    for (const which of [{ cancelOrderId: orderId }, { cancelOrigClientOrderId: listClientOrderId }]) {
      await refused(eve, ['POST', '/api/v3/order/cancelReplace'], { ...replace, ...which }, -2022)
    }
  }
  assert.equal((await eve.done('GET', '/api/v3/openOrderList')).length, 2)
  assert.equal((await eve.done('GET', '/sapi/v1/margin/openOrderList')).length, 1)
  // A leg is an order: cancelling it cancels the list.
  await eve.done('DELETE', '/api/v3/order', { symbol, origClientOrderId: 'down' })
  await eve.done('DELETE', '/api/v3/orderList', { symbol, listClientOrderId: 'spot-list' })
  await eve.done('DELETE', '/sapi/v1/margin/orderList', { symbol, listClientOrderId: 'margin-list' })
  assert.deepEqual(await eve.done('GET', '/api/v3/openOrderList'), [])
})
