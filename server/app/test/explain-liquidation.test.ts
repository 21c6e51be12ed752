import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from '@candor/core/protocol/command/index.ts'
import { request, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { ruinMargin, ruinPosition } from './ruined.ts'

let exchange: TestExchange
before(async () => {
  exchange = await startExchange({ seed: 'ruined', hasFeeds: false })
})
after(() => exchange[Symbol.asyncDispose]())

const prices = { btc: 0, eth: 0 }
async function index(next: { readonly btc?: number; readonly eth?: number } = {}): Promise<void> {
  Object.assign(prices, next)
  const one = (market: number, price: number) => {
    const quotes = [-3, -1, 1, 3].map((off, venue) => ({ venue, price: (price + off) * 1e8 }))
    return { market, price: price * 1e8, sources: 4, isGood: true, quotes }
  }
  const { refusal } = await exchange.link.submit({
    type: 'index.tick',
    prices: [one(1, prices.btc), one(2, prices.eth)],
  } as unknown as Command)
  assert.equal(refusal, undefined)
}

async function answered(who: TestUser, subject: object): Promise<any> {
  let { status, body: found } = await who.call('POST', '/explanations', subject)
  for (; found.state === 'waiting'; await sleep(50)) ({ status, body: found } = await who.call('GET', `/explanations/${found.id}`))
  assert.deepEqual([status, found.state], [200, 'ready'], JSON.stringify(found))
  return found
}

test('EXPLAIN-API-002: a liquidation is asked for by its position or account and the place of a step, and explained with the venues’ prices, the orders that were cancelled, and every step', async () => {
  const [alice, bob] = [await exchange.user({ funds: { USDT: '6000' }, isCertified: true }), await exchange.user({ funds: { USDT: '10' } })]
  const position = { kind: 'liquidation', ...(await ruinPosition({ exchange, user: alice, index })) }
  const { liquidation } = await answered(alice, position)
  assert.deepEqual([liquidation.symbol, liquidation.mode, liquidation.omitted], ['BTCUSDTPERP', 'isolated', 0])
  const [first] = liquidation.stages
  const { due, mark, markBefore, index: at, sources } = first.trigger
  assert.ok(Number(markBefore) > Number(due) && Number(mark) <= Number(due), JSON.stringify(first.trigger))
  assert.deepEqual(
    [Number(at), sources.map(({ price }: { price: string }) => Number(price) - Number(at)), sources[0].venue.length > 2],
    [55_300, [-3, -1, 1, 3], true],
  )
  assert.equal(first.cancelled.length, 1)
  const steps = liquidation.stages.flatMap((stage: any) => stage.steps)
  assert.deepEqual([steps[0].fills.length, steps.at(-1).takenOver.length, steps.at(-1).left], [1, 1, '0.00000'])
  assert.deepEqual(liquidation.end.positions, [])

  const margin = { kind: 'marginLiquidation', ...(await ruinMargin({ exchange, user: alice, index })) }
  const { marginLiquidation } = await answered(alice, margin)
  assert.equal(marginLiquidation.symbol, undefined)
  assert.deepEqual(
    marginLiquidation.stages[0].trigger.worth.coins.map(({ asset }: { asset: string }) => asset),
    ['USDT', 'ETH'],
  )
  const sold = marginLiquidation.stages.flatMap((stage: any) => stage.steps)[0]
  assert.deepEqual([sold.by, sold.orders[0].symbol, sold.orders[0].fills[0].price], ['order', 'ETHUSDT', '2465.00'])

  for (const subject of [position, margin]) {
    assert.equal((await bob.call('POST', '/explanations', subject)).status, 404)
    assert.equal((await alice.call('POST', '/explanations', { ...subject, seq: 1 })).status, 404)
    assert.equal((await request(exchange.url, 'POST', '/explanations', subject)).status, 401)
  }
})
