import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange } from '../../main/test/exchange.ts'

test('SPOT-FILLS-003: a fill of an order of a Margin account says so in the list, also of the maker, and one of Spot does not', async () => {
  await using exchange = await startExchange({ seed: 'margin-fills', hasFeeds: false })
  const prices = [{ market: 1, price: 6e12, sources: 4, isGood: true }]
  await exchange.link.submit(commandOf({ type: 'index.tick', prices }))
  const [alice, bob] = [
    await exchange.user({ funds: { USDT: '5000', BTC: '1' }, isCertified: true }),
    await exchange.user({ funds: { USDT: '9000' }, isCertified: true }),
  ]
  const done = async (who: typeof alice, path: string, body: object) => {
    const answer = await who.call('POST', path, body)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body
  }
  await done(alice, '/transfer', { clientId: 'in', asset: 'BTC', from: 'spot', to: 'margin-cross', amount: '0.5' })
  await done(bob, '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'margin-cross', amount: '4000' })
  const margin = { account: 'margin-cross', borrow: 'none' }
  const sale = { symbol: 'BTCUSDT', side: 'sell', type: 'limit', price: '60000' }
  await done(alice, '/spot/orders', { ...sale, clientId: 'margin', quantity: '0.01', margin })
  await done(alice, '/spot/orders', { ...sale, clientId: 'spot', quantity: '0.02' })
  const purchase = { symbol: 'BTCUSDT', side: 'buy', type: 'market' }
  const { order, fills } = await done(bob, '/spot/orders', { ...purchase, clientId: 'a', quantity: '0.02', margin })
  await done(bob, '/spot/orders', { ...purchase, clientId: 'b', quantity: '0.01' })
  type Fill = { readonly quantity: string; readonly isMargin?: boolean }
  const of = async (who: typeof alice, path = '/spot/fills') =>
    (await who.call('GET', path)).body.items.map(({ quantity, isMargin }: Fill) => [Number(quantity), isMargin])
  assert.deepEqual(await of(alice), [
    [0.01, undefined],
    [0.01, undefined],
    [0.01, true],
  ])
  assert.deepEqual(await of(bob), [
    [0.01, undefined],
    [0.01, true],
    [0.01, true],
  ])
  assert.deepEqual(await of(bob, '/spot/fills?limit=1'), [[0.01, undefined]])
  // An answer about one order says it of the order.
  const known = (await bob.call('GET', `/spot/orders/${order.id}`)).body
  assert.deepEqual([known.fills, known.order.margin], [fills, margin])
})
