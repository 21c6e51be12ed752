import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ok, refused, SignalWorld, terms } from './world.ts'

let world: SignalWorld
before(async () => {
  world = await SignalWorld.start()
})
after(() => world[Symbol.asyncDispose]())

test('SIGNAL-ORDER-001: an alert in the exchange’s own format places a market or limit order of Spot or Futures with the key’s rights', async () => {
  const { send, program, log } = await world.trader()
  assert.deepEqual(await send({ symbol: 'ETHUSDT', side: 'buy', quantity: '0.1' }), ok)
  assert.deepEqual(await send({ symbol: 'BTCUSDT', side: 'buy', quote: '100' }, { 'content-type': 'application/json' }), ok)
  assert.deepEqual(await send({ symbol: 'ETHUSDT', side: 'buy', type: 'limit', quantity: 0.01, price: 2_950.5, id: 'rest' }), ok)
  assert.deepEqual(await send({ symbol: 'ETHUSDT.P', side: 'sell', quote: '600' }), ok)
  const all = await program.done('GET', '/api/v3/allOrders', { symbol: 'ETHUSDT' })
  assert.deepEqual(
    all.map((order: Record<string, string>) => [order['side'], order['type'], order['origQty'], order['status']]),
    [
      ['BUY', 'MARKET', '0.1000', 'FILLED'],
      ['BUY', 'LIMIT', '0.0100', 'NEW'],
    ],
  )
  const [future] = await program.done('GET', '/fapi/v1/allOrders', { symbol: 'ETHUSDT' })
  assert.deepEqual([future.side, future.origQty, future.status, future.reduceOnly], ['SELL', '0.2000', 'FILLED', false])
  const calls = await log()
  assert.deepEqual(
    calls.map(({ end, symbol }) => [end, symbol]),
    [
      ['placed', 'ETHUSDTPERP'],
      ['placed', 'ETHUSDT'],
      ['placed', 'BTCUSDT'],
      ['placed', 'ETHUSDT'],
    ],
  )
  assert.deepEqual(
    calls.map(({ order }) => order).filter((order) => order === String(all[0].orderId) || order === String(future.orderId)),
    [String(future.orderId), String(all[0].orderId)],
  )
  assert.ok(calls.every(({ ip, at }) => ip === '127.0.0.1' && Math.abs(at - Date.now()) < 60_000))
})

test('SIGNAL-ORDER-002: an alert of TradingView buys and sells, and a flat position closes that of Futures reduce-only', async () => {
  const { send, program } = await world.trader()
  const message = (action: string, contracts: string, position: string) => ({
    ...{ ticker: 'ETHUSDT.P', action, contracts, position, price: '3000.123456', time: new Date().toISOString().replace(/\.\d+/, '') },
  })
  assert.deepEqual(await send(message('buy', '0.1234567', '0.1234567')), ok)
  const held = async () => (await program.done('GET', '/fapi/v3/positionRisk', { symbol: 'ETHUSDT' })).map((one: any) => one.positionAmt)
  assert.deepEqual(await held(), ['0.1234'])
  assert.deepEqual(await send(message('sell', '5', '0')), ok)
  assert.deepEqual(await held(), [])
  const last = (await program.done('GET', '/fapi/v1/allOrders', { symbol: 'ETHUSDT' })).at(-1)
  assert.deepEqual([last.side, last.origQty, last.reduceOnly], ['SELL', '0.1234', true])
  // Nothing is left to close, and nothing is opened.
  assert.deepEqual(await send(message('sell', '5', '0.0')), ok)
  assert.deepEqual(await held(), [])
})

test('SIGNAL-ORDER-006: an alert that closes without a position is taken, places nothing and makes no notice; with the same id it never closes a later one', async () => {
  const { send, program, log, user } = await world.trader()
  const open = { symbol: 'ETHUSDT.P', side: 'buy', quantity: '0.1' }
  const close = { symbol: 'ETHUSDT.P', side: 'close' }
  const held = async () => (await program.done('GET', '/fapi/v3/positionRisk', { symbol: 'ETHUSDT' })).map((one: any) => one.positionAmt)
  const ends = async (many: number) => (await log()).slice(0, many).map(({ end }) => end)
  assert.deepEqual([await send(close), await send({ ...close, id: 'a' }), await send({ ...close, id: 'a' })], [ok, ok, ok])
  assert.deepEqual(await ends(3), ['repeat', 'flat', 'flat'])
  assert.deepEqual(await send({ ...open, id: 'b' }), ok)
  assert.deepEqual(await send({ ...close, id: 'a' }), ok)
  assert.deepEqual([await held(), await ends(1)], [['0.1000'], ['repeat']])
  // The same text found nothing to close some seconds ago, and now finds something.
  assert.deepEqual(await send(close), ok)
  assert.deepEqual([await held(), await ends(1)], [[], ['placed']])
  // The strategies of two charts close the same position.
  assert.deepEqual(await send({ ...open, id: 'c' }), ok)
  const both = await Promise.all(Array.from({ length: 6 }, (_, n) => send({ ...close, id: `d${n}` })))
  assert.deepEqual([both, await held()], [Array(6).fill(ok), []])
  assert.deepEqual((await ends(6)).sort(), ['flat', 'flat', 'flat', 'flat', 'flat', 'placed'])
  const { body } = await user.call('GET', '/notices')
  assert.deepEqual(
    body.notices.filter(({ kind }: { kind: string }) => kind === 'signal-refused'),
    [],
  )
})

test('SIGNAL-ORDER-003: an alert that was placed is answered alike when it comes again, also where it would be refused now', async () => {
  const { send, change, program, log } = await world.trader()
  const buy = { symbol: 'ETHUSDT', side: 'buy', quantity: '0.01', id: 'before' }
  const close = { symbol: 'ETHUSDT.P', side: 'close', id: 'closed' }
  assert.deepEqual(await send({ symbol: 'ETHUSDT.P', side: 'buy', quantity: '0.1' }), ok)
  assert.deepEqual([await send(buy), await send(close)], [ok, ok])
  await change({ terms: { ...terms, maxQuote: '10' } })
  assert.deepEqual([await send(buy), await send(close), await send({ ...buy, id: 'after' })], [ok, ok, refused])
  assert.deepEqual(
    (await log()).slice(0, 3).map(({ end }) => end),
    ['SIGNAL_SIZE', 'repeat', 'repeat'],
  )
  assert.equal((await program.done('GET', '/api/v3/allOrders', { symbol: 'ETHUSDT' })).length, 1)
})

test('SIGNAL-ORDER-003: an alert that came before places nothing more: by its id, by its time, or as the same text within 30 seconds', async () => {
  const { send, program, log } = await world.trader()
  const count = async () => (await program.done('GET', '/api/v3/allOrders', { symbol: 'ETHUSDT' })).length
  const buy = { symbol: 'ETHUSDT', side: 'buy', quantity: '0.01' }
  const time = Date.now()
  for (const [alert, many] of [
    [{ ...buy, id: 'once' }, 1],
    [{ ...buy, time }, 2],
    [buy, 3],
  ] as const) {
    const answers = await Promise.all([send(alert), send(alert), send(alert)])
    assert.deepEqual(answers, [ok, ok, ok])
    assert.equal(await count(), many, JSON.stringify(alert))
  }
  // An id is the same alert even when its text is not, and another id is another alert.
  assert.deepEqual(await send({ ...buy, quantity: '0.02', id: 'once' }), ok)
  assert.equal(await count(), 3)
  assert.deepEqual(await send({ ...buy, id: 'twice' }), ok)
  assert.equal(await count(), 4)
  assert.equal((await log()).filter(({ end }) => end === 'repeat').length, 7)
})

test('SIGNAL-ORDER-004: a refused alert may come again with the same id, and is then decided anew', async () => {
  const { send, change, program } = await world.trader({ symbols: ['BTCUSDT'] })
  const alert = { symbol: 'ETHUSDT', side: 'buy', quantity: '0.01', id: 'later' }
  assert.deepEqual(await send(alert), refused)
  const all = { symbols: ['ETHUSDT'], maxQuote: '1000', perMinute: 60, perDay: 100, maxAgeSeconds: 60, ips: [] }
  await change({ terms: all })
  assert.deepEqual(await send(alert), ok)
  assert.equal((await program.done('GET', '/api/v3/allOrders', { symbol: 'ETHUSDT' })).length, 1)
})

test('SIGNAL-ORDER-005: an alert whose outcome nobody knew is sent again with the same client id, and never becomes a second order', async () => {
  const { send, program, log } = await world.trader()
  const { pool } = world.desk.exchange.store
  const orders = async () => (await program.done('GET', '/api/v3/allOrders', { symbol: 'ETHUSDT' })).length
  const forget = (result: string) =>
    pool.query(
      `update key_signal_calls set result = $1, order_id = null
       where id = (select max(id) from key_signal_calls where result = 'placed')`,
      [result],
    )
  const buy = { symbol: 'ETHUSDT', side: 'buy', quantity: '0.01' }
  for (const [alert, again, many] of [
    [buy, buy, 1],
    [{ ...buy, id: 'x' }, { ...buy, id: 'x' }, 2],
    // The text differs: the core refuses the second use of the client id.
    [{ ...buy, id: 'y' }, { ...buy, id: 'y', quantity: '0.02' }, 3],
  ] as const)
    for (const result of ['STATUS_UNKNOWN', 'sent']) {
      assert.deepEqual(await send(alert), ok)
      await forget(result)
      assert.deepEqual(await send(again), ok)
      assert.equal(await orders(), many, JSON.stringify(again))
    }
  assert.ok((await log()).every(({ end }) => end === 'placed' || end === 'repeat'))
})

test('SIGNAL-NOTICE-001: the first refused alert of a key on a day makes a notice for its owner, and the others none', async () => {
  const { send, user, program, log } = await world.trader({ symbols: ['ETHUSDT'] })
  const notices = async () => {
    const { body } = await user.call('GET', '/notices')
    return body.notices.filter(({ kind }: { kind: string }) => kind === 'signal-refused')
  }
  const alert = { symbol: 'ETHUSDT', side: 'buy', quantity: '0.01' }
  assert.deepEqual([await send({ ...alert, id: 'a' }), await send({ ...alert, id: 'a' })], [ok, ok])
  assert.deepEqual(await notices(), [])
  // The core refuses the first, the list of markets the second.
  assert.deepEqual(await send({ ...alert, type: 'limit', price: '1', id: 'b' }), refused)
  assert.deepEqual(await send({ ...alert, symbol: 'BTCUSDT', id: 'c' }), refused)
  const [notice, ...others] = await notices()
  const [{ label }] = (await user.call('GET', '/keys')).body.keys.filter(({ key }: { key: string }) => key === program.key)
  assert.deepEqual([notice.values, others], [{ label }, []])
  const { pool } = world.desk.exchange.store
  await pool.query('update notices set event_id = event_id || $1 where number = $2', [' of yesterday', notice.number])
  assert.deepEqual(await send({ ...alert, symbol: 'BTCUSDT', id: 'd' }), refused)
  assert.equal((await notices()).length, 2)
  assert.equal((await log()).length, 5)
})
