import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Fields } from '../../test/program.ts'
import { crossed, limitOrder, type PerpDesk, refused, startPerpDesk, type Trader } from './desk.ts'

const [order, algo] = ['/fapi/v1/order', '/fapi/v1/algoOrder']
const symbol = 'ETHUSDT'
let desk: PerpDesk
let alice: Trader
let bob: Trader

/** Alice is long one ETH at 3,000, the last price; Bob is short. Both quote far away, so that stops can trade. */
before(async () => {
  desk = await startPerpDesk()
  ;[alice, bob] = [await crossed(await desk.trader()), await crossed(await desk.trader())]
  await bob.done('POST', order, limitOrder('SELL', '3000', '1'))
  await alice.done('POST', order, limitOrder('BUY', '3000', '1'))
})
after(() => desk[Symbol.asyncDispose]())

const stop = (more: Fields): Fields => ({ algoType: 'CONDITIONAL', symbol, side: 'SELL', type: 'STOP_MARKET', quantity: '0.2', ...more })

test('API-PERP-010: a conditional order waits outside the book, and is found and cancelled by its number or its client id', async () => {
  const placed = await alice.done('POST', algo, stop({ triggerPrice: '2900', clientAlgoId: 'algo-1', reduceOnly: 'true' }))
  const { algoId, createTime, updateTime, ...rest } = placed
  assert.ok(Number.isSafeInteger(algoId) && createTime === updateTime && Math.abs(createTime - Date.now()) < 10_000)
  assert.deepEqual(rest, {
    ...{ clientAlgoId: 'algo-1', algoType: 'CONDITIONAL', orderType: 'STOP_MARKET', symbol, side: 'SELL', positionSide: 'BOTH' },
    ...{ timeInForce: 'GTC', quantity: '0.2000', algoStatus: 'NEW', actualOrderId: '', actualPrice: '0', triggerPrice: '2900.00' },
    ...{ price: '0.00', icebergQuantity: null, selfTradePreventionMode: 'EXPIRE_TAKER', workingType: 'CONTRACT_PRICE', priceMatch: 'NONE' },
    ...{ closePosition: false, priceProtect: false, reduceOnly: true, triggerTime: 0, goodTillDate: 0 },
  })
  assert.deepEqual(await alice.done('POST', algo, stop({ triggerPrice: '2900', clientAlgoId: 'algo-1', reduceOnly: 'true' })), placed)
  assert.deepEqual(await alice.done('GET', algo, { algoId }), placed)
  assert.deepEqual(await alice.done('GET', algo, { clientAlgoId: 'algo-1' }), placed)
  assert.deepEqual(await alice.done('GET', '/fapi/v1/openAlgoOrders'), [placed])
  assert.deepEqual(await alice.done('GET', '/fapi/v1/openAlgoOrders', { symbol, algoType: 'CONDITIONAL' }), [placed])
  assert.deepEqual(await alice.done('GET', '/fapi/v1/openOrders'), [])
  assert.deepEqual(await bob.done('GET', '/fapi/v1/openAlgoOrders'), [])
  await refused(bob, 'GET', algo, { algoId }, -2013, 'Order does not exist.')
  await refused(bob, 'DELETE', algo, { algoId }, -2011, 'Unknown order sent.')
  await alice.done('DELETE', '/fapi/v1/allOpenOrders', { symbol })
  assert.equal((await alice.done('GET', '/fapi/v1/openAlgoOrders')).length, 1, 'a waiting order is not in the book')
  assert.deepEqual(await alice.done('DELETE', algo, { clientAlgoId: 'algo-1' }), {
    algoId,
    clientAlgoId: 'algo-1',
    code: '200',
    msg: 'success',
  })
  assert.equal((await alice.done('GET', algo, { algoId })).algoStatus, 'CANCELED')
  await refused(alice, 'DELETE', algo, { algoId }, -2011, 'Unknown order sent.')
  await refused(alice, 'GET', algo, {}, -1102)
  const resting = await alice.done('POST', order, limitOrder('BUY', '2900', '0.1'))
  await refused(alice, 'GET', algo, { algoId: resting.orderId }, -2013)
  await alice.done('DELETE', order, { symbol, orderId: resting.orderId })
})

test('API-PERP-011: stops and take profits of either side trigger at their price; one that would trigger at once is refused', async () => {
  const at = 'Order would immediately trigger.'
  await refused(alice, 'POST', algo, stop({ triggerPrice: '3100' }), -2021, at)
  await refused(alice, 'POST', algo, stop({ type: 'TAKE_PROFIT_MARKET', triggerPrice: '2900' }), -2021, at)
  await refused(alice, 'POST', algo, stop({ side: 'BUY', triggerPrice: '2900' }), -2021, at)
  await refused(alice, 'POST', algo, stop({ side: 'BUY', type: 'TAKE_PROFIT_MARKET', triggerPrice: '3100' }), -2021, at)
  await refused(alice, 'POST', algo, stop({ triggerPrice: '3100', workingType: 'MARK_PRICE' }), -2021, at)
  await refused(alice, 'POST', algo, stop({}), -1102)
  await refused(alice, 'POST', algo, stop({ type: 'LIMIT', timeInForce: 'GTC', price: '2900' }), -1116)
  await refused(alice, 'POST', algo, stop({ triggerPrice: '2900', closePosition: 'true' }), -4137)
  await refused(alice, 'POST', algo, stop({ algoType: 'VP', triggerPrice: '2900' }), -1130)
  await refused(alice, 'POST', algo, stop({ type: 'TRAILING_STOP_MARKET', callbackRate: '50' }), -2007, 'Invalid callBack rate.')
  await refused(alice, 'POST', algo, stop({ type: 'STOP', triggerPrice: '2900', price: '9000' }), -4016)
  await refused(alice, 'POST', algo, stop({ type: 'STOP', triggerPrice: '2900', price: '100' }), -4024)
  const types = [
    { type: 'STOP', triggerPrice: '2900', price: '2890', timeInForce: 'GTC' },
    { type: 'TAKE_PROFIT', triggerPrice: '3100', price: '3100', timeInForce: 'GTX' },
    { type: 'TAKE_PROFIT_MARKET', triggerPrice: '3100', workingType: 'MARK_PRICE' },
    { side: 'BUY', type: 'STOP_MARKET', triggerPrice: '3100' },
    { side: 'BUY', type: 'TAKE_PROFIT', triggerPrice: '2900', price: '2900', timeInForce: 'IOC' },
    { type: 'TRAILING_STOP_MARKET', callbackRate: '1.5', activatePrice: '3100' },
  ]
  for (const more of types) {
    const placed = await alice.done('POST', algo, stop(more))
    const { side = 'SELL', workingType = 'CONTRACT_PRICE', timeInForce = 'GTC' } = more
    assert.deepEqual([placed.orderType, placed.side, placed.workingType, placed.timeInForce], [more.type, side, workingType, timeInForce])
    assert.deepEqual(await alice.done('GET', algo, { algoId: placed.algoId }), placed)
    if (more.type === 'TRAILING_STOP_MARKET') assert.deepEqual([placed.callbackRate, placed.activatePrice], ['1.5', '3100.00'])
  }
  assert.equal((await alice.done('GET', '/fapi/v1/openAlgoOrders')).length, types.length)
  assert.equal((await alice.done('DELETE', '/fapi/v1/algoOpenOrders', { symbol })).code, 200)
  assert.deepEqual(await alice.done('GET', '/fapi/v1/openAlgoOrders'), [])
})

test('API-PERP-012: a triggered stop becomes an order with the same number, and both lists have it', async () => {
  const placed = await alice.done(
    'POST',
    algo,
    stop({ type: 'STOP', triggerPrice: '2990', price: '2950', timeInForce: 'GTC', clientAlgoId: 'wakes' }),
  )
  await bob.done('POST', order, limitOrder('BUY', '2980', '0.1'))
  // A trade at 2,980: the last price passes the trigger, and the triggered limit order rests.
  const seller = await desk.trader()
  await seller.done('POST', order, { symbol, side: 'SELL', type: 'MARKET', quantity: '0.1' })
  const woken = await alice.done('GET', order, { symbol, orderId: placed.algoId })
  assert.deepEqual(
    [woken.status, woken.type, woken.origType, woken.stopPrice, woken.clientOrderId],
    ['NEW', 'LIMIT', 'STOP', '2990.00', 'wakes'],
  )
  const told = await alice.done('GET', algo, { algoId: placed.algoId })
  assert.deepEqual([told.algoStatus, told.actualOrderId], ['TRIGGERED', String(placed.algoId)])
  assert.ok(told.triggerTime > 0)
  assert.deepEqual(await alice.done('GET', '/fapi/v1/openAlgoOrders'), [])
  assert.deepEqual(await alice.done('GET', '/fapi/v1/openOrders'), [woken])
  const [listed] = (await alice.done('GET', '/fapi/v1/allOrders', { symbol })).filter((one: any) => one.orderId === placed.algoId)
  assert.deepEqual(listed, woken)
  await bob.done('POST', order, limitOrder('BUY', '2950', '0.2'))
  assert.equal((await alice.done('GET', order, { symbol, orderId: placed.algoId })).status, 'FILLED')
  const all = await alice.done('GET', '/fapi/v1/allAlgoOrders', { symbol })
  assert.deepEqual(
    all.filter((one: any) => one.algoId === placed.algoId).map((one: any) => [one.algoStatus, one.actualPrice]),
    [['FINISHED', '2950']],
  )
  assert.ok(all.length > 6 && all.every((one: any, at: number) => at === 0 || one.algoId > all[at - 1].algoId))
})

test('API-PERP-013: closePosition closes the whole position, at the mark or the last price; older clients place stops as orders', async () => {
  const whole = { algoType: 'CONDITIONAL', symbol, side: 'SELL', type: 'STOP_MARKET', triggerPrice: '2800', closePosition: 'true' } as const
  const placed = await alice.done('POST', algo, { ...whole, workingType: 'MARK_PRICE' })
  assert.deepEqual([placed.closePosition, placed.workingType, placed.quantity, placed.reduceOnly], [true, 'MARK_PRICE', '0.0000', true])
  await refused(alice, 'POST', algo, { ...whole, type: 'STOP', price: '2800' }, -4136)
  await refused(alice, 'POST', algo, { ...whole, reduceOnly: 'true' }, -1106)
  await bob.done('POST', order, limitOrder('BUY', '2790', '2'))
  await desk.index({ ETH: 2_790 })
  const told = await alice.done('GET', algo, { algoId: placed.algoId })
  assert.deepEqual([told.algoStatus, told.actualPrice], ['FINISHED', '2790'])
  assert.deepEqual(await alice.done('GET', '/fapi/v3/positionRisk', { symbol }), [])
  await desk.index({ ETH: 3_000 })

  const old = await alice.done('POST', order, { symbol, side: 'BUY', type: 'STOP_MARKET', stopPrice: '3200', quantity: '0.1' })
  assert.deepEqual([old.status, old.type, old.origType, old.stopPrice], ['NEW', 'STOP_MARKET', 'STOP_MARKET', '3200.00'])
  assert.equal((await alice.done('GET', '/fapi/v1/openAlgoOrders'))[0].algoId, old.orderId)
  assert.equal((await alice.done('DELETE', order, { symbol, orderId: old.orderId })).status, 'CANCELED')
  const trail = { symbol, side: 'SELL', type: 'TRAILING_STOP_MARKET', callbackRate: '2', activationPrice: '3300', quantity: '0.1' }
  const trailing = await alice.done('POST', order, trail)
  assert.deepEqual([trailing.origType, trailing.priceRate, trailing.activatePrice], ['TRAILING_STOP_MARKET', '2', '3300.00'])
  await alice.done('DELETE', '/fapi/v1/algoOpenOrders', { symbol })
})

test('API-PERP-014: conditional orders that never triggered leave no holes in the pages of the others', async () => {
  const carol = await desk.trader()
  const ids: number[] = []
  for (let n = 0; n < 3; n++) {
    for (const triggerPrice of ['3300', '3301']) {
      const waiting = await carol.done('POST', algo, stop({ side: 'BUY', triggerPrice }))
      await carol.done('DELETE', algo, { algoId: waiting.algoId })
    }
    const one = await carol.done('POST', order, limitOrder('BUY', '2900', '0.1'))
    await carol.done('DELETE', order, { symbol, orderId: one.orderId })
    ids.push(one.orderId)
  }
  const live = (await carol.done('POST', order, limitOrder('BUY', '2900', '0.1'))).orderId
  const pages: number[] = []
  for (let from = 1; ; from = (pages.at(-1) as number) + 1) {
    const page = (await carol.done('GET', '/fapi/v1/allOrders', { symbol, orderId: from, limit: 2 })).map((one: any) => one.orderId)
    if (page.length === 0) break
    pages.push(...page)
  }
  assert.deepEqual(pages, [...ids, live])
  assert.equal((await carol.done('GET', '/fapi/v1/allAlgoOrders', { symbol, limit: 6 })).length, 6)
})
