/** A freeze of an account with orders and a position, over the whole exchange. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import { startExchange, type TestExchange, type TestUser } from './exchange.ts'

const symbol = 'BTCUSDTPERP'

async function index(exchange: TestExchange, price: number): Promise<void> {
  const units = price * 1e8
  const quotes = [0, 1, 2, 3].map((venue) => ({ venue, price: units + venue * 1e6 - 15e5 }))
  const prices = [{ market: 1 as MarketId, price: units, sources: 4, isGood: true, quotes }]
  const { refusal } = await exchange.link.submit(commandOf({ type: 'index.tick', prices }))
  assert.equal(refusal, undefined)
}

async function ok({ call }: TestUser, path: string, body: object): Promise<void> {
  const answer = await call('POST', path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

async function trader(exchange: TestExchange): Promise<TestUser> {
  const user = await exchange.user({ funds: { USDT: '20000' }, isCertified: true })
  await ok(user, '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '10000' })
  return user
}

test('USER-FREEZE-008: a thief who freezes the account leaves its stop loss, and every order that could open something is gone', async () => {
  await using exchange = await startExchange({ seed: 'freeze', hasFeeds: false })
  await index(exchange, 60_000)
  const [owner, other] = [await trader(exchange), await trader(exchange)]
  const order = { symbol, type: 'limit', price: '60000', quantity: '0.01' }
  await ok(other, '/perp/orders', { ...order, clientId: 'a', side: 'sell' })
  const exits = { takeProfit: { price: '63000', by: 'mark' }, stopLoss: { price: '58000', by: 'mark' } }
  await ok(owner, '/perp/orders', { ...order, clientId: 'b', side: 'buy', exits })
  await ok(owner, '/perp/orders', { ...order, clientId: 'c', side: 'buy', price: '59000' })
  await ok(owner, '/spot/orders', { clientId: 'd', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '59000', quantity: '0.01' })
  const open = async () => (await exchange.link.ask.openOrders(owner.id)).map(({ perp }) => perp?.isClosing ?? false)
  assert.deepEqual((await open()).sort(), [false, false, true, true])

  assert.equal((await owner.call('POST', '/auth/freeze')).status, 204)
  assert.deepEqual(await open(), [true, true])
  assert.equal((await owner.call('POST', '/auth/freeze')).status, 401)
  // The stop loss still acts, while nobody can log in.
  await ok(other, '/perp/orders', { ...order, clientId: 'e', side: 'buy', price: '57900', quantity: '0.02' })
  await index(exchange, 57_900)
  const positions = async () => (await exchange.link.ask.perpAccount(owner.id)).positions.length
  for (let tries = 0; (await positions()) > 0; tries++) {
    assert.ok(tries < 500, 'the stop loss closed nothing')
    await index(exchange, 57_900)
    await sleep(20)
  }
})
