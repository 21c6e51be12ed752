import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { connectLink } from '../../engine/connect-link.ts'
import { dialSocket } from '../../engine/link/wire.ts'
import { linkPath } from '../../engine/link-path.ts'
import { startExchange } from '../../main/test/exchange.ts'
import { programOf } from '../../programs/test/program.ts'
import { Liquidations } from '../../sockets/liquidations.ts'
import { UserStreams } from '../../sockets/user-streams.ts'
import { MarketData } from '../data.ts'
import { Followed } from '../followed.ts'
import { Freshness } from '../freshness.ts'

test('GATEWAY-MEMORY-004: a liquidation is reported publicly by every gateway, whoever was liquidated', async () => {
  await using exchange = await startExchange({ seed: 'forced-orders', hasFeeds: false })
  const index = (price: number) =>
    exchange.link.submit(commandOf({ type: 'index.tick', prices: [{ market: 1, price: price * 1e8, sources: 4, isGood: true }] }))
  await index(60_000)
  const [carol, bob] = await Promise.all(
    ['2000', '1000000'].map((USDT) => exchange.user({ funds: { USDT }, isCertified: true, class: 'bench' })),
  )
  const [c, b] = [await programOf(exchange.url, carol!), await programOf(exchange.url, bob!)]
  for (const [one, amount] of [
    [c, '1500'],
    [b, '50000'],
  ] as const)
    await one.done('POST', '/sapi/v1/asset/transfer', { type: 'MAIN_UMFUTURE', asset: 'USDT', amount })
  await c.done('POST', '/fapi/v1/leverage', { symbol: 'BTCUSDT', leverage: 10 })
  const limit = (side: string, price: string, quantity: string) => ({
    ...{ symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'GTC', price, quantity },
  })

  // Another gateway, by which neither of them has sent anything.
  await using link = await connectLink(dialSocket(linkPath(exchange.dataFolder)))
  const { pool } = exchange.store
  const freshness = new Freshness(async () => (await pool.query<{ seq: number }>('select seq from projection')).rows[0]!.seq)
  const [followed, log] = [new Followed(), () => undefined]
  const data = new MarketData({ ask: link.ask, pool, freshness, followed, log })
  // Keeps the orders of `data` up to date.
  const streams = new UserStreams(data, link.ask)
  const liquidations = new Liquidations(data)
  let liquidated = 0
  data.onCommand((events, outcome) => {
    liquidated += events.filter((event) => event.type === 'perp.liquidated' && event.order !== 0).length
    liquidations.add(events, outcome, () => true)
  })
  link.onReleased((batch) => data.released(batch))
  await data.start()

  await b.done('POST', '/fapi/v1/order', limit('SELL', '60000', '0.2'))
  await c.done('POST', '/fapi/v1/order', limit('BUY', '60000', '0.2'))
  let price = 55_000
  await b.done('POST', '/fapi/v1/order', limit('BUY', String(price), '0.5'))
  for (let n = 0; n < 100 && liquidated === 0; n++) {
    await index((price -= 100))
    await followed.reached(await link.ask.seq())
  }
  assert.ok(liquidated > 0)
  assert.equal(liquidations.take().size, 1)
  assert.ok(streams)
  assert.deepEqual(data.orders.openOf(carol!.id), [], 'the order of the liquidation has ended')
})
