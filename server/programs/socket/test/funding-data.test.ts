import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange } from '../../../main/test/exchange.ts'
import { programOf } from '../../test/program.ts'
import { Socket, until } from './socket.ts'

const hourMs = 3_600_000

test('API-USER-015: funding is reported to both sides of a Futures market, with the balance after it, as income lists it', async () => {
  // The exchange begins ten minutes after the start of a period of eight hours, and the next period starts when the test moves
  // the clock.
  const period = 8 * hourMs
  let shift = period - (Date.now() % period) + hourMs / 6
  const time = { wall: () => Date.now() + shift, steady: () => performance.now() + shift }
  await using exchange = await startExchange({ seed: 'funding-data', hasFeeds: false, time })
  const index = async () => {
    const prices = [{ market: 1, price: 60_000e8, sources: 4, isGood: true }]
    assert.equal((await exchange.link.submit(commandOf({ type: 'index.tick', prices }))).refusal, undefined)
  }
  await index()
  const sides = await Promise.all(
    (['BUY', 'SELL'] as const).map(async (side) => {
      const user = await exchange.user({ funds: { USDT: '50000' }, isCertified: true, class: 'bench' })
      const program = await programOf(exchange.url, user)
      await program.done('POST', '/sapi/v1/asset/transfer', { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '40000' })
      const response = await fetch(`${exchange.url}/fapi/v1/listenKey`, { method: 'POST', headers: { 'X-MBX-APIKEY': program.key } })
      const { listenKey } = (await response.json()) as { listenKey: string }
      return { side, program, socket: await Socket.open(exchange, `/fstream/private/ws?listenKey=${listenKey}`) }
    }),
  )
  using _sockets = { [Symbol.dispose]: () => sides.forEach(({ socket }) => socket[Symbol.dispose]()) }
  const order = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.5', price: '60000' }
  for (const { side, program, socket } of sides) {
    // Only an event on the stream shows that it is ready.
    await until(async () => {
      await program.done('POST', '/fapi/v1/order', { ...order, side, price: side === 'BUY' ? '50000' : '70000' })
      await program.done('DELETE', '/fapi/v1/allOpenOrders', { symbol: 'BTCUSDT' })
      return socket.events.some(({ o }) => o?.x === 'CANCELED')
    }, 'ready')
  }
  for (const { side, program } of sides) await program.done('POST', '/fapi/v1/order', { ...order, side })
  for (const { socket } of sides) await until(() => socket.events.some(({ o }) => o?.X === 'FILLED'), 'both hear of their fill')

  shift += period - hourMs / 6
  await index()
  const paid = []
  for (const { side, program, socket } of sides) {
    const told = await socket.find(({ a }) => a?.m === 'FUNDING_FEE')
    assert.deepEqual([told.e, told.a.B.length, told.a.P.length], ['ACCOUNT_UPDATE', 1, 1])
    const [balance, position] = [told.a.B[0], told.a.P[0]]
    assert.deepEqual([balance.a, position.s, Number(position.pa)], ['USDT', 'BTCUSDT', side === 'BUY' ? 0.5 : -0.5])
    const [account] = (await program.done('GET', '/fapi/v2/balance')).filter(({ asset }: any) => asset === 'USDT')
    assert.deepEqual([Number(balance.wb), Number(balance.cw)], [Number(account.balance), Number(account.crossWalletBalance)])
    const [income] = await program.done('GET', '/fapi/v1/income', { incomeType: 'FUNDING_FEE' })
    assert.deepEqual([income.symbol, Number(income.income), income.time], ['BTCUSDT', Number(balance.bc), told.T])
    assert.equal(socket.events.filter(({ a }) => a?.m === 'FUNDING_FEE').length, 1)
    paid.push(Number(balance.bc))
  }
  // 0.01 % of 30,000, paid by the long side to the short side.
  assert.deepEqual(paid, [-3, 3])
})
