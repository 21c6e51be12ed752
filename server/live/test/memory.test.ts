import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { OrderId } from '@candor/core/protocol/ids.ts'
import type { OpenOrder } from '@candor/core/protocol/port.ts'
import { connectLink } from '../../engine/connect-link.ts'
import { dialSocket } from '../../engine/link/wire.ts'
import { linkPath } from '../../engine/link-path.ts'
import type { Connection } from '../../sockets/connection.ts'
import { UserStreams } from '../../sockets/user-streams.ts'
import { startExchange, type TestUser } from '../../main/test/exchange.ts'
import { Listing } from '../listing.ts'
import { wireOpenOrder } from '../order-texts.ts'
import { MarketData } from '../data.ts'
import { Followed } from '../followed.ts'
import { Freshness } from '../freshness.ts'

test('GATEWAY-MEMORY-004: of users who send by other gateways, a gateway reads neither accounts nor orders, until they are asked about', async () => {
  await using exchange = await startExchange({ seed: 'memory', hasFeeds: false })
  const user = await exchange.user({ funds: { USDT: '1000000' } })
  const other = await exchange.user({ funds: { USDT: '1000000' } })
  await using link = await connectLink(dialSocket(linkPath(exchange.dataFolder)))
  const { pool } = exchange.store
  const freshness = new Freshness(async () => (await pool.query<{ seq: number }>('select seq from projection')).rows[0]!.seq)
  const [followed, log] = [new Followed(), () => undefined]
  const data = new MarketData({ ask: link.ask, pool, freshness, followed, log })
  const streams = new UserStreams(data, link.ask)
  const heard: Event[] = []
  data.onCommand((events) => heard.push(...events))
  link.onReleased((batch) => data.released(batch))
  await data.start()
  const place = async (by: TestUser, clientId: string): Promise<OrderId> => {
    const order = { clientId, symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '50000', quantity: '0.01' }
    return Number((await by.call('POST', '/spot/orders', order)).body.order.id) as OrderId
  }
  const typesOf = async (act: () => Promise<unknown>): Promise<ReadonlySet<string>> => {
    heard.length = 0
    await act()
    await followed.reached(await link.ask.seq())
    return new Set(heard.map(({ type }) => type))
  }
  const first = await place(user, 'first')
  const types = await typesOf(() => place(user, 'second'))
  assert.deepEqual([...types], ['book.level'])
  assert.equal(data.orders.get(first), undefined)

  await data.orders.know(link.ask, user.id)
  assert.equal(data.orders.openOf(user.id).length, 2)
  let third = 0 as OrderId
  assert.deepEqual([...(await typesOf(async () => (third = await place(user, 'third'))))], ['order.accepted', 'book.level'])
  assert.deepEqual(
    [...(await typesOf(() => user.call('DELETE', `/spot/orders/${first}?symbol=BTCUSDT`)))].filter((type) => type !== 'book.level'),
    ['order.closed'],
  )
  assert.deepEqual([data.orders.get(third)?.closeReason, data.orders.get(first)?.closeReason], [undefined, 'cancelled'])
  assert.deepEqual([...(await typesOf(() => place(other, 'fourth')))], ['book.level'])

  // Somebody who looks at an account gets what changes in it.
  const said: string[] = []
  streams.join(user.id, { queue: (text: string) => said.push(text), flush: () => undefined } as unknown as Connection)
  assert.ok((await typesOf(() => place(user, 'fifth'))).has('entry'))
  assert.ok(said.some((text) => text.includes('"e":"balance"')))
  assert.ok(!(await typesOf(() => place(other, 'sixth'))).has('entry'))
})

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
  let [ids, changes] = [0, 0]
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
          ? await user.call('DELETE', `/spot/orders/${id}?symbol=BTCUSDT`)
          : await user.call('PATCH', `/spot/orders/${id}`, { clientId, symbol: 'BTCUSDT', quantity: base.quantity, price })
      assert.ok(answer.status < 500, JSON.stringify(answer.body))
      if (answer.status === 200) changes++
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
  assert.ok(changes > 0, 'no order was changed')
})
