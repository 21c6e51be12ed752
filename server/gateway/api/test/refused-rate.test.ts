import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startExchange, type TestExchange } from '../../../main/test/exchange.ts'
import { type Answer, type Fields, programOf } from './program.ts'

let exchange: TestExchange

before(async () => {
  exchange = await startExchange({ hasFeeds: false })
  await exchange.link.submit({ type: 'index.tick', prices: [{ market: 1, price: 6e12, sources: 4, isGood: true }] } as never)
})
after(() => exchange[Symbol.asyncDispose]())

/** More than an account may send in ten seconds, so that one side of the turn of a window has too many. */
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
  test(`API-LIMIT-006: who sends nothing but ${what} is held up by the order rate`, async () => {
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
