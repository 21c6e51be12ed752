import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenOrder } from '@candor/core/protocol/port.ts'
import { startExchange, type TestUser } from '../../main/test/exchange.ts'
import { Listing } from '../listing.ts'
import { wireOpenOrder } from '../order-texts.ts'

test('GATEWAY-MEMORY-001: open orders come from memory and equal those of the engine, whenever a user starts to ask', async () => {
  await using exchange = await startExchange({ seed: 'memory', hasFeeds: false })
  const { ask } = exchange.link
  const listing = new Listing()
  await listing.load(ask)
  const users: TestUser[] = []
  for (let i = 0; i < 6; i++) users.push(await exchange.user({ funds: { USDT: '1000000', BTC: '100' } }))
  const read = async (user: TestUser) => (await user.call('GET', '/spot/orders/open')).body.orders
  const engines = async (user: TestUser) => {
    const orders: readonly OpenOrder[] = await ask.openOrders(user.id)
    return orders.toSorted((a, b) => b.order - a.order).map((order) => wireOpenOrder(listing, order))
  }

  let seed = 7
  const chance = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  let ids = 0
  const act = async (user: TestUser): Promise<void> => {
    const clientId = `m-${++ids}`
    const side = chance(2) === 0 ? 'buy' : 'sell'
    const price = String(60_000 + chance(40) * 10)
    const base = { clientId, symbol: 'BTCUSDT', side, quantity: `0.0${1 + chance(9)}` }
    const open = chance(4) === 0 ? await read(user) : []
    if (open.length > 0) {
      const { id } = open[chance(open.length)]
      const answer =
        chance(2) === 0
          ? await user.call('DELETE', `/spot/orders/${id}`)
          : await user.call('PATCH', `/spot/orders/${id}`, { clientId, quantity: base.quantity, price })
      assert.ok(answer.status < 500, JSON.stringify(answer.body))
      return
    }
    const { status, body } = await user.call('POST', '/spot/orders', { ...base, type: 'limit', price })
    assert.ok(status < 500, JSON.stringify(body))
    // An order that was acknowledged and rests is listed at once.
    if (status === 200 && body.order?.status === 'open') {
      const own = await read(user)
      const isThere = own.some((order: { id: string }) => order.id === body.order.id)
      if (!isThere) assert.ok(!(await engines(user)).some((order) => order.id === body.order.id), 'an acknowledged order is missing')
    }
  }
  // Each user starts to ask at another moment, while all of them trade with each other.
  for (let round = 0; round < 6; round++) {
    const asking = users.slice(0, round + 1).map((user) => read(user))
    await Promise.all([...asking, ...users.flatMap((user) => [act(user), act(user), act(user)])])
    for (const user of users.slice(0, round + 1)) assert.deepEqual(await read(user), await engines(user), `round ${round}`)
  }
  assert.ok((await Promise.all(users.map(read))).some((orders) => orders.length > 0))
})
