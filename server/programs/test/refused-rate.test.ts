import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange } from '../../main/test/exchange.ts'
import { type Answer, type Fields, programOf } from './program.ts'

let exchange: TestExchange

before(async () => {
  exchange = await startExchange({ hasFeeds: false })
  await exchange.link.submit(commandOf({ type: 'index.tick', prices: [{ market: 1, price: 6e12, sources: 4, isGood: true }] }))
})
after(() => exchange[Symbol.asyncDispose]())

/** More than an account may send in ten seconds, so that too many are on one side of the turn of a window. */
const burst = 250
const symbol = 'BTCUSDT'
const order = { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price: '55000' }
const cases: readonly (readonly [what: string, method: string, path: string, fields: Fields, code: number])[] = [
  ['spot orders without money', 'POST', '/api/v3/order', order, -2010],
  ['contract orders without margin', 'POST', '/fapi/v1/order', order, -2019],
  ['cancels of orders that are not there', 'DELETE', '/api/v3/order', { symbol, orderId: 4_000_000 }, -2011],
  ['cancels of contract orders that are not there', 'DELETE', '/fapi/v1/order', { symbol, orderId: 4_000_000 }, -2011],
  ['transfers without money', 'POST', '/sapi/v1/asset/transfer', { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '5' }, -5013],
]

for (const [what, method, path, fields, code] of cases) {
  test(`API-LIMIT-006: a program that sends nothing but ${what} is stopped by the order rate`, async () => {
    const program = await programOf(exchange.url, await exchange.user({ isCertified: true }))
    let held: Answer | undefined
    while (held === undefined) {
      const answers = await Promise.all(Array.from({ length: burst }, () => program.signed(method, path, fields)))
      held = answers.find(({ status }) => status === 429)
      for (const { status, body } of answers) assert.ok(status === 429 ? body.code === -1015 : body.code === code, JSON.stringify(body))
    }
    assert.match(held.body.msg, /^Too many new orders; current limit is 100 orders per 10 SECOND\.$/)
    assert.ok(Number(held.headers.get('retry-after')) >= 1)
  })
}

test('API-LIMIT-006: refusals of the gateway itself count like those of the exchange', async () => {
  const maker = await programOf(exchange.url, await exchange.user({ funds: { USDT: '100000', BTC: '1' }, isCertified: true }))
  const { orderId } = await maker.done('POST', '/api/v3/order', order)
  const lists = { side: 'SELL', aboveType: 'LIMIT_MAKER', abovePrice: '65000', belowType: 'STOP_LOSS', belowStopPrice: '55500' }
  // A stop needs a last trade to be compared with.
  await maker.done('POST', '/api/v3/order', { ...order, side: 'SELL', price: '60010' })
  const taker = await programOf(exchange.url, await exchange.user({ funds: { USDT: '100000' }, isCertified: true }))
  await taker.done('POST', '/api/v3/order', { symbol, side: 'BUY', type: 'MARKET', quantity: '0.01' })
  const own = await maker.done('POST', '/api/v3/orderList/oco', { symbol, quantity: '0.01', listClientOrderId: 'pair', ...lists })
  const stranger = () => exchange.user({ isCertified: true }).then((user) => programOf(exchange.url, user))
  const root = '/api/v3/order'
  const [theirs, theirList, nothing] = [
    { symbol, orderId },
    { symbol, orderListId: own.orderListId },
    { symbol, algoId: 4_000_000 },
  ]
  const amend = `${root}/amend/keepPriority`
  const asked: readonly (readonly [what: string, program: typeof maker, method: string, path: string, fields: Fields, code: number])[] = [
    ['cancels of an order of somebody else', await stranger(), 'DELETE', root, theirs, -2011],
    ['amends of an order of somebody else', await stranger(), 'PUT', amend, { ...theirs, newQty: '0.001' }, -2013],
    ['cancels of a list of somebody else', await stranger(), 'DELETE', '/api/v3/orderList', theirList, -2011],
    ['cancels of conditional orders that are not there', await stranger(), 'DELETE', '/fapi/v1/algoOrder', nothing, -2011],
    ['cancels of one order by the name of a list', maker, 'DELETE', root, { symbol, origClientOrderId: 'pair' }, -2011],
  ]
  for (const [what, program, method, path, fields, code] of asked) {
    const answers = await Promise.all(Array.from({ length: burst }, () => program.signed(method, path, fields)))
    for (const { status, body } of answers) assert.equal(body.code, status === 429 ? -1015 : code, `${what}: ${JSON.stringify(body)}`)
    assert.ok(
      answers.some(({ status }) => status === 429),
      `${what} are free`,
    )
  }
})
