import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { connectLink } from '../../../engine/connect-link.ts'
import { dialSocket } from '../../../engine/link/wire.ts'
import { linkPath } from '../../../engine/link-path.ts'
import { MarketData } from '../../../live/data.ts'
import { Followed } from '../../../live/followed.ts'
import { Freshness } from '../../../live/freshness.ts'
import { startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { UserStreams } from '../../../sockets/user-streams.ts'
import { CancelNames } from '../cancel-names.ts'
import { UserData } from '../user-data.ts'

/** A gateway of its own that reads the orders of these users, and the reports that it gives the first one. */
async function gateway(exchange: TestExchange, parts: AsyncDisposableStack, [own, ...others]: readonly UserId[]) {
  const link = parts.use(await connectLink(dialSocket(linkPath(exchange.dataFolder))))
  const { pool } = exchange.store
  const freshness = new Freshness(async () => (await pool.query<{ seq: number }>('select seq from projection')).rows[0]!.seq)
  const [followed, log] = [new Followed(), () => undefined]
  const data = new MarketData({ ask: link.ask, pool, freshness, followed, log })
  const users = new UserData(data, link.ask, new CancelNames())
  new UserStreams(data, link.ask).tap(users)
  link.onReleased((batch) => data.released(batch))
  await data.start()
  for (const other of others) data.orders.follow(other)
  const said: any[] = []
  await users.join(
    { user: own!, kind: 'spot', market: 0 },
    { say: (text) => said.push(JSON.parse(text)), flush: () => undefined, onLost: () => assert.fail('lost') },
  )
  return { said, reached: async () => followed.reached(await link.ask.seq()) }
}

test('API-USER-018: every gateway gives the same number to the same report, and no number to two reports of an order', async () => {
  await using exchange = await startExchange({ seed: 'execution-ids', hasFeeds: false })
  await exchange.link.submit(commandOf({ type: 'index.tick', prices: [{ market: 1, price: 6e12, sources: 4, isGood: true }] }))
  const [taker, maker] = [await exchange.user({ funds: { USDT: '1000000' } }), await exchange.user({ funds: { BTC: '10' } })]
  await using parts = new AsyncDisposableStack()
  const gateways = [await gateway(exchange, parts, [taker.id, maker.id]), await gateway(exchange, parts, [taker.id])]
  const place = (by: TestUser, side: string, price: string, quantity: string) =>
    by.call('POST', '/spot/orders', { clientId: `${side}-${price}`, symbol: 'BTCUSDT', type: 'limit', side, price, quantity })
  for (const price of ['60000', '60010', '60020']) assert.equal((await place(maker, 'sell', price, '0.01')).status, 200)
  assert.equal((await place(taker, 'buy', '60020', '0.03')).status, 200)
  const reports: (readonly [trade: number, id: number])[][] = []
  for (const { said, reached } of gateways) {
    await reached()
    reports.push(said.filter(({ x }) => x === 'TRADE').map(({ t, I }) => [t, I]))
  }
  assert.equal(reports[0]!.length, 3)
  assert.deepEqual(reports[1], reports[0])
})
