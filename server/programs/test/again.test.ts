import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { type Fields, type Program, programOf } from './program.ts'

let exchange: TestExchange
let user: TestUser
let program: Program
const symbol = 'BTCUSDT'

before(async () => {
  exchange = await startExchange({ hasFeeds: false })
  const prices = [{ market: 1, price: 6e12, sources: 4, isGood: true }]
  await exchange.link.submit(commandOf({ type: 'index.tick', prices }))
  user = await exchange.user({ funds: { USDT: '100000', BTC: '2' }, isCertified: true, class: 'maker' })
  const maker = await exchange.user({ funds: { USDT: '1000000', BTC: '2' }, isCertified: true })
  program = await programOf(exchange.url, user)
  const moved = { asset: 'USDT', from: 'spot', to: 'perp' }
  await call(user, '/transfer', { clientId: randomUUID(), ...moved, amount: '20000' })
  await call(maker, '/transfer', { clientId: randomUUID(), ...moved, amount: '100000' })
  for (const [path, name] of [
    ['/spot/orders', symbol],
    ['/perp/orders', `${symbol}PERP`],
  ] as const) {
    for (const [side, price] of [
      ['buy', '59990'],
      ['sell', '60010'],
    ]) {
      await call(maker, path, { clientId: randomUUID(), symbol: name, side, type: 'limit', price, quantity: '0.5' })
    }
  }
})
after(() => exchange[Symbol.asyncDispose]())

async function call(who: TestUser, path: string, body: object): Promise<void> {
  const answer = await who.call('POST', path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

/** All balances of an account, and the count of its resting orders. */
async function state(): Promise<unknown> {
  const balances = (await user.call('GET', '/balances')).body.accounts.map(({ kind, symbol: of, balances: held }: any) => [kind, of, held])
  const orders = [await program.done('GET', '/api/v3/openOrders'), await program.done('GET', '/fapi/v1/openOrders')]
  return [balances, orders.map((list) => list.map((one: any) => [one.orderId, one.origQty]))]
}

const spot = { symbol, side: 'BUY', quantity: '0.01' }
const limit = { ...spot, type: 'LIMIT', timeInForce: 'GTC', price: '55000' }
const named = (fields: Fields, name = 'newClientOrderId'): Fields => ({ ...fields, [name]: randomUUID() })

/** The part of an answer that must be the same: the number of the order, list or transfer, and its status. */
const keyOf = ({ orderId, orderListId, tranId, algoId, status, executedQty, cummulativeQuoteQty, fills }: any): unknown => [
  ...[orderId, orderListId, tranId, algoId, status, executedQty, cummulativeQuoteQty],
  fills?.map(({ tradeId, qty, commission }: any) => [tradeId, qty, commission]),
]

test('API-AGAIN-001: an acknowledged request repeated with its client id gets the first outcome and has no second effect', async () => {
  const order = '/api/v3/order'
  const open = async (): Promise<Fields> => {
    const { clientOrderId } = await program.done('POST', order, named(limit))
    return { symbol, origClientOrderId: clientOrderId }
  }
  const stop = { ...spot, side: 'SELL', type: 'STOP_LOSS', stopPrice: '57000' }
  const oco = {
    ...{ symbol, side: 'SELL', quantity: '0.01', aboveType: 'LIMIT_MAKER', abovePrice: '61000' },
    ...{ belowType: 'STOP_LOSS', belowStopPrice: '59000' },
  }
  const algo = { algoType: 'CONDITIONAL', symbol, side: 'SELL', type: 'STOP_MARKET', quantity: '0.01', triggerPrice: '57000' }
  const transfer = { asset: 'USDT', amount: '7' }
  // A stop needs a last trade to be compared with.
  await program.done('POST', order, { ...spot, type: 'MARKET' })
  await program.done('POST', '/fapi/v1/order', { ...spot, type: 'MARKET' })
  await program.done('POST', '/sapi/v1/asset/transfer', { ...transfer, type: 'MAIN_MARGIN', amount: '5000' })
  const requests: readonly (readonly [method: string, path: string, fields: Fields])[] = [
    ['POST', order, named(limit)],
    ['POST', order, named({ ...spot, type: 'MARKET', newOrderRespType: 'FULL' })],
    ['POST', order, named({ symbol, side: 'BUY', type: 'MARKET', quoteOrderQty: '100', newOrderRespType: 'FULL' })],
    ['POST', order, named({ ...spot, type: 'LIMIT_MAKER', price: '54000' })],
    ['POST', order, named({ ...limit, timeInForce: 'IOC', price: '60010', newOrderRespType: 'FULL' })],
    ['POST', order, named(stop)],
    ['POST', '/api/v3/orderList/oco', named(oco, 'listClientOrderId')],
    ['DELETE', order, named(await open())],
    ['POST', '/sapi/v1/asset/transfer', named({ ...transfer, type: 'MAIN_UMFUTURE' }, 'clientTranId')],
    ['POST', '/sapi/v1/asset/transfer', named({ ...transfer, type: 'UMFUTURE_MAIN' }, 'clientTranId')],
    ['POST', '/sapi/v1/margin/order', named({ ...spot, type: 'MARKET', isIsolated: 'FALSE', newOrderRespType: 'FULL' })],
    ['POST', '/fapi/v1/order', named(limit)],
    ['POST', '/fapi/v1/order', named({ ...spot, type: 'MARKET', newOrderRespType: 'RESULT' })],
    ['POST', '/fapi/v1/algoOrder', named(algo, 'clientAlgoId')],
  ]
  const said: unknown[] = []
  for (const [method, path, fields] of requests) said.push(keyOf(await program.done(method, path, fields)))
  const reached = await state()
  for (const round of [1, 2]) {
    for (const [i, [method, path, fields]] of requests.entries()) {
      assert.deepEqual(
        keyOf(await program.done(method, path, fields)),
        said[i],
        `${method} ${path} ${JSON.stringify(fields)}, round ${round}`,
      )
    }
  }
  assert.deepEqual(await state(), reached)
  const all = [...requests.entries()].map(([i, [method, path, fields]]) =>
    program.done(method, path, fields).then((body) => assert.deepEqual(keyOf(body), said[i])),
  )
  await Promise.all(all)
  assert.deepEqual(await state(), reached, 'even when all come at once')
})

test('API-AGAIN-002: a used client id with other content is refused; a refusal is an outcome like any other', async () => {
  const first = named(limit)
  await program.done('POST', '/api/v3/order', first)
  for (const change of [{ quantity: '0.02' }, { price: '55001' }, { side: 'SELL', price: '65000' }, { timeInForce: 'IOC' }]) {
    const { status, body } = await program.signed('POST', '/api/v3/order', { ...first, ...change })
    assert.deepEqual([status, body], [400, { code: -2010, msg: 'Duplicate order sent.' }])
  }
  const poor = named({ ...limit, quantity: '100' })
  const insufficient = { code: -2010, msg: 'Account has insufficient balance for requested action.' }
  for (let i = 0; i < 2; i++) assert.deepEqual((await program.signed('POST', '/api/v3/order', poor)).body, insufficient)
  const other = await program.signed('POST', '/api/v3/order', { ...poor, quantity: '0.01' })
  assert.deepEqual(other.body, { code: -2010, msg: 'Duplicate order sent.' })
})
