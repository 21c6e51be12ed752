import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { explain } from '../../main/commands/explain.ts'
import { indexOf, request, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import type { Settings } from '../../main/settings.ts'

let exchange: TestExchange
let [alice, bob] = [] as unknown as [TestUser, TestUser]
let tradeId: string
let price: string

before(async () => {
  exchange = await startExchange({ seed: 'explain' })
  alice = await exchange.user({ funds: { USDT: '100000' } })
  bob = await exchange.user({ funds: { BTC: '1' } })
  price = String(Math.floor(await indexOf(exchange.url)))
  const common = { symbol: 'BTCUSDT', type: 'limit', price }
  for (const [n, quantity] of ['0.02', '0.03'].entries())
    assert.equal((await alice.call('POST', '/spot/orders', { ...common, clientId: `buy-${n}`, side: 'buy', quantity })).status, 200)
  assert.equal((await bob.call('POST', '/spot/orders', { ...common, clientId: 'sell', side: 'sell', quantity: '0.04' })).status, 200)
  for (;;) {
    const { items } = (await alice.call('GET', '/spot/fills')).body
    tradeId = items[0]?.tradeId
    if (items.length === 2) break
    await sleep(50)
  }
})
after(() => exchange[Symbol.asyncDispose]())

const body = (role: string): object => ({ kind: 'fill', symbol: 'BTCUSDT', tradeId, role })

async function answered(who: TestUser, role: string): Promise<any> {
  let { status, body: found } = await who.call('POST', '/explanations', body(role))
  for (; found.state === 'waiting'; await sleep(50)) ({ status, body: found } = await who.call('GET', `/explanations/${found.id}`))
  assert.deepEqual([status, found.state], [200, 'ready'], JSON.stringify(found))
  return found
}

test('EXPLAIN-API-001: the follower works out in a process of its own what was asked for, and both sides of a trade get their own explanation', async () => {
  const maker = await answered(alice, 'maker')
  const { rest, ...taken } = maker.fill.maker
  assert.deepEqual(taken, { takenBetter: '0.00000', takenBefore: '0.02000' })
  assert.deepEqual([rest.betterQuantity, rest.quantity, rest.rested], ['0.00000', '0.02000', '0.03000'])
  assert.deepEqual([maker.fill.orderQuantity, maker.fill.quantity, maker.fill.filledBefore], ['0.03000', '0.02000', '0.00000'])
  assert.equal(Number(maker.fill.fee.base), 0.02)
  assert.equal(maker.fill.taker, undefined)
  const taker = await answered(bob, 'taker')
  assert.equal(taker.fill.maker, undefined)
  assert.deepEqual(taker.fill.taker.queue, { betterQuantity: '0.00000', betterLevels: 0, quantity: '0.05000' })
  assert.deepEqual(
    [taker.fill.side, taker.fill.taker.takenBefore, taker.fill.filledBefore, taker.fill.fee.asset],
    ['sell', '0.02000', '0.02000', 'USDT'],
  )
  // Each answer is of one's own order, and names nobody.
  const own = (await alice.call('GET', '/spot/fills')).body.items[0].orderId
  assert.deepEqual([maker.fill.orderId === own, taker.fill.orderId === own], [true, false])
  assert.ok(!JSON.stringify(maker).includes(bob.uid) && !JSON.stringify(taker).includes(alice.uid))

  for (const [who, role, status] of [
    [alice, 'taker', 404],
    [bob, 'maker', 404],
    [alice, 'other', 400],
  ] as const)
    assert.equal((await who.call('POST', '/explanations', body(role))).status, status, role)
  assert.equal((await bob.call('GET', `/explanations/${maker.id}`)).status, 404)
  for (const [method, path] of [
    ['POST', '/explanations'],
    ['GET', `/explanations/${maker.id}`],
  ] as const)
    assert.equal((await request(exchange.url, method, path, method === 'POST' ? body('maker') : undefined)).status, 401)
  assert.deepEqual(await answered(alice, 'maker'), maker, 'it is stored')
})

test('EXPLAIN-COMMAND-001: candor explain shows a command of the journal and all its events, executed again', async () => {
  const { fill } = await answered(alice, 'maker')
  const settings = { databaseUrl: exchange.store.url, dataFolder: exchange.dataFolder } as unknown as Settings
  const shown = await explain.run({ settings, operands: [String(fill.seq)], options: {} })
  assert.match(shown.lines[0]!, new RegExp(`^Command ${fill.seq} at 20`))
  assert.match(shown.lines[1]!, /"type":"spot\.place".*"side":"sell"/)
  assert.ok(shown.lines.some((line) => line.includes('"type":"traded"')))
  const later = await explain.run({ settings, operands: ['999999999'], options: {} })
  assert.equal(later.isFailure, true)
  assert.match(later.lines[0]!, /the journal does not have it/)
  await assert.rejects(async () => explain.run({ settings, operands: ['x'], options: {} }), /SEQ must be/)
})
