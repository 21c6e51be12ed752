/** An exchange with a few trades of spot and of Futures, read without a key. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'

export let exchange: TestExchange
export let alice: TestUser
let bob: TestUser
export const firstTradeAt = Date.now()
export let lastTradeAt = firstTradeAt

before(async () => {
  exchange = await startExchange({ hasFeeds: false, settings: { trustedProxies: ['127.0.0.1'] } })
  const prices = [1, 2].map((market) => ({ market, price: market === 1 ? 6e12 : 3e11, sources: 4, isGood: true }))
  await exchange.link.submit(commandOf({ type: 'index.tick', prices }))
  alice = await exchange.user({ funds: { USDT: '1000000' }, isCertified: true, class: 'bench' })
  bob = await exchange.user({ funds: { BTC: '10', ETH: '10', USDT: '100000' }, isCertified: true, class: 'bench' })
  // Two makers at one price and one beyond it; one taker sweeps them. Then another user buys.
  await place(alice, 'buy', '60000', '0.01')
  await place(alice, 'buy', '60000', '0.02')
  await place(alice, 'buy', '59990', '0.05')
  await place(bob, 'sell', '59990', '0.05')
  await place(bob, 'sell', '60010', '0.04')
  await place(alice, 'buy', '60010', '0.01')
  lastTradeAt = Date.now()
  for (const user of [alice, bob]) {
    await ok(user, 'POST', '/transfer', { clientId: randomUUID(), asset: 'USDT', from: 'spot', to: 'perp', amount: '20000' })
  }
  await contract(alice, 'buy', '60000', '0.02')
  await contract(bob, 'sell', '60000', '0.02')
})
after(() => exchange[Symbol.asyncDispose]())

async function ok(user: TestUser, method: string, path: string, body: object): Promise<any> {
  const answer = await user.call(method, path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

const limit = (side: 'buy' | 'sell', price: string, quantity: string) => ({
  clientId: randomUUID(),
  side,
  type: 'limit',
  price,
  quantity,
})
const place = (user: TestUser, side: 'buy' | 'sell', price: string, quantity: string) =>
  ok(user, 'POST', '/spot/orders', { ...limit(side, price, quantity), symbol: 'BTCUSDT' })
const contract = (user: TestUser, side: 'buy' | 'sell', price: string, quantity: string) =>
  ok(user, 'POST', '/perp/orders', { ...limit(side, price, quantity), symbol: 'BTCUSDTPERP' })

export type Answer = { readonly status: number; readonly body: any; readonly headers: Headers }

export async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(exchange.url + path, { redirect: 'error', ...init })
  return { status: response.status, body: JSON.parse(await response.text()), headers: response.headers }
}

export async function get(path: string): Promise<any> {
  const { status, body } = await ask(path)
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
  return body
}

export async function refused(path: string, code: number, msg?: string | RegExp, status = 400): Promise<void> {
  const answer = await ask(path)
  assert.deepEqual([answer.status, answer.body.code], [status, code], `${path}: ${JSON.stringify(answer.body)}`)
  assert.deepEqual(Object.keys(answer.body), ['code', 'msg'])
  if (typeof msg === 'string') assert.equal(answer.body.msg, msg)
  else if (msg) assert.match(answer.body.msg, msg)
}
